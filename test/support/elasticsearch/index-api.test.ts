import { readdirSync, readFileSync } from "node:fs";
import { type Client, errors } from "@elastic/elasticsearch";
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
  server.verify();
});

async function holders(alias: string): Promise<string[]> {
  return Object.keys(await client.indices.getAlias({ name: alias })).sort();
}

describe("indices", () => {
  it("takes the mappings that are deployed, and gives them back", async () => {
    const folder = new URL("../../../deploy/elasticsearch/", import.meta.url);
    const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      const index = file.replace(".json", "-v1");
      const definition = JSON.parse(readFileSync(new URL(file, folder), "utf8")) as { mappings: object };
      await client.indices.create({ index, ...definition });
      const got = await client.indices.getMapping({ index });
      expect(got[index]!.mappings).toEqual(definition.mappings);
    }
  });

  it("refuses a second index of a name, and a name that there is not", async () => {
    await client.indices.create({ index: "one" });
    expect(await refusal(client.indices.create({ index: "one" }))).toMatchObject({
      status: 400,
      type: "resource_already_exists_exception",
    });
    expect(await refusal(client.search({ index: "two" }))).toMatchObject({
      status: 404,
      type: "index_not_found_exception",
    });
    expect(await client.indices.exists({ index: "two" })).toBe(false);
    expect(await refusal(client.indices.create({ index: "Upper" }))).toMatchObject({
      type: "invalid_index_name_exception",
    });
  });

  it("changes no field's type, and adds fields", async () => {
    await client.indices.create({ index: "one", mappings: { properties: { a: { type: "keyword" } } } });
    const change = client.indices.putMapping({ index: "one", properties: { a: { type: "long" } } });
    expect(await refusal(change)).toMatchObject({
      status: 400,
      reason: "mapper [a] cannot be changed from type [keyword] to [long]",
    });
    await client.indices.putMapping({ index: "one", properties: { b: { type: "long" } } });
    const { one } = await client.indices.getMapping({ index: "one" });
    expect(one!.mappings.properties).toEqual({ a: { type: "keyword" }, b: { type: "long" } });
  });

  it("refuses semantic text inside nested objects", async () => {
    const nested = client.indices.create({
      index: "one",
      mappings: { properties: { n: { type: "nested", properties: { s: { type: "semantic_text" } } } } },
    });
    expect(await refusal(nested)).toMatchObject({
      type: "mapper_parsing_exception",
      reason: expect.stringContaining("semantic_text field [n.s] cannot be nested") as string,
    });
  });
});

describe("aliases", () => {
  it("moves in one step or not at all", async () => {
    await client.indices.create({ index: "a-v1", aliases: { a: {} } });
    await client.indices.create({ index: "a-v2" });
    const failing = client.indices.updateAliases({
      actions: [{ remove: { index: "a-v1", alias: "a" } }, { add: { index: "a-v3", alias: "a" } }],
    });
    expect(await refusal(failing)).toMatchObject({ status: 404, type: "index_not_found_exception" });
    expect(await holders("a")).toEqual(["a-v1"]);
    await client.indices.updateAliases({
      actions: [{ remove: { index: "a-v1", alias: "a" } }, { add: { index: "a-v2", alias: "a" } }],
    });
    expect(await holders("a")).toEqual(["a-v2"]);
  });

  it("says which is missing", async () => {
    await client.indices.create({ index: "a-v1" });
    const missing: unknown = await client.indices.getAlias({ name: "a" }).catch((error: unknown) => error);
    expect((missing as errors.ResponseError).meta.body).toEqual({ error: "alias [a] missing", status: 404 });
    expect(await client.indices.existsAlias({ name: "a" })).toBe(false);
    expect(await client.indices.getAlias({ index: "a-v*" })).toEqual({ "a-v1": { aliases: {} } });
    expect(
      await refusal(client.indices.updateAliases({ actions: [{ remove: { index: "a-v1", alias: "a" } }] })),
    ).toMatchObject({ status: 404, type: "aliases_not_found_exception" });
  });

  it("takes writes for one index, or for the one that is named for them", async () => {
    await client.indices.create({ index: "a-v1", aliases: { a: {} } });
    await client.index({ index: "a", id: "1", document: {} });
    expect((await client.get({ index: "a", id: "1" }))._index).toBe("a-v1");
    await client.indices.create({ index: "a-v2", aliases: { a: {} } });
    expect(await refusal(client.index({ index: "a", document: {} }))).toMatchObject({
      reason: expect.stringContaining("no write index is defined for alias [a]") as string,
    });
    await client.indices.updateAliases({
      actions: [{ add: { index: "a-v2", alias: "a", is_write_index: true } }],
    });
    expect((await client.index({ index: "a", document: {} }))._index).toBe("a-v2");
    expect(await refusal(client.indices.delete({ index: "a" }))).toMatchObject({
      type: "illegal_argument_exception",
    });
  });
});

describe("health", () => {
  it("tells the worst of the indices, and gives up waiting for a better one", async () => {
    await client.indices.create({ index: "one" });
    expect((await client.cluster.health({ index: "one" })).status).toBe("green");
    server.cluster.indices.get("one")!.health = "red";
    const waiting: unknown = await client.cluster
      .health({ index: "one", wait_for_status: "yellow", timeout: "20ms" })
      .catch((error: unknown) => error);
    expect(waiting).toBeInstanceOf(errors.ResponseError);
    expect((waiting as errors.ResponseError).statusCode).toBe(408);
    expect(await refusal(client.search({ index: "one" }))).toMatchObject({
      status: 503,
      type: "search_phase_execution_exception",
    });
    expect(await refusal(client.index({ index: "one", document: {} }))).toMatchObject({
      status: 503,
      type: "unavailable_shards_exception",
    });
  });
});
