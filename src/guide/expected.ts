/** Whether a reading is what a step expects, in whatever unit. Pure. */
import type { Reading } from "../domain/reading.js";
import { sameValue } from "../grounding/checkers/statements.js";
import { amountOf } from "../words/quantity/quantity.js";
import { unitIn } from "../words/quantity/unit-at.js";
import type { StepOf } from "./schema/guide.js";

export function isExpected(
  expect: StepOf<"check">["expect"],
  reading: Pick<Reading, "value" | "unit">,
): boolean {
  const { equals, max, min, unit = reading.unit } = expect ?? {};
  const inUnit = unit === undefined ? {} : { unit };
  if (equals !== undefined && !sameValue(reading, { value: equals, ...inUnit })) return false;
  if (min === undefined && max === undefined) return true;
  if (typeof reading.value !== "number") return false;
  const [own, wanted] = [reading.unit, unit].map((one) => (one === undefined ? undefined : unitIn(one)));
  if (own?.dimension !== wanted?.dimension) return false;
  const read = amountOf(reading.value, own).low;
  return (
    (min === undefined || read >= amountOf(min, wanted).low) &&
    (max === undefined || read <= amountOf(max, wanted).low)
  );
}
