import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { patience } from "../../../test/support/patience.js";
import { PROSE } from "../../domain/passage.js";
import { systemClock } from "../../lib/clock.js";
import { createTelemetry } from "../../telemetry/events.js";
import { document, reader, testVector, withVectors } from "../conformance.test-util.js";
import { SearchUnavailable } from "../port.js";
import { type CommitSummary, KnowledgeBusy, type KnowledgeDocument, KnowledgeUnusable } from "../writer.js";
import { databasePath } from "./database.js";
import { EmbeddedEngine } from "./embedded-engine.js";
import { openEmbeddedWriter } from "./embedded-writer.js";
import { OPEN_INDICES_MAX } from "./library.js";

const NO_ABORT = new AbortController().signal;
let directory: string;
let engine: EmbeddedEngine;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "readback-"));
  engine = openEngine(256);
});
afterEach(async () => {
  await engine.close();
  rmSync(directory, { recursive: true, force: true });
});

function openEngine(searchQueueLengthMax: number): EmbeddedEngine {
  return new EmbeddedEngine({
    clock: systemClock,
    telemetry: createTelemetry([]),
    directory,
    options: { searchQueueLengthMax, searchProcesses: 2 },
  });
}

async function put(network: string, ...documents: KnowledgeDocument[]): Promise<CommitSummary> {
  const writer = await openEmbeddedWriter(directory, network);
  for (const one of documents) await writer.put(one);
  const summary = await writer.commit();
  await writer.close();
  return summary;
}

const search = (network: string, query: string, rest = {}) =>
  engine.search({ leg: "lexical", query, access: reader(network, rest), limit: 50 }, NO_ABORT);
const found = async (network: string, query: string) =>
  (await search(network, query)).map(({ documentId }) => documentId);

describe("scores", () => {
  it("tell nothing about documents that the reader may not read", { timeout: patience(60_000) }, async () => {
    const words = ["valve", "pump", "glove"];
    const text = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 8 });
    const corpus = fc.array(fc.record({ words: text, secret: fc.boolean() }), { maxLength: 10 });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(corpus, async (drawn) => {
        const documents = drawn.map(({ words, secret }, index) => ({
          secret,
          document: document(`d${index}`, [words.join(" ")], {
            title: "Sheet",
            access: { visibility: secret ? "restricted" : "network", allowedUsers: [], allowedGroups: [] },
          }),
        }));
        const whole = `whole ${++run}`;
        const part = `part ${run}`;
        await put(whole, ...documents.map((one) => one.document));
        await put(part, ...documents.filter((one) => !one.secret).map((one) => one.document));
        const scores = async (network: string) =>
          (await search(network, "valve pump")).map(({ documentId, score }) => [documentId, score]);
        expect(await scores(whole)).toEqual(await scores(part));
      }),
      { numRuns: 25 },
    );
  });
});

describe("writing", () => {
  it("shows nothing before the commit, and everything after", async () => {
    await put("plant", document("old", ["Oil the chain."]));
    const writer = await openEmbeddedWriter(directory, "plant");
    await writer.remove("old");
    await writer.put(document("new", ["Oil the hinge."]));
    expect(await found("plant", "oil")).toEqual(["old"]);
    await writer.commit();
    expect(await found("plant", "oil")).toEqual(["new"]);
    await writer.close();
  });

  it("forgets what was not committed", async () => {
    await put("plant", document("old", ["Oil the chain."]));
    const writer = await openEmbeddedWriter(directory, "plant");
    await writer.put(document("new", ["Oil the hinge."]));
    await writer.close();
    expect(await found("plant", "oil")).toEqual(["old"]);
  });

  it("admits one writer to a network and says what to do", async () => {
    const writer = await openEmbeddedWriter(directory, "plant");
    const second = openEmbeddedWriter(directory, "plant");
    await expect(second).rejects.toBeInstanceOf(KnowledgeBusy);
    await expect(second).rejects.toThrow(/"plant".*Wait until it is done, or stop it/);
    await (await openEmbeddedWriter(directory, "shop")).close();
    await writer.close();
    await (await openEmbeddedWriter(directory, "plant")).close();
  });

  it("lists what it holds", async () => {
    await put("plant", document("a", ["x"], { path: "/docs/a.md", contentHash: "h" }));
    const writer = await openEmbeddedWriter(directory, "plant");
    expect(await writer.documents()).toEqual([
      { documentId: "a", path: "/docs/a.md", contentHash: "h", usesDefaultVisibility: false },
    ]);
    await writer.close();
  });

  it("stores headings, revisions and every kind of text", async () => {
    const text = "Tür \u{1F692} „zu“.";
    await put("plant", {
      ...document("a", []),
      title: "Doors",
      revision: "4",
      chunks: [{ chunkId: "c", headings: ["Fire", "Exit"], kind: PROSE, text }],
    });
    const [passage] = await search("plant", "exit");
    expect(passage).toMatchObject({ headings: ["Fire", "Exit"], text, title: "Doors", revision: "4" });
  });
});

describe("any sequence of writes", () => {
  const ids = ["a", "b", "c", "d", "e"];
  const words = fc.array(fc.constantFrom("valve", "pump", "glove"), { minLength: 1, maxLength: 4 });
  const written = fc.record({ id: fc.constantFrom(...ids), texts: fc.array(words, { maxLength: 3 }) });
  const removed = fc.record({ id: fc.constantFrom(...ids), texts: fc.constant(undefined) });
  const commit = fc.array(fc.oneof({ arbitrary: written, weight: 3 }, { arbitrary: removed, weight: 1 }), {
    minLength: 1,
    maxLength: 8,
  });

  /** What every leg finds, an operator sees, and a commit says of a network. */
  async function everything(network: string, summary: unknown) {
    const request = { query: "valve pump glove", access: reader(network), limit: 50 };
    const lexical = await engine.search({ ...request, leg: "lexical" }, NO_ABORT);
    const vector = await engine.search(
      { ...request, leg: "vector", vector: testVector(request.query) },
      NO_ABORT,
    );
    const explained = await engine.explain({ ...request, leg: "lexical" }, NO_ABORT);
    const details = await Promise.all(ids.map((id) => engine.document(network, id, NO_ABORT)));
    const chunksOf = details.map((detail) =>
      detail?.chunks.map(({ nearDuplicates, ...chunk }) => ({
        ...chunk,
        // In the order of writing, which a chunk that was rewritten alone has changed.
        nearDuplicates: nearDuplicates.map(({ chunkId }) => chunkId).sort(),
      })),
    );
    const scores = (hits: readonly { chunkId: string; score: number }[]) =>
      hits.map(({ chunkId, score }) => [chunkId, score]);
    return [scores(lexical), scores(vector), explained, chunksOf, summary];
  }

  it.each([2, 25])(
    "leaves what a fresh index would hold, after up to %i commits",
    { timeout: patience(120_000) },
    async (commits) => {
      let run = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(commit, { minLength: Math.ceil(commits / 2), maxLength: commits }),
          async (drawn) => {
            const network = `steps of ${commits}: ${++run}`;
            const last = new Map<string, KnowledgeDocument>();
            let summary: unknown;
            for (const changes of drawn) {
              const writer = await openEmbeddedWriter(directory, network);
              for (const { id, texts } of changes) {
                // The order of writing decides between equal scores.
                last.delete(id);
                await writer.remove(id);
                if (texts === undefined) continue;
                const one = withVectors(
                  document(
                    id,
                    texts.map((text) => text.join(" ")),
                    { title: "Sheet" },
                  ),
                );
                last.set(id, one);
                await writer.put(one);
              }
              summary = await writer.commit();
              await writer.close();
              // Brings the reader's catalogue up to date step by step.
              await engine.search(
                { leg: "vector", query: "", vector: testVector("pump"), access: reader(network), limit: 1 },
                NO_ABORT,
              );
            }
            const fresh = `fresh, ${network}`;
            expect(await everything(network, summary)).toEqual(
              await everything(fresh, await put(fresh, ...last.values())),
            );
          },
        ),
        { numRuns: 12 },
      );
    },
  );
});

describe("what is gone", () => {
  it("goes from the file once there is more of it than of the rest, and nothing else changes", async () => {
    const manual = (round: number) =>
      withVectors(
        document(
          "manual",
          Array.from({ length: 60 }, (_, i) => `Oil chain ${i} in round ${round}.`),
        ),
      );
    const kept = withVectors(document("kept", ["Oil the hinge.", "Wax the belt."]));
    await put("plant", manual(0), kept, manual(1));
    const request = { access: reader("plant"), query: "oil", limit: 100 };
    const results = async () => [
      (await engine.search({ ...request, leg: "lexical" }, NO_ABORT)).map(({ chunkId, score }) => [
        chunkId,
        score,
      ]),
      (await engine.search({ ...request, leg: "vector", vector: testVector("oil") }, NO_ABORT)).length,
    ];
    await results();
    await put("plant", manual(2));
    expect(await state()).toMatchObject({
      numbering: 1,
      next_chunk: 62,
      chunk_count: 62,
      removals: 0,
      oil_bytes: 61,
    });
    await put("fresh", kept, manual(2));
    const fresh = await engine.search({ ...request, access: reader("fresh"), leg: "lexical" }, NO_ABORT);
    expect(await results()).toEqual([fresh.map(({ chunkId, score }) => [chunkId, score]), 62]);
  });

  async function state() {
    const client = createClient({ url: `file:${databasePath(directory, "plant")}` });
    const { rows } = await client.execute(
      "SELECT *, (SELECT count(*) FROM removals) AS removals, " +
        // It stands once in every chunk but one, and a posting of a near chunk takes a byte.
        "(SELECT sum(length(list)) FROM postings WHERE term = 'oil') AS oil_bytes FROM state",
    );
    client.close();
    return { ...rows[0] };
  }
});

describe("vectors", () => {
  const withVector = (id: string, vector: Float32Array | undefined) =>
    document(id, [], {
      chunks: [
        {
          chunkId: id,
          headings: [],
          kind: PROSE,
          text: `Text of ${id}.`,
          ...(vector === undefined ? {} : { vector }),
        },
      ],
    });
  const nearest = async (network: string, ...values: number[]) => {
    const request = { leg: "vector" as const, query: "?", vector: Float32Array.from(values), limit: 5 };
    const passages = await engine.search({ ...request, access: reader(network) }, NO_ABORT);
    return passages.map(({ documentId }) => documentId);
  };

  it("follow what is added, replaced and removed", async () => {
    expect(await nearest("plant", 1, 0)).toEqual([]);
    await put("plant", withVector("a", Float32Array.of(1, 0)), withVector("b", Float32Array.of(0, 1)));
    expect(await nearest("plant", 1, 0.1)).toEqual(["a", "b"]);
    await put("plant", withVector("a", Float32Array.of(-1, 0)), withVector("c", undefined));
    expect(await nearest("plant", 1, 0.1)).toEqual(["b", "a"]);
    const writer = await openEmbeddedWriter(directory, "plant");
    await writer.remove("b");
    await writer.commit();
    await writer.close();
    expect(await nearest("plant", 1, 0.1)).toEqual(["a"]);
  });

  it("of another length than the query's make the leg unavailable, and only it", async () => {
    await put("plant", withVector("a", Float32Array.of(1, 0)));
    const searching = nearest("plant", 1, 0, 0);
    await expect(searching).rejects.toBeInstanceOf(SearchUnavailable);
    await expect(searching).rejects.toThrow(
      /"plant".* have 2 dimensions, the query's has 3\. Ingest all documents again/,
    );
    expect(await found("plant", "text")).toEqual(["a"]);
    expect(await nearest("plant", 1, 0)).toEqual(["a"]);
  });

  it("of several lengths do so too, until the last of the old ones is replaced", async () => {
    await put("plant", withVector("a", Float32Array.of(1, 0)), withVector("b", Float32Array.of(1, 0)));
    expect(await nearest("plant", 1, 0)).toEqual(["a", "b"]);
    await put("plant", withVector("a", Float32Array.of(1, 0, 0)));
    await expect(nearest("plant", 1, 0, 0)).rejects.toThrow(
      /vectors of 2 and 3 dimensions are stored together/,
    );
    await put("plant", withVector("b", Float32Array.of(0, 0, 1)));
    expect(await nearest("plant", 1, 0, 0.5)).toEqual(["a", "b"]);
  });

  it("that are not there at all do so too", async () => {
    await put("plant", withVector("a", undefined));
    await expect(nearest("plant", 1, 0)).rejects.toThrow(
      /no vectors are stored\. Ingest all documents again/,
    );
  });
});

describe("files that cannot be used", () => {
  const garbage = "This was a database once. ".repeat(400);

  it("make search unavailable, with the cause and the remedy, until they are restored", async () => {
    await put("plant", document("a", ["Oil the chain."]));
    const path = databasePath(directory, "plant");
    const intact = readFileSync(path);
    writeFileSync(path, garbage);
    const searching = search("plant", "chain");
    await expect(searching).rejects.toBeInstanceOf(SearchUnavailable);
    await expect(searching).rejects.toThrow(
      /"plant" cannot be used: .*not a database.*readback index rebuild --network plant/,
    );
    await expect(engine.readable(["a"], reader("plant"), NO_ABORT)).rejects.toThrow(SearchUnavailable);
    await expect(openEmbeddedWriter(directory, "plant")).rejects.toBeInstanceOf(KnowledgeUnusable);
    await expect(search("shop", "chain")).resolves.toEqual([]);
    writeFileSync(path, intact);
    expect(await found("plant", "chain")).toEqual(["a"]);
  });

  it("may be damaged in the middle", async () => {
    const documents = Array.from({ length: 40 }, (_, i) =>
      document(`d${i}`, [`Oil the chain ${i}. `.repeat(50)]),
    );
    await put("plant", ...documents);
    const path = databasePath(directory, "plant");
    const bytes = readFileSync(path);
    bytes.fill(0xa5, 4096);
    writeFileSync(path, bytes);
    await expect(search("plant", "chain")).rejects.toBeInstanceOf(SearchUnavailable);
  });

  it("may be of another network", async () => {
    await put("shop", document("a", ["Oil the chain."]));
    copyFileSync(databasePath(directory, "shop"), databasePath(directory, "plant"));
    await expect(search("plant", "chain")).rejects.toThrow(/belongs to another network/);
    await expect(openEmbeddedWriter(directory, "plant")).rejects.toThrow(/belongs to another network/);
  });

  it("may be of another release", async () => {
    await put("plant", document("a", ["Oil the chain."]));
    const client = createClient({ url: `file:${databasePath(directory, "plant")}` });
    await client.execute("PRAGMA user_version = 99");
    await expect(search("plant", "chain")).rejects.toThrow(/a later release wrote it, in layout 99/);
    await client.execute("PRAGMA user_version = 1");
    client.close();
    const remedy = /an earlier release wrote it, in layout 1, .*readback index rebuild --network plant/;
    await expect(search("plant", "chain")).rejects.toThrow(remedy);
    await expect(openEmbeddedWriter(directory, "plant")).rejects.toThrow(remedy);
  });

  it("are not to be deleted when it is the place that fails", async () => {
    const remedy = /may read and write the folder and that the disk has room/;
    writeFileSync(join(directory, "file"), "");
    await expect(openEmbeddedWriter(join(directory, "file"), "plant")).rejects.toThrow(remedy);
  });

  it("may be no files at all", async () => {
    mkdirSync(databasePath(directory, "plant"));
    await expect(search("plant", "chain")).rejects.toThrow(/it is no file/);
    await expect(openEmbeddedWriter(directory, "plant")).rejects.toThrow(/it is no file/);
  });

  it("are no empty network when they are missing or empty, unless a commit left them so", async () => {
    await put("plant", document("a", ["Oil the chain."]));
    expect(await found("plant", "chain")).toEqual(["a"]);
    for (const suffix of ["", "-wal", "-shm"]) {
      rmSync(databasePath(directory, "plant") + suffix, { force: true });
    }
    const emptied = /it was emptied: it held 1 documents/;
    await expect(search("plant", "chain")).rejects.toThrow(emptied);
    await expect(engine.revision("plant", NO_ABORT)).rejects.toThrow(emptied);
    await expect(openEmbeddedWriter(directory, "plant")).rejects.toThrow(emptied);
    writeFileSync(databasePath(directory, "plant"), "");
    await expect(search("plant", "chain")).rejects.toThrow(emptied);
    await expect(openEmbeddedWriter(directory, "plant")).rejects.toThrow(emptied);
    expect(await found("never", "chain")).toEqual([]);
    await put("cleared", document("a", ["Oil the chain."]));
    const writer = await openEmbeddedWriter(directory, "cleared");
    await writer.remove("a");
    await writer.commit();
    await writer.close();
    expect(await found("cleared", "chain")).toEqual([]);
  });
});

describe("bounds", () => {
  it("answers more networks than it keeps open", async () => {
    const networks = Array.from({ length: OPEN_INDICES_MAX + 2 }, (_, i) => `network ${i}`);
    for (const network of networks) await put(network, document("a", [`Oil the chain of ${network}.`]));
    for (const network of [...networks, ...networks]) {
      expect((await search(network, "chain"))[0]?.text).toContain(network);
    }
  });

  it("is unavailable when too many searches wait", async () => {
    const small = openEngine(2);
    const request = { leg: "lexical" as const, query: "chain", access: reader("plant"), limit: 5 };
    const outcomes = await Promise.allSettled(
      Array.from({ length: 4 }, () => small.search(request, NO_ABORT)),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled", "rejected"]);
    expect(outcomes[3]).toMatchObject({ reason: expect.any(SearchUnavailable) });
    await small.close();
  });
});
