import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ingestDefaults } from "../../test/support/default-options.js";
import { openEmbeddedKnowledge } from "../../test/support/embedded-knowledge.js";
import { ingestDeps } from "../../test/support/ingest-deps.js";
import { systemClock } from "../lib/clock.js";
import { workerUrl } from "../lib/worker.js";
import { reader } from "../retrieval/conformance.test-util.js";
import { openEmbeddedWriter } from "../retrieval/embedded/embedded-writer.js";
import type { Retrieval } from "../retrieval/port.js";
import { KnowledgeBusy } from "../retrieval/writer.js";
import { documentIdOf } from "./document.js";
import { openFolderSource } from "./folder-source.js";
import { type IngestDeps, ingest } from "./ingest.js";
import { DEATHS_IN_A_ROW_MAX, ReadPool } from "./read-pool.js";
import { ReadersUnusable } from "./reader.js";
import type { IngestProgress } from "./report.js";
import { PathProblem } from "./source.js";

const NO_ABORT = new AbortController().signal;
const options = ingestDefaults({ fileBytesMax: 100_000 });
const openWriter = (network: string) => openEmbeddedWriter(knowledge, network);

let base: string;
let docs: string;
let knowledge: string;
let retrieval: Retrieval;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "readback-")));
  docs = join(base, "docs");
  knowledge = join(base, "knowledge");
  mkdirSync(docs);
  retrieval = openEmbeddedKnowledge(knowledge);
});
afterEach(async () => {
  await retrieval.close();
  rmSync(base, { recursive: true, force: true });
});

function write(files: Record<string, string | Uint8Array>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(docs, name)), { recursive: true });
    writeFileSync(join(docs, name), content);
  }
}

async function run(path = docs, changed: Partial<typeof options> = {}, rest: Partial<IngestDeps> = {}) {
  const changedOptions = { ...options, ...changed };
  const request = { source: await openFolderSource(path), network: "plant", options: changedOptions };
  return ingest(request, ingestDeps(knowledge, changedOptions, rest), () => {}, NO_ABORT);
}

const search = (query: string, rest = {}) =>
  retrieval.search({ query, access: reader("plant", rest), limit: 50 }, NO_ABORT);
const titles = async (query: string, rest = {}) =>
  (await search(query, rest)).map(({ title }) => title).sort();

describe("ingest", () => {
  it("makes documents findable, with what their front matter says", async () => {
    write({
      "lockout.md":
        "---\ntitle: Lockout\nrevision: 4\n---\n# Lockout\n## Stopping\n1. Press **stop**.\n2. Wait 5 min.",
      "sub/deep/ladders.txt": "Look at the rungs first.",
    });
    expect(await run()).toMatchObject({
      added: 2,
      updated: 0,
      unchanged: 0,
      removed: 0,
      failed: [],
      ignored: 0,
    });
    const [passage] = await search("press stop");
    expect(passage).toMatchObject({
      documentId: documentIdOf(join(docs, "lockout.md")),
      title: "Lockout",
      revision: "4",
      headings: ["Stopping"],
      text: "1. Press stop.\n2. Wait 5 min.",
      access: { network: "plant", visibility: "network" },
    });
    expect((await search("rungs"))[0]).toMatchObject({ title: "Ladders", headings: [] });
  });

  it("leaves what did not change alone", async () => {
    write({ "a.md": "Oil the chain.", "b.md": "Oil the hinge." });
    await run();
    const before = await search("oil");
    expect(await run()).toMatchObject({ added: 0, updated: 0, unchanged: 2, removed: 0 });
    expect(await search("oil")).toEqual(before);
    write({ "b.md": "Oil the lock.", "c.md": "Oil the gate." });
    expect(await run()).toMatchObject({ added: 1, updated: 1, unchanged: 1, removed: 0 });
    expect(await titles("hinge")).toEqual([]);
    expect(await titles("oil")).toEqual(["A", "B", "C"]);
  });

  it("takes a change of who may read, of the default too", async () => {
    write({ "a.md": "---\ntitle: A\nvisibility: network\n---\nOil the chain.", "b.md": "Oil the hinge." });
    expect(await run()).toMatchObject({ withDefaultVisibility: 1 });
    write({ "a.md": "---\ntitle: A\nallowed_users: [bob]\n---\nOil the chain." });
    expect(await run(docs, { defaultVisibility: "restricted" })).toMatchObject({
      updated: 2,
      warnings: [{ file: "b.md", message: expect.stringContaining("nobody") }],
    });
    expect(await titles("oil")).toEqual([]);
    expect(await titles("oil", { username: "bob" })).toEqual(["A"]);
  });

  it("reports progress to the end", async () => {
    write({ "a.md": "One.", "b.md": "Two.", "c.md": "" });
    const seen: IngestProgress[] = [];
    const request = { source: await openFolderSource(docs), network: "plant", options };
    await ingest(request, ingestDeps(knowledge, options), (progress) => seen.push(progress), NO_ABORT);
    expect(seen.map(({ done, total }) => [done, total])).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ]);
  });

  it("changes nothing when it is aborted", async () => {
    write({ "a.md": "Oil the chain." });
    await run();
    write({ "b.md": "Oil the hinge.", "c.md": "Oil the gate." });
    const abort = new AbortController();
    const request = { source: await openFolderSource(docs), network: "plant", options };
    const stopped = ingest(
      request,
      ingestDeps(knowledge, options),
      () => abort.abort(new Error("stop")),
      abort.signal,
    );
    await expect(stopped).rejects.toThrow("stop");
    expect(await titles("oil")).toEqual(["A"]);
    expect(await run()).toMatchObject({ added: 2 });
  });

  it("changes nothing when its readers die of every file", async () => {
    const texts = (what: string) =>
      Object.fromEntries(
        Array.from({ length: DEATHS_IN_A_ROW_MAX + 4 }, (_, i) => [`${i}.md`, `Oil the ${what} ${i}.`]),
      );
    write(texts("chain"));
    await run();
    const before = await search("oil");
    write(texts("hinge"));
    const crashing = workerUrl(import.meta.url, "../../test/support/crashing-reader.js");
    const pool = new ReadPool(options, systemClock, crashing);
    await expect(run(docs, {}, { reader: pool })).rejects.toThrow(ReadersUnusable);
    await pool.close();
    expect(before.length).toBeGreaterThan(DEATHS_IN_A_ROW_MAX);
    expect(await search("oil")).toEqual(before);
  }, 60_000);

  it("waits for nobody who writes the same network", async () => {
    write({ "a.md": "Oil the chain." });
    const writer = await openWriter("plant");
    await expect(run()).rejects.toBeInstanceOf(KnowledgeBusy);
    await writer.close();
    await expect(run()).resolves.toMatchObject({ added: 1 });
  });
});

describe("deletions", () => {
  it("are followed below the path, and nowhere else", async () => {
    write({ "a/one.md": "Oil one.", "a/two.md": "Oil two.", "b/three.md": "Oil three." });
    await run(join(docs, "a"));
    expect(await run(join(docs, "b"))).toMatchObject({ added: 1, removed: 0 });
    expect(await titles("oil")).toEqual(["One", "Three", "Two"]);
    unlinkSync(join(docs, "a/one.md"));
    expect(await run(join(docs, "a"))).toMatchObject({ unchanged: 1, removed: 1 });
    expect(await titles("oil")).toEqual(["Three", "Two"]);
    // Where they lie below the folder is said of them, and has changed.
    expect(await run(docs)).toMatchObject({ added: 0, updated: 2 });
    expect(await run(docs)).toMatchObject({ added: 0, unchanged: 2 });
    rmSync(join(docs, "a"), { recursive: true });
    expect(await run(docs)).toMatchObject({ removed: 1, unchanged: 1 });
  });

  it("do not touch a folder whose name only begins the same", async () => {
    write({ "a/one.md": "Oil one.", "ab/two.md": "Oil two." });
    await run();
    rmSync(join(docs, "a/one.md"));
    expect(await run(join(docs, "a"))).toMatchObject({ removed: 1 });
    expect(await titles("oil")).toEqual(["Two"]);
  });

  it("follow an emptied folder", async () => {
    write({ "a.md": "Oil the chain." });
    await run();
    unlinkSync(join(docs, "a.md"));
    expect(await run()).toMatchObject({ removed: 1 });
    expect(await titles("oil")).toEqual([]);
  });

  it("take a document away that is no longer valid: its old version may grant too much", async () => {
    write({ "a.md": "Oil the chain.", "b.md": "Oil the hinge." });
    await run();
    write({ "a.md": "---\nallowed_users: [bob\n---\nOil the chain." });
    expect(await run()).toMatchObject({
      removed: 1,
      unchanged: 1,
      failed: [{ file: "a.md", message: expect.stringContaining("not YAML") }],
    });
    expect(await titles("oil")).toEqual(["B"]);
  });

  it("can be of a single file's content, which leaves the others alone", async () => {
    write({ "a.md": "Oil the chain.", "b.md": "Oil the hinge." });
    await run();
    write({ "a.md": "Grease the chain." });
    expect(await run(join(docs, "a.md"))).toMatchObject({ updated: 1, removed: 0 });
    expect(await titles("oil grease")).toEqual(["A", "B"]);
  });
});

describe("files that are no documents", () => {
  it("are named one by one, and the rest goes in", async () => {
    write({
      "good.md": "Oil the chain.",
      "empty.md": "",
      "blank.md": " \n\n ",
      "front-only.md": "---\ntitle: A\n---\n",
      "latin1.txt": Uint8Array.of(0x47, 0x72, 0xfc, 0x6e),
      "binary.md": Uint8Array.of(0x61, 0, 0x62),
      "open.md": "---\ntitle: A\nOil.",
      "huge.txt": "x".repeat(100_001),
      "picture.png": Uint8Array.of(0x89, 0x50),
      ".hidden.md": "Oil.",
      "utf16.md": Uint8Array.of(0xff, 0xfe, 0x4f, 0, 0),
    });
    const report = await run();
    expect(report).toMatchObject({ added: 1, ignored: 1 });
    expect(Object.fromEntries(report.failed.map(({ file, message }) => [file, message]))).toEqual({
      "binary.md": "the file is not text: it holds null characters",
      "blank.md": "the file is empty",
      "empty.md": "the file is empty",
      "front-only.md": "the file holds no text",
      "huge.txt": "the file has 100001 bytes, more than the 100000 that are allowed",
      "latin1.txt": "the file is not UTF-8 text; save it as UTF-8",
      "open.md": 'line 1: the front matter does not end: a line "---" is missing',
      "utf16.md": "the file is not UTF-16LE text; save it as UTF-8",
    });
  });

  it("may begin with a byte order mark", async () => {
    write({ "a.md": "\ufeff---\ntitle: Chains\n---\nOil the chain." });
    expect(await run()).toMatchObject({ added: 1, failed: [] });
    expect(await titles("oil")).toEqual(["Chains"]);
  });

  it.skipIf(process.getuid?.() === 0)("keep their earlier version when they cannot be read", async () => {
    write({ "a.md": "Oil the chain.", "sub/b.md": "Oil the hinge." });
    await run();
    chmodSync(join(docs, "a.md"), 0);
    chmodSync(join(docs, "sub"), 0);
    const report = await run();
    chmodSync(join(docs, "sub"), 0o700);
    expect(report).toMatchObject({ removed: 0, unchanged: 0 });
    expect(report.failed.map(({ file }) => file).sort()).toEqual(["a.md", "sub"]);
    expect(await titles("oil")).toEqual(["A", "B"]);
  });

  it.each([
    ["is missing", "nothing.md"],
    ["is of another kind", "picture.png"],
  ])("are refused as a path that %s", async (_name, file) => {
    write({ "picture.png": "x" });
    await expect(run(join(docs, file))).rejects.toBeInstanceOf(PathProblem);
  });
});

describe("symbolic links", () => {
  it("are followed inside the folder, once, and end", async () => {
    write({ "a/one.md": "Oil one." });
    symlinkSync(docs, join(docs, "a/loop"));
    symlinkSync(join(docs, "a"), join(docs, "again"));
    symlinkSync(join(docs, "a/one.md"), join(docs, "copy.md"));
    expect(await run()).toMatchObject({ added: 1, failed: [] });
    expect((await search("oil"))[0]?.documentId).toBe(documentIdOf(join(docs, "a/one.md")));
  });

  it("reach hidden targets, as mounted configuration has them", async () => {
    write({ "..data/one.md": "Oil one." });
    symlinkSync("..data/one.md", join(docs, "one.md"));
    expect(await run()).toMatchObject({ added: 1, failed: [] });
  });

  it("that lead out of the folder or nowhere are named", async () => {
    writeFileSync(join(base, "secret.md"), "Oil the safe.");
    symlinkSync(join(base, "secret.md"), join(docs, "out.md"));
    symlinkSync(join(base, "missing.md"), join(docs, "dangling.md"));
    symlinkSync("self.md", join(docs, "self.md"));
    const report = await run();
    expect(report.failed.map(({ file, message }) => `${file}: ${message}`).sort()).toEqual([
      "dangling.md: the symbolic link cannot be followed: there is no such file or folder",
      "out.md: the symbolic link leads out of the folder; put the file itself here",
      "self.md: the symbolic link cannot be followed: the links lead in a circle",
    ]);
    expect(await titles("oil")).toEqual([]);
  });

  it("may stand for the folder itself", async () => {
    write({ "a.md": "Oil the chain." });
    symlinkSync(docs, join(base, "link"));
    await run();
    expect(await run(join(base, "link"))).toMatchObject({ unchanged: 1, added: 0, removed: 0 });
  });
});
