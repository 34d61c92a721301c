// Prints the plain count of vitest JSON reports (their paths are the arguments): `N passed, N failed[, N skipped]`.
// Exit code 1 when anything failed, nothing ran, or a report is missing. A file that could not even be loaded, or
// failed outside of its tests, counts as one failure.
import { readFileSync } from "node:fs";

const { passed, failed, skipped } = count(process.argv.slice(2).flatMap(readReport));
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
if (failed > 0 || passed === 0) process.exitCode = 1;

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8")).testResults;
  } catch (error) {
    console.error(`no test report: ${error.message}`);
    process.exitCode = 1;
    return [];
  }
}

function count(testResults) {
  const tests = testResults.flatMap((file) => file.assertionResults.map(({ status }) => status));
  const of = (...statuses) => tests.filter((status) => statuses.includes(status)).length;
  const broken = testResults.filter(
    (file) => file.status === "failed" && file.assertionResults.every(({ status }) => status !== "failed"),
  );
  return {
    passed: of("passed"),
    failed: of("failed") + broken.length,
    skipped: of("pending", "skipped", "todo", "disabled"),
  };
}
