import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { embeddingsReply } from "../../test/support/openai-replies.js";
import { OpenAiServer } from "../../test/support/openai-server.js";
import { testEmbedder, testVector } from "../retrieval/conformance.test-util.js";

const BIN = fileURLToPath(new URL("../../bin/readback.js", import.meta.url));

const CORPUS = [
  { _id: "d1", title: "Lockout", text: "Hang the lock on the main switch." },
  { _id: "d2", title: "Chain", text: "Oil the chain before each shift." },
  { _id: "d3", title: "Spill", text: "Cover acid on the floor with absorbent." },
];
const QUERIES = [
  { _id: "q1", text: "hang the lock" },
  { _id: "q2", text: "acid spilled" },
];
const QRELS = "query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td3\t1\n";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "readback-cli-"));
  mkdirSync(join(folder, "set", "qrels"), { recursive: true });
  const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  writeFileSync(join(folder, "set", "corpus.jsonl"), lines(CORPUS));
  writeFileSync(join(folder, "set", "queries.jsonl"), lines(QUERIES));
  writeFileSync(join(folder, "set", "qrels", "test.tsv"), QRELS);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the built command in the test's own folder. */
function run(args: readonly string[], settings: object = {}) {
  const file = join(folder, "readback.json");
  writeFileSync(file, JSON.stringify({ data_dir: join(folder, "data"), ...settings }));
  const env = { PATH: process.env.PATH, READBACK_CONFIG: file, TMPDIR: folder };
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const whole = [BIN, "benchmark-retrieval", ...args];
    execFile(process.execPath, whole, { env, cwd: folder }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === "number" ? error.code : 0, stdout, stderr });
    });
  });
}

describe("readback benchmark-retrieval", () => {
  it("prints a table, and leaves nothing behind", async () => {
    const { code, stdout, stderr } = await run(["set"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^3 documents, 2 queries\n/);
    expect(stdout).toMatch(/^lexical +1\.0000 +1\.0000 +1\.0000 +1\.0000 /m);
    expect(readdirSync(folder).sort()).toEqual(["readback.json", "set"]);
  });

  it("measures vectors and the fusion where an embedder is set", async () => {
    const embeddings = () => embeddingsReply((text) => [...testVector(text)]);
    const server = await OpenAiServer.start({ respond: { embeddings } });
    try {
      const { dimensions } = testEmbedder;
      const { baseUrl: base_url, apiKey: api_key } = server;
      const embedding = { provider: "openai", base_url, api_key, dimensions };
      const { code, stdout, stderr } = await run(["set", "--json"], { embedding });
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      const { ways, differences } = JSON.parse(stdout);
      expect(ways.map(({ name }: { name: string }) => name)).toEqual(["lexical", "vector", "fused"]);
      expect(ways[2].means["nDCG@10"]).toBe(1);
      expect(differences).toHaveLength(12);
    } finally {
      await server.close();
    }
  });

  it("measures the configured engine as a network of its own, and removes that again", async () => {
    for (let i = 0; i < 2; i++) {
      const { code, stdout } = await run(["set", "--network", "sample", "--legs", "lexical"]);
      expect(code).toBe(0);
      expect(stdout).toMatch(/^lexical +1\.0000/m);
    }
    expect(readdirSync(join(folder, "data"))).toContain("knowledge");
  });

  it.each([
    [
      "a leg that nobody knows",
      ["set", "--legs", "lexical,telepathy"],
      2,
      "There are lexical, semantic, vector.",
    ],
    ["a leg that the engine lacks", ["set", "--legs", "semantic"], 1, "This engine ranks by lexical"],
    [
      "a leg without what it needs",
      ["set", "--legs", "vector"],
      1,
      "Set embedding.provider",
      { embedding: { provider: "none" } },
    ],
    ["no folder", [], 2, "missing required argument"],
    ["a folder that is no data set", ["."], 1, "corpus.jsonl cannot be read (ENOENT)"],
  ])("says what is wrong with %s", async (_what, args, code, message, settings: object = {}) => {
    const outcome = await run(args, settings);
    expect(outcome).toMatchObject({ code, stdout: "" });
    expect(outcome.stderr).toContain(message);
    expect(outcome.stderr).not.toMatch(/^\s+at /m);
  });

  it("names the line that is wrong", async () => {
    writeFileSync(join(folder, "set", "qrels", "test.tsv"), `${QRELS}q9\td1\t1\n`);
    const { code, stderr } = await run(["set"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/test\.tsv:4: queries\.jsonl has no query "q9"/);
  });
});
