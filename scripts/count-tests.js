// Prints the plain count of a vitest JSON report (its path is the argument): `N passed, N failed[, N skipped]`.
// Exit code 1 when anything failed, nothing ran, or there is no report. A file that could not even be loaded, or
// failed outside of its tests, counts as one failure.
import { readFileSync } from "node:fs";

const { passed, failed, skipped } = count(readReport(process.argv[2]));
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
if (failed > 0 || passed === 0) process.exitCode = 1;

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    console.error(`no test report: ${error.message}`);
    return { testResults: [] };
  }
}

function count({ testResults }) {
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
