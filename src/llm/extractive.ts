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
 * answerable questions of ClapNQ's dev set against the pool of all its passages (BM25, best 5): at 0.6 it answers 62%,
 * 95% of these from the right passage, and 4% when the right passage is taken out; at 0.55 67% and 7%.
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
  const asked = readQuestion(question, priorUserTurn);
  const candidates = rank(asked, passages);
  const best = candidates[0];
  if (best === undefined || best.coverage < COVERAGE_MIN) return { type: "none" };
  if (best.unit.role === "step" && asked.seeks === "steps" && sentencesMax > 1)
    return procedure(best, passages);
  return {
    type: "answer",
    sentences: sentencesAround(best, candidates, sentencesMax),
    passages: [best.passage],
    complete: true,
  };
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
  /** Decides which of several answers is the best. */
  readonly score: number;
  /** The question's telling terms in the unit itself. */
  readonly matched: ReadonlySet<string>;
}

/** Every unit of every passage that may hold an answer, best first. */
function rank(question: Question, passages: readonly Passage[]): readonly Candidate[] {
  const read = passages.map((passage) => {
    const context = new Set(analyze([passage.title, ...passage.headings].join(" . ")));
    return { passage, context, terms: new Set([...context, ...analyze(passage.text)]) };
  });
  const weights = weigh(
    question,
    read.map(({ terms }) => terms),
  );
  const total = sum(weights.values());
  const candidates = read.flatMap(({ passage, context, terms }, rankOfPassage) => {
    if (question.identifiers.some((identifier) => !terms.has(identifier))) return [];
    const units = passageUnits(passage);
    return units.flatMap((unit, index): Candidate[] => {
      if (unit.role === "heading") return [];
      const own = new Set(analyze(unit.text));
      const matched = new Set([...question.telling.keys()].filter((term) => own.has(term)));
      if (matched.size === 0) return [];
      const covered = [...weights].filter(([term]) => own.has(term) || context.has(term));
      const coverage = sum(covered.map(([, weight]) => weight)) / total;
      const score = coverage + cueBonus(question, unit) - RANK_MALUS * rankOfPassage;
      return [{ passage, units, index, unit, coverage, score, matched }];
    });
  });
  return candidates.sort((a, b) => b.score - a.score);
}

/** A figure where one was asked for. */
const CUE_BONUS = 0.15;
/** The engine's order of the passages counts, a little. */
const RANK_MALUS = 0.03;

function cueBonus(question: Question, unit: Unit): number {
  return question.seeks === "quantity" && NUMBER.test(unit.text.replace(/^\d{1,3}[.)]\s/, ""))
    ? CUE_BONUS
    : 0;
}

const NUMBER =
  /\p{N}|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|half|once|twice|hourly|daily|weekly|monthly|every)\b/iu;

/** Terms that few passages have tell more, and those that none has tell most: they are what the documents lack. */
function weigh(question: Question, passages: readonly ReadonlySet<string>[]): ReadonlyMap<string, number> {
  const count = Math.max(passages.length, PASSAGES_ASSUMED);
  const weights = new Map([...question.generic].map((term) => [term, GENERIC_WEIGHT]));
  for (const [term, weight] of question.telling) {
    const having = passages.filter((terms) => terms.has(term)).length;
    weights.set(term, weight * Math.log(1 + (count + 1) / (having + 0.5)));
  }
  return weights;
}

/** Weight of a term that fits any question; a telling one has 0.7 to 2.6. */
const GENERIC_WEIGHT = 0.1;

/** With few passages at hand a term's rarity cannot be told; they are weighed as if there were this many. */
const PASSAGES_ASSUMED = 5;

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
  const texts = warningsFirst(inOrder).map(({ text }) => text.replace(/^\d{1,3}[.)]\s+/, ""));
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

/** All steps of the procedure that the best step belongs to, from whatever passages have them; its warnings first. */
function procedure(best: Candidate, passages: readonly Passage[]): ExtractedAnswer {
  const heading = best.passage.headings.join("\n");
  const parts = passages.filter(
    ({ documentId, headings }) => documentId === best.passage.documentId && headings.join("\n") === heading,
  );
  const steps = new Map<number, { readonly text: string; readonly passage: Passage }>();
  const warnings = new Set<string>();
  for (const passage of parts) {
    for (const { role, text, number } of passageUnits(passage)) {
      if (role === "warning") warnings.add(text);
      if (role === "step" && !steps.has(number!)) steps.set(number!, { text, passage });
    }
  }
  const run: string[] = [];
  const used = new Set<Passage>();
  for (let number = 1; steps.has(number); number++) {
    run.push(steps.get(number)!.text);
    used.add(steps.get(number)!.passage);
  }
  const all = [...warnings, ...run];
  const sentences = fitting(all, PROCEDURE_CHARS_MAX);
  if (run.length === 0)
    return { type: "answer", sentences: [best.unit.text], passages: [best.passage], complete: false };
  const complete = sentences.length === all.length && run.length === steps.size;
  return { type: "answer", sentences, passages: parts.filter((passage) => used.has(passage)), complete };
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

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
