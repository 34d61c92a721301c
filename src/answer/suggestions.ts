/**
 * Suggested questions: what this user could ask now, and would be answered. Questions are proposed, by a model or from
 * templates, and each is tried out with the user's own access before it is suggested; of what was made, nothing is told
 * again when a document behind it may not be read any more.
 */
import type { Persona } from "../capability/capability.js";
import { type Access, userOf } from "../domain/user.js";
import { orElse, withDeadline } from "../lib/deadline.js";
import { ExpiringCache } from "../lib/expiring-cache.js";
import { ModelFailure } from "../llm/port.js";
import type { Prompts } from "../llm/prompts.js";
import type { Locale } from "../locale/locale.js";
import type { Locales } from "../locale/locales.js";
import { accessFingerprint } from "../retrieval/access.js";
import type { DocumentOutline, OutlineLimits } from "../retrieval/port.js";
import type { Telemetry } from "../telemetry/events.js";
import { type AnswerableDeps, type AnsweredBy, answeredBy } from "./answerable.js";
import type { WritingModel } from "./compose.js";
import { candidatesOf, type SuggestionCandidate } from "./suggestion-templates.js";
import { proposedQuestions } from "./suggestion-writer.js";

export interface SuggestRequest {
  readonly access: Access;
  readonly persona: Persona;
  /** The language of the questions. */
  readonly locale: Locale;
  /** Questions at the most. */
  readonly count: number;
}

export interface SuggestionsDeps extends Omit<AnswerableDeps, "hasModel"> {
  readonly telemetry: Telemetry;
  readonly prompts: Prompts;
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

  /** Rejects with `SearchUnavailable`, or the signal's reason. */
  async suggest(request: SuggestRequest, signal: AbortSignal): Promise<SuggestionSet> {
    const { access, count, locale, persona } = request;
    const revision = await this.deps.retrieval.revision(access.network, signal);
    const key = [accessFingerprint(access), locale.language, persona, count, revision].join("\n");
    const mayBeTold = async ({ documentIds }: SuggestionSet) => {
      if (documentIds.length === 0) return true;
      const readable = await this.deps.retrieval.readable(documentIds, access, signal);
      return documentIds.every((id) => readable.has(id));
    };
    const known = this.#kept.get(key);
    if (known !== undefined && (await mayBeTold(known))) return known;
    const made = await this.#make(request, signal);
    // While they were made, a permission may have been taken away.
    if (!(await mayBeTold(made))) {
      this.#kept.delete(key);
      return NOTHING;
    }
    this.#kept.set(key, made);
    return made;
  }

  async #make(request: SuggestRequest, signal: AbortSignal): Promise<SuggestionSet> {
    const { locales, retrieval } = this.deps;
    const outlines = await retrieval.outline(request.access, LIMITS, signal);
    if (outlines.length === 0) return NOTHING;
    const chosen = new Selection(request.count, Math.ceil(request.count / Math.min(2, outlines.length)));
    await this.#choose(await this.#proposed(request, outlines, signal), chosen, request, signal);
    for (const locale of new Set([request.locale, locales.usual])) {
      // Rather a question in the documents' language than none.
      if (locale !== request.locale && chosen.size > 0) break;
      await this.#choose(await candidatesOf(outlines, locale, locales.usual), chosen, request, signal);
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
    const deps = { ...this.deps, model, user, giveUpAtMs: clock.monotonic() + MODEL_MS_MAX };
    const propose = async (signal: AbortSignal) => {
      const shown = outlines.slice(0, SHOWN_DOCUMENTS_MAX);
      const contents = shown.map(({ documentId }) =>
        this.deps.retrieval.contents(documentId, access, SHOWN_PASSAGES_MAX, signal),
      );
      const passages = (await Promise.all(contents)).flat();
      const languages = { language: locale.language, searchLanguage: searchLanguage(access.network) };
      return proposedQuestions({ outlines, passages, count, ...languages }, deps, signal);
    };
    const proposed = withDeadline(clock, "the model's questions", MODEL_MS_MAX, parent, propose);
    const failed = ({ message: error }: Error) => {
      telemetry.emit({ type: "model_failed", user, stage: "suggest", error });
      return [];
    };
    return orElse(proposed, parent, failed, ModelFailure);
  }

  /** Tries candidates out in their order until enough are chosen. */
  async #choose(
    candidates: readonly SuggestionCandidate[],
    chosen: Selection,
    request: SuggestRequest,
    signal: AbortSignal,
  ): Promise<void> {
    const deps = { ...this.deps, hasModel: this.deps.model !== undefined };
    const end = Math.min(candidates.length, request.count * TRIED_PER_WANTED);
    for (let at = 0; at < end && !chosen.isFull; at += TRIED_AT_ONCE) {
      const tried = candidates.slice(at, at + TRIED_AT_ONCE);
      const answers = await Promise.all(tried.map((one) => answeredBy(one, request, deps, signal)));
      for (const [i, answer] of answers.entries()) if (answer !== undefined) chosen.add(tried[i]!, answer);
    }
  }
}

/** What was chosen so far; nothing twice. */
class Selection {
  readonly #questions = new Map<string, string>();
  readonly #documentIds = new Set<string>();
  readonly #about: string[] = [];

  /** `perDocumentMax`: questions about one document. */
  constructor(
    private readonly count: number,
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

  /** A question that its answer fits: neither facts where steps were asked for, nor the words of another document. */
  add({ asksForSteps, documentIds, text }: SuggestionCandidate, answer: AnsweredBy): void {
    const key = text
      .normalize("NFKC")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim();
    const about = answer.documentIds.find((id) => documentIds.includes(id));
    if (about === undefined || (asksForSteps && !answer.hasSteps)) return;
    const isEnough = this.#about.filter((id) => id === about).length >= this.perDocumentMax;
    if (this.isFull || isEnough || this.#questions.has(key)) return;
    this.#questions.set(key, text);
    this.#about.push(about);
    for (const id of [...documentIds, ...answer.documentIds]) this.#documentIds.add(id);
  }
}
