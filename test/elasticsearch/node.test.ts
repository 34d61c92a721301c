/**
 * What only a real server can prove: Lucene's analysis, fuzziness, highlighting and explanations, vectors as they are
 * indexed, and what is refused. Run by `npm run test:elasticsearch:local`, which starts one.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { document, NO_ABORT, reader, store } from "../../src/retrieval/conformance.test-util.js";
import { openTestBed, type TestBed } from "../../src/retrieval/elasticsearch/engine-under-test.test-util.js";
import { endpointAdvice } from "../../src/retrieval/elasticsearch/inference.js";
import { migrateIndex } from "../../src/retrieval/elasticsearch/migrate.js";
import { createTelemetry, type TelemetryEvent } from "../../src/telemetry/events.js";
import { openServer } from "./server.js";

const { address } = await openServer();
const access = reader("n");
const events: TelemetryEvent[] = [];
let bed: TestBed;

beforeAll(async () => {
  const telemetry = createTelemetry([(event) => events.push(event)]);
  bed = await openTestBed(address, { legs: ["lexical", "vector"], telemetry });
  await store(bed, "n", [
    document("fire", ["Take the extinguisher. Pull its pin. Leave the hall by the dock."]),
    document("gas", ["Close the valve of the gas bottle before the cap is put on."]),
    document("gap", ["Mind the gap at the ramp."]),
  ]);
});
afterAll(() => bed.dispose());

const search = async (query: string) =>
  bed.engine.search({ leg: "lexical", query, access, limit: 9 }, NO_ABORT);

describe("words", () => {
  it.each([
    ["extingusher", ["fire"]],
    ["extinguishers", ["fire"]],
    ["the vavle", ["gas"]],
    // In short words another letter is another word.
    ["gas", ["gas"]],
  ])("%s finds %j", async (query, expected) => {
    expect((await search(query)).map(({ documentId }) => documentId)).toEqual(expected);
  });

  it("rank as they are spelt above as they might be meant", async () => {
    await store(bed, "spelt", [
      document("valve", ["Oil the valve."]),
      document("valse", ["Dance the valse of the valses, a valse."]),
    ]);
    const found = await bed.engine.search(
      { leg: "lexical", query: "valve", access: reader("spelt"), limit: 9 },
      NO_ABORT,
    );
    expect(found[0]?.documentId).toBe("valve");
  });

  it("are highlighted by sentences, and explained by terms", async () => {
    const [fire] = await search("where is the extinguisher pin");
    expect(fire?.highlights).toEqual(["Take the extinguisher.", "Pull its pin."]);
    const request = { leg: "lexical", query: "gas bottle", access, limit: 9 } as const;
    const [gas] = await bed.inspector.explain(request, NO_ABORT);
    expect(gas?.terms.map(({ term }) => term)).toEqual(expect.arrayContaining(["text:ga", "text:bottl"]));
  });
});

describe("an index of the reference", () => {
  it("tells that it finds what it cannot read, and is read once it is migrated", async () => {
    const own = await openTestBed(address, {
      legs: ["lexical"],
      create: false,
      telemetry: createTelemetry([(event) => events.push(event)]),
    });
    try {
      const index = own.options.embeddingsIndex;
      const properties = {
        network: { type: "keyword" as const },
        title: { type: "text" as const },
        semantic_text: { type: "semantic_text" as const, inference_id: own.options.inferenceId },
      };
      await own.client.call(
        "make it",
        (api, call) => api.indices.create({ index, mappings: { properties } }, call),
        NO_ABORT,
      );
      const body = {
        network: "n",
        document_id: "old",
        title: "Dock",
        semantic_text: "Chock the wheels.",
        allowed_users: ["ann"],
      };
      await own.client.call(
        "fill it",
        (api, call) => api.index({ index, id: "1", document: body, refresh: true }, call),
        NO_ABORT,
      );
      const definition = own.definitions.find(({ role }) => role === "embeddings")!;
      const [metadata] = own.definitions.filter(({ role }) => role === "metadata");
      await own.admin.create(metadata!, NO_ABORT);
      const found = async (query: string) =>
        (await own.engine.search({ leg: "lexical", query, access, limit: 9 }, NO_ABORT)).map(
          ({ text }) => text,
        );
      expect(await found("dock")).toEqual([]);
      expect(events.at(-1)).toMatchObject({ type: "hits_unreadable", count: 1 });
      const counts = await migrateIndex(own, { definition, apply: true }, () => {}, NO_ABORT);
      expect(counts).toEqual({ open: 0, granted: 1, emptyList: 0, texts: 1 });
      expect(await found("wheels")).toEqual(["Chock the wheels."]);
    } finally {
      await own.dispose();
    }
  });
});

describe("an index that another embedder filled", () => {
  it("is copied without its vectors, and keeps them otherwise", async () => {
    const [definition] = bed.definitions;
    const nearest = async () => {
      const vector = new Float32Array(256).fill(1);
      const request = { leg: "vector", query: "gas", vector, access, limit: 9 } as const;
      return (await bed.engine.search(request, NO_ABORT)).length;
    };
    const rebuild = (one = definition!) =>
      bed.admin.rebuild(one, { dropOld: true, onProgress: () => {} }, NO_ABORT);
    const before = await nearest();
    expect(before).toBe(3);
    await rebuild();
    expect(await nearest()).toBe(before);
    const mappings = { ...definition!.mappings, _meta: { embedder: "other/256" } };
    await rebuild({ ...definition!, mappings });
    expect(await nearest()).toBe(0);
    expect((await search("extinguisher")).map(({ documentId }) => documentId)).toEqual(["fire"]);
  });
});

it("gives an endpoint a name that is one", () => {
  const [, id] = /sparse_embedding\/(\S+)/.exec(endpointAdvice(bed.options.inferenceId))!;
  expect(id).toMatch(/^[a-z0-9].*[a-z0-9]$/);
});
