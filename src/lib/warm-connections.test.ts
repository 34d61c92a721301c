import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { patience } from "../../test/support/patience.js";
import { settle, VirtualClock } from "../../test/support/virtual-clock.js";
import { ASKED_EVERY_MS, WarmConnections } from "./warm-connections.js";

/** Node's own `fetch` lets a connection go after 4 s; its timers tick once a second. */
const NODE_LETS_GO_MS = 5_500;

let server: Server;
let origin: string;
let opened: number;
let asked: string[];
let failed: string[];
let clock: VirtualClock;
let connections: WarmConnections;

beforeEach(async () => {
  [opened, asked, failed] = [0, [], []];
  clock = new VirtualClock();
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? "without a key"}`);
    request.resume().on("end", () => response.end("{}"));
  });
  // As a load balancer, it closes nothing by itself within the test and tells no time.
  server.keepAliveTimeout = 0;
  server.on("connection", () => {
    opened += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  await connections.close();
  expect(clock.pending).toBe(0);
  server.closeAllConnections();
  server.close();
});

/** Keeps `count` connections to the server. */
function keep(count: number): WarmConnections {
  const target = { url: `${origin}/v1/models`, headers: { authorization: "Bearer sk-1" } };
  connections = new WarmConnections(clock, Array<typeof target>(count).fill(target), (url, error) =>
    failed.push(`${new URL(url).pathname}: ${String(error)}`),
  );
  return connections;
}

async function question(): Promise<void> {
  await (await connections.fetch(`${origin}/v1/audio/speech`, { method: "POST", body: "{}" })).text();
}

/** Waits for real traffic, on whichever clock the timers run. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) {
    await settle();
    await sleep(1);
  }
}

it("opens as many connections as are wanted, which serve the first questions", async () => {
  await keep(2).start();
  expect([opened, asked]).toEqual([2, Array(2).fill("GET /v1/models Bearer sk-1")]);
  // The end of a body is told before its connection is free again.
  await settle();
  await Promise.all([question(), question()]);
  expect(opened).toBe(2);
});

it("keeps a connection for longer than Node would", { timeout: patience(20_000) }, async () => {
  keep(0);
  await question();
  await sleep(NODE_LETS_GO_MS);
  await question();
  expect(opened).toBe(1);
});

it("asks again after a silence, over the same connection, and not while there are questions", async () => {
  await keep(1).start();
  for (let i = 0; i < 3; i++) {
    await clock.advance(ASKED_EVERY_MS - 1);
    await question();
    await clock.advance(1);
  }
  await settle();
  expect(asked.filter((one) => one.startsWith("GET"))).toHaveLength(1);
  await clock.advance(ASKED_EVERY_MS);
  await until(() => asked.filter((one) => one.startsWith("GET")).length === 2);
  expect(opened).toBe(1);
});

it("tells of a server that is not there, and goes on", async () => {
  keep(1);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await connections.start();
  expect(failed).toEqual([expect.stringContaining("/v1/models: TypeError: fetch failed")]);
});

it("lets all connections go when it is closed", async () => {
  await keep(2).start();
  await connections.close();
  const left = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
  while ((await left()) > 0) await sleep(1);
  await expect(question()).rejects.toThrow();
});
