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
import { userOf } from "../domain/user.js";
import { ExpiringCache } from "../lib/expiring-cache.js";
import type { Prompts } from "../llm/prompts.js";
import { accessFingerprint } from "../retrieval/access.js";
import { openingMessages } from "./messages.js";
import { phrasesFor } from "./phrases.js";
import { allPassages, type SearchDeps, searchAll } from "./search.js";

/** Answers that are remembered at the most, and characters of one of them: 4 million in all. */
export const ANSWERS_MAX = 200;
const ANSWER_CHARS_MAX = 20_000;

export interface AnswerCacheDeps extends SearchDeps {
  readonly prompts: Prompts;
  /** How long an answer is good for. */
  readonly maxAgeMs: number;
}

/** One answer: how it was searched for, what that found, and what was made of it. */
interface CachedAnswer {
  readonly queries: readonly string[];
  readonly found: string;
  readonly drafts: readonly DraftEvent[];
}

interface LookedUp {
  readonly result: "hit" | "miss" | "stale";
  /** Absent: it has to be asked for. */
  readonly drafts?: readonly DraftEvent[];
}

/** The same capability, which asks the model only where it has no answer already. */
export function createAnswerCache(ask: Draft, deps: AnswerCacheDeps): Draft {
  const { clock, maxAgeMs: ageMsMax, prompts } = deps;
  const answers = new ExpiringCache<CachedAnswer>(clock, { entriesMax: ANSWERS_MAX, ageMsMax });
  return async function* (request, signal) {
    // What is attached is the caller's, and belongs to this one question.
    if (request.context !== undefined) return yield* ask(request, signal);
    const key = keyOf(request, prompts);
    const known = answers.get(key);
    const { drafts, result }: LookedUp =
      known === undefined ? { result: "miss" } : await checked(known, request, deps, signal);
    request.telemetry.emit({ type: "answer_looked_up", user: userOf(request.access), result });
    if (result === "stale") answers.delete(key);
    if (drafts !== undefined) return yield* drafts;
    yield* noted(request, ask, signal, (answer) => answers.set(key, answer));
  };
}

/** The whole draft, if it would come to the same today, or nobody can tell. Rejects with the signal's reason only. */
async function checked(
  { drafts, found: before, queries }: CachedAnswer,
  request: AskRequest,
  deps: SearchDeps,
  signal: AbortSignal,
): Promise<LookedUp> {
  const found = await searchAll(queries, request, deps, signal);
  const passages = allPassages(found);
  const looked: readonly DraftEvent[] = [
    { type: "queries", queries },
    { type: "passages", passages },
  ];
  // The same search once more would take as long, and fail as well.
  if (found.some(({ type }) => type === "unavailable"))
    return { result: "miss", drafts: [...looked, { type: "end", searched: "unavailable", degraded: false }] };
  if (fingerprintOf(passages) !== before) return { result: "stale" };
  return { result: "hit", drafts: [...looked, ...drafts] };
}

/** What `ask` drafts, kept if it comes to a whole answer. */
async function* noted(
  request: AskRequest,
  ask: Draft,
  signal: AbortSignal,
  keep: (answer: CachedAnswer) => void,
): AsyncGenerator<DraftEvent, void, undefined> {
  const queries: string[] = [];
  let passages: readonly Passage[] = [];
  let drafts: DraftEvent[] = [];
  const rewind = () => {
    const rewound = request.rewind();
    if (rewound) drafts = [];
    return rewound;
  };
  for await (const draft of ask({ ...request, rewind }, signal)) {
    if (draft.type === "queries") queries.push(...draft.queries);
    else if (draft.type === "passages") passages = draft.passages;
    else drafts.push(draft);
    const isShort = () => JSON.stringify([queries, drafts]).length <= ANSWER_CHARS_MAX;
    if (draft.type === "end" && isWhole(drafts) && passages.length > 0 && isShort())
      keep({ queries, found: fingerprintOf(passages), drafts });
    yield draft;
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
