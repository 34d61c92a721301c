/**
 * The answers that the handbook of the examples gives, found by the embedded engine: what is said has to hold the
 * expected words, in their order; what the handbook does not tell, or not to everybody, has to be refused.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { ingestDefaults } from "../../test/support/default-options.js";
import { openEmbeddedKnowledge } from "../../test/support/embedded-knowledge.js";
import { ingestDeps } from "../../test/support/ingest-deps.js";
import { openFolderSource } from "../ingest/folder-source.js";
import { ingest } from "../ingest/ingest.js";
import { reader } from "../retrieval/conformance.test-util.js";
import { extractAnswer } from "./extractive.js";

/** `round`: which of the six lists it comes from; see docs/decisions/0011-extractive-answers.md. */
const Questions = z.strictObject({
  answerable: z.array(
    z.strictObject({ round: z.int(), question: z.string(), expected: z.array(z.string()).min(1) }),
  ),
  unanswerable: z.array(z.strictObject({ round: z.int(), question: z.string() })),
});

const { answerable, unanswerable } = Questions.parse(
  JSON.parse(readFileSync(new URL("./extractive.handbook.json", import.meta.url), "utf8")),
);

/** Of the answerable ones; the others but the known wrong ones are refused. */
const RIGHT_MIN = 174;

/** Their answers hold the words that were asked; no count of words tells that they are about something else. */
const KNOWN_WRONG = [
  "Who do I call when the line must be locked out?",
  "How long do frozen goods stay blocked?",
  "How long does a hot work permit last?",
  "What does the red call button do?",
  "How long do I rinse after wet cleaning?",
];

const RESULTS_MAX = 5;
const NO_ABORT = new AbortController().signal;

describe("extractAnswer on the handbook", () => {
  const base = mkdtempSync(join(tmpdir(), "readback-"));
  const directory = join(base, "knowledge");
  const retrieval = openEmbeddedKnowledge(directory);

  beforeAll(async () => {
    const options = ingestDefaults();
    const path = fileURLToPath(new URL("../../examples/handbook/", import.meta.url));
    const source = await openFolderSource(path);
    await ingest({ source, network: "plant", options }, ingestDeps(directory, options), () => {}, NO_ABORT);
  });
  afterAll(async () => {
    await retrieval.close();
    rmSync(base, { recursive: true, force: true });
  });

  async function answer(question: string): Promise<string | undefined> {
    const request = { query: question, access: reader("plant"), limit: RESULTS_MAX };
    const passages = await retrieval.search(request, NO_ABORT);
    const extracted = await extractAnswer(question, undefined, passages, {});
    return extracted.type === "answer" ? extracted.sentences.join(" ") : undefined;
  }

  it("says what the handbook says, and nothing else", async () => {
    const wrong: string[] = [];
    let right = 0;
    for (const { question, expected } of answerable) {
      const said = await answer(question);
      if (said === undefined) continue;
      if (holdsInOrder(said, expected)) right += 1;
      else wrong.push(question);
    }
    expect(wrong.filter((question) => !KNOWN_WRONG.includes(question))).toEqual([]);
    expect(right).toBeGreaterThanOrEqual(RIGHT_MIN);
  });

  it("refuses what it does not say, or not to everybody", async () => {
    const answered: string[] = [];
    for (const { question } of unanswerable) {
      if ((await answer(question)) !== undefined) answered.push(question);
    }
    expect(answered).toEqual([]);
  });
});

function holdsInOrder(text: string, fragments: readonly string[]): boolean {
  let from = 0;
  return fragments.every((fragment) => {
    const at = text.indexOf(fragment, from);
    from = at + fragment.length;
    return at !== -1;
  });
}
