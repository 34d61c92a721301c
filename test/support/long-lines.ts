/** Where lines may be longer than the rule says, until they are broken: nothing is added here. */

/** Data, one item a line, and material of tests that is one line by nature. */
const DATA = ["protocol/golden/", "src/words/", "src/turn/gate.test.ts", "test/attack/support/"];

/** Regular expressions over words. They go where a lexicon or a template says the same. */
const EXPRESSIONS = [
  "src/answer/",
  "src/extractive/",
  "src/grounding/",
  "src/ingest/code/",
  "src/retrieval/elasticsearch/leg-query.ts",
  "src/retrieval/near-duplicates.ts",
  "src/routing/",
  "src/speech/",
  "test/support/elasticsearch/connector-simulation.ts",
];

/** Markup and text in one literal. */
const LITERALS = [
  "bench/train-answerability.ts",
  "src/evaluation/report/",
  "src/ingest/read/files.test-util.ts",
  "src/locale/shipped.test.ts",
  "test/e2e/doors/faults.test.ts",
  "test/fuzz/targets/",
];

const EXCUSED = [...DATA, ...EXPRESSIONS, ...LITERALS];

/** Whether the lines of a file may be long. */
export function isExcused(path: string): boolean {
  return EXCUSED.some((place) => (place.endsWith("/") ? path.startsWith(place) : path === place));
}
