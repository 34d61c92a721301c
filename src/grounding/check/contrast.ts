/**
 * A value belongs to its subject. Where the evidence gives several values of one kind, a claim, or what it was asked,
 * must name what sets its own unit apart, and nothing that sets another one apart; and a value that the user gives is
 * held against the limit that the unit sets.
 */
import { wordSet } from "../../lib/word-set.js";
import { compareAmounts, type Quantity } from "../../words/quantity/quantity.js";
import type { PreparedEvidence } from "../evidence.js";
import { type EvidenceUnit, unitsOf } from "../evidence-units.js";
import { hasAmount, type Sentence, saysAmount } from "../sentence/sentence.js";
import { contradiction, type Finding, gap } from "./check.js";
import { withBound } from "./quantities.js";

/** Share of its words that a unit must have in common with another to be of the same kind. */
const ALIKE_MIN = 0.4;
/** UnitIndex that a claim is held against. */
const RIVALS_MAX = 12;

/** `asked` is the question, with the sentence before where the claim leans on it. */
export function checkContrast(
  claim: Sentence,
  unit: EvidenceUnit,
  asked: readonly Sentence[],
  evidence: PreparedEvidence,
): Finding[] {
  const crossed = crossedLimit(unit, asked);
  if (crossed !== undefined) return [crossed];
  const { says } = unit;
  if (leansOnQuestion(claim) && !speaksOf(unit, asked[0])) {
    const text = "leaves to the question what it is about, and the source does not speak of that";
    return [gap("other_subject", `${text}: "${says.text}"`)];
  }
  // The values that the claim takes from its unit.
  const values = says.quantities.filter((known) => known.use !== "idiom" && saysAmount(claim, known));
  if (values.length === 0) return [];
  const kinds = new Set(values.map(({ dimension }) => dimension));
  const marks = (sentences: readonly Sentence[]) => marksIn(sentences, kinds);
  const own = new Set([...marks([says]), ...unit.context]);
  const said = marks([claim]);
  const names = marks([claim, ...asked]);
  for (const rival of rivalsOf(unit, values, evidence)) {
    const theirs = new Set([...marks([rival.says]), ...rival.context]);
    const ours = [...own].filter((mark) => !theirs.has(mark));
    const others = [...theirs].filter((mark) => !own.has(mark));
    if (ours.length === 0 || others.length === 0) continue;
    const isTheirs = others.some((mark) => names.has(mark));
    const isOurs = ours.some((mark) => names.has(mark));
    const isSaid = ours.some((mark) => said.has(mark));
    if (isTheirs && !isSaid && !isOurs) {
      const text = `says of something else what the source says in "${says.text}": of that, "${rival.says.text}"`;
      return [contradiction("other_subject", text)];
    }
    if (!isOurs && says.index === rival.says.index)
      return [gap("other_subject", `does not say of what: "${says.text}", but "${rival.says.text}"`)];
  }
  return [];
}

/** Little more than a measure, or an order without its circumstances: "30 days.", "Give one tablet." */
function leansOnQuestion({ quantities, codes, terms, tokens }: Sentence): boolean {
  const isShort = tokens.length <= FRAGMENT_TOKENS_MAX && terms.size <= 1;
  return isShort && quantities.length > 0 && codes.length === 0;
}

const FRAGMENT_TOKENS_MAX = 8;
/** Share of the question's words that the unit has to hold, its title and headings included. */
const ASKED_SHARE_MIN = 0.6;
/** Words that ask for a measure: the answer is that measure. */
const MEASURES = wordSet(
  "long much mani far high heavi fast often deep wide tall second minut hour dai week " +
    "month year metr kilometr kilogram gram litr percent degre euro amper volt bar torqu " +
    "temperatur temp",
);

function speaksOf({ context, says }: EvidenceUnit, question: Sentence | undefined): boolean {
  const wanted = [...(question?.terms ?? [])].filter((term) => !MEASURES.has(term));
  const held = wanted.filter((term) => says.terms.has(term) || context.has(term));
  return held.length >= wanted.length * ASKED_SHARE_MIN;
}

/** What sentences speak of: terms, codes and amounts of other kinds than the values in question. */
function marksIn(sentences: readonly Sentence[], kinds: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { terms, codes, quantities } of sentences) {
    for (const term of terms) found.add(term);
    for (const { key } of codes) found.add(`#${key}`);
    for (const { dimension, low, high } of quantities)
      if (!kinds.has(dimension)) found.add(`${dimension} ${low} ${high}`);
  }
  return found;
}

/** UnitIndex with another value of one kind: the other parts of the sentence, and those that have most words in common. */
function rivalsOf(unit: EvidenceUnit, values: readonly Quantity[], evidence: PreparedEvidence) {
  const { all, byTerm } = unitsOf(evidence);
  const { terms, index: sentence } = unit.says;
  const shared = new Map<number, number>();
  for (const term of terms)
    for (const index of byTerm.get(term) ?? []) shared.set(index, (shared.get(index) ?? 0) + 1);
  for (let i = unit.index - 1; all[i]?.says.index === sentence; i--) shared.set(i, terms.size);
  for (let i = unit.index + 1; all[i]?.says.index === sentence; i++) shared.set(i, terms.size);
  shared.delete(unit.index);
  return [...shared]
    .filter(([, count]) => count >= terms.size * ALIKE_MIN)
    .sort((a, b) => b[1] - a[1])
    .slice(0, RIVALS_MAX)
    .map(([index]) => all[index]!)
    .filter(({ says }) => values.some((value) => rivals(says, value)));
}

/** Another value in place of this one, not beside it. */
function rivals(says: Sentence, value: Quantity): boolean {
  const isRival = (other: Quantity) =>
    value.use === other.use && compareAmounts(value, other) === "different";
  return says.quantities.some(isRival) && !hasAmount(says, value);
}

/** A value that the user gives, outside what the unit allows for. */
function crossedLimit({ says }: EvidenceUnit, asked: readonly Sentence[]): Finding | undefined {
  const measures = asked.flatMap(({ quantities }) => quantities.filter(({ use }) => use === "measure"));
  for (const limit of says.quantities.filter(({ use }) => use === "measure")) {
    const given = measures.find((one) => one.dimension === limit.dimension && isOutside(one, limit));
    if (given === undefined) continue;
    const text = `is asked for "${given.text}", the source says it of "${withBound(limit)}"`;
    return contradiction("number_differs", text);
  }
  return undefined;
}

function isOutside({ low, high }: Quantity, limit: Quantity): boolean {
  if (limit.low !== limit.high) return high < limit.low || low > limit.high;
  if (limit.bound === "at_most" || limit.bound === "less_than") return low > limit.high;
  return (limit.bound === "at_least" || limit.bound === "more_than") && high < limit.low;
}
