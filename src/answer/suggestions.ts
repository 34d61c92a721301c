/**
 * Suggested questions: what this user could ask now, and would be answered. Questions are proposed, by a model or from
 * templates, and each is tried out with the user's own access before it is suggested; of what was made, nothing is told
 * again when a document behind it may not be read any more.
 */
import { createHash } from "node:crypto";
import type { Persona } from "../capability/capability.js";
import type { Passage } from "../domain/passage.js";
import type { Access, User } from "../domain/user.js";
import { Deadline, DeadlineExceeded, withDeadline } from "../lib/deadline.js";
import { ExpiringCache } from "../lib/expiring-cache.js";
import { ModelFailure } from "../llm/port.js";
import type { Locale } from "../locale/locale.js";
import type { Locales } from "../locale/locales.js";
import { accessFingerprint } from "../retrieval/access.js";
import type { DocumentOutline, OutlineLimits } from "../retrieval/port.js";
import { type AnswerableDeps, type AnsweredBy, answeredBy } from "./answerable.js";
import { candidatesOf, type SuggestionCandidate } from "./suggestion-templates.js";
import { proposedQuestions, type SuggestionWriterDeps, type WritingModel } from "./suggestion-writer.js";

export interface SuggestRequest {
  readonly access: Access;
  readonly persona: Persona;
  /** The language of the questions. */
  readonly locale: Locale;
  /** Questions at the most. */
  readonly count: number;
}

export interface SuggestionsDeps
  extends Omit<AnswerableDeps, "hasModel">,
    Omit<SuggestionWriterDeps, "model"> {
  /** Absent: questions are made from templates. */
  readonly model?: WritingModel | undefined;
  readonly locales: Locales;
  /** The language of a network's documents, in words. */
  readonly searchLanguage: (network: string) => string;
}

export const SUGGESTIONS_COUNT = 4;

/** How long suggestions are told again, as in the reference: a day. */
export const SUGGESTIONS_AGE_MS_MAX = 86_400_000;

/** Users whose suggestions are kept. */
const KEPT_MAX = 1_000;

/** Time for the model, of which what is left goes to the templates, and for all of it. */
const MODEL_MS_MAX = 10_000;
export const SUGGEST_MS_MAX = 15_000;

/** Documents that are looked at. */
const LIMITS: OutlineLimits = { documentsMax: 40, headingsMax: 16 };

/** Documents of which the model sees the beginning, and how much of it. */
const SHOWN_DOCUMENTS_MAX = 6;
const SHOWN_PASSAGES_MAX = 2;

/** Questions that are tried out for each that is wanted, and how many at once. */
const TRIED_PER_WANTED = 8;
const TRIED_AT_ONCE = 4;

/** What was made for one access. */
export interface SuggestionSet {
  readonly questions: readonly string[];
  /** Every document that had a part in any of them. */
  readonly documentIds: readonly string[];
}

const NOTHING: SuggestionSet = { questions: [], documentIds: [] };

export class Suggestions {
  readonly #kept: ExpiringCache<SuggestionSet>;

  constructor(private readonly deps: SuggestionsDeps) {
    this.#kept = new ExpiringCache(deps.clock, { entriesMax: KEPT_MAX, ageMsMax: SUGGESTIONS_AGE_MS_MAX });
  }

  /** Rejects with `SearchUnavailable`, `DeadlineExceeded`, or the signal's reason. */
  async suggest(request: SuggestRequest, parent: AbortSignal): Promise<readonly string[]> {
    return (await this.suggestFrom(request, parent)).questions;
  }

  /** The same, with the documents that have a part in them. */
  suggestFrom(request: SuggestRequest, parent: AbortSignal): Promise<SuggestionSet> {
    return withDeadline(this.deps.clock, "suggesting questions", SUGGEST_MS_MAX, parent, (signal) =>
      this.#suggest(request, signal),
    );
  }

  async #suggest(request: SuggestRequest, signal: AbortSignal): Promise<SuggestionSet> {
    const { retrieval } = this.deps;
    const key = this.#keyOf(request, await retrieval.revision(request.access.network, signal));
    const known = this.#kept.get(key);
    if (known !== undefined && (await this.#mayBeTold(known, request, signal))) return known;
    const made = await this.#make(request, signal);
    // While they were made, a permission may have been taken away.
    if (!(await this.#mayBeTold(made, request, signal))) {
      this.#kept.delete(key);
      return NOTHING;
    }
    this.#kept.set(key, made);
    return made;
  }

  #keyOf({ access, count, locale, persona }: SuggestRequest, revision: string): string {
    const { model, prompts, searchLanguage } = this.deps;
    const language = locale.language;
    const search_language = searchLanguage(access.network);
    const written = [
      prompts.render("suggested-questions", { count: String(count), language, search_language }),
      prompts.render("suggest-tool"),
      locale.say("suggested.what_to_do", { topic: "" }),
      locale.say("suggested.what_to_know", { topic: "" }),
      model?.model.name ?? "",
    ];
    const digest = createHash("sha256").update(JSON.stringify(written)).digest("hex");
    return [accessFingerprint(access), language, persona, count, revision, digest].join("\n");
  }

  async #mayBeTold(
    { documentIds }: SuggestionSet,
    { access }: SuggestRequest,
    signal: AbortSignal,
  ): Promise<boolean> {
    if (documentIds.length === 0) return true;
    const readable = await this.deps.retrieval.readable(documentIds, access, signal);
    return documentIds.every((id) => readable.has(id));
  }

  async #make(request: SuggestRequest, signal: AbortSignal): Promise<SuggestionSet> {
    const { locales, retrieval } = this.deps;
    const outlines = await retrieval.outline(request.access, LIMITS, signal);
    if (outlines.length === 0) return NOTHING;
    const proposed = await this.#proposed(request, outlines, signal);
    const chosen = new Selection(request.count, Math.ceil(request.count / Math.min(2, outlines.length)));
    if (proposed.length > 0) await this.#choose(asDocuments(proposed), chosen, request, signal);
    const { usual } = locales;
    for (const locale of new Set([request.locale, usual])) {
      // Rather a question in the documents' language than none.
      if (chosen.isFull || (locale !== request.locale && chosen.size > 0)) break;
      await this.#choose(await candidatesOf(outlines, locale, usual), chosen, request, signal);
    }
    return chosen.kept;
  }

  /** What the model proposes; nothing where there is none, or where it fails. */
  async #proposed(
    request: SuggestRequest,
    outlines: readonly DocumentOutline[],
    parent: AbortSignal,
  ): Promise<readonly SuggestionCandidate[]> {
    const { clock, model, searchLanguage, telemetry } = this.deps;
    if (model === undefined) return [];
    const { access, count, locale } = request;
    const user = userOf(access);
    const deadline = new Deadline(clock, "the model's questions", MODEL_MS_MAX, parent);
    try {
      const passages = await this.#beginnings(outlines, access, deadline.signal);
      const job = {
        ...{ user, outlines, passages, count, language: locale.language },
        searchLanguage: searchLanguage(access.network),
        giveUpAtMs: clock.monotonic() + MODEL_MS_MAX,
      };
      return await proposedQuestions(job, { ...this.deps, model }, deadline.signal);
    } catch (error) {
      parent.throwIfAborted();
      if (!(error instanceof ModelFailure || error instanceof DeadlineExceeded)) throw error;
      telemetry.emit({ type: "model_failed", user, stage: "suggest", error: error.message });
      return [];
    } finally {
      deadline.dispose();
    }
  }

  async #beginnings(
    outlines: readonly DocumentOutline[],
    access: Access,
    signal: AbortSignal,
  ): Promise<readonly Passage[]> {
    const shown = outlines.slice(0, SHOWN_DOCUMENTS_MAX);
    const contents = await Promise.all(
      shown.map(({ documentId }) =>
        this.deps.retrieval.contents(documentId, access, SHOWN_PASSAGES_MAX, signal),
      ),
    );
    return contents.flat();
  }

  /** Tries candidates out, one of each document before a second one of any, until enough are chosen. */
  async #choose(
    byDocument: readonly (readonly SuggestionCandidate[])[],
    chosen: Selection,
    request: SuggestRequest,
    signal: AbortSignal,
  ): Promise<void> {
    const deps = { ...this.deps, hasModel: this.deps.model !== undefined };
    let fresh = byDocument.map((candidates) => [...candidates]);
    let served: SuggestionCandidate[][] = [];
    for (let left = request.count * TRIED_PER_WANTED; left > 0 && !chosen.isFull; left -= TRIED_AT_ONCE) {
      if (fresh.length === 0) [fresh, served] = [served, []];
      const round = fresh.splice(0, TRIED_AT_ONCE);
      const tried = round.map((queue) => queue.shift()!);
      const answers = await Promise.all(tried.map((one) => answeredBy(one, request, deps, signal)));
      for (const [at, queue] of round.entries()) {
        const [candidate, answer] = [tried[at]!, answers[at]];
        const took = answer !== undefined && isFit(candidate, answer) && chosen.add(candidate, answer);
        if (queue.length > 0) (took ? served : fresh).push(queue);
      }
    }
  }
}

/** Proposals of a model as if each was of a document of its own: it has seen to their variety itself. */
function asDocuments(
  candidates: readonly SuggestionCandidate[],
): readonly (readonly SuggestionCandidate[])[] {
  return candidates.map((candidate) => [candidate]);
}

/** An answer out of another document is not what the words promise; nor are facts where steps were asked for. */
function isFit({ asksForSteps, documentIds }: SuggestionCandidate, answer: AnsweredBy): boolean {
  return (!asksForSteps || answer.hasSteps) && documentIds.some((id) => answer.documentIds.includes(id));
}

/** What was chosen so far; nothing twice. */
class Selection {
  readonly #questions = new Map<string, string>();
  readonly #documentIds = new Set<string>();

  readonly #byDocument = new Map<string, number>();

  constructor(
    private readonly count: number,
    /** Questions about one document at the most. */
    private readonly perDocumentMax: number,
  ) {}

  get size(): number {
    return this.#questions.size;
  }

  get isFull(): boolean {
    return this.size >= this.count;
  }

  get kept(): SuggestionSet {
    return { questions: [...this.#questions.values()], documentIds: [...this.#documentIds] };
  }

  /** False when it was there already, or when there are enough, of its document or at all. */
  add({ documentIds, text }: SuggestionCandidate, answer: AnsweredBy): boolean {
    const key = text
      .normalize("NFKC")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim();
    const about = documentIds.length === 1 ? documentIds[0]! : answer.documentIds[0]!;
    const count = this.#byDocument.get(about) ?? 0;
    if (this.isFull || this.#questions.has(key) || count >= this.perDocumentMax) return false;
    this.#questions.set(key, text);
    this.#byDocument.set(about, count + 1);
    for (const id of [...documentIds, ...answer.documentIds]) this.#documentIds.add(id);
    return true;
  }
}

function userOf({ network, username }: Access): User {
  return { network, username };
}
