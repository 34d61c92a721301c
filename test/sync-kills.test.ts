/**
 * Kills `readback sync` with SIGKILL again and again while it copies documents through a connector into Elasticsearch
 * (stand-ins, on real sockets). Whoever comes next goes on, and in the end everything is there, once. `KILL_SEED=7`
 * repeats the points of a run.
 */
import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CONNECTOR, World } from "../src/ingest/sync/world.test-util.js";
import { systemClock } from "../src/lib/clock.js";
import { ConnectorSimulation } from "./support/elasticsearch/connector-simulation.js";

const BIN = fileURLToPath(new URL("../bin/readback.js", import.meta.url));
const KILLS = 8;
const DOCUMENTS = 14;
/** Requests that a life may last: a sync of everything makes about 250. */
const REQUESTS_MAX = 120;

let world: World;
let folder: string;
let connectors: ConnectorSimulation;

beforeEach(async () => {
  world = await World.open();
  folder = mkdtempSync(join(tmpdir(), "readback-sync-"));
  const settings = {
    data_dir: join(folder, "data"),
    elasticsearch: { url: world.server.url, api_key: world.server.apiKey },
    retrieval: { legs: ["lexical"] },
    sync: { connector_id: CONNECTOR, s3_bucket: world.bucket.name, poll_ms: 100 },
  };
  writeFileSync(join(folder, "readback.json"), JSON.stringify(settings));
  connectors = new ConnectorSimulation(world.server.cluster, world.bucket);
  connectors.run(systemClock, 20);
});
afterEach(async () => {
  connectors.stop();
  await world.close();
  rmSync(folder, { recursive: true });
});

/** Runs the command, and kills it once so many requests have come. Returns its exit code; `null`: it was killed. */
async function sync(requests: number): Promise<{ readonly code: number | null; readonly output: string }> {
  const env = { PATH: process.env.PATH, READBACK_CONFIG: join(folder, "readback.json") };
  const child = spawn(process.execPath, [BIN, "sync"], { env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += String(data)));
  const last = world.server.requests.length + requests;
  let isOver = false;
  const ended = new Promise<number | null>((resolve) => {
    child.on("close", (code) => {
      isOver = true;
      resolve(code);
    });
  });
  while (!isOver) {
    if (world.server.requests.length >= last) child.kill("SIGKILL");
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { code: await ended, output };
}

/** As if a minute had passed: what the dead held is free. */
async function expireLeases(): Promise<void> {
  const index = world.options.syncIndex;
  for (const { _id, _source } of await world.all<{ kind: string }>(index)) {
    if (_source?.kind !== "lease") continue;
    const doc = { expires_at: new Date(0).toISOString() };
    await world.call((api, call) => api.update({ index, id: _id!, doc, refresh: true }, call));
  }
}

describe("readback sync", () => {
  it("loses and doubles nothing, however often it is killed", async () => {
    for (let i = 0; i < DOCUMENTS; i++)
      await world.upload(`d${i}.txt`, `Text ${i}.`, { allowed_users: [`u${i}`] });
    const seed = Number(process.env.KILL_SEED ?? randomInt(2 ** 31));
    const lives = fc.sample(fc.integer({ min: 1, max: REQUESTS_MAX }), { seed, numRuns: KILLS });
    console.log(`killed with seed ${seed}: after ${lives.join(", ")} requests`);
    let killed = 0;
    for (const [kill, requests] of lives.entries()) {
      const what = `seed ${seed}, kill ${kill}`;
      const { code } = await sync(requests);
      if (code === null) killed += 1;
      for (const { allowed_users, document_id, visibility } of await world.chunks())
        expect({ allowed_users, visibility }, what).toEqual({
          allowed_users: [document_id.replace("d", "u").replace(".txt", "")],
          visibility: "restricted",
        });
      await expireLeases();
    }
    const { code, output } = await sync(Number.POSITIVE_INFINITY);
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining("0 failed") });
    expect(killed).toBeGreaterThan(1);
    const chunks = await world.chunks();
    expect(chunks.map(({ text }) => text).sort()).toEqual(
      Array.from({ length: DOCUMENTS }, (_, i) => `Text ${i}.`).sort(),
    );
    expect(new Set(Object.values(await world.statuses()))).toEqual(new Set(["synced"]));
    expect(world.server.cluster.connectors.jobs.size).toBeGreaterThan(0);
  }, 240_000);

  it("says what is missing in the settings", async () => {
    writeFileSync(
      join(folder, "readback.json"),
      JSON.stringify({ elasticsearch: { url: world.server.url } }),
    );
    const { code, output } = await sync(Number.POSITIVE_INFINITY);
    expect(code).not.toBe(0);
    expect(output).toMatch(/sync\.connector_id and sync\.s3_bucket/);
    expect(output).not.toMatch(/^\s+at /m);
  }, 60_000);
});
