/**
 * Red team of issue 11, line 7: documents whose authors meant to say who may read them, and did not say it as it is
 * understood. None of them may be readable by the network, and the report names each with a line and what to do.
 */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openFolderSource } from "../../src/ingest/folder-source.js";
import { ingest } from "../../src/ingest/ingest.js";
import { ManifestProblem } from "../../src/ingest/manifest.js";
import type { ReadResult } from "../../src/ingest/reader.js";
import { NO_ABORT, World } from "../../src/ingest/sync/world.test-util.js";
import { reader } from "../../src/retrieval/conformance.test-util.js";
import { ingestDefaults } from "../support/default-options.js";
import { openEmbeddedKnowledge } from "../support/embedded-knowledge.js";
import { InProcessReader } from "../support/in-process-reader.js";
import { ingestDeps } from "../support/ingest-deps.js";
import { INNOCENTS } from "./support/access-innocents.js";
import { SECRET, SEEN, type Spelling } from "./support/access-spellings.js";
import { UNSEEN } from "./support/access-spellings-unseen.js";

const options = ingestDefaults({});
const reading = new InProcessReader(options);

function read({ file, content }: Pick<Spelling, "file" | "content">): Promise<ReadResult> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return reading.read({ path: `/docs/${file}`, name: file, bytes, described: undefined });
}

/** Whether a stranger of the network may read it. */
function isOpen(result: ReadResult): boolean {
  return result.type === "document" && result.document.access.visibility === "network";
}

describe.each([
  ["looked at while the detector was made", SEEN],
  ["not looked at until it was done", UNSEEN],
])("spellings %s", (_which, spellings) => {
  it.each(spellings.map((spelling) => [`${spelling.file}: ${spelling.what}`, spelling] as const))(
    "%s",
    async (_name, spelling) => {
      const result = await read(spelling);
      expect(isOpen(result)).toBe(false);
      if (result.type === "problem") return expect(result.message).toMatch(/front matter/);
      const { allowedUsers, allowedGroups } = result.document.access;
      expect([...allowedUsers, ...allowedGroups]).toEqual([]);
      if (!spelling.what.endsWith("understood")) expect(result.doubts).not.toEqual([]);
    },
  );
});

describe("what speaks of something else", () => {
  it.each(INNOCENTS)("%s: %j", async (file, content) => {
    const result = await read({ file, content });
    expect(result).toMatchObject({ type: "document", doubts: [] });
    expect(isOpen(result)).toBe(true);
  });
});

let base: string;
let docs: string;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "readback-marks-")));
  docs = join(base, "docs");
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function write(files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(docs, name)), { recursive: true });
    writeFileSync(join(docs, name), content);
  }
}

async function run() {
  const request = { source: await openFolderSource(docs), network: "plant", options };
  return ingest(request, ingestDeps(join(base, "knowledge"), options), () => {}, NO_ABORT);
}

async function found(query: string): Promise<readonly string[]> {
  const retrieval = openEmbeddedKnowledge(join(base, "knowledge"));
  try {
    const passages = await retrieval.search({ query, access: reader("plant"), limit: 50 }, NO_ABORT);
    return passages.map(({ title }) => title).sort();
  } finally {
    await retrieval.close();
  }
}

describe("an ingest", () => {
  it("lets nobody find them, and names each with its place and what to do, each time anew", async () => {
    write(Object.fromEntries(SEEN.map(({ file, content }, index) => [`${index}/${file}`, content])));
    const inDoubt = SEEN.filter(({ what }) => !what.endsWith("understood")).length;
    const first = await run();
    expect(first.failed.length + first.doubtful.length).toBe(inDoubt);
    for (const { message } of first.doubtful) {
      expect(message).toMatch(/^(?:(?:line|page) \d+|its (?:text|property)|a )/);
      expect(message).toMatch(/Say it (?:between|in the manifest)/);
    }
    expect(await found("forklift night shift euros")).toEqual([]);
    const second = await run();
    expect(second).toMatchObject({ added: 0, updated: 0, removed: 0, unchanged: first.added });
    expect(second.doubtful).toEqual(first.doubtful);
  });

  it("takes a word in a file beside a document for the document's", async () => {
    write({
      "a/pay.md": SECRET,
      "a/pay.md.yaml": "visiblity: restricted\n",
      "b/pay.txt": SECRET,
      "b/pay.meta.json": '{"allowed_groups": ["leads"]}',
      "c/menu.md": "Soup for the forklift crew of the night shift.",
      "c/menu.yaml": "soup: monday\n",
    });
    const { doubtful } = await run();
    expect(doubtful.map(({ file }) => file)).toEqual([
      "a/pay.md",
      "a/pay.md.yaml",
      "b/pay.meta.json",
      "b/pay.txt",
    ]);
    expect(doubtful[0]!.message).toMatch(/^a\/pay\.md\.yaml beside it, line 1: "visiblity: restricted"/);
    expect(await found("forklift night shift")).toEqual(["Menu"]);
    write({ "a/pay.md.yaml": "price: 3\n" });
    await run();
    expect(await found("forklift night shift")).toEqual(["Menu", "Pay"]);
  });

  it.each(["Readback.yaml", "readbak.yml", "readback.yaml.txt", "readback-manifest.yaml", "readback.toml"])(
    "stops at a manifest that is called %s",
    async (name) => {
      write({ "pay.md": SECRET, [name]: "- path: '**'\n  visibility: restricted\n" });
      await expect(run()).rejects.toThrow(ManifestProblem);
      expect(await found("forklift")).toEqual([]);
    },
  );

  it.each([
    "visiblity: restricted",
    "Visibility: restricted",
    "allowed_user: [ann]",
    "allowed groups: [leads]",
  ])("stops at a manifest that says %j", async (rule) => {
    write({ "pay.md": SECRET, "readback.yaml": `- path: "**"\n  ${rule}\n` });
    await expect(run()).rejects.toThrow(ManifestProblem);
  });

  it("is told by the manifest that the words say something else, where it says who may read", async () => {
    const rule = '- path: "**"\n  visibility: network\n';
    write({ "radar.md": `Visibility: restricted\n\n${SECRET}`, "readback.yaml": rule });
    expect((await run()).doubtful).toHaveLength(1);
    write({ "readback.yaml": `${rule}  ignore_marks: true\n` });
    expect(await run()).toMatchObject({ updated: 1, doubtful: [] });
    expect(await found("forklift")).toEqual(["Radar"]);
    write({ "readback.yaml": '- path: "**"\n  ignore_marks: true\n' });
    await expect(run()).rejects.toThrow(/ignore_marks/);
  });
});

const BIN = fileURLToPath(new URL("../../bin/readback.js", import.meta.url));

function readback(args: readonly string[], settings: Readonly<Record<string, string>> = {}) {
  const env = { PATH: process.env.PATH, READBACK_DATA_DIR: join(base, "data"), ...settings };
  return new Promise<{ code: number; output: string }>((resolve) => {
    execFile(process.execPath, [BIN, ...args], { env, cwd: base }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr });
    });
  });
}

describe("the commands", () => {
  it("name the file, the line and what to do, and end with code 1 where they are strict", async () => {
    write({ "pay.md": `---\ntitle: Pay\nvisiblity: restricted\n---\n${SECRET}` });
    const lax = await readback(["ingest", docs, "--network", "plant"]);
    expect(lax.output).toMatch(/in doubt: pay\.md: line 3: "visiblity".*`visibility`/);
    expect(lax.code).toBe(0);
    expect((await readback(["ingest", docs, "--network", "plant", "--strict"])).code).toBe(1);
    const settings = { READBACK_SYNC_NETWORK: "plant", READBACK_SYNC_FOLDER: docs };
    const sync = await readback(["sync"], settings);
    expect(sync.output).toMatch(/pay\.md: nobody may read it: line 3/);
    expect(sync.code).toBe(1);
    expect((await readback(["sync", "--no-strict"], settings)).code).toBe(0);
  }, 60_000);
});

describe("the sync with Elasticsearch", () => {
  let world: World;
  beforeEach(async () => {
    world = await World.open();
  });
  afterEach(() => world.close());

  const told = () => world.events.filter(({ type }) => type === "document_access_doubtful").length;

  it.each([
    ["a word in the text", "pay.md", `Visibility: restricted\n\n${SECRET}`, {}],
    ["a misspelt key", "pay.md", `---\nvisiblity: restricted\n---\n${SECRET}`, {}],
    [
      "front matter that is stricter than the metadata",
      "pay.md",
      `---\nvisibility: restricted\n---\n${SECRET}`,
      {},
    ],
    ["a misspelt field of the metadata", "pay.txt", SECRET, { visiblity: "restricted" }],
    ["a field in the singular", "pay.txt", SECRET, { allowed_user: "ann" }],
  ])("keeps a document with %s from everybody, and says so", async (_what, key, text, fields) => {
    await world.upload(key, text, fields);
    expect(await world.sync().once(NO_ABORT)).toMatchObject({ synced: 0, failed: 1, doubtful: 1 });
    expect(await world.chunks()).toEqual([]);
    expect(told()).toBe(1);
  });

  it("takes away what an earlier state of the metadata gave", async () => {
    await world.upload("pay.txt", SECRET);
    await world.sync().once(NO_ABORT);
    expect(await world.chunks()).toHaveLength(1);
    await world.change("pay.txt", { status: "pending", alowed_users: ["ann"] });
    await world.sync().once(NO_ABORT);
    const chunks = await world.chunks();
    expect(chunks.map(({ visibility, allowed_users }) => [visibility, allowed_users])).toEqual([
      ["restricted", []],
    ]);
  });

  it("is told by the metadata that the words say something else", async () => {
    await world.upload("radar.txt", `Visibility: restricted\n\n${SECRET}`, { ignore_marks: true });
    expect(await world.sync().once(NO_ABORT)).toMatchObject({ synced: 1, doubtful: 0 });
  });
});
