/**
 * Answers without a model: the sentences of the passages that fit the question best, word for word, or nothing when
 * none fits. Pure. It can only repeat what a document says, so its one decision is whether that is an answer.
 */
import type { Passage } from "../domain/passage.js";
import { analyze } from "../lib/english-analyzer.js";
import { passageUnits, type Unit } from "./passage-units.js";
import { type Question, readQuestion } from "./question.js";

export type ExtractedAnswer =
  | {
      readonly type: "answer";
      /** In the order in which they are to be said: warnings first, then the order of the document. */
      readonly sentences: readonly string[];
      readonly passages: readonly Passage[];
      /** False when a procedure has steps that are not among the sentences; the listener has to be told. */
      readonly complete: boolean;
    }
  | { readonly type: "none" };

export interface ExtractLimits {
  /** Sentences of an answer at the most, warnings included; a procedure is read whole unless this is 1. Default 3. */
  readonly sentencesMax?: number;
}

/**
 * The share of the question's weight that a sentence, with its title and headings, has to carry. Measured on the 300
 * answerable questions of ClapNQ's dev set against the pool of all its passages (BM25, best 5): at 0.6 it answers 59%,
 * 94% of these from the right passage, and 3% when the right passage is taken out; at 0.55 it is 63% and 6%.
 */
export const COVERAGE_MIN = 0.6;

/** Characters of an answer at the most: about 40 s of speech, and 100 s for a procedure. */
export const ANSWER_CHARS_MAX = 600;
export const PROCEDURE_CHARS_MAX = 1_500;

const SENTENCES_MAX = 3;

/** The answer that the passages hold for `question`; `priorUserTurn` is what the same user asked before it. */
export function extractAnswer(
  question: string,
  priorUserTurn: string | undefined,
  passages: readonly Passage[],
  { sentencesMax = SENTENCES_MAX }: ExtractLimits,
): ExtractedAnswer {
  const scale = new Scale(readQuestion(question, priorUserTurn), passages);
  if (scale.question.seeksSteps && sentencesMax > 1) {
    const steps = bestProcedure(scale, passages);
    if (steps !== undefined) return procedure(steps, passages);
  }
  const candidates = rank(scale, passages);
  const best = candidates[0];
  if (best === undefined || best.coverage < COVERAGE_MIN) return { type: "none" };
  const sentences = sentencesAround(best, candidates, sentencesMax);
  return { type: "answer", sentences, passages: [best.passage], complete: true };
}

/** A passage as it is read when no model can be reached: word for word, whole sentences, within the bound. */
export function bestPassageAloud(passage: Passage): string {
  const texts = passageUnits(passage).map(({ text }) => text);
  return fitting(texts, PROCEDURE_CHARS_MAX).join(" ");
}

interface Candidate {
  readonly passage: Passage;
  readonly units: readonly Unit[];
  readonly index: number;
  readonly unit: Unit;
  /** Share of the question's weight in the unit, its title and headings: decides whether this is an answer at all. */
  readonly coverage: number;
  /** The first unit of the passage, when its heading is the question. */
  readonly leadIndex?: number;
  /** Decides which of several answers is the best. */
  readonly score: number;
  /** The question's telling terms in the unit itself. */
  readonly matched: ReadonlySet<string>;
}

/** Every unit of every passage that may hold an answer, best first. */
function rank(scale: Scale, passages: readonly Passage[]): readonly Candidate[] {
  const candidates = passages.flatMap((passage, rankOfPassage) => {
    if (!scale.hasIdentifiers(passage)) return [];
    const context = contextTerms(passage);
    const leads = scale.share(new Set(analyze(passage.headings.at(-1) ?? ""))) >= HEADING_SHARE_MIN;
    const units = passageUnits(passage);
    const firstIndex = units.findIndex(({ role }) => role !== "heading");
    return units.flatMap((unit, index): Candidate[] => {
      if (unit.role === "heading") return [];
      const own = new Set(analyze(unit.text));
      const matched = scale.tellingIn(own);
      if (matched.size === 0 && !(leads && index === firstIndex)) return [];
      const kind = scale.isOfKind(unit) ? 1 : OTHER_KIND_FACTOR;
      const coverage = kind * scale.share(new Set([...own, ...context]));
      const score = coverage + OWN_BONUS * scale.share(own) - RANK_MALUS * rankOfPassage;
      return [
        {
          passage,
          units,
          index,
          unit,
          coverage,
          score,
          matched,
          ...(leads ? { leadIndex: firstIndex } : {}),
        },
      ];
    });
  });
  return candidates.sort((a, b) => b.score - a.score);
}

/** A heading with this share of the question's weight is the question: what stands under it first is its answer. */
const HEADING_SHARE_MIN = 0.5;
/** What a sentence is worth that lacks the figure, the time or the place that was asked for. */
const OTHER_KIND_FACTOR = 0.7;
/** A match in the sentence itself says a little more than one in its title. */
const OWN_BONUS = 0.1;
/** The engine's order of the passages counts, a little. */
const RANK_MALUS = 0.03;

/** The passage with the steps that were asked for: its heading is about them, and all of it covers the question. */
function bestProcedure(scale: Scale, passages: readonly Passage[]): Passage | undefined {
  const scored = passages.flatMap((passage) => {
    const steps = passageUnits(passage).filter(({ role }) => role === "step");
    const heading = new Set(analyze(passage.headings.at(-1) ?? passage.title));
    if (steps.length < STEPS_MIN || scale.tellingIn(heading).size === 0 || !scale.hasIdentifiers(passage))
      return [];
    const context = contextTerms(passage);
    const coverage = scale.share(new Set([...context, ...analyze(passage.text)]));
    return coverage < COVERAGE_MIN
      ? []
      : [{ passage, score: coverage + scale.share(context) + scale.share(heading) }];
  });
  return scored.sort((a, b) => b.score - a.score)[0]?.passage;
}

/** Fewer steps are no procedure. */
const STEPS_MIN = 2;

function contextTerms({ title, headings }: Passage): ReadonlySet<string> {
  return new Set(analyze([title, ...headings].join(" . ")));
}

/** Weighs texts against one question, knowing which of its terms are rare among the passages. */
class Scale {
  readonly #weights: ReadonlyMap<string, number>;
  readonly #total: number;

  constructor(
    readonly question: Question,
    passages: readonly Passage[],
  ) {
    const texts = passages.map((passage) => allTerms(passage));
    const count = Math.max(texts.length, PASSAGES_ASSUMED);
    const weights = new Map([...question.generic].map((term) => [term, GENERIC_WEIGHT]));
    for (const [term, weight] of question.telling) {
      const having = texts.filter((terms) => terms.has(term)).length;
      weights.set(term, weight * Math.log(1 + (count + 1) / (having + 0.5)));
    }
    this.#weights = weights;
    this.#total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  }

  /** The share of the question's weight that these terms carry, 0 to 1. */
  share(terms: ReadonlySet<string>): number {
    let carried = 0;
    for (const [term, weight] of this.#weights) if (terms.has(term)) carried += weight;
    return this.#total === 0 ? 0 : carried / this.#total;
  }

  tellingIn(terms: ReadonlySet<string>): ReadonlySet<string> {
    return new Set([...this.question.telling.keys()].filter((term) => terms.has(term)));
  }

  isOfKind(unit: Unit): boolean {
    return this.question.expects?.test(unit.text.replace(STEP_NUMBER, "")) ?? true;
  }

  hasIdentifiers(passage: Passage): boolean {
    const { identifiers } = this.question;
    if (identifiers.length === 0) return true;
    const terms = allTerms(passage);
    return identifiers.every((identifier) => terms.has(identifier));
  }
}

/** Weight of a term that fits any question; a telling one has 0.7 to 2.6. */
const GENERIC_WEIGHT = 0.1;

/** With few passages at hand a term's rarity cannot be told; they are weighed as if there were this many. */
const PASSAGES_ASSUMED = 5;

const STEP_NUMBER = /^\d{1,3}[.)]\s+/;

function allTerms(passage: Passage): ReadonlySet<string> {
  return new Set([...contextTerms(passage), ...analyze(passage.text)]);
}

/** The best sentence with what it needs and what adds to it in its passage; warnings first, then in order. */
function sentencesAround(
  best: Candidate,
  candidates: readonly Candidate[],
  sentencesMax: number,
): readonly string[] {
  const { units } = best;
  const chosen = new Set([best.index]);
  const add = (index: number) => {
    const unit = units[index];
    if (unit !== undefined && unit.role !== "heading" && chosen.size < sentencesMax) chosen.add(index);
  };
  if (best.leadIndex !== undefined) add(best.leadIndex);
  if (POINTS_BACK.test(best.unit.text)) add(best.index - 1);
  const next = units[best.index + 1];
  if (next !== undefined && POINTS_BACK.test(next.text)) add(best.index + 1);
  for (const [index, unit] of units.entries()) if (isWarningFor(best, unit)) add(index);
  const covered = new Set(best.matched);
  for (const other of candidates) {
    if (other.passage !== best.passage || other.score < best.score * ADDITION_SCORE_MIN) continue;
    if ([...other.matched].every((term) => covered.has(term))) continue;
    add(other.index);
    for (const term of other.matched) covered.add(term);
  }
  const inOrder = [...chosen].sort((a, b) => a - b).map((index) => units[index]!);
  const texts = warningsFirst(inOrder).map(({ text }) => text.replace(STEP_NUMBER, ""));
  return fitting(texts, ANSWER_CHARS_MAX);
}

/** How well a further sentence has to fit, against the best one. */
const ADDITION_SCORE_MIN = 0.6;

/** Beginnings that make no sense without the sentence before. */
const POINTS_BACK =
  /^(?:it|its|they|them|this|that|these|those|then|he|she|otherwise|instead|if so|if not)\b/i;

/** A warning by name counts for its whole passage; "never" and "do not" count where they are about the same thing. */
function isWarningFor(best: Candidate, unit: Unit): boolean {
  if (unit.role !== "warning") return false;
  return WARNING_BY_NAME.test(unit.text) || analyze(unit.text).some((term) => best.matched.has(term));
}

const WARNING_BY_NAME = /^(?:warning|danger|caution)\b/i;

/** All steps under the same heading as `found`, from whatever passages have them; their warnings first. */
function procedure(found: Passage, passages: readonly Passage[]): ExtractedAnswer {
  const heading = found.headings.join("\n");
  const parts = passages.filter(
    ({ documentId, headings }) => documentId === found.documentId && headings.join("\n") === heading,
  );
  const steps = new Map<number, { readonly text: string; readonly passage: Passage }>();
  const warnings = new Set<string>();
  for (const passage of parts) {
    for (const { role, text, number } of passageUnits(passage)) {
      if (role === "warning") warnings.add(text);
      if (role === "step" && !steps.has(number!)) steps.set(number!, { text, passage });
    }
  }
  const inOrder = [...steps].sort(([a], [b]) => a - b);
  const isWhole = inOrder.every(([number], i) => number === i + 1);
  const all = [...warnings, ...inOrder.map(([, { text }]) => text)];
  const sentences = fitting(all, PROCEDURE_CHARS_MAX);
  const used = new Set(inOrder.map(([, { passage }]) => passage));
  return {
    type: "answer",
    sentences,
    passages: parts.filter((passage) => used.has(passage)),
    complete: isWhole && sentences.length === all.length,
  };
}

function warningsFirst(units: readonly Unit[]): readonly Unit[] {
  const isWarning = ({ role }: Unit) => role === "warning";
  return [...units.filter(isWarning), ...units.filter((unit) => !isWarning(unit))];
}

/** As many whole texts from the start as fit, and at least one. */
function fitting(texts: readonly string[], charsMax: number): readonly string[] {
  let chars = 0;
  const end = texts.findIndex((text) => {
    chars += text.length + 1;
    return chars > charsMax;
  });
  return end === -1 ? texts : texts.slice(0, Math.max(1, end));
}
