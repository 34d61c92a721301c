/** What of a passage may answer a question: sentences, items and rows, each with how well it fits. */
import type { Passage } from "../domain/passage.js";
import { pause } from "../lib/pause.js";
import { ACTION_VERBS } from "../words/function-words.js";
import { forbids } from "./expected-kind.js";
import { aboutList, listsIn } from "./lists.js";
import { mayMean } from "./meant.js";
import { type List, type PassageUnit, passageUnits, unitTerms } from "./passage-units.js";
import type { Question } from "./question.js";
import { contextTerms, passageTerms, type QuestionScale } from "./question-scale.js";
import { deniedBy, termsOf } from "./terms.js";

/** The share of a longer question's weight that an answer has to hold, its title and headings included. */
export const COVERAGE_MIN = 0.7;

export interface UnitFit {
  readonly passage: Passage;
  readonly units: readonly PassageUnit[];
  readonly index: number;
  readonly unit: PassageUnit;
  /** The list that answers as a whole, of which `unit` is the first. */
  readonly list?: List;
  /** Decides which of several answers is the best: the next two, and the passage's place. */
  readonly score: number;
  /** The share of the question that it holds, its surroundings included. */
  readonly coverage: number;
  readonly likeness: number;
  /** The question's telling terms in the unit itself. */
  readonly matched: ReadonlySet<string>;
}

/** Every unit of a passage that answers the question; `rank` is the passage's place in the engine's order, from 0. */
export async function* candidatesIn(
  passage: Passage,
  rank: number,
  scale: QuestionScale,
): AsyncGenerator<UnitFit, void, undefined> {
  if (!scale.mayBeAbout(passage)) return;
  const { question } = scale;
  const units = passageUnits(passage);
  for (const [index, unit] of units.entries()) {
    await pause();
    if (!mayAnswer(unit, scale) || !mayMean(scale, passage, unit)) continue;
    const unitBefore = units[index - 1];
    // "Entry needs a permit. It is forbidden below 20 %", and the like without "it".
    const leans = leansOnBefore(unit) || (question.states && forbids.test(unit.text));
    const before = leans && unitBefore !== undefined ? unitTerms(unitBefore) : [];
    const stands = [unit.list?.lead ?? "", unit.under?.text ?? ""].flatMap(termsOf);
    const around = [...before, ...stands, ...scale.takenIn(unit)];
    const fit = fitOf(passage, rank, scale, unitTerms(unit), around);
    if (fit !== undefined) yield { ...fit, passage, units, index, unit };
  }
  if (!question.seeksList) return;
  for (const list of listsIn(passage)) {
    if (!list.units.every((unit) => scale.isOfKind(unit))) continue;
    const fit = fitOf(passage, rank, scale, aboutList(list, passage), list.units.flatMap(unitTerms));
    const unit = list.units[0]!;
    if (fit !== undefined) yield { ...fit, passage, units, index: units.indexOf(unit), unit, list };
  }
}

/** Whether a unit is of the kind that was asked for. */
function mayAnswer(unit: PassageUnit, scale: QuestionScale): boolean {
  const { asks, seeksConsequence, seeksSteps, telling, words } = scale.question;
  if (unit.role === "heading" || /[:：]$/.test(unit.text)) return false;
  if (!scale.isOfKind(unit)) return false;
  // A lone step is not how the thing is done, nor what follows.
  if (unit.role === "step" && (seeksSteps || seeksConsequence || !asks)) return false;
  // "Report damage …" is how one does it, "Only people with …" and "The line is not given back …" are not.
  return !(seeksSteps && words[0] === "how") || (isOrder(unit) && telling.has(unitTerms(unit)[0] ?? ""));
}

/** "Stop.", "Purge it with air"; not "Pump 1 delivers", which tells of a thing. */
export function isOrder({ text }: PassageUnit): boolean {
  const [, first, second] = /^(\p{L}+)\P{L}*?([\p{L}\p{N}]*)/u.exec(text) ?? [];
  return ACTION_VERBS.has(first?.toLowerCase() ?? "") && !/\p{N}/u.test(second ?? "");
}

/** How well terms fit the question, with those that stand around them; undefined where they do not. */
function fitOf(
  passage: Passage,
  rank: number,
  scale: QuestionScale,
  terms: readonly string[],
  around: readonly string[],
): Pick<UnitFit, "score" | "coverage" | "likeness" | "matched"> | undefined {
  const { implied, topics } = scale.question;
  const context = contextTerms(passage);
  const circumstances = new Set(
    [...scale.question.circumstances].filter((term) => passageTerms(passage).has(term)),
  );
  const headingTerms = new Set(termsOf(passage.headings.at(-1) ?? ""));
  const heading = scale.headed(passage) === 1 ? [...headingTerms] : [];
  const own = new Set(terms);
  const isAbout = [...topics].some((term) => !implied.has(term) && (own.has(term) || headingTerms.has(term)));
  const said = new Set([...own, ...around, ...heading, ...(isAbout ? implied : [])]);
  const coverage = scale.share(said, context, circumstances);
  if (scale.share(said) < SAID_MIN || !scale.deniesAll(said, context)) return undefined;
  if (coverage < sentenceCoverageMin(scale.question, rank)) return undefined;
  const likeness = OWN_BONUS * scale.share(own) + PAIRS_BONUS * scale.pairs(terms);
  const score = coverage + likeness - RANK_MALUS * rank;
  return { score, coverage, likeness, matched: scale.tellingIn(own) };
}

/** The share of the question that a sentence has to say itself. */
const SAID_MIN = 0.3;

/** A short question, and one that steps would answer, has to be held whole. */
function sentenceCoverageMin({ seeksSteps, states, telling }: Question, rank: number): number {
  if (states) return LIMIT_COVERAGE_MIN;
  // What is denied is said in two words.
  const size = [...telling.keys()].reduce((sum, term) => sum + (deniedBy(term) === undefined ? 1 : 2), 0);
  return seeksSteps || size <= SHORT_TERMS_MAX ? 1 : COVERAGE_MIN + RANK_COVERAGE * rank;
}

/** There are few limits that a value could be held against, so that fewer words tell which is meant. */
const LIMIT_COVERAGE_MIN = 0.55;

/** Telling terms of a short question at the most. */
const SHORT_TERMS_MAX = 3;
/** How much more has to be held, for each place further down in the engine's order. */
const RANK_COVERAGE = 0.05;

/** What decides between answers: a match in the sentence itself, neighbouring words, the engine's order. */
const OWN_BONUS = 0.3;
const PAIRS_BONUS = 0.15;
const RANK_MALUS = 0.03;

/** Whether a sentence makes no sense without the one before: a word among its first few stands for something in that. */
export function leansOnBefore({ role, text }: PassageUnit): boolean {
  return (role === "sentence" || role === "warning") && LEANS_ON_BEFORE.test(text);
}

const LEANS_ON_BEFORE =
  /^(?:that|then|otherwise|instead|if so|if not)\b|^(?:[^\s,;]+\s+){0,3}(?:it|its|they|them|their|this|these|those|he|she|him|her|his)\b/i;
