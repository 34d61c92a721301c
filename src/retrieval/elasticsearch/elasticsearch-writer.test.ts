import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ElasticsearchServer } from "../../../test/support/elasticsearch/server.js";
import { patience } from "../../../test/support/patience.js";
import { settle, VirtualClock } from "../../../test/support/virtual-clock.js";
import type { Access } from "../../domain/user.js";
import { mayRead } from "../access.js";
import { document, NO_ABORT, OPEN, reader, restricted, store } from "../conformance.test-util.js";
import { KnowledgeBusy, type KnowledgeDocument, KnowledgeUnusable } from "../writer.js";
import { ElasticsearchClient } from "./client.js";
import { openElasticsearchWriter } from "./elasticsearch-writer.js";
import { openTestBed, type TestBed } from "./engine-under-test.test-util.js";
import { everyHit } from "./every-hit.js";
import { LEASE_TTL_MS } from "./lease.js";

let server: ElasticsearchServer;
let clock: VirtualClock;
let bed: TestBed;

beforeAll(async () => {
  server = await ElasticsearchServer.start();
});
beforeEach(async () => {
  clock = new VirtualClock();
  bed = await openTestBed({ url: server.url, apiKey: server.apiKey }, { clock, legs: ["lexical"] });
});
afterEach(async () => {
  server.verify();
  await bed.dispose();
});
afterAll(() => server.close());

const found = async (query: string, access: Access) =>
  bed.engine.search({ leg: "lexical", query, access, limit: 50 }, NO_ABORT);

describe("the lease", () => {
  it("lets one writer of a network in at a time, and writers of other networks", async () => {
    const first = await bed.openWriter("a");
    await expect(bed.openWriter("a")).rejects.toThrow(KnowledgeBusy);
    await expect(bed.openWriter("a")).rejects.toThrow(/if it died, its claim ends in 60 seconds/);
    const other = await bed.openWriter("b");
    await first.close();
    await (await bed.openWriter("a")).close();
    await other.close();
  });

  it("lets one of several in that come at the same time", async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => bed.openWriter("a")));
    const writers = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
    expect(writers).toHaveLength(1);
    await writers[0]!.close();
  });

  it("is kept by a writer that lives, and ends with one that died", async () => {
    const first = await bed.openWriter("a");
    for (let renewals = 0; renewals < 8; renewals++) {
      const before = server.requests.length;
      await clock.advance(LEASE_TTL_MS / 4);
      while (server.requests.length === before) await settle();
    }
    await expect(bed.openWriter("a")).rejects.toThrow(KnowledgeBusy);
    const dead = new DyingClient(bed, 0);
    await expect(openElasticsearchWriter({ ...bed.deps, client: dead }, "b", NO_ABORT)).rejects.toThrow(
      "died",
    );
    await first.close();
  });

  it("is lost when its holder was not heard of for too long; then nothing more is written", async () => {
    const slow = await bed.openWriter("a");
    await slow.put(document("one", ["Seal the valve."]));
    const fault = server.faults.next(
      { path: /_doc\/lease/, method: "PUT" },
      { kind: "answer", status: 400, body: {} },
      4,
    );
    while (fault.hits < 4) {
      await clock.advance(LEASE_TTL_MS / 4);
      await settle();
    }
    const next = await bed.openWriter("a");
    await expect(slow.commit()).rejects.toThrow(/lease "writer:a" is lost.*Run the ingest again/s);
    await expect(slow.commit()).rejects.toBeInstanceOf(KnowledgeUnusable);
    await slow.close();
    expect(await next.documents()).toEqual([]);
    await next.close();
  });
});

describe("a commit", () => {
  it("counts documents, chunks, and chunks that say the same", async () => {
    const long =
      "Before you open the guard, press the red button, wait until the blade stands still, hang your lock on the " +
      "switch, and try to start the machine: it must not start.";
    const writer = await bed.openWriter("a");
    await writer.put(document("one", [long, "Clean the mill."]));
    await writer.put(document("two", [long]));
    await writer.put(document("three", ["Something else."]));
    expect(await writer.commit()).toEqual({ documents: 3, chunks: 4, nearDuplicateChunks: 2 });
    await writer.close();
  });

  it("takes what was changed last of a document that changed several times", async () => {
    const writer = await bed.openWriter("a");
    await writer.put(document("one", ["First valve."]));
    await writer.put(document("one", ["Second valve.", "Third valve."]));
    await writer.put(document("two", ["Fourth valve."]));
    await writer.remove("two");
    await writer.remove("never there");
    await writer.remove("one");
    await writer.put(document("one", ["Fifth valve."]));
    expect(await writer.commit()).toMatchObject({ documents: 1, chunks: 1 });
    await writer.close();
    expect((await found("valve", reader("a"))).map(({ text }) => text)).toEqual(["Fifth valve."]);
  });

  it("names older revisions, newest first, and only those that the reader may read", async () => {
    const guide = (revision: string, access = OPEN) =>
      document(`guide ${revision}`, [`Hang lock ${revision}.`], { title: "Guide", revision, access });
    await store(bed, "a", [
      guide("1"),
      guide("2", restricted(["ann"])),
      guide("3"),
      guide("4", restricted(["bob"])),
    ]);
    const [forAnn] = await found("lock", reader("a"));
    expect(forAnn).toMatchObject({ revision: "3", supersedes: ["2", "1"] });
    const [forZoe] = await found("lock", reader("a", { username: "zoe" }));
    expect(forZoe).toMatchObject({ revision: "3", supersedes: ["1"] });
    const [forBob] = await found("lock", reader("a", { username: "bob" }));
    expect(forBob).toMatchObject({ revision: "4", supersedes: ["3", "1"] });
    await store(bed, "a", [guide("1")]);
    expect(
      (await found("lock", reader("a"))).map(({ revision, supersedes }) => [revision, supersedes]),
    ).toEqual([["1", []]]);
  });

  it("settles the revisions of a title that a document has left", async () => {
    const guide = (id: string, revision: string, title = "Guide") =>
      document(id, ["Hang the lock."], { title, revision });
    await store(bed, "a", [guide("old", "1"), guide("new", "2")]);
    await store(bed, "a", [guide("old", "1"), guide("new", "2", "Handbook")]);
    expect((await found("lock", reader("a"))).map(({ documentId }) => documentId).sort()).toEqual([
      "new",
      "old",
    ]);
  });
});

describe("a writer that dies", () => {
  const guide = (id: string, revision: string, text: string, access = OPEN) =>
    document(id, [text, `More on the ${text.toLowerCase()}`], { title: "Guide", revision, access });
  const BEFORE = [
    guide("g1", "1", "Old lock."),
    guide("g2", "2", "New lock."),
    document("opened", ["Secret lock of the safe.", "Same lock."], { access: restricted(["bob"]) }),
    document("closed", ["Public lock.", "Same lock of all."]),
    document("gone", ["Lock that goes."]),
  ];
  const AFTER = [
    guide("g1", "1", "Old lock."),
    guide("g2", "2", "New lock.", restricted(["ann"])),
    guide("g3", "3", "Newest lock.", restricted(["bob"])),
    document("opened", ["Harmless lock.", "Same lock."]),
    document("closed", ["Internal lock.", "Same lock of all."], { access: restricted([], ["crew"]) }),
    document("added", ["Lock that comes."]),
  ];
  const READERS = [
    reader("n"),
    reader("n", { username: "bob" }),
    reader("n", { username: "zoe" }),
    reader("n", { username: "zoe", groups: ["crew"] }),
    reader("n", { kiosk: true }),
  ];

  it("anywhere leaves nothing readable that was denied, and the next one finishes its work", {
    timeout: patience(120_000),
  }, async () => {
    await store(bed, "n", AFTER);
    const expected = await dump();
    let calls = 0;
    for (let survived = false; !survived; calls++) {
      await store(bed, "n", []);
      await store(bed, "n", BEFORE);
      survived = await dyingAfter(calls);
      await refresh();
      for (const access of READERS) await expectOnlyAllowed(access);
      // The dead writer's lease ends.
      await clock.advance(LEASE_TTL_MS);
      await store(bed, "n", AFTER);
      expect(await dump(), `died before call ${calls}`).toEqual(expected);
    }
    expect(calls).toBeGreaterThan(15);
  });

  it("leaves it to the next one to take away what it had only promised to", async () => {
    const closing = (access: KnowledgeDocument["access"]) => document("closed", ["Public lock."], { access });
    const zoe = reader("n", { username: "zoe" });
    await store(bed, "n", [closing(OPEN)]);
    let marked = false;
    for (let calls = 0; !marked; calls++) {
      expect(await dyingAfter(calls, [closing(restricted(["ann"]))])).toBe(false);
      await clock.advance(LEASE_TTL_MS);
      await refresh();
      marked = !(await bed.engine.readable(["closed"], zoe, NO_ABORT)).has("closed");
    }
    expect(await found("lock", zoe)).toHaveLength(1);
    const { chunks, ...rest } = closing(restricted([]));
    // Cannot be written, so that what is seen is what stood before new content comes.
    const unfit = { ...rest, chunks: chunks.map((chunk) => ({ ...chunk, vector: Float32Array.of(1) })) };
    await expect(store(bed, "n", [unfit])).rejects.toThrow(KnowledgeUnusable);
    await refresh();
    expect(await found("lock", zoe)).toEqual([]);
  });

  /** Whether the work was done before the writer made so many calls. */
  async function dyingAfter(calls: number, documents = AFTER): Promise<boolean> {
    const client = new DyingClient(bed, calls);
    const openWriter = (network: string) =>
      openElasticsearchWriter({ ...bed.deps, client }, network, NO_ABORT);
    const outcome = await store({ ...bed, openWriter }, "n", documents).catch((error: unknown) => error);
    await client.close();
    if (outcome !== undefined) expect(String(outcome)).toContain("died");
    return outcome === undefined;
  }

  async function refresh(): Promise<void> {
    const index = [bed.options.embeddingsIndex, bed.options.metadataIndex];
    await bed.client.call("refresh", (api, call) => api.indices.refresh({ index }, call), NO_ABORT);
  }

  /** What is found must be granted by a version of the document that has this very text. */
  async function expectOnlyAllowed(access: Access): Promise<void> {
    for (const { documentId, text } of await found("lock", access)) {
      const allowed = [...BEFORE, ...AFTER].some(
        (version) =>
          version.documentId === documentId &&
          version.chunks.some((chunk) => chunk.text === text) &&
          mayRead(access, { network: "n", ...version.access }),
      );
      expect(allowed, `${documentId}: ${text}`).toBe(true);
    }
  }

  /** Everything that is stored, but for times and the order. */
  async function dump(): Promise<unknown[]> {
    const all: { readonly id: string }[] = [];
    for (const index of [bed.options.embeddingsIndex, bed.options.metadataIndex]) {
      const request = { index, query: { match_all: {} }, fields: ["*"] };
      for await (const page of everyHit<Record<string, unknown>>(bed.client, request, NO_ABORT)) {
        for (const { _id, _source } of page) {
          const { created_at, updated_at, synced_at, ...rest } = _source!;
          all.push({ id: _id!, ...rest });
        }
      }
    }
    return all.sort((a, b) => (a.id < b.id ? -1 : 1));
  }
});

describe("many documents", () => {
  it("go in several batches and come back in several pages", { timeout: patience(60_000) }, async () => {
    const documents = Array.from(
      { length: 1_201 },
      (_, i): KnowledgeDocument => document(`d${i}`, [`Valve ${i}.`]),
    );
    const writer = await bed.openWriter("many");
    for (const one of documents) await writer.put(one);
    expect(await writer.commit()).toMatchObject({ documents: 1_201, chunks: 1_201 });
    expect(new Set((await writer.documents()).map(({ documentId }) => documentId)).size).toBe(1_201);
    for (const { documentId } of documents.slice(1)) await writer.remove(documentId);
    expect(await writer.commit()).toMatchObject({ documents: 1, chunks: 1 });
    await writer.close();
    const largest = Math.max(
      ...server.requests.map(({ endpoint, body }) => (endpoint === "bulk" ? lines(body) : 0)),
    );
    expect(largest).toBeLessThanOrEqual(2 * bed.options.bulkDocumentsMax);
  });

  function lines(body: string): number {
    return body.split("\n").length - 1;
  }
});

/** Dies before its call number `calls`, counted from 0: from there on nothing reaches the server. */
class DyingClient extends ElasticsearchClient {
  #left: number;

  constructor({ options, deps }: TestBed, calls: number) {
    super(options, deps);
    this.#left = calls;
  }

  override async call<T>(...args: Parameters<ElasticsearchClient["call"]>): Promise<T> {
    if (this.#left-- <= 0) throw new Error("died");
    return super.call(...args) as Promise<T>;
  }
}
