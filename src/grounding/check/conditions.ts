/**
 * What restricts a unit is not dropped and not turned round: its conditions, exceptions and times. A claim may leave a
 * condition out only where the question, or a sentence just before, states the same one.
 */
import type { ClauseKind } from "../sentence/clauses.js";
import { textBetween } from "../sentence/conjuncts.js";
import { excludes } from "../sentence/opposition.js";
import { contentIn, isPlainClause, type Sentence, type SentenceWord } from "../sentence/sentence.js";
import { contradiction, type Finding, gap } from "./check.js";

/** Share of a clause's words that must be met for it to be spoken of. */
const MET_MIN = 0.5;

/** `stated` are the question and what was said before. */
export function checkConditions(claim: Sentence, says: Sentence, stated: readonly Sentence[]): Finding[] {
  const turned = turnedClause(claim, says);
  if (turned !== undefined) return [turned];
  const dropped = [...says.clauses.keys()].filter((clause) => isDropped(clause, claim, says, stated));
  const leftOut = dropped.map((clause) => gap("condition_differs", `leaves out "${textOf(says, clause)}"`));
  return [...supposed(claim, says), ...leftOut];
}

const RESTRICTS: ReadonlySet<ClauseKind> = new Set(["if", "except", "only"]);
/** What is said under one may not be said under the others. */
const TURNED: Partial<Record<ClauseKind, readonly ClauseKind[]>> = {
  ...{ if: ["except"], only: ["except"], except: ["if", "only"] },
  ...{ before: ["after"], after: ["before"], until: ["after"] },
};

/** "until 30 minutes before dosing", where the source has "after dosing". */
function turnedClause(claim: Sentence, says: Sentence): Finding | undefined {
  for (const [ours, { kind }] of claim.clauses.entries()) {
    const theirs = TURNED[kind] && bestClause(termsIn(claim, ours), says);
    if (theirs === undefined || !TURNED[kind]?.includes(says.clauses[theirs]!.kind)) continue;
    const text = `"${textOf(claim, ours)}" is "${textOf(says, theirs)}" in the source`;
    return contradiction("condition_differs", text);
  }
  return undefined;
}

/** The clause that has most of the words. */
function bestClause(terms: readonly string[], says: Sentence): number | undefined {
  let best: number | undefined;
  let most = 0;
  for (const clause of says.clauses.keys()) {
    const met = share(terms, new Set(termsIn(says, clause)));
    if (met >= MET_MIN && met > most) [best, most] = [clause, met];
  }
  return best;
}

/** What the claim says happens or is to be done stands in the source only as a condition or a time. */
function supposed(claim: Sentence, says: Sentence): Finding[] {
  const mains = mainsOf(says);
  if (mains.length === 0 || mains.length === says.clauses.length) return [];
  const main = new Set(mains.flatMap((at) => termsIn(says, at)));
  const ours = mainsOf(claim).flatMap((at) => termsIn(claim, at));
  const rest = new Map<string, number>();
  for (const [at, { kind }] of says.clauses.entries())
    if (!mains.includes(at) && kind !== "except") for (const term of termsIn(says, at)) rest.set(term, at);
  const conditional = ours.filter((term) => !main.has(term) && rest.has(term));
  if (ours.length === 0 || conditional.length < ours.length * MET_MIN || ours.some((term) => main.has(term)))
    return [];
  const at = rest.get(conditional[0]!)!;
  return [gap("condition_differs", `says what the source only supposes: "${textOf(says, at)}"`)];
}

function mainsOf({ clauses }: Sentence): number[] {
  return clauses.flatMap((clause, at) => (isPlainClause(clause) ? [at] : []));
}

function isDropped(clause: number, claim: Sentence, says: Sentence, stated: readonly Sentence[]): boolean {
  const { kind, from } = says.clauses[clause]!;
  const before = says.tokens[from - 1]?.lower;
  if (!RESTRICTS.has(kind) || before === "even" || ROW.test(says.text)) return false;
  const words = contentIn(says, clause);
  const terms = words.map(({ term }) => term);
  if (share(terms, claim.terms) >= MET_MIN) return false;
  return !stated.some((one) => statesSame(words, one));
}

/** What stands in the cells of a row restricts nothing by its form. */
const ROW = /^[^;:]+:[^;]*;|^\||=/;

/** The same words, denied or not denied alike, and nothing that is the opposite of one. */
function statesSame(words: readonly SentenceWord[], stated: Sentence): boolean {
  let met = 0;
  for (const { term, negated, info } of words) {
    const others = stated.words.filter((other) => other.term === term);
    if (others.some((other) => other.negated === negated)) met += 1;
    else if (others.length > 0 || stated.words.some((other) => excludes(info, other.info))) return false;
  }
  return met >= words.length * MET_MIN;
}

function termsIn(sentence: Sentence, clause: number): string[] {
  return [...new Set(contentIn(sentence, clause).map(({ term }) => term))];
}

function share(terms: readonly string[], known: ReadonlySet<string>): number {
  return terms.length === 0 ? 0 : terms.filter((term) => known.has(term)).length / terms.length;
}

function textOf(sentence: Sentence, clause: number): string {
  return textBetween(sentence, sentence.clauses[clause]!).replace(/(?<![.,;:!?])[.,;:!?]+$/, "");
}
