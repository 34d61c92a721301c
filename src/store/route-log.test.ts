import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { RecordedEvents } from "../../test/support/events.js";
import { StoreUnusable } from "./dead-letters.js";
import type { DecidedRoute } from "./route-log.js";
import { RouteLog } from "./route-log.js";

let base: string;
let events: RecordedEvents;
const opened: RouteLog[] = [];

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "readback-"));
  events = new RecordedEvents();
});
afterEach(async () => {
  for (const log of opened.splice(0)) await log.close();
  rmSync(base, { recursive: true, force: true });
});

function open(routesMax?: number, folder = base): RouteLog {
  const log = new RouteLog(folder, { clock: { now: () => 1_000.5 }, telemetry: events }, routesMax);
  opened.push(log);
  return log;
}

const decided = (topic: string, network = "plant"): DecidedRoute => ({
  network,
  topic,
  route: "operate",
  layer: "rule",
  confidence: 0.98,
});
const topics = async (log: RouteLog, network?: string) => (await log.list(network)).map(({ topic }) => topic);

describe("the log of routes", () => {
  it("keeps decisions in order, over a restart, by network", async () => {
    const log = open();
    log.add(decided("open valve 3"));
    log.add(decided("abre la 'válvula'; --\u{1F9BA}", "depot"));
    await log.close();
    const again = open();
    expect(await again.list()).toEqual([
      { ...decided("open valve 3"), atMs: 1_000 },
      { ...decided("abre la 'válvula'; --\u{1F9BA}", "depot"), atMs: 1_000 },
    ]);
    expect(await topics(again, "plant")).toEqual(["open valve 3"]);
    await again.clear("depot");
    expect(await topics(again)).toEqual(["open valve 3"]);
    await again.clear();
    expect(await again.list()).toEqual([]);
    expect(events.all).toEqual([]);
  });

  it("is bounded: the oldest go", async () => {
    const log = open(3);
    for (const topic of ["1", "2", "3", "4", "5"]) log.add(decided(topic));
    expect(await topics(log)).toEqual(["3", "4", "5"]);
    log.add(decided("6"));
    expect(await topics(log)).toEqual(["4", "5", "6"]);
  });

  it("loses the newest when they come faster than they can be written, and says so", async () => {
    const log = open();
    for (let i = 0; i < 1_003; i++) log.add(decided(String(i)));
    expect((await log.list()).length).toBe(1_000);
    expect(events.of("route_log_failed").map(({ lost }) => lost)).toEqual([1, 1, 1]);
  });

  it("is no turn's trouble when it cannot be written, and comes round", async () => {
    const folder = join(base, "data");
    writeFileSync(folder, "a file where the folder should be");
    const log = open(undefined, folder);
    log.add(decided("lost"));
    await expect(log.list()).rejects.toBeInstanceOf(StoreUnusable);
    expect(events.of("route_log_failed")).toMatchObject([
      { lost: 1, error: expect.stringMatching(/cannot be used/) },
    ]);
    await log.close();
    rmSync(folder);
    mkdirSync(folder);
    log.add(decided("kept"));
    expect(await topics(log)).toEqual(["kept"]);
  });
});
