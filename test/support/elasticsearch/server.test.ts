import { Client } from "@elastic/elasticsearch";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connect, refusal } from "./client.test-util.js";
import { ElasticsearchServer } from "./server.js";

let server: ElasticsearchServer;
let client: Client;

beforeEach(async () => {
  server = await ElasticsearchServer.start();
  client = connect(server);
});

afterEach(async () => {
  await client.close();
  await server.close();
});

const MAPPINGS = {
  dynamic: "strict",
  properties: {
    network: { type: "keyword" },
    allowed_users: { type: "keyword" },
    text: { type: "text", analyzer: "english" },
    title: { type: "text", analyzer: "english" },
    count: { type: "integer" },
    at: { type: "date" },
    embedding: { type: "dense_vector", dims: 2, index: true, similarity: "cosine" },
    semantic_text: { type: "semantic_text" },
  },
} as const;

async function withChunks(): Promise<void> {
  await client.indices.create({ index: "chunks-v1", mappings: MAPPINGS, aliases: { chunks: {} } });
  const { errors: failed } = await client.bulk({
    index: "chunks",
    refresh: true,
    operations: [
      { index: { _id: "1" } },
      {
        network: "a",
        text: "Stop the machine before cleaning it.",
        title: "Machines",
        count: 1,
        allowed_users: ["ann"],
      },
      { index: { _id: "2" } },
      {
        network: "a",
        text: "The forklift needs two keys. Keys hang in the office.",
        title: "Forklift",
        count: 2,
        allowed_users: [],
      },
      { index: { _id: "3" } },
      {
        network: "b",
        text: "Stop at the gate.",
        title: "Gate",
        embedding: [1, 0],
        semantic_text: "Stop at the gate.",
      },
    ],
  });
  expect(failed).toBe(false);
}

async function ids(request: Parameters<Client["search"]>[0]): Promise<string[]> {
  const { hits } = await client.search({ index: "chunks", ...request });
  return hits.hits.map((hit) => hit._id!);
}

describe("the door", () => {
  it("says who it is", async () => {
    expect((await client.info()).version.number).toBe("8.19.2");
  });

  it("refuses a wrong key", async () => {
    const stranger = new Client({ node: server.url, auth: { apiKey: "wrong" } });
    expect(await refusal(stranger.info())).toMatchObject({ status: 401, type: "security_exception" });
    await stranger.close();
  });

  it("refuses a client of a later version", async () => {
    const accept = "application/vnd.elasticsearch+json; compatible-with=9";
    expect(await refusal(client.info({}, { headers: { accept } }))).toMatchObject({
      status: 400,
      type: "media_type_header_exception",
    });
  });

  it("answers 501 to what it does not know, and verify fails", async () => {
    const call = client.transport.request({ method: "GET", path: "/_nodes" });
    expect(await refusal(call)).toMatchObject({ status: 501 });
    expect(() => server.verify()).toThrow(/does not support GET \/_nodes$/);
  });

  it("says of a path that the API does not have that it is none", async () => {
    const call = client.transport.request({ method: "GET", path: "/_serch" });
    expect(await refusal(call)).toMatchObject({ status: 501 });
    expect(() => server.verify()).toThrow("GET /_serch: the published schema has no such path");
  });

  it.each([
    [
      "/a/_search?preferance=x",
      {},
      "GET /a/_search, by .* and the published schema: no parameter preferance",
    ],
    [
      "/a/_search",
      { query: { bool: { filter: { terms: { a: ["b"], c: ["d"] } } } } },
      "by the published schema: .*/terms must",
    ],
  ])("fails in verify for %s with %j, whatever it was answered with", async (path, body, told) => {
    const [method, text] = ["GET", JSON.stringify(body)];
    await Promise.allSettled([client.transport.request({ method, path, body: text })]);
    expect(() => server.verify()).toThrow(new RegExp(told));
  });
});

describe("writing", () => {
  it("shows a document to get at once and to searches after a refresh", async () => {
    await client.indices.create({ index: "chunks", settings: { refresh_interval: "-1" } });
    await client.index({ index: "chunks", id: "1", document: { text: "one" } });
    expect((await client.get({ index: "chunks", id: "1" }))._source).toEqual({ text: "one" });
    expect(await ids({})).toEqual([]);
    await client.indices.refresh({ index: "chunks" });
    expect(await ids({})).toEqual(["1"]);
  });

  it("tells of each bulk item by itself", async () => {
    await withChunks();
    const { errors: failed, items } = await client.bulk({
      index: "chunks",
      operations: [
        { index: { _id: "4" } },
        { network: "a", unknown: 1 },
        { index: { _id: "5" } },
        { count: "many" },
        { index: { _id: "6" } },
        { embedding: [1, 2, 3] },
        { update: { _id: "nobody" } },
        { doc: { count: 3 } },
        { delete: { _id: "nobody" } },
        { update: { _id: "1" } },
        { doc: { count: 3 } },
      ],
    });
    expect(failed).toBe(true);
    expect(
      items
        .map((item) => Object.values(item)[0]!)
        .map(({ status, error, result }) => [status, error?.type ?? result]),
    ).toEqual([
      [400, "strict_dynamic_mapping_exception"],
      [400, "document_parsing_exception"],
      [400, "document_parsing_exception"],
      [404, "document_missing_exception"],
      [404, "not_found"],
      [200, "updated"],
    ]);
  });

  it("refuses a write under an outdated sequence number", async () => {
    const first = await client.index({ index: "leases", id: "l", document: { owner: "one" } });
    const at = { if_seq_no: first._seq_no!, if_primary_term: first._primary_term! };
    await client.index({ index: "leases", id: "l", document: { owner: "two" }, ...at });
    const late = client.index({ index: "leases", id: "l", document: { owner: "three" }, ...at });
    expect(await refusal(late)).toMatchObject({ status: 409, type: "version_conflict_engine_exception" });
    const again = client.create({ index: "leases", id: "l", document: {} });
    expect(await refusal(again)).toMatchObject({ status: 409 });
  });
});

describe("searching", () => {
  beforeEach(withChunks);

  it("finds words by their stems and marks them", async () => {
    const { hits } = await client.search({
      index: "chunks",
      query: {
        bool: {
          must: [
            { multi_match: { query: "stopping machines", fields: ["text^2", "title"], type: "best_fields" } },
          ],
          filter: [{ term: { network: "a" } }],
        },
      },
      highlight: {
        fields: {
          text: { type: "unified", number_of_fragments: 3, fragment_size: 0, require_field_match: false },
        },
      },
    });
    expect(hits.hits.map((hit) => [hit._id, hit.highlight?.text])).toEqual([
      ["1", ["<em>Stop</em> the <em>machine</em> before cleaning it."]],
    ]);
  });

  it("forgives typing errors as far as it is told", async () => {
    const query = (fuzziness: string) => ({ match: { text: { query: "forklfit", fuzziness } } });
    expect(await ids({ query: query("0") })).toEqual([]);
    expect(await ids({ query: query("AUTO") })).toEqual(["2"]);
  });

  it("takes an empty list for nothing", async () => {
    expect(await ids({ query: { exists: { field: "allowed_users" } } })).toEqual(["1"]);
  });

  it("finds by meaning and shows the nearest chunks", async () => {
    const { hits } = await client.search({
      index: "chunks",
      query: { match: { semantic_text: { query: "halt" } } },
      highlight: { fields: { semantic_text: { type: "semantic", number_of_fragments: 2, order: "score" } } },
    });
    expect(hits.hits.map((hit) => [hit._id, hit.highlight])).toEqual([
      ["3", { semantic_text: ["Stop at the gate."] }],
    ]);
  });

  it("finds the nearest vectors, and scores them by half their cosine and a half", async () => {
    const { hits } = await client.search({
      index: "chunks",
      knn: {
        field: "embedding",
        query_vector: [0, 1],
        k: 1,
        num_candidates: 10,
        filter: { term: { network: "b" } },
      },
    });
    expect(hits.hits.map((hit) => [hit._id, hit._score])).toEqual([["3", 0.5]]);
  });

  it("refuses a query that there is not", async () => {
    const unknown = { unknown: {} } as object;
    expect(await refusal(client.search({ query: unknown }))).toEqual({
      status: 400,
      type: "parsing_exception",
      reason: "unknown query [unknown]",
    });
  });

  it("pages through a point in time, whatever is written meanwhile", async () => {
    const { id } = await client.openPointInTime({ index: "chunks", keep_alive: "1m" });
    await client.delete({ index: "chunks", id: "2", refresh: true });
    const page = async (search_after?: (string | number)[]) => {
      const { hits } = await client.search({
        pit: { id, keep_alive: "1m" },
        size: 1,
        sort: [{ _shard_doc: "asc" }],
        ...(search_after === undefined ? {} : { search_after }),
      });
      return hits.hits[0];
    };
    const found: string[] = [];
    for (let hit = await page(); hit !== undefined; hit = await page(hit.sort as number[]))
      found.push(hit._id!);
    expect(found).toEqual(["1", "2", "3"]);
    await client.closePointInTime({ id });
    expect(await refusal(page().then(() => ({})))).toMatchObject({ status: 404 });
  });
});
