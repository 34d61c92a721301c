/**
 * Judges sentences that were rendered from statements about readings: as values, not as words. A statement holds when the
 * newest reading of its signal says so, in whatever unit, and no other reading as new denies it.
 */
import type { Evidence, Reason, Verdict } from "../../domain/answer.js";
import type { Reading, Statement } from "../../domain/reading.js";
import { amountOf, compareAmounts } from "../../words/quantity/quantity.js";
import { unitIn } from "../../words/quantity/unit-at.js";
import type { Judgement } from "../checker.js";

/** Readings of one signal that are no further apart in time, in milliseconds, count as equally new. */
export const AS_NEW_MS = 1_000;

/** What readings say of a sentence that states `says`. */
export function judgeStatements(says: readonly Statement[], readings: readonly Reading[]): Judgement {
  const found = says.map((statement) => judged(statement, says, readings));
  const verdict = VERDICTS.find((one) => found.some((part) => part.verdict === one)) ?? "supported";
  return {
    ...{ role: "claim", verdict, isLive: true },
    reasons: found.flatMap(({ reason }) => reason ?? []),
    evidence: found.flatMap((part) => part.readings.map(evidenceOf)),
    confidence: verdict === "supported" ? 1 : 0,
  };
}

/** The worst first. */
const VERDICTS: readonly Verdict[] = ["contradicted", "unsupported"];

interface Judged {
  readonly verdict: Verdict;
  readonly readings: readonly Reading[];
  readonly reason?: Reason;
}

/** `says`: all that the sentence states. One that says what each of two tools told hides nothing. */
function judged(statement: Statement, says: readonly Statement[], readings: readonly Reading[]): Judged {
  const { signal, target } = statement;
  const about = readings.filter((one) => isAbout(statement, one));
  const newestMs = Math.max(...about.map(({ takenAtMs }) => takenAtMs));
  const newest = about.filter(({ takenAtMs }) => takenAtMs >= newestMs - AS_NEW_MS);
  const [first] = newest;
  if (first === undefined) {
    const reason = { code: "words_not_found", text: `no reading tells the ${signal} of ${target}` } as const;
    return { verdict: "unsupported", readings: [], reason };
  }
  // One tool may list several values of one signal, such as alarms; two tools that differ disagree.
  const agreeing = newest.filter((one) => sameValue(statement, one) === statement.holds);
  const isSaid = (one: Reading) =>
    says.some((said) => isAbout(said, one) && sameValue(said, one) === said.holds);
  const others = newest.filter((one) => !agreeing.some(({ tool }) => tool === one.tool) && !isSaid(one));
  if (agreeing.length > 0 && others.length === 0) return { verdict: "supported", readings: agreeing };
  const reason: Reason =
    agreeing.length > 0
      ? { code: "readings_disagree", text: `readings of the ${signal} of ${target} disagree` }
      : { code: "opposite_state", text: `says ${statement.value}, the reading says ${first.value}` };
  return { verdict: "contradicted", readings: newest, reason };
}

function isAbout({ signal, target }: Statement, reading: Reading): boolean {
  return reading.target === target && reading.signal === signal;
}

/** Whether two values are the same: amounts in their units, all else word for word. */
export function sameValue(
  one: Pick<Reading, "value" | "unit">,
  other: Pick<Reading, "value" | "unit">,
): boolean {
  if (typeof one.value !== "number" || typeof other.value !== "number") return one.value === other.value;
  return compareAmounts(amount(one.value, one.unit), amount(other.value, other.unit)) === "same";
}

function amount(value: number, unit: string | undefined) {
  return amountOf(value, unit === undefined ? undefined : unitIn(unit));
}

function evidenceOf({ signal, takenAtMs, tool, unit, value }: Reading): Evidence {
  const words = unit === undefined ? String(value) : `${value} ${unit}`;
  return { type: "tool_output", source: tool, value: `${signal}: ${words}`, takenAtMs };
}
