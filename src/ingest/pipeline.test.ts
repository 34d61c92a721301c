/** What the stages do around the engine: manifest, embedding, another try, dead letters, parts of a source. */
import { unlinkSync } from "node:fs";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { ingestDefaults } from "../../test/support/default-options.js";
import { DocumentsFolder, MemoryKnowledge } from "../../test/support/documents-folder.js";
import { ingestDeps } from "../../test/support/ingest-deps.js";
import { systemClock } from "../lib/clock.js";
import { type Embedder, EmbeddingUnavailable } from "../retrieval/embedding/port.js";
import { KnowledgeBusy } from "../retrieval/writer.js";
import { openDeadLetters } from "../store/embedded-dead-letters.js";
import { FAILED_BATCHES_MAX } from "./embed.js";
import { openFolderSource } from "./folder-source.js";
import { type IngestDeps, type IngestRequest, ingest } from "./ingest.js";
import { ManifestProblem } from "./manifest.js";
import { EntryUnreadable, type Source } from "./source.js";

const NO_ABORT = new AbortController().signal;
const options = ingestDefaults();
/** Pauses pass a thousand times as fast. */
const hasty = {
  ...systemClock,
  after: (delayMs: number, run: () => void) => systemClock.after(delayMs / 1_000, run),
};

let folder: DocumentsFolder;
let knowledge: MemoryKnowledge;
beforeEach(() => {
  folder = new DocumentsFolder();
  knowledge = new MemoryKnowledge();
});

async function run(deps: Partial<IngestDeps> = {}, request: Partial<IngestRequest> = {}) {
  const source = request.source ?? (await openFolderSource(folder.docs));
  const all = ingestDeps("", options, { clock: hasty, openWriter: knowledge.openWriter, ...deps });
  return ingest({ network: "plant", options, ...request, source }, all, () => {}, NO_ABORT);
}

async function openLetters() {
  const letters = await openDeadLetters(folder.base, systemClock);
  onTestFinished(() => letters.close());
  return letters;
}

describe("a manifest", () => {
  it("says of documents what they do not say, the last entry that matches applying whole", async () => {
    folder.write({
      "a.md": "Oil the chain.",
      "sub/b.md": "Oil the hinge.",
      "readback.yaml":
        "- path: '**'\n  visibility: restricted\n  allowed_groups: [crew]\n- path: sub/*\n  title: Hinges\n  visibility: network\n",
    });
    expect(await run()).toMatchObject({ added: 2, failed: [], warnings: [], withDefaultVisibility: 0 });
    expect(knowledge.documents["a.md"]).toMatchObject({
      access: { visibility: "restricted", allowedGroups: ["crew"] },
    });
    expect(knowledge.documents["sub/b.md"]).toMatchObject({
      title: "Hinges",
      access: { visibility: "network", allowedGroups: [] },
    });
  });

  it.each([
    ["a pattern", "hr/*"],
    ["the same name", "hr/pay.md"],
  ])("does not open by a title what an entry before it closes: %s", async (_name, closed) => {
    folder.write({
      "hr/pay.md": "Everybody earns the same.",
      "hr/rules.md": "Everybody comes on time.",
      "readback.yaml":
        `- path: '**'\n  title: Any\n- path: ${closed}\n  allowed_groups: [hr]\n  title: Closed\n` +
        "- path: hr/pay.md\n  revision: '2'\n- path: hr/r*\n  visibility: network\n",
    });
    expect(await run()).toMatchObject({ added: 2, warnings: [], withDefaultVisibility: 0 });
    const { title, ...pay } = knowledge.documents["hr/pay.md"]!;
    expect(pay).toMatchObject({
      revision: "2",
      access: { visibility: "restricted", allowedUsers: [], allowedGroups: ["hr"] },
    });
    expect(["Any", "Closed"]).not.toContain(title);
    expect(knowledge.documents["hr/rules.md"]).toMatchObject({
      access: { visibility: "network", allowedGroups: [] },
    });
  });

  it("that changes brings up to date what it speaks of, and nothing else", async () => {
    folder.write({ "a.md": "Oil.", "b.md": "Oil." });
    await run();
    folder.write({ "readback.json": '[{"path": "a.md", "visibility": "restricted"}]' });
    expect(await run()).toMatchObject({ updated: 1, unchanged: 1 });
    expect(knowledge.documents["a.md"]?.access.visibility).toBe("restricted");
  });

  it("warns of entries that match nothing, and of manifests further down", async () => {
    folder.write({
      "a.md": "Oil.",
      "sub/readback.yaml": "- path: x",
      "readback.yml": "- path: a.md\n  title: A\n\n- path: b/*\n  title: B\n- path: c.md\n  title: C\n",
    });
    const { warnings } = await run();
    expect(warnings.map(({ file, message }) => `${file}: ${message}`)).toEqual([
      "sub/readback.yaml: a manifest counts in the root only; move its entries there",
      'readback.yml: line 4: no document matches "b/*"',
      'readback.yml: line 6: no document matches "c.md"',
    ]);
  });

  it.each<[string, string, RegExp]>([
    ["is no YAML", "- path: [", /readback\.yaml, line 1/],
    ["is no list", "path: a.md", /is no list of entries/],
    [
      "has an unknown field",
      "- path: a.md\n  title: A\n- path: b.md\n  alowed_users: [x]",
      /line 3, entry 2: .*alowed_users/,
    ],
    ["has a wrong value", "- path: a.md\n  visibility: public", /line 2, entry 1: `visibility`/],
    ["has no path", "- title: A", /entry 1: `path` is missing/],
    ["says nothing", "- path: a.md", /entry 1: says nothing/],
    ["has a wrong pattern", "- path: a**\n  title: A", /line 1, entry 1: `path` "\*\*" stands alone/],
    ["has the pattern of a folder", "- path: sub/\n  title: A", /everything below is "sub\/\*\*"/],
    [
      "names nobody's name",
      '- path: a.md\n  allowed_users: ["a\\tb", ""]',
      /`allowed_users\.[01]` a name has/,
    ],
  ])("that %s stops the ingest, with everything as it was", async (_name, manifest, message) => {
    folder.write({ "a.md": "Oil." });
    await run();
    folder.write({ "a.md": "Grease.", "readback.yaml": manifest });
    const failed = run();
    await expect(failed).rejects.toBeInstanceOf(ManifestProblem);
    await expect(failed).rejects.toThrow(message);
    expect(knowledge.put).toEqual(["a.md"]);
  });

  it("is not passed by: neither by a second one nor by ingesting a folder below it", async () => {
    folder.write({ "sub/a.md": "Oil.", "readback.yaml": "- path: '**'\n  visibility: restricted\n" });
    await expect(run({}, { source: await openFolderSource(folder.path("sub")) })).rejects.toThrow(
      /readback\.yaml says who may read .*: ingest the folder that it lies in/,
    );
    folder.write({ "readback.json": "[]" });
    await expect(run()).rejects.toThrow(/two manifests, readback\.yaml and readback\.json/);
  });
});

/** One number per text: its length. Counts what it is asked for. */
class TestEmbedder implements Embedder {
  readonly dimensions = 1;
  readonly batches: number[] = [];
  isDown: (texts: readonly string[]) => boolean = () => false;
  constructor(readonly name = "test/1") {}

  async embed(texts: readonly string[]): Promise<readonly Float32Array[]> {
    this.batches.push(texts.length);
    if (this.isDown(texts)) throw new EmbeddingUnavailable("the server is down");
    return texts.map((text) => Float32Array.of(text.length));
  }
}

describe("embedding", () => {
  const names = Array.from({ length: 10 }, (_, i) => `d${i}.md`);
  const writeAll = () => folder.write(Object.fromEntries(names.map((name, i) => [name, `Oil number ${i}.`])));

  it("takes chunks of several documents at once, and none twice", async () => {
    writeAll();
    const embedder = new TestEmbedder();
    expect(await run({ embedding: { embedder, batchSize: 4 } })).toMatchObject({
      added: 10,
      withoutVectors: 0,
    });
    expect(embedder.batches).toEqual([4, 4, 2]);
    for (const name of names)
      expect(knowledge.documents[name]?.chunks[0]?.vector?.[0]).toBeGreaterThan("Oil number 0.".length);
    folder.write({ "d3.md": "Grease." });
    expect(await run({ embedding: { embedder, batchSize: 4 } })).toMatchObject({ updated: 1, unchanged: 9 });
    expect(embedder.batches.slice(3)).toEqual([1]);
  });

  it("is done again for another model", async () => {
    writeAll();
    await run({ embedding: { embedder: new TestEmbedder(), batchSize: 100 } });
    const embedder = new TestEmbedder("other/1");
    expect(await run({ embedding: { embedder, batchSize: 100 } })).toMatchObject({ updated: 10 });
    expect(embedder.batches).toEqual([10]);
  });

  it("that is down leaves documents without vectors, with letters, until it is up", async () => {
    writeAll();
    const deadLetters = await openLetters();
    const embedder = new TestEmbedder();
    const deps = { embedding: { embedder, batchSize: 4 }, deadLetters };
    embedder.isDown = () => true;
    const report = await run(deps);
    expect(report).toMatchObject({ added: 10, withoutVectors: 10 });
    expect(report.failed[0]).toMatchObject({
      file: "d0.md",
      reason: "not_embedded",
      message: "it has no vectors: the server is down",
    });
    // Three tries for the first batch, one for each of its first documents, and then no more.
    expect(embedder.batches.length).toBe(3 + FAILED_BATCHES_MAX - 1);
    expect((await deadLetters.list()).length).toBe(10);
    expect(knowledge.documents["d0.md"]?.chunks[0]?.vector).toBeUndefined();
    // Nothing to change as long as it is down.
    expect(await run(deps)).toMatchObject({ unchanged: 10, updated: 0, withoutVectors: 10 });
    embedder.isDown = () => false;
    expect(await run(deps)).toMatchObject({ updated: 10, withoutVectors: 0, failed: [] });
    expect(await deadLetters.list()).toEqual([]);
    expect(knowledge.documents["d9.md"]?.chunks[0]?.vector).toBeDefined();
  });

  it("that refuses one document takes its neighbours", async () => {
    writeAll();
    const embedder = new TestEmbedder();
    embedder.isDown = (texts) => texts.some((text) => text.includes("number 5"));
    const report = await run({ embedding: { embedder, batchSize: 4 } });
    expect(report.failed.map(({ file }) => file)).toEqual(["d5.md"]);
    expect(knowledge.documents["d4.md"]?.chunks[0]?.vector).toBeDefined();
  });
});

describe("dead letters", () => {
  it("are kept for what fails, and cleared when it succeeds or is gone", async () => {
    const deadLetters = await openLetters();
    folder.write({ "good.md": "Oil.", "empty.md": "", "blank.md": " " });
    await run({ deadLetters });
    await run({ deadLetters });
    expect(await deadLetters.list()).toMatchObject([
      { path: folder.path("blank.md"), source: folder.docs, reason: "invalid", attempts: 2 },
      { path: folder.path("empty.md"), message: "the file is empty", attempts: 2 },
    ]);
    folder.write({ "empty.md": "Grease." });
    unlinkSync(folder.path("blank.md"));
    await run({ deadLetters });
    expect(await deadLetters.list()).toEqual([]);
  });

  it("of what an ingest does not speak for stay", async () => {
    const deadLetters = await openLetters();
    folder.write({ "a/empty.md": "", "b/empty.md": "" });
    await run({ deadLetters });
    folder.write({ "a/empty.md": "Oil.", "b/empty.md": "Oil." });
    await run({ deadLetters }, { only: [folder.path("a")] });
    expect((await deadLetters.list()).map(({ path }) => path)).toEqual([folder.path("b/empty.md")]);
  });
});

describe("a part of a source", () => {
  it("is brought up to date alone, with what is gone from it", async () => {
    folder.write({ "a/one.md": "One.", "a/two.md": "Two.", "b/three.md": "Three.", "c.md": "Four." });
    await run();
    folder.write({ "a/one.md": "New.", "b/three.md": "New.", "c.md": "New." });
    unlinkSync(folder.path("a/two.md"));
    const only = [folder.path("a"), folder.path("c.md")];
    expect(await run({}, { only })).toMatchObject({ updated: 2, removed: 1, unchanged: 0 });
    expect(Object.keys(knowledge.documents).sort()).toEqual(["a/one.md", "b/three.md", "c.md"]);
    expect(knowledge.documents["b/three.md"]?.chunks[0]?.text).toBe("Three.");
  });
});

describe("another try", () => {
  /** A source that cannot be read the first times. */
  async function flaky(
    failures: number,
    retryable: boolean,
  ): Promise<{ source: Source; reads: () => number }> {
    const inner = await openFolderSource(folder.docs);
    let reads = 0;
    const source: Source = {
      name: inner.name,
      covers: (path) => inner.covers(path),
      list: (signal) => inner.list(signal),
      readNamed: (...rest) => inner.readNamed(...rest),
      above: (...rest) => inner.above(...rest),
      async read(...rest) {
        if (++reads <= failures) throw new EntryUnreadable("the store is busy", retryable);
        return inner.read(...rest);
      },
    };
    return { source, reads: () => reads };
  }

  it("is made for a file that cannot be read for now", async () => {
    folder.write({ "a.md": "Oil." });
    const { source, reads } = await flaky(3, true);
    expect(await run({}, { source })).toMatchObject({ added: 1, failed: [] });
    expect(reads()).toBe(4);
  });

  it("is not made for one that will not be readable, nor for ever; what is stored of it stays", async () => {
    folder.write({ "a.md": "Oil." });
    await run();
    folder.write({ "a.md": "Grease." });
    for (const [retryable, expected] of [
      [false, 1],
      [true, 4],
    ] as const) {
      const { source, reads } = await flaky(100, retryable);
      expect(await run({}, { source })).toMatchObject({ removed: 0, failed: [{ reason: "unreadable" }] });
      expect(reads()).toBe(expected);
    }
    expect(knowledge.documents["a.md"]?.chunks[0]?.text).toBe("Oil.");
  });

  it("is made while somebody else writes", async () => {
    folder.write({ "a.md": "Oil." });
    let opened = 0;
    const openWriter = async () => {
      if (++opened < 3) throw new KnowledgeBusy("somebody writes");
      return knowledge.openWriter();
    };
    expect(await run({ openWriter })).toMatchObject({ added: 1 });
    expect(opened).toBe(3);
  });
});
