/**
 * What a claim says in pieces that stand alone: "A and B must …" of each, "not before …" of two things and their order.
 * Each piece must be borne out by itself.
 */
import { textBetween } from "./conjuncts.js";
import { lowerBetween, type Sentence } from "./sentence.js";
import { verbIn } from "./verbs.js";

/** One thing of which a claim says that it comes before another. */
export interface OrderedPiece {
  readonly text: string;
  /** Named as a time only, not said to happen: "before the van is moved". */
  readonly isSupposed: boolean;
}

/** "Both the van and the truck use …": what is said of each; undefined where the claim has one subject. */
export function ofEach(claim: Sentence): readonly [string, string] | undefined {
  const { tokens } = claim;
  const verb = verbIn(claim, 0, tokens.length);
  const isNeither = tokens[0]?.lower === "neither";
  const from = isNeither || tokens[0]?.lower === "both" ? 1 : 0;
  const isAmount = (at: number) => claim.quantities.some((one) => one.firstToken < at && at <= one.lastToken);
  const and = tokens.findIndex(
    ({ lower }, at) => at > from && lower === (isNeither ? "nor" : "and") && !isAmount(at),
  );
  if (verb === undefined || verb < 2 || and < 0 || and + 1 >= verb) return undefined;
  if (tokens.slice(from, verb).some(({ kind, text }) => kind === "stop" || text === ",")) return undefined;
  const ends = tokens[verb - 1]!.lower === "both" ? verb - 1 : verb;
  const behind = verb + (tokens[verb + 1]?.lower === "both" ? 1 : 0);
  const not = isNeither ? "not" : "";
  const said = `${part(claim, verb, verb + 1)} ${not} ${part(claim, behind + 1, tokens.length)}`;
  const [first, second] = [part(claim, from, and), part(claim, and + 1, ends)];
  // "Tracks 11 and 12": the second shares the noun of the first.
  const noun = ends - and === 2 && tokens[and + 1]!.kind !== "word" ? part(claim, from, and - 1) : "";
  return [`${first} ${said}`, `${noun} ${second} ${said}`];
}

function part(claim: Sentence, from: number, to: number): string {
  return from < to ? textBetween(claim, { from, to }) : "";
}

/** What the claim says comes first, and what comes then; undefined where it orders nothing. */
export function inOrder(claim: Sentence): readonly [OrderedPiece, OrderedPiece] | undefined {
  const { clauses, denials, quantities, tokens } = claim;
  const at = clauses.findIndex(
    ({ from, kind }) => ORDERS.test(kind) || /only after/.test(wordsAt(claim, from)),
  );
  const clause = clauses[at];
  if (clause === undefined || quantities.some(({ lastToken }) => lastToken === clause.from - 1))
    return undefined;
  const begins = clause.from + conjunctionAt(claim, clause.from);
  const isGerund = /ing$/.test(tokens[begins]?.lower ?? "");
  if (!isGerund && verbIn(claim, begins, clause.to) === undefined) return undefined;
  const time = part(claim, begins, clause.to);
  const main = `${part(claim, 0, clause.from)} ${part(claim, clause.to, tokens.length)}`;
  const denial = denials.find((one) => (clause.from === 0 ? one.at >= clause.to : one.at < clause.from));
  const isAfter = clause.kind === "after" || clause.kind === "only";
  const supposed = { text: time, isSupposed: true };
  if (denial === undefined) {
    if (clause.kind === "until") return undefined;
    const said = { text: main, isSupposed: false };
    return isAfter ? [supposed, said] : [said, supposed];
  }
  if (isAfter || !DENIES.test(tokens[denial.at]!.lower)) return undefined;
  const affirmed = main.replace(/\b(?:do not|don't|never|not)\b|n't\b|(?<=can)not\b/i, " ");
  return [supposed, { text: affirmed, isSupposed: true }];
}

const ORDERS = /^(?:before|after|until)$/;
const DENIES = /^(?:not|never|cannot)$|n't$/;

function wordsAt(claim: Sentence, from: number): string {
  return lowerBetween(claim, from, from + 3).join(" ");
}

/** Tokens of the words that open a clause of time. */
function conjunctionAt(claim: Sentence, from: number): number {
  const words = wordsAt(claim, from);
  return words === "as soon as" ? 3 : words.startsWith("only after") ? 2 : 1;
}
