/** A run as JUnit XML, for CI: one suite a category, one case a row, and one suite for the score itself. */
import junit, { type Builder, type TestSuite } from "junit-report-builder";
import type { EvaluatedRun } from "./evaluations.js";
import { gateProblem } from "./gate.js";
import { type EvaluatedRow, isFinal } from "./run.js";

/** The package's types promise a property `default` that Node's view of a CommonJS module does not have. */
const rootBuilder = junit as unknown as Builder;

/** `minScore`: whether the run passes the gate is a case of its own. */
export function junitXml(evaluated: EvaluatedRun, minScore?: number): string {
  const { run, rows } = evaluated;
  const builder = rootBuilder.newBuilder();
  for (const category of new Set(rows.map(({ row }) => row.category))) {
    const suite = builder.testSuite().name(clean(category));
    for (const evaluatedRow of rows.filter(({ row }) => row.category === category))
      addCase(suite, evaluatedRow);
  }
  if (minScore !== undefined) {
    const test = builder
      .testSuite()
      .name("evaluation")
      .testCase()
      .className(clean(run.spec.dataSet))
      .name("global_score");
    const problem = gateProblem(evaluated, minScore);
    if (!isFinal(run.status)) test.error("the run is not over");
    else if (problem !== undefined) test.failure(clean(problem));
  }
  return builder.build();
}

/** What was not as expected is a failure; what could not be measured is an error; what still waits is skipped. */
function addCase(suite: TestSuite, { row, status, report, checks, reason }: EvaluatedRow): void {
  const test = suite.testCase().className(clean(row.category)).name(clean(row.id));
  const totalMs = report?.timingsMs.total;
  if (totalMs !== undefined) test.time(totalMs / 1_000);
  if (report?.answer !== undefined)
    test.standardOutput(clean(`${row.turns.join("\n")}\n\n${report.answer.text}`));
  const broken = checks.filter(({ passed }) => !passed).map(({ text }) => text);
  if (status === "pending" || status === "answered") test.skipped();
  else if (status === "failed") test.error(clean(reason ?? "it could not be measured"));
  else if (broken.length > 0) test.failure(clean(broken.join("; ")));
}

/** Without what XML 1.0 cannot hold, escaped or not. */
function clean(text: string): string {
  return text.replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, "\u{FFFD}");
}
