/** Whether a run is good enough to go on with: the exit code of `evaluate`, JUnit and gRPC's status say the same. */
import type { EvaluatedRun } from "./evaluations.js";

/**
 * What stands against a run, in words; undefined when it passes. Rows without figures do, whatever the others came to;
 * so does a global score below `minScore`, where that is given.
 */
export function gateProblem(
  { rows, summary }: Pick<EvaluatedRun, "rows" | "summary">,
  minScore?: number,
): string | undefined {
  const { globalScore, unscored } = summary;
  if (unscored > 0) {
    const reason = rows.find(({ status }) => status === "failed")?.reason;
    return `${unscored} of ${rows.length} rows were not scored${reason === undefined ? "" : ` (${reason})`}`;
  }
  if (minScore === undefined) return undefined;
  if (globalScore === undefined) return "there is no score";
  return globalScore < minScore ? `the score ${globalScore.toFixed(3)} is below ${minScore}` : undefined;
}
