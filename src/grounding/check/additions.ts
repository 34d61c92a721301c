/**
 * Nothing is added: each word of a claim that says something is one of the unit that it rests on, or of what stands
 * around that unit. One that is not is enough. Words that claim nothing by what they do are the exception.
 */

import { pattern } from "../../lib/pattern.js";
import { rowByWord } from "../../lib/word-set.js";
import { EMPTY_WORDS, TELLING_LIGHT_WORDS } from "../../words/empty-words.js";
import type { PreparedEvidence } from "../evidence.js";
import type { EvidenceUnit } from "../evidence-units.js";
import type { ClauseKind } from "../sentence/clauses.js";
import { lookUp } from "../sentence/lexicon.js";
import { excludes, sharesSide } from "../sentence/opposition.js";
import type { Sentence, SentenceWord } from "../sentence/sentence.js";
import { verbIn } from "../sentence/verbs.js";
import { type Finding, gap } from "./check.js";
import { substituted } from "./slots.js";

/** A word of the claim that the unit does not have. */
export interface Addition {
  readonly token: number;
  readonly term: string;
}

/** What a claim adds to a unit, in its order. */
export function additionsTo(claim: Sentence, units: readonly EvidenceUnit[]): Addition[] {
  const [first, ...others] = units.map((unit) => additionsToOne(claim, unit));
  return first!.filter(({ token, term }) =>
    others.every((added) => added.some((one) => one.token === token && one.term === term)),
  );
}

function additionsToOne(claim: Sentence, unit: EvidenceUnit): Addition[] {
  const { context, says } = unit;
  const verb = verbIn(claim, 0, claim.tokens.length);
  const done = predicateOf(says);
  // What a pronoun stands for may be named only by who says the same of it.
  const isOfAntecedent = done === undefined || claim.words.some(({ term }) => term === done);
  const added: Addition[] = [];
  const own = new Set<number>();
  const taken: SentenceWord[] = [];
  for (const word of claim.words) {
    const { lower } = claim.tokens[word.token]!;
    if (isPlace(claim, word.token) || !tells(word, lower) || isBound(claim, word.token)) continue;
    if (says.words.some((other) => isSame(word, other)) || isMeasured(lower, claim)) own.add(word.clause);
    else if (unit.isRow && word.token === verb && word.info.poles.length === 0) continue;
    else if (context.has(word.term) && (isOfAntecedent || !unit.antecedents.has(word.term))) taken.push(word);
    else if (word.token >= LEADING_TOKENS || !LEADING.test(lower)) added.push(word);
  }
  // What a clause allows or demands the unit itself has to speak of.
  for (const word of taken) {
    const { from, kind, to } = claim.clauses[word.clause]!;
    const binds = claim.infos.slice(from, to).some(({ modality }) => modality !== undefined);
    if (kind === "main" && binds && own.size > 0 && !own.has(word.clause)) added.push(word);
  }
  return [...added, ...placesAdded(claim, says)];
}

/** Words of place and order that the unit has no word of that group for, nor a clause. */
function placesAdded(claim: Sentence, says: Sentence): Addition[] {
  return claim.tokens.flatMap(({ lower: term }, token) => {
    const group = PLACES.get(term);
    if (group === undefined || !isPlace(claim, token)) return [];
    if (isOfAmount(claim, token) || isBound(claim, token)) return [];
    const isSaid =
      says.tokens.some(({ lower }) => PLACES.get(lower) === group) ||
      says.clauses.some(({ kind }) => CLAUSES_FOR[group]?.includes(kind));
    return isSaid ? [] : [{ token, term }];
  });
}

/** The first word of what is done or is so. */
function predicateOf(says: Sentence): string | undefined {
  const verb = verbIn(says, 0, says.tokens.length) ?? says.tokens.length;
  return says.words.find(({ token, info }) => token >= verb && info.weight === "content")?.term;
}

/** Words for what an amount measures, which its unit tells already: "the temperature is over 40 °C". */
const MEASURED: Readonly<Record<string, string>> = { weight: "mass", distance: "length" };

function isMeasured(lower: string, { quantities }: Sentence): boolean {
  const wanted = MEASURED[lower] ?? lower;
  return quantities.some(({ dimension, unit }) => (unit.name === "°" ? "temperature" : dimension) === wanted);
}

/** "First, …", "Then …": where the sentence stands, not what it says. */
const LEADING_TOKENS = 2;
const LEADING = /^(?:first|second|third|next|then|finally|last|lastly)$/;

/** Whether the word says something that must come from somewhere. */
function tells({ info }: SentenceWord, lower: string): boolean {
  if (info.weight === "function" || info.modality !== undefined) return false;
  if (EMPTY_WORDS.has(lower) || EMPTY_WORDS.has(info.stem)) return false;
  return info.weight === "content" || TELLING_LIGHT_WORDS.has(lower);
}

function isSame(one: SentenceWord, other: SentenceWord): boolean {
  return (
    one.term === other.term ||
    sharesSide(one.info, other.info) ||
    (one.info.exclusive < 0 && excludes(one.info, other.info))
  );
}

/** Words of place, direction, order and rate, by what they say; those of one group stand for each other. */
const PLACES = rowByWord({
  under: "under underneath beneath below",
  over: "over above",
  before: "before",
  after: "after once",
  without: "without",
  or: "or",
  all: "all",
  both: "both",
});
/** Clauses of the unit that a word of order may stand for: `conditions.ts` compares those. */
const CLAUSES_FOR: Partial<Record<string, readonly ClauseKind[]>> = {
  before: ["before", "after", "until"],
  after: ["after", "before", "if"],
};

/** The word by itself, and no part of a phrase that means something else: "every month" is "monthly". */
function isPlace({ tokens, infos }: Sentence, token: number): boolean {
  const { lower } = tokens[token]!;
  // "when the job is over"
  const isBehindIs = /^(?:is|are)$/.test(tokens[token - 1]?.lower ?? "");
  if (lower === "over" && isBehindIs && tokens[token + 1]?.kind !== "number") return false;
  return PLACES.has(lower) && infos[token] === lookUp(lower);
}

/** Words that say which way an amount is open, near an amount: "a maximum of", "heavier than", "or more". */
const BOUNDS = pattern()`
    ^(?:max|maximum|min|minimum|limit|limited|least|most|between|over|above|under
    |below|or|more|less|exceed|exceeds|up|older|younger|heavier|lighter|longer
    |shorter|higher|lower|deeper|larger|smaller|greater|fewer|later|earlier|stay
    |stays|remain|remains|exceed|exceeds|faster|slower|further|long|much|many|high)$
  `;
const BOUND_REACH = 3;

function isBound({ quantities, tokens }: Sentence, token: number): boolean {
  const { lower } = tokens[token]!;
  const isCompared = tokens[token + 1]?.lower === "than" || tokens[token - 1]?.lower === "or";
  if (!(isCompared && lower.endsWith("er")) && !BOUNDS.test(lower)) return false;
  return quantities.some(
    ({ firstToken, lastToken, use, low, high, bound }) =>
      (use === "measure" || use === "count") &&
      (bound !== "exact" || low !== high) &&
      token >= firstToken - BOUND_REACH &&
      token <= lastToken + BOUND_REACH,
  );
}

/** "above 12 m/s", "every 15 minutes" */
function isOfAmount({ quantities }: Sentence, token: number): boolean {
  return quantities.some(
    ({ firstToken, lastToken, bound }) =>
      token <= lastToken &&
      (token >= firstToken || (bound !== "exact" && firstToken - token <= BOUND_TOKENS_MAX)),
  );
}

const BOUND_TOKENS_MAX = 2;

/** The finding for what is added; none where nothing is. */
export function addedFinding(
  added: readonly Addition[],
  claim: Sentence,
  says: Sentence,
  evidence: PreparedEvidence,
): Finding[] {
  if (added.length === 0) return [];
  const other = substituted(claim, says, added);
  if (other !== undefined) return [other];
  const words = [...new Set(added.map(({ token }) => `"${claim.tokens[token]!.text}"`))].join(", ");
  const isElsewhere = added.every(({ term }) => evidence.terms.has(term));
  const where = isElsewhere ? "says elsewhere or of something else" : "does not";
  return [gap("added", `says ${words}, which the source ${where}`)];
}
