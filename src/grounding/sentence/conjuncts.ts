/**
 * What a sentence joins: "… 2 hours at 121 °C, and liquid trash … 1 hour". Each part says its own thing; what it leaves
 * out, its subject or its verb, stands in the part before.
 */
import { wordSet } from "../../lib/word-set.js";
import type { Token } from "../../words/tokens.js";
import { contentBetween, isPlainClause, type Sentence } from "./sentence.js";
import { verbIn } from "./verbs.js";

/** Tokens of one part: `from`, and behind the last `to`. */
export interface Conjunct {
  readonly from: number;
  readonly to: number;
  /** Terms of the part before that this one leaves out: its subject, and its verb where it has none. */
  readonly lacks: ReadonlySet<string>;
  readonly hasVerb: boolean;
}

const JOINS = wordSet("and but then while whereas");
const STOPS: ReadonlySet<string> = new Set([",", ";", ":", "—", "–"]);
/** Fewer content words and amounts are an item of a list. */
const VALUES_MIN = 2;

/** The parts in order; a single one where the sentence joins nothing. */
export function conjunctsOf(sentence: Sentence): readonly Conjunct[] {
  const parts: Conjunct[] = [];
  for (const [from, to] of rangesOf(sentence)) {
    const verb = verbIn(sentence, from, to);
    const lacks = parts.length === 0 ? NONE : lackedBy(sentence, parts[0]!, from, verb);
    parts.push({ from, to, lacks, hasVerb: verb !== undefined });
  }
  return parts;
}

/** The words of a part as they stand in the sentence. */
export function textBetween({ tokens, text }: Sentence, { from, to }: Pick<Conjunct, "from" | "to">): string {
  const offset = tokens[0]!.start - text.indexOf(tokens[0]!.text);
  return text.slice(tokens[from]!.start - offset, tokens[to - 1]!.end - offset);
}

const NONE: ReadonlySet<string> = new Set();

function lackedBy(sentence: Sentence, first: Conjunct, from: number, verb?: number): ReadonlySet<string> {
  const main = verbIn(sentence, first.from, first.to);
  if (main === undefined) return NONE;
  if (verb !== undefined && contentBetween(sentence, from, verb).length > 0) return NONE;
  const left = contentBetween(sentence, first.from, verb === undefined ? main + 1 : main);
  return new Set(left.map(({ term }) => term));
}

function rangesOf(sentence: Sentence): [number, number][] {
  const { tokens } = sentence;
  const ranges: [number, number][] = [];
  let from = 0;
  for (let at = 1; at < tokens.length; at++) {
    const begins = behindJoint(sentence, at);
    if (begins === undefined) continue;
    const end = nextJoint(sentence, begins);
    if (isPart(sentence, from, at, ranges.length === 0) && isPart(sentence, begins, end, false)) {
      ranges.push([from, at]);
      from = begins;
    }
    at = Math.max(at, begins - 1);
  }
  ranges.push([from, tokens.length]);
  return ranges;
}

/** The first token behind the comma or conjunction at `at`; undefined where none stands there. */
function behindJoint({ tokens, quantities, clauses }: Sentence, at: number): number | undefined {
  if (!isJoint(tokens[at]!)) return undefined;
  if (quantities.some(({ firstToken, lastToken }) => firstToken < at && at <= lastToken)) return undefined;
  const behind = tokens.findIndex((token, i) => i > at && !isJoint(token));
  const begins = behind < 0 ? tokens.length : behind;
  // ", when …" belongs to what stands before it.
  const isCondition = clauses.some((one) => one.from === begins && !isPlainClause(one));
  return begins === tokens.length || isCondition ? undefined : begins;
}

function isJoint({ lower, text }: Token): boolean {
  return STOPS.has(text) || JOINS.has(lower);
}

function nextJoint(sentence: Sentence, from: number): number {
  let at = from + 1;
  while (at < sentence.tokens.length && behindJoint(sentence, at) === undefined) at += 1;
  return at;
}

/** The first part must have a verb of its own, outside its conditions, or a label; the others two words or amounts. */
function isPart(sentence: Sentence, from: number, to: number, isFirst: boolean): boolean {
  if (isFirst && sentence.tokens.slice(from + 1, to - 1).some(({ text }) => text === ":")) return true;
  if (isFirst) {
    const condition = sentence.clauses[0]!;
    const main = isPlainClause(condition) ? from : condition.to;
    return main < to && verbIn(sentence, main, to) !== undefined;
  }
  const { words, quantities, codes } = sentence;
  const inside = (token: number) => token >= from && token < to;
  const values =
    words.filter(({ token, info }) => inside(token) && info.weight !== "function").length +
    quantities.filter(({ firstToken }) => inside(firstToken)).length +
    codes.filter(({ token }) => inside(token)).length;
  return values >= VALUES_MIN;
}
