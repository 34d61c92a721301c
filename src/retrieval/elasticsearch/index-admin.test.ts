import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ElasticsearchError } from "../../../test/support/elasticsearch/errors.js";
import { ElasticsearchServer } from "../../../test/support/elasticsearch/server.js";
import { settle, VirtualClock } from "../../../test/support/virtual-clock.js";
import { document, NO_ABORT, reader, store } from "../conformance.test-util.js";
import { KnowledgeBusy } from "../writer.js";
import { indexDefinitions } from "./definitions.js";
import { openTestBed, type TestBed } from "./engine-under-test.test-util.js";
import { IndexProblem, type Rebuilt } from "./index-admin.js";
import { indexStatus, type StatusDeps } from "./index-status.js";

let server: ElasticsearchServer;
let clock: VirtualClock;
let bed: TestBed;

beforeAll(async () => {
  server = await ElasticsearchServer.start();
});
beforeEach(async () => {
  clock = new VirtualClock();
  bed = await openTestBed({ url: server.url, apiKey: server.apiKey }, { clock, create: false });
});
afterEach(async () => {
  try {
    server.verify();
  } finally {
    server.faults.clear();
    await bed.dispose();
  }
});
afterAll(() => server.close());

const found = async () => {
  const request = { leg: "lexical", query: "valve", access: reader("n"), limit: 9 } as const;
  return (await bed.engine.search(request, NO_ABORT)).map(({ documentId }) => documentId).sort();
};
const create = async () => {
  const outcomes = [];
  for (const definition of bed.definitions) outcomes.push(await bed.admin.create(definition, NO_ABORT));
  return outcomes;
};
const chunks = () => bed.definitions.find(({ role }) => role === "embeddings")!;
const status = async (rest: Partial<StatusDeps> = {}) => {
  const { admin, client, definitions, options } = bed;
  return indexStatus({ admin, client, definitions, options, semantic: true, ...rest }, NO_ABORT);
};

describe("create", () => {
  it("makes the three indices behind their aliases, and then leaves them as they are", async () => {
    expect((await create()).map(({ type, index }) => [type, index])).toEqual(
      bed.definitions.map(({ alias }) => ["created", `${alias}-v1`]),
    );
    expect((await create()).map(({ type }) => type)).toEqual(["unchanged", "unchanged", "unchanged"]);
    await store(bed, "n", [document("one", ["Seal the valve."])]);
    expect((await create()).map(({ type }) => type)).toEqual(["unchanged", "unchanged", "unchanged"]);
  });

  it("leaves alone what a later release made, as every other command does", async () => {
    const { alias, mappings } = chunks();
    const later = { ...mappings, _meta: { ...mappings._meta, schema_version: 2 } };
    await bed.client.call(
      "create an index",
      (api, call) => api.indices.create({ index: alias, mappings: later }, call),
      NO_ABORT,
    );
    const refused = /a later release wrote it, in layout 2, and this release reads up to layout 1\./;
    await expect(bed.admin.create(chunks(), NO_ABORT)).rejects.toThrow(refused);
    await expect(bed.admin.compare(chunks(), alias, NO_ABORT)).rejects.toThrow(IndexProblem);
    await expect(status()).rejects.toThrow(refused);
  });

  it("adds fields that an index of the reference has not, and refuses fields of another type", async () => {
    const [embeddings, metadata] = bed.definitions;
    const properties = { network: { type: "keyword" as const }, allowed_users: { type: "keyword" as const } };
    await bed.client.call(
      "make an index of the reference",
      (api, call) => api.indices.create({ index: embeddings!.alias, mappings: { properties } }, call),
      NO_ABORT,
    );
    expect(await bed.admin.create(embeddings!, NO_ABORT)).toMatchObject({
      type: "extended",
      fields: expect.arrayContaining(["visibility", "semantic_text", "embedding"]),
    });
    const wrong = { properties: { visibility: { type: "long" as const } } };
    await bed.client.call(
      "make an index that does not fit",
      (api, call) => api.indices.create({ index: metadata!.alias, mappings: wrong }, call),
      NO_ABORT,
    );
    await expect(bed.admin.create(metadata!, NO_ABORT)).rejects.toThrow(
      /cannot be used as it is: the field visibility is long, not keyword.*readback index rebuild/,
    );
    await removeNamed(embeddings!.alias, metadata!.alias);
  });

  it("refuses vectors of another length", async () => {
    await create();
    const [other] = await indexDefinitions(bed.options, { dimensions: 8, embedder: "other/8" });
    await expect(bed.admin.create(other!, NO_ABORT)).rejects.toThrow(
      /dense_vector of 256 dimensions, not dense_vector of 8 dimensions; the vectors are those of hashed-terms/,
    );
  });
});

describe("status", () => {
  it("says what is missing and how to make it", async () => {
    const lines = await status();
    expect(lines.map(({ state }) => state).slice(0, 3)).toEqual([
      "is not there",
      "is not there",
      "is not there",
    ]);
    expect(lines[0]!.problems).toEqual(["Run `readback index create`."]);
    await create();
    expect((await status()).flatMap(({ problems }) => problems)).toEqual([]);
  });

  it.each([
    ["my-elser", "PUT _inference/sparse_embedding/my-elser {", "set `elasticsearch.inference_id`"],
    // A dot in front is for the server's own endpoints: it refuses to make one.
    [".my-elser", "PUT _inference/sparse_embedding/readback-elser {", ""],
  ])(
    "says how to make the inference endpoint %s under a name that the server takes",
    async (inferenceId, put, no) => {
      const options = { ...bed.options, inferenceId };
      const [line] = await status({ options, definitions: [] });
      expect(line).toMatchObject({ name: `inference endpoint ${inferenceId}`, state: "is not there" });
      expect(line!.problems[0]).toContain(put);
      if (no === "")
        expect(line!.problems[0]).toContain("set `elasticsearch.inference_id` to readback-elser");
      else expect(line!.problems[0]).not.toContain(no);
    },
  );

  it("does not mind a missing inference endpoint that nobody asks", async () => {
    const options = { ...bed.options, inferenceId: "my-elser" };
    const [line] = await status({ options, definitions: [], semantic: false });
    expect(line).toMatchObject({ state: expect.stringContaining("is not needed"), problems: [] });
  });

  it("counts what a migration has still to do", async () => {
    await create();
    const { embeddingsIndex: index } = bed.options;
    const body = {
      network: "n",
      document_id: "old",
      visibility: "network",
      semantic_text: "Seal the valve.",
    };
    await bed.client.call(
      "fill it",
      (api, call) => api.index({ index, id: "1", document: body, refresh: true }, call),
      NO_ABORT,
    );
    expect((await status()).flatMap(({ problems }) => problems)).toEqual([
      "1 of them say not who may read them, or have no text; run `readback index migrate --apply`",
    ]);
  });
});

describe("rebuild", () => {
  const rebuild = (dropOld = false, definition = chunks()): Promise<Rebuilt> =>
    bed.admin.rebuild(definition, { dropOld, onProgress: () => {} }, NO_ABORT);

  it("puts a full copy in the place of the old version, which stays until it is dropped", async () => {
    await create();
    await store(bed, "n", [document("one", ["Seal the valve."]), document("two", ["Open the valve."])]);
    const { alias } = chunks();
    expect(await rebuild()).toEqual({ from: `${alias}-v1`, to: `${alias}-v2`, documents: 2, dropped: false });
    expect(await found()).toEqual(["one", "two"]);
    expect(await indices(alias)).toEqual([`${alias}-v1`, `${alias}-v2`]);
    await store(bed, "n", [document("two", ["Open the valve."]), document("three", ["Oil the valve."])]);
    expect(await rebuild(true)).toMatchObject({ to: `${alias}-v3`, dropped: true });
    expect(await indices(alias)).toEqual([`${alias}-v1`, `${alias}-v3`]);
    expect(await found()).toEqual(["three", "two"]);
  });

  it("removes what an interrupted one left, and starts over", async () => {
    await create();
    await store(bed, "n", [document("one", ["Seal the valve."])]);
    const index = `${chunks().alias}-v2`;
    await bed.client.call("leave an index", (api, call) => api.indices.create({ index }, call), NO_ABORT);
    expect(await rebuild()).toMatchObject({ to: index, documents: 1 });
    expect(await found()).toEqual(["one"]);
  });

  it("leaves vectors behind that another embedder made", async () => {
    await create();
    await store(bed, "n", [document("one", ["Seal the valve."])]);
    const [embeddings] = await indexDefinitions(bed.options, { dimensions: 8, embedder: "other/8" });
    expect(await rebuild(false, embeddings!)).toMatchObject({ documents: 1 });
    expect(await found()).toEqual(["one"]);
    const vector = new Float32Array(8).fill(1);
    const request = { leg: "vector", query: "valve", vector, access: reader("n"), limit: 9 } as const;
    expect(await bed.engine.search(request, NO_ABORT)).toEqual([]);
  });

  it("leaves everything as it is when copying fails", async () => {
    await create();
    await store(bed, "n", [document("one", ["Seal the valve."])]);
    const { alias } = chunks();
    server.faults.nextItems(
      ({ payload }) => payload?.document_id === "one",
      1,
      new ElasticsearchError(400, "document_parsing_exception", "no"),
    );
    await expect(rebuild()).rejects.toThrow(/did not take a document \(400 document_parsing_exception: no\)/);
    expect(await indices(alias)).toEqual([`${alias}-v1`]);
    expect(await found()).toEqual(["one"]);
    expect(await rebuild()).toMatchObject({ documents: 1 });
  });

  it("waits for no writer, and keeps writers out", async () => {
    await create();
    const writer = await bed.openWriter("n");
    await expect(rebuild()).rejects.toThrow(/Documents are being written \("n"\)/);
    await writer.close();
    let release = () => {};
    const until = new Promise<void>((resolve) => {
      release = resolve;
    });
    const fault = server.faults.next({ endpoint: "open_point_in_time" }, { kind: "hold", until });
    const running = rebuild();
    while (fault.hits === 0) await settle();
    await expect(bed.openWriter("n")).rejects.toThrow(KnowledgeBusy);
    release();
    await running;
    await (await bed.openWriter("n")).close();
  });

  it("takes the place of an index of the reference only when told that it may go", async () => {
    const [, , sync] = bed.definitions;
    await bed.admin.create(sync!, NO_ABORT);
    const { alias } = chunks();
    await bed.client.call(
      "make an index of the reference",
      (api, call) =>
        api.indices.create(
          { index: alias, mappings: { properties: { network: { type: "keyword" } } } },
          call,
        ),
      NO_ABORT,
    );
    const body = { network: "n", document_id: "old", content: "Seal the valve.", allowed_users: ["ann"] };
    await bed.client.call(
      "fill it",
      (api, call) => api.index({ index: alias, id: "1", document: body, refresh: true }, call),
      NO_ABORT,
    );
    await expect(rebuild()).rejects.toThrow(IndexProblem);
    expect(await rebuild(true)).toMatchObject({ from: alias, to: `${alias}-v1`, documents: 1 });
    expect(await found()).toEqual(["old"]);
  });
});

async function indices(alias: string): Promise<string[]> {
  const all = await bed.client.call(
    "look up indices",
    (api, call) => api.indices.getAlias({ index: `${alias}-v*` }, call),
    NO_ABORT,
  );
  return Object.keys(all).sort();
}

async function removeNamed(...index: string[]): Promise<void> {
  await bed.client.call("remove indices", (api, call) => api.indices.delete({ index }, call), NO_ABORT);
}
