/** What one key and one address may do, keys in files, and lists of addresses: met from outside, at every port. */
import { rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { status } from "@grpc/grpc-js";
import { describe, expect, test } from "vitest";
import { WRONG_KEYS } from "../../../src/api/wrong-keys.js";
import { FILES_CHECK_MS } from "../../../src/lib/watched-files.js";
import { rawRequest } from "../../attack/support/raw-http.js";
import { searchReply, textReply } from "../../support/openai-replies.js";
import { VirtualClock } from "../../support/virtual-clock.js";
import { Drip } from "../script.js";
import { temporaryDirectory, World } from "../world.js";
import {
  address,
  all,
  CANTEEN_SAYS,
  documents,
  type GrpcError,
  grpc,
  metadata,
  offline,
  post,
  QUESTION,
  WHO,
} from "./ask.js";

const KEY = "free-key-0123456789";
const OTHER = "other-key-0123456789";
const KEYS = [
  { key: KEY, name: "qa" },
  { key: OTHER, name: "other" },
];

/** A GET of the list of models, which costs nothing; from an address of this machine. */
function models(world: World, key: string, from = "127.0.0.1") {
  const headers = [`Host: localhost:${world.ports.http}`, `X-API-Key: ${key}`];
  return rawRequest(world.ports.http, { path: "/v1/models", headers }, from);
}

function retryAfterOf(text: string): number {
  return Number(/^retry-after: (\d+)\r$/im.exec(text)?.[1]);
}

async function grpcFailure(world: World, key: string): Promise<GrpcError> {
  const stream = grpc(world).AskAgent({ query: QUESTION, ...WHO }, metadata({ "x-api-key": key }));
  return all(stream).then(
    () => Promise.reject(new Error("it was answered")),
    (error: GrpcError) => error,
  );
}

describe("one key", () => {
  test("asks so often in a minute, others besides it, and again when the minute is over", async () => {
    const clock = new VirtualClock();
    const config = { "http.api_keys": KEYS, "http.requests_per_minute_max": 3 };
    const world = await offline({ clock, config });
    for (let nth = 0; nth < 3; nth++) expect((await models(world, KEY)).status).toBe(200);
    await clock.advance(20_000);
    const refused = await models(world, KEY);
    expect([refused.status, retryAfterOf(refused.text)]).toEqual([429, 40]);
    expect(refused.text).toContain("3 times in a minute");
    expect((await models(world, OTHER)).status).toBe(200);
    await world.metricBecomes(
      'readback_door_request_seconds_count{door="openai",result="rate_limited"}',
      (value) => value === 1,
    );
    await clock.advance(40_001);
    expect((await models(world, KEY)).status).toBe(200);
  });

  test("has so many requests under way at once, and more when they are over", async () => {
    const config = { "http.api_keys": KEYS, "http.requests_at_once_max": 1 };
    const world = await World.start({ documents, config });
    const pieces = new Drip<string>();
    world.server.expectChat(searchReply("canteen")).expectChat(textReply(pieces));
    const body = { ...WHO, text: "Where is the canteen?" };
    const headers = { "x-api-key": KEY };
    const answer = post(world, "/api/v1/answers", body, { headers });
    await world.happened("turn_started");
    const refused = await models(world, KEY);
    expect([refused.status, retryAfterOf(refused.text)]).toEqual([429, 1]);
    expect(refused.text).toContain("under way");
    expect((await models(world, OTHER)).status).toBe(200);
    pieces.put(CANTEEN_SAYS.join(" "));
    pieces.close();
    expect((await answer).status).toBe(200);
    expect((await models(world, KEY)).status).toBe(200);
    // Whoever hangs up is no longer counted.
    const gone = new AbortController();
    world.server.expectChat(searchReply("canteen")).expectChat(textReply(new Drip<string>()));
    const given = post(world, "/api/v1/answers", body, { headers, signal: gone.signal });
    await world.happened("turn_started", 2);
    gone.abort();
    await expect(given).rejects.toThrow();
    await world.happened("door_request_finished", 5);
    expect((await models(world, KEY)).status).toBe(200);
  });

  test("is told at gRPC when to come again", async () => {
    const config = { "http.api_keys": KEYS, "http.requests_per_minute_max": 1 };
    const world = await offline({ config });
    const asked = { query: QUESTION, ...WHO };
    await all(grpc(world).AskAgent(asked, metadata({ "x-api-key": KEY })));
    const failure = await grpcFailure(world, KEY);
    expect(failure.code).toBe(status.RESOURCE_EXHAUSTED);
    expect(failure.metadata.get("readback-retry-after-ms")).toEqual(["60000"]);
  });
});

describe("wrong keys", () => {
  /** Ten in a second, for ten seconds. */
  async function guess(world: World, clock: VirtualClock, from: string): Promise<Map<number, number>> {
    const codes = new Map<number, number>();
    for (let nth = 0; nth < 100; nth++) {
      const { status } = await models(world, `wrong-key-${nth}`, from);
      codes.set(status, (codes.get(status) ?? 0) + 1);
      await clock.advance(100);
    }
    return codes;
  }

  test("from one address are heard no longer, be they right at last; those of others are", async () => {
    const clock = new VirtualClock();
    const world = await offline({ clock, documents: {}, config: { "http.api_keys": KEYS } });
    const codes = await guess(world, clock, "127.0.0.2");
    expect([...codes]).toEqual([
      [401, WRONG_KEYS.timesMax],
      [429, 100 - WRONG_KEYS.timesMax],
    ]);
    const counted = (result: string) =>
      world.metric(`readback_door_request_seconds_count{door="openai",result="${result}"}`);
    expect([await counted("unauthorized"), await counted("rate_limited")]).toEqual([...codes.values()]);
    const right = await models(world, KEY, "127.0.0.2");
    expect(right.status).toBe(429);
    expect(retryAfterOf(right.text)).toBeGreaterThan(40);
    expect((await models(world, KEY, "127.0.0.3")).status).toBe(200);
    await clock.advance(WRONG_KEYS.windowMs);
    expect((await models(world, KEY, "127.0.0.2")).status).toBe(200);
    expect(world.log).not.toContain("wrong-key-1");
  });

  test("shut nobody out who shows right ones from the same address, such as a proxy's", async () => {
    const clock = new VirtualClock();
    const world = await offline({ clock, documents: {}, config: { "http.api_keys": KEYS } });
    expect((await models(world, KEY)).status).toBe(200);
    await guess(world, clock, "127.0.0.1");
    expect((await models(world, KEY)).status).toBe(200);
  });

  test("at gRPC and the kiosk count as those at HTTP do", async () => {
    const kiosk = { token: "kiosk-token-0123456789", network: "acme", username: "kiosk-1" };
    const config = { "http.api_keys": KEYS, "http.kiosks": [kiosk] };
    const world = await offline({ documents: {}, config });
    for (let nth = 0; nth < WRONG_KEYS.timesMax - 1; nth++)
      expect((await grpcFailure(world, `wrong-key-${nth}`)).code).toBe(status.UNAUTHENTICATED);
    const headers = [`Host: localhost:${world.ports.http}`, "X-API-Key: wrong-token-0123456789"];
    expect((await rawRequest(world.ports.http, { path: "/kiosk/api/config", headers })).status).toBe(401);
    expect((await models(world, KEY)).status).toBe(429);
    expect((await grpcFailure(world, KEY)).code).toBe(status.RESOURCE_EXHAUSTED);
  });
});

describe("keys in a file", () => {
  function keyFile(keys: readonly object[]) {
    const path = join(temporaryDirectory(), "keys.json");
    const write = (next: readonly object[]) => writeFileSync(path, JSON.stringify(next));
    write(keys);
    return { path, write };
  }

  test("are replaced without a restart; while it is gone those before hold, which is told", async () => {
    const clock = new VirtualClock();
    const file = keyFile([KEYS[0]!]);
    const environment = { READBACK_HTTP_API_KEYS_FILE: file.path };
    const world = await offline({ clock, documents: {}, environment });
    const become = async (seen: () => Promise<boolean>) => {
      for (let look = 0; look < 1_000; look++) {
        if (await seen()) return;
        await clock.advance(FILES_CHECK_MS);
      }
      throw new Error("it never came to be");
    };
    expect((await models(world, KEY)).status).toBe(200);
    file.write([KEYS[1]!]);
    await become(async () => (await models(world, OTHER)).status === 200);
    expect((await models(world, KEY)).status).toBe(401);
    rmSync(file.path);
    const readiness = async () => (await fetch(address(world, "/readyz"))).text();
    await become(async () => (await readiness()).includes('"unusable_files":["settings"]'));
    expect((await models(world, OTHER)).status).toBe(200);
    expect(await world.metric('readback_files_unusable_total{what="settings"}')).toBe(1);
    file.write([{ ...KEYS[0]!, key: "a-third-key-0123456789" }]);
    await become(async () => (await models(world, "a-third-key-0123456789")).status === 200);
    await become(async () => (await readiness()) === '{"guard":"local","status":"ready"}');
    expect(world.log).not.toMatch(/(?:free|other|third)-key/);
  });
});

describe("a list of addresses", () => {
  test("lets relays in, and Prometheus, and nobody else", async () => {
    const config = { "relay.allow": ["127.0.0.3"], "metrics.allow": ["127.0.0.0/30"] };
    const world = await offline({ documents: {}, config });
    const isLetIn = async (from: string) => {
      const socket = connect({ host: "127.0.0.1", port: world.ports.relay, localAddress: from });
      socket.on("error", () => socket.destroy());
      socket.end("LT\nct:json\ncl:24\n\n" + '{"command":"keep_alive"}');
      let text = "";
      socket.on("data", (bytes) => {
        text += String(bytes);
      });
      await new Promise((resolve) => socket.once("close", resolve));
      return text.includes("keep_alive");
    };
    expect(await Promise.all(["127.0.0.1", "127.0.0.2", "127.0.0.3"].map(isLetIn))).toEqual([
      true,
      false,
      true,
    ]);
    const scrape = async (from: string) =>
      (await rawRequest(world.ports.metrics, { path: "/metrics", headers: ["Host: localhost"] }, from))
        .status;
    expect(await Promise.all(["127.0.0.2", "127.0.0.5"].map(scrape))).toEqual([200, 0]);
    for (const port of ["relay", "metrics"])
      expect(await world.metric(`readback_connections_refused_total{port="${port}",reason="address"}`)).toBe(
        1,
      );
  });
});

describe("what anybody may ask for", () => {
  test("says to browsers that there is nothing to show, and holds no secret", async () => {
    const tokens = [{ token: "relay-token-0123456789" }];
    const config = { "http.api_keys": KEYS, "relay.tokens": tokens };
    const world = await offline({ documents: {}, config });
    await models(world, KEY);
    for (const path of ["/healthz", "/readyz", "/metrics", "/nothing"]) {
      const response = await fetch(`http://127.0.0.1:${world.ports.metrics}${path}`);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
      });
      expect(response.headers.get("strict-transport-security")).toBeNull();
      expect(response.headers.get("x-powered-by")).toBeNull();
      expect(await response.text()).not.toMatch(/-key-0|relay-token/);
    }
  });
});
