/**
 * The cache of answers, by the question and by what its user may read. A hit saves the model, not the search: the same
 * queries are searched with the access of this moment, and the stored draft is used only where they find exactly the
 * same passages. It goes through the gate like a new draft. So a permission that was taken away and a document that was
 * changed count at once. The cache is in memory, and ends with the prompts, models and settings that it came from.
 */
import { createHash } from "node:crypto";
import type { AskRequest, Draft } from "../capability/capability.js";
import type { DraftEvent } from "../capability/draft.js";
import type { Passage } from "../domain/passage.js";
import type { Prompts } from "../llm/prompts.js";
import { accessFingerprint } from "../retrieval/access.js";
import { openingMessages } from "./messages.js";
import { phrasesFor } from "./phrases.js";
import { allPassages, type SearchDeps, searchAll } from "./search.js";

/** Answers that are remembered at the most; the one that was used longest ago goes first. */
export const ANSWERS_MAX = 500;

/** Characters of all of them together, and of one. */
export const ANSWERS_CHARS_MAX = 4_000_000;
export const ANSWER_CHARS_MAX = 20_000;

export interface AnswerCacheDeps extends Omit<SearchDeps, "telemetry"> {
  readonly prompts: Prompts;
  /** How long an answer is good for. */
  readonly maxAgeMs: number;
}

/** One answer: how it was searched for, what that found, and what was made of it. */
interface CachedAnswer {
  readonly queries: readonly string[];
  readonly found: string;
  readonly drafts: readonly DraftEvent[];
  readonly sinceMs: number;
  readonly characters: number;
}

/** The same capability, which asks the model only where it has no answer already. */
export function createAnswerCache(ask: Draft, deps: AnswerCacheDeps): Draft {
  const answers = new Answers(deps);
  return async function* (request, signal) {
    // What is attached is the caller's, and belongs to this one question.
    if (request.context !== undefined) return yield* ask(request, signal);
    const key = keyOf(request, deps.prompts);
    const drafts = await answers.recall(key, request, signal);
    if (drafts !== undefined) yield* drafts;
    else yield* answers.note(key, request, (noted) => ask(noted, signal));
  };
}

class Answers {
  /** The one that was used last at the end. */
  readonly #byKey = new Map<string, CachedAnswer>();
  #characters = 0;

  constructor(private readonly deps: AnswerCacheDeps) {}

  /** The whole draft, if it would come to the same today, or nobody can tell. Rejects with the signal's reason only. */
  async recall(
    key: string,
    { access, telemetry }: AskRequest,
    signal: AbortSignal,
  ): Promise<readonly DraftEvent[] | undefined> {
    const { network, username } = access;
    const tell = (result: "hit" | "miss" | "stale") =>
      telemetry.emit({ type: "answer_looked_up", user: { network, username }, result });
    const known = this.#fresh(key);
    if (known === undefined) {
      tell("miss");
      return undefined;
    }
    const found = await searchAll(known.queries, access, { ...this.deps, telemetry }, signal);
    const passages = allPassages(found);
    const looked: DraftEvent[] = [
      { type: "queries", queries: known.queries },
      { type: "passages", passages },
    ];
    if (found.some(({ type }) => type === "unavailable")) {
      tell("miss");
      // The same search once more would take as long, and fail as well.
      return [...looked, { type: "end", searched: "unavailable", degraded: false }];
    }
    if (fingerprintOf(passages) !== known.found) {
      this.#forget(key);
      tell("stale");
      return undefined;
    }
    this.#keep(key, known);
    tell("hit");
    return [...looked, ...known.drafts];
  }

  /** What `ask` drafts, remembered if it comes to a whole answer. */
  async *note(
    key: string,
    request: AskRequest,
    ask: (request: AskRequest) => AsyncIterable<DraftEvent>,
  ): AsyncGenerator<DraftEvent, void, undefined> {
    const queries: string[] = [];
    let passages: readonly Passage[] = [];
    let drafts: DraftEvent[] = [];
    const rewind = () => {
      const rewound = request.rewind();
      if (rewound) drafts = [];
      return rewound;
    };
    for await (const draft of ask({ ...request, rewind })) {
      if (draft.type === "queries") queries.push(...draft.queries);
      else if (draft.type === "passages") passages = draft.passages;
      else drafts.push(draft);
      if (draft.type === "end" && isWhole(drafts) && passages.length > 0) {
        const characters = JSON.stringify([queries, drafts]).length;
        const sinceMs = this.deps.clock.monotonic();
        if (characters <= ANSWER_CHARS_MAX)
          this.#keep(key, { queries, found: fingerprintOf(passages), drafts, sinceMs, characters });
      }
      yield draft;
    }
  }

  #fresh(key: string): CachedAnswer | undefined {
    const known = this.#byKey.get(key);
    if (known === undefined) return undefined;
    if (this.deps.clock.monotonic() - known.sinceMs <= this.deps.maxAgeMs) return known;
    this.#forget(key);
    return undefined;
  }

  #keep(key: string, answer: CachedAnswer): void {
    this.#forget(key);
    this.#byKey.set(key, answer);
    this.#characters += answer.characters;
    for (const oldest of this.#byKey.keys()) {
      if (this.#byKey.size <= ANSWERS_MAX && this.#characters <= ANSWERS_CHARS_MAX) return;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    this.#characters -= this.#byKey.get(key)?.characters ?? 0;
    this.#byKey.delete(key);
  }
}

/** Whether the writer came to its end, and nothing stood in its way. */
function isWhole(drafts: readonly DraftEvent[]): boolean {
  const end = drafts.at(-1);
  if (end?.type !== "end" || end.degraded || end.searched !== "found" || end.outcome !== undefined)
    return false;
  return drafts.some(({ type }) => type === "text" || type === "claim");
}

/** Who asks, and all that the model would be told first: persona, language, what was said before, and the question. */
function keyOf(request: AskRequest, prompts: Prompts): string {
  const { access, language, locale, persona, responseType } = request;
  const question = normalized(request.question);
  const messages = openingMessages({ ...request, question }, phrasesFor(persona, locale), prompts);
  const who = [accessFingerprint(access), persona, responseType, language ?? "", locale.language];
  return digest([...who, messages]);
}

/** Blanks, capitals and the mark at its end do not make another question of it. */
function normalized(question: string): string {
  return question
    .normalize("NFC")
    .toLowerCase()
    .replace(/\s+/g, " ")
    .trim()
    .replace(/(?<![\s?.!])[\s?.!]+$/, "");
}

/** A name for everything of the passages that an answer may draw on, in whatever order they were found. */
function fingerprintOf(passages: readonly Passage[]): string {
  const lasting = passages.map(({ score: _, highlights: __, ...passage }) => passage);
  return digest(lasting.sort((a, b) => (a.chunkId < b.chunkId ? -1 : 1)));
}

function digest(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}
