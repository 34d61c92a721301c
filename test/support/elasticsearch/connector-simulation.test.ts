import type { Client } from "@elastic/elasticsearch";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../../src/lib/clock.js";
import { connect, refusal } from "./client.test-util.js";
import { CONTENT_BYTES_MAX, ConnectorSimulation, idOf, SimulatedBucket } from "./connector-simulation.js";
import { ElasticsearchServer } from "./server.js";

let server: ElasticsearchServer;
let client: Client;
let bucket: SimulatedBucket;
let service: ConnectorSimulation;

beforeEach(async () => {
  server = await ElasticsearchServer.start();
  client = connect(server);
  bucket = new SimulatedBucket("handbooks", systemClock);
  service = new ConnectorSimulation(server.cluster, bucket);
  await client.connector.put({
    connector_id: "s3",
    index_name: "staging",
    service_type: "s3",
    name: "handbooks",
  });
});

afterEach(async () => {
  await client.close();
  await server.close();
  server.verify();
});

type Rule = { policy: "include" | "exclude"; rule: "equals" | "regex" | "starts_with"; value: string };

const DEFAULT = { id: "DEFAULT", policy: "include", field: "_", rule: "regex", value: ".*" } as const;

async function draft(...rules: Rule[]): Promise<void> {
  const named = rules.map((rule, index) => ({ ...rule, id: `r${index}`, order: index, field: "filename" }));
  await client.connector.updateFiltering({
    connector_id: "s3",
    rules: [...named, { ...DEFAULT, order: rules.length }],
  });
}

async function validation() {
  const { filtering } = await client.connector.get({ connector_id: "s3" });
  return filtering[0]!.draft.validation;
}

async function sync(): Promise<string> {
  const { id } = await client.connector.syncJobPost({
    id: "s3",
    job_type: "full",
    trigger_method: "on_demand",
  });
  return id;
}

async function status(id: string): Promise<string> {
  return (await client.connector.syncJobGet({ connector_sync_job_id: id })).status;
}

async function staged(): Promise<string[]> {
  const { hits } = await client.search<{ filename: string }>({ index: "staging" });
  return hits.hits.map((hit) => hit._source!.filename).sort();
}

async function only(...keys: string[]): Promise<void> {
  await draft(...keys.map((value): Rule => ({ policy: "include", rule: "equals", value })), {
    policy: "exclude",
    rule: "regex",
    value: ".+",
  });
  service.settle();
}

describe("a draft of rules", () => {
  it("is validated by the service, and only then active", async () => {
    await draft({ policy: "exclude", rule: "regex", value: ".+" });
    expect((await validation()).state).toBe("edited");
    expect(await refusal(client.connector.updateActiveFiltering({ connector_id: "s3" }))).toMatchObject({
      status: 400,
      reason: expect.stringContaining("[edited]") as string,
    });
    service.settle();
    expect((await validation()).state).toBe("valid");
    const { filtering } = await client.connector.get({ connector_id: "s3" });
    expect(filtering[0]!.active.rules.map(({ id }) => id)).toEqual(["r0", "DEFAULT"]);
  });

  it("is invalid when a rule takes everything or says what another says", async () => {
    await draft({ policy: "exclude", rule: "regex", value: ".*" });
    service.settle();
    expect(await validation()).toMatchObject({ state: "invalid", errors: [{ ids: ["r0"] }] });
    await draft(
      { policy: "include", rule: "equals", value: "a" },
      { policy: "exclude", rule: "equals", value: "a" },
    );
    service.settle();
    expect((await validation()).errors.flatMap(({ ids }) => ids)).toEqual(["r1", "r0"]);
  });
});

describe("a job", () => {
  beforeEach(() => {
    for (const key of ["a.txt", "b.txt", "c.txt"]) bucket.put(key, `The text of ${key}.`);
  });

  it("writes what the rules let in and deletes what they no longer do", async () => {
    await only("a.txt", "b.txt");
    const first = await sync();
    expect(await status(first)).toBe("pending");
    expect(service.step()).toEqual({ kind: "started", jobId: first });
    expect(await status(first)).toBe("in_progress");
    expect(service.step()).toEqual({ kind: "completed", jobId: first });
    expect(await staged()).toEqual(["a.txt", "b.txt"]);
    await only("b.txt", "c.txt");
    expect(await staged()).toEqual(["a.txt", "b.txt"]);
    const second = await sync();
    service.settle();
    expect(await staged()).toEqual(["b.txt", "c.txt"]);
    expect(await client.connector.syncJobGet({ connector_sync_job_id: second })).toMatchObject({
      status: "completed",
      indexed_document_count: 1,
      deleted_document_count: 1,
    });
  });

  it("lets in what no rule is about, and goes by the rules of the time when it was made", async () => {
    const id = await sync();
    await only("a.txt");
    expect(await status(id)).toBe("completed");
    expect(await staged()).toEqual(["a.txt", "b.txt", "c.txt"]);
  });

  it("leaves the text of a big object out", async () => {
    bucket.put("big.txt", "x".repeat(CONTENT_BYTES_MAX + 1));
    await only("big.txt");
    await sync();
    service.settle();
    const { _source } = await client.get<object>({ index: "staging", id: idOf("handbooks", "big.txt") });
    expect(_source).toMatchObject({ filename: "big.txt", size_in_bytes: CONTENT_BYTES_MAX + 1 });
    expect(_source).not.toHaveProperty("body");
  });

  it("can be canceled, suspended, and end with an error in the middle", async () => {
    const waiting = await sync();
    await client.connector.syncJobCancel({ connector_sync_job_id: waiting });
    expect(await status(waiting)).toBe("canceled");
    expect(await refusal(client.connector.syncJobCancel({ connector_sync_job_id: waiting }))).toMatchObject({
      status: 400,
    });

    const running = await sync();
    service.step();
    service.suspend();
    service.step();
    expect(await status(running)).toBe("suspended");
    service.step();
    await client.connector.syncJobCancel({ connector_sync_job_id: running });
    expect(await status(running)).toBe("canceling");
    service.step();
    expect(await status(running)).toBe("canceled");

    service.failNextJob({ afterDocuments: 1, error: "the bucket does not answer" });
    const failing = await sync();
    service.settle();
    expect(await client.connector.syncJobGet({ connector_sync_job_id: failing })).toMatchObject({
      status: "error",
      error: "the bucket does not answer",
      indexed_document_count: 1,
    });
    const { results } = await client.connector.syncJobList({ connector_id: "s3", status: "error" });
    expect(results.map(({ id }) => id)).toEqual([failing]);
  });
});
