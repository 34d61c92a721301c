import type { Client } from "@elastic/elasticsearch";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connect, refusal } from "./client.test-util.js";
import { ElasticsearchServer } from "./server.js";

let server: ElasticsearchServer;
let client: Client;

beforeEach(async () => {
  server = await ElasticsearchServer.start();
  client = connect(server);
  await client.bulk({
    index: "from",
    refresh: true,
    operations: ["1", "2", "3"].flatMap((_id) => [
      { index: { _id } },
      { kind: _id === "3" ? "odd" : "even", text: _id },
    ]),
  });
});

afterEach(async () => {
  await client.close();
  await server.close();
});

async function idsIn(index: string): Promise<string[]> {
  await client.indices.refresh({ index });
  const { hits } = await client.search({ index });
  return hits.hits.map((hit) => hit._id!).sort();
}

/** Waits for a task as the product does: by asking until it is over. */
async function over(task: string) {
  for (let asked = 0; asked < 1_000; asked += 1) {
    const answer = await client.tasks.get({ task_id: task });
    if (answer.completed) return answer;
  }
  throw new Error("the task does not end");
}

describe("reindexing", () => {
  it("copies what a query finds, as a task that can be asked about", async () => {
    const { task } = await client.reindex({
      source: { index: "from", query: { term: { "kind.keyword": "even" } } },
      dest: { index: "to", op_type: "index" },
      wait_for_completion: false,
    });
    const answer = await over(String(task));
    expect(answer.response).toMatchObject({ total: 2, created: 2, updated: 0, failures: [] });
    expect(await idsIn("to")).toEqual(["1", "2"]);
    expect(await refusal(client.tasks.get({ task_id: "nobody:1" }))).toMatchObject({ status: 404 });
    server.verify();
  });

  it("tells of documents that the destination does not take", async () => {
    await client.indices.create({
      index: "to",
      mappings: { dynamic: "strict", properties: { kind: { type: "keyword" } } },
    });
    const { failures } = await client.reindex({ source: { index: "from" }, dest: { index: "to" } });
    expect(failures!.map(({ id, cause }) => [id, cause.type])).toEqual([
      ["1", "strict_dynamic_mapping_exception"],
    ]);
    server.verify();
  });

  it("leaves what is there alone when told to create and go on", async () => {
    await client.index({ index: "to", id: "2", document: { kind: "old" } });
    const dest = { index: "to", op_type: "create" } as const;
    const answer = await client.reindex({ source: { index: "from" }, dest, conflicts: "proceed" });
    expect(answer).toMatchObject({ created: 2, version_conflicts: 1, failures: [] });
    expect((await client.get({ index: "to", id: "2" }))._source).toEqual({ kind: "old" });
    expect(
      (await refusal(client.reindex({ source: { index: "from" }, dest: { index: "from" } }))).status,
    ).toBe(400);
    server.verify();
  });
});

describe("changing by query", () => {
  it("deletes what a search finds, and nothing that it cannot see yet", async () => {
    await client.index({ index: "from", id: "4", document: { kind: "even" } });
    const query = { term: { "kind.keyword": "even" } };
    expect(await client.deleteByQuery({ index: "from", query, refresh: true })).toMatchObject({ deleted: 2 });
    expect(await idsIn("from")).toEqual(["3", "4"]);
    server.verify();
  });

  it("does not touch what changed since it was found", async () => {
    await client.index({ index: "from", id: "1", document: { kind: "even", text: "new" } });
    const query = { term: { "kind.keyword": "even" } };
    const answer = await client.deleteByQuery({ index: "from", query, conflicts: "proceed" });
    expect(answer).toMatchObject({ deleted: 1, version_conflicts: 1 });
    expect((await client.get<{ text: string }>({ index: "from", id: "1" }))._source!.text).toBe("new");
    server.verify();
  });

  it("writes documents again as they are, and runs no script on semantic text", async () => {
    await client.indices.putMapping({
      index: "from",
      properties: { text: { type: "text", fields: { raw: { type: "keyword" } } } },
    });
    expect(await client.updateByQuery({ index: "from", refresh: true })).toMatchObject({ updated: 3 });
    const { hits } = await client.search({ index: "from", query: { term: { "text.raw": "2" } } });
    expect(hits.hits.map(({ _id }) => _id)).toEqual(["2"]);
    server.verify();
    await client.indices.putMapping({ index: "from", properties: { meaning: { type: "semantic_text" } } });
    const scripted = client.updateByQuery({ index: "from", script: { source: "ctx._source.kind = 'x'" } });
    expect(await refusal(scripted)).toMatchObject({
      status: 400,
      reason: "Cannot apply update with a script on indices that contain [semantic_text] field(s)",
    });
  });
});
