import type { Client } from "@elastic/elasticsearch";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connect, refusal } from "./client.test-util.js";
import { ElasticsearchServer } from "./server.js";

let server: ElasticsearchServer;
let client: Client;

beforeEach(async () => {
  server = await ElasticsearchServer.start();
  client = connect(server);
  await client.indices.create({
    index: "notes",
    settings: { refresh_interval: "-1" },
    mappings: {
      properties: {
        word: { type: "keyword", ignore_above: 5, copy_to: "meaning" },
        count: { type: "byte" },
        day: { type: "date" },
        isOpen: { type: "boolean" },
        unit: { type: "dense_vector", dims: 2, similarity: "cosine" },
        meaning: { type: "semantic_text", inference_id: "elser" },
      },
    },
  });
});

afterEach(async () => {
  await client.close();
  await server.close();
  server.verify();
});

const write = (document: object) => client.index({ index: "notes", document });

describe("a document", () => {
  it.each([
    [{ count: 128 }, "failed to parse field [count] of type [byte]"],
    [{ count: "many" }, "Preview of field's value: 'many'"],
    [{ day: "yesterday" }, "failed to parse field [day] of type [date]"],
    [{ isOpen: "perhaps" }, "failed to parse field [isOpen] of type [boolean]"],
    [{ word: { of: "object" } }, "failed to parse field [word] of type [keyword]"],
    [{ unit: [1, 2, 3] }, "The [dense_vector] field [unit]"],
    [{ unit: [0, 0] }, "failed to parse field [unit] of type [dense_vector]"],
  ])("is refused with %j", async (document, reason) => {
    expect(await refusal(write(document))).toMatchObject({
      status: 400,
      type: "document_parsing_exception",
      reason: expect.stringContaining(reason) as string,
    });
  });

  it("is refused when its meaning cannot be encoded, until the endpoint is there", async () => {
    expect(await refusal(write({ meaning: "text" }))).toMatchObject({
      status: 404,
      reason: "Inference id [elser] not found for field [meaning]",
    });
    await client.inference.put({
      task_type: "sparse_embedding",
      inference_id: "elser",
      inference_config: {
        service: "elasticsearch",
        service_settings: { num_threads: 1, model_id: ".elser_model_2" },
      },
    });
    await write({ meaning: "text" });
    const { endpoints } = await client.inference.get({ inference_id: "elser" });
    expect(endpoints).toMatchObject([{ inference_id: "elser", task_type: "sparse_embedding" }]);
  });

  it("can be found by the values that fit, and has none in a field of empty lists and nulls", async () => {
    const word = ["one", "too long a word"];
    server.cluster.inference.set("elser", {});
    await client.index({
      index: "notes",
      id: "1",
      document: { word, count: "7", day: "2026-03-01T10:00:00Z" },
    });
    await client.index({ index: "notes", id: "2", document: { word: [], count: null, unit: null } });
    await client.indices.refresh({ index: "notes" });
    const found = async (query: object) =>
      (await client.search({ index: "notes", query })).hits.hits.map(({ _id }) => _id);
    expect(await found({ term: { word: "one" } })).toEqual(["1"]);
    expect(await found({ term: { word: "too long a word" } })).toEqual([]);
    expect(await found({ term: { count: 7 } })).toEqual(["1"]);
    expect(await found({ range: { day: { gte: "2026-03-01", lte: "2026-03-01" } } })).toEqual(["1"]);
    expect(await found({ bool: { must_not: [{ exists: { field: "word" } }] } })).toEqual(["2"]);
    expect(await found({ match: { meaning: "one" } })).toEqual(["1"]);
  });
});

describe("a write that waits for a refresh", () => {
  it("is answered when somebody refreshes", async () => {
    const written = client.index({ index: "notes", id: "1", document: {}, refresh: "wait_for" });
    while (server.cluster.indices.get("notes")!.documents.size === 0) await client.ping();
    await client.indices.refresh({ index: "notes" });
    expect((await written).result).toBe("created");
  });
});
