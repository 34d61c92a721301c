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
});

describe("writing", () => {
  it("shows a document to get at once and to searches after a refresh", async () => {
    await client.indices.create({ index: "chunks" });
    await client.index({ index: "chunks", id: "1", document: { text: "one" } });
    expect((await client.get({ index: "chunks", id: "1" }))._source).toEqual({ text: "one" });
    expect(await ids({})).toEqual([]);
    await client.indices.refresh({ index: "chunks" });
    expect(await ids({})).toEqual(["1"]);
  });

  it("tells of each bulk item by itself", async () => {
    const mappings = { properties: { embedding: { type: "dense_vector", dims: 2 } } } as const;
    await client.indices.create({ index: "chunks-v1", mappings, aliases: { chunks: {} } });
    await client.index({ index: "chunks", id: "1", document: { count: 2 } });
    const { errors: failed, items } = await client.bulk({
      index: "chunks",
      operations: [
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
    const told = items.map((item) => Object.values(item)[0]!);
    expect(told.map(({ status, error, result }) => [status, error?.type ?? result])).toEqual([
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
  beforeEach(async () => {
    const documents = [{ users: ["ann"] }, { users: [] }, {}];
    for (const [i, document] of documents.entries())
      await client.index({ index: "chunks", id: String(i), document, refresh: true });
  });

  it("takes an empty list for nothing", async () => {
    expect(await ids({ query: { exists: { field: "users" } } })).toEqual(["0"]);
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
    expect(found).toEqual(["0", "1", "2"]);
    await client.closePointInTime({ id });
    expect(await refusal(page().then(() => ({})))).toMatchObject({ status: 404 });
  });
});
