/** Runs all code that puts regular expressions together, so that `compiledDuring` sees each of them. */
import { join } from "node:path";
import { PROSE } from "../../src/domain/passage.js";

const LANGUAGES = ["en", "de", "es", "fr", "pl", "uk"];

/** What the readers of spoken text compile their patterns for. */
const SPOKEN = "Gate 7, section 3: 5 mg of ABC-123 and NATO-4 on 1 March 2026 at 5 pm, 3 × 10³ m².";

/** `sites` are the places where expressions are put together; their files are loaded first. */
export async function compileEverything(root: string, sites: readonly string[]): Promise<void> {
  for (const path of new Set(sites.map((site) => site.split(":")[0]!))) await import(join(root, path));
  const { speakableIn } = await import("../../src/speech/spoken/speakable-in.js");
  const { isNamed } = await import("../../src/speech/spoken/numerals.js");
  const { languageFor } = await import("../../src/speech/spoken/languages/table.js");
  for (const tag of LANGUAGES) {
    speakableIn(SPOKEN, tag);
    isNamed("gate 7", 5, languageFor(tag)!);
  }
  const { cutSentences } = await import("../../src/ingest/cut-text.js");
  cutSentences("a".repeat(1_000), 10);
  const { parseCode } = await import("../../src/ingest/code/parse-code.js");
  parseCode("run.sh", "cat <<END\ntext\nEND\n");
  await import("../../src/sites/shell/judge.js");
  const { scenarioSchema } = await import("../../src/sim/scenario.js");
  scenarioSchema.safeParse({
    users: [{ name: "ann", steps: [{ ask: "Restart it", keep: { word: "(w+)" } }] }],
  });
  await compileQuestions();
  await compileRefusals();
}

async function compileQuestions(): Promise<void> {
  const { expectedOf, saidByUnit } = await import("../../src/extractive/expected-kind.js");
  for (const question of [
    "What colour is the valve?",
    "How many swabs are there?",
    "How fast may I drive?",
  ]) {
    expectedOf(question);
    saidByUnit(question);
  }
  const { oldRevisionIn } = await import("../../src/grounding/checkers/old-revision.js");
  const { english } = await import("./locales.js");
  const access = { network: "n", visibility: "network" as const, allowedUsers: [], allowedGroups: [] };
  const passage = {
    chunkId: "c",
    documentId: "d",
    title: "T",
    sourceFile: "t.md",
    headings: [],
    position: 0,
  };
  const found = { kind: PROSE, text: "Text.", highlights: [], score: 1, access, alsoIn: [] };
  for (const [revision, old] of [
    ["5", "4"],
    ["2026-03", "2025-09"],
  ])
    oldRevisionIn(
      "What did it say?",
      [{ ...passage, ...found, revision: revision!, supersedes: [old!] }],
      english,
    );
}

/** Servers that refuse a field without saying which. */
async function compileRefusals(): Promise<void> {
  const refusal = { status: 400, param: undefined, code: undefined, message: "no" };
  const { dialectOf, lessonOf } = await import("../../src/llm/openai-dialect.js");
  const fields = [
    "tool_choice",
    "response_format",
    "stream_options",
    "max_tokens",
    "temperature",
    "service_tier",
  ];
  lessonOf(refusal, dialectOf("auto", undefined), Object.fromEntries(fields.map((field) => [field, 1])));
  const transcription = await import("../../src/speech/transcription/dialect.js");
  const spoken = transcription.initialDialect({ model: "whisper-1", stream: "on", upload: "whole" });
  transcription.lessonOf(refusal, { ...spoken, format: "verbose_json" }, "en");
}
