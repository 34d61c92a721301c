/** How old readings are when a sentence that rests on them is said, and up to which age they count as what is so now. */
import type { Evidence, EvidenceType } from "../domain/answer.js";

/** Readings that are older are said with their age, in milliseconds. Words of documents do not change by themselves. */
export const CURRENT_AGE_MAX_MS: Readonly<Record<EvidenceType, number>> = {
  passage: Number.POSITIVE_INFINITY,
  // A snapshot of what changes rarely bears out nothing else (`readings/finding.ts`).
  system_state: Number.POSITIVE_INFINITY,
  tool_output: 60_000,
  user_input: 60_000,
};

/** What ages are told by. */
export type Aging = Pick<Evidence, "type" | "ageMs" | "takenAtMs">;

/** The same with its age at `nowMs`, Unix milliseconds, where it is known when it was read. */
export function withAge<E extends Aging>(evidence: E, nowMs: number): E {
  const { takenAtMs } = evidence;
  return takenAtMs === undefined ? evidence : { ...evidence, ageMs: Math.max(0, nowMs - takenAtMs) };
}

/** The age to say of what rests on this evidence, in milliseconds: that of the oldest reading that is not current. */
export function ageToSay(evidence: readonly Aging[], nowMs: number): number | undefined {
  const ages = evidence.flatMap((one) => {
    const { ageMs = 0, type } = withAge(one, nowMs);
    return ageMs > CURRENT_AGE_MAX_MS[type] ? [ageMs] : [];
  });
  return ages.length === 0 ? undefined : Math.max(...ages);
}
