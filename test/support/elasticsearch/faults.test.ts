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
});

describe("a fault", () => {
  it("answers as many requests as it is for, and is counted", async () => {
    const fault = server.faults.next(
      { endpoint: "info" },
      {
        kind: "answer",
        status: 503,
        body: { error: { type: "unavailable", reason: "starting" }, status: 503 },
      },
      2,
    );
    await client.ping();
    expect(await refusal(client.info())).toEqual({ status: 503, type: "unavailable", reason: "starting" });
    expect(fault.hits).toBe(1);
    expect(() => server.verify()).toThrow("a fault for info never came");
    expect((await refusal(client.info())).status).toBe(503);
    expect((await client.info()).tagline).toBe("You Know, for Search");
    server.verify();
  });

  it("breaks the connection before or behind the work", async () => {
    const write = (id: string) => client.index({ index: "one", id, document: {} });
    server.faults.next({ method: "PUT" }, { kind: "reset", when: "before" });
    await expect(write("1")).rejects.toBeInstanceOf(errors.ConnectionError);
    server.faults.next({ path: /_doc/ }, { kind: "reset", when: "after" });
    await expect(write("2")).rejects.toBeInstanceOf(errors.ConnectionError);
    expect([...server.cluster.indices.get("one")!.documents.keys()]).toEqual(["2"]);
  });

  it("sends half of an answer", async () => {
    server.faults.next({ endpoint: "info" }, { kind: "half" });
    await expect(client.info()).rejects.toBeInstanceOf(errors.ConnectionError);
  });

  it("holds a request until it is let go", async () => {
    let release = () => {};
    const until = new Promise<void>((resolve) => {
      release = resolve;
    });
    server.faults.next({ endpoint: "info" }, { kind: "hold", until });
    let isAnswered = false;
    const held = client.info().then(() => {
      isAnswered = true;
    });
    await client.ping();
    expect(isAnswered).toBe(false);
    release();
    await held;
  });

  it("refuses single items of a bulk request", async () => {
    server.faults.nextItems(({ id }) => id === "2");
    const bulk = () =>
      client.bulk({ index: "one", operations: [{ index: { _id: "1" } }, {}, { index: { _id: "2" } }, {}] });
    const statuses = async () => (await bulk()).items.map(({ index }) => [index!.status, index!.error?.type]);
    expect(await statuses()).toEqual([
      [201, undefined],
      [429, "es_rejected_execution_exception"],
    ]);
    expect(await statuses()).toEqual([
      [200, undefined],
      [201, undefined],
    ]);
    server.verify();
  });
});
