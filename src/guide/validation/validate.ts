/** Holds a guide to its rules: those of its graph, then those of the ear, in the order of its steps. Pure. */
import type { GuideFinding } from "../schema/finding.js";
import { indexGuide } from "../schema/graph.js";
import type { Guide } from "../schema/guide.js";
import { earFindings } from "./ear-rules.js";
import { graphFindings } from "./graph-rules.js";

/** Everything that is wrong with a guide; a guide with no findings can be published. */
export function validateGuide(guide: Guide): readonly GuideFinding[] {
  const index = indexGuide(guide);
  const findings = [...graphFindings(index), ...earFindings(index)];
  const placeOf = ({ step }: GuideFinding) => (step === undefined ? -1 : (index.positions.get(step) ?? -1));
  return findings.toSorted((one, other) => placeOf(one) - placeOf(other));
}
