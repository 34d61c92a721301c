/** The one way to what acts: what is called, what is not, and what is known of it afterwards. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { ANN, exampleRegistry, exampleWriter, FakePlant } from "../../../test/support/orders.js";
import type { CallPlan } from "../../domain/operation.js";
import { SiteFailure } from "../../sites/port.js";
import { type ActingTool, fitOf } from "./acting.js";

const NOW_MS = exampleWriter().clock.now();
const NOW = new Date(NOW_MS).toISOString();
const NO_ABORT = new AbortController().signal;

const RESTART: CallPlan = {
  target: "plant/pump/p2",
  name: "pump two",
  tool: "plant.restart",
  args: { target: "p2" },
  postcondition: { tool: "plant.read_status", signal: "status", equals: "running", windowMs: 60_000 },
};
const SET: CallPlan = { ...RESTART, tool: "plant.set_point", args: { target: "p2", value: 700 } };

test("a tool is called once, with the key where its settings name an argument for it", async () => {
  const { site, writer } = exampleWriter();
  site.replies.restart = { accepted: true };
  expect(await writer.execute(RESTART, "key-1", NO_ABORT)).toEqual({ type: "ok" });
  expect(site.calls).toEqual([["restart", { target: "p2", idempotency_key: "key-1" }]]);
});

test("of two sites with the same tools the one of the thing is called and read", async () => {
  const rival = new FakePlant();
  const { site, writer } = exampleWriter({ rival });
  site.replies.restart = { accepted: true };
  site.replies.read_status = { status: "running", taken_at: NOW };
  expect(await writer.execute(RESTART, "key-1", NO_ABORT)).toEqual({ type: "ok" });
  expect(await writer.observe(RESTART, NO_ABORT)).toMatchObject({ value: "running" });
  expect(site.calls.map(([tool]) => tool)).toEqual(["restart", "read_status"]);
  expect(rival.calls).toEqual([]);
});

test("a tool whose settings name no argument for a key is given what was consented to alone", async () => {
  const { site, writer } = exampleWriter({ takesKeys: false });
  site.replies.restart = { accepted: true };
  expect(await writer.execute(RESTART, "key-1", NO_ABORT)).toEqual({ type: "ok" });
  expect(site.calls).toEqual([["restart", RESTART.args]]);
});

test.each<[string, Partial<CallPlan>]>([
  ["another thing's address", { args: { target: "p3" } }],
  ["an argument besides", { args: { target: "p2", force: true } }],
  ["no argument", { args: {} }],
  ["what is no address", { args: { target: "p2; stop" } }],
  ["a thing that is not there", { target: "plant/pump/p9", args: { target: "p9" } }],
  ["a thing that the tool is not for", { target: "plant/tank/t1", args: { target: "t1" } }],
  ["a tool that reads", { tool: "plant.read_status" }],
  ["a tool that is not in the settings", { tool: "plant.explode" }],
  ["another site's tool", { tool: "rival.restart" }],
  ["a value above its range", { tool: SET.tool, args: { target: "p2", value: 1_801 } }],
  ["a value below its range", { tool: SET.tool, args: { target: "p2", value: 599 } }],
  ["no value where one is set", { tool: SET.tool, args: { target: "p2" } }],
  ["a value where none is set", { args: { target: "p2", value: 700 } }],
  ["no number", { tool: SET.tool, args: { target: "p2", value: "700" } }],
  ["NaN", { tool: SET.tool, args: { target: "p2", value: Number.NaN } }],
])("nothing is called with %s", async (_what, change) => {
  const { site, writer } = exampleWriter();
  for (const name of ["restart", "set_point", "read_status"]) site.replies[name] = {};
  const reply = await writer.execute({ ...RESTART, ...change }, "key", NO_ABORT);
  expect(reply).toMatchObject({ type: "refused" });
  expect(site.calls).toEqual([]);
});

test.each([600, 700, 1_800])("a value in its range is sent as it is: %i", async (value) => {
  const { site, writer } = exampleWriter();
  site.replies.set_point = {};
  const args = { target: "p2", value };
  expect(await writer.execute({ ...SET, args }, "key-2", NO_ABORT)).toEqual({ type: "ok" });
  expect(site.calls).toEqual([["set_point", { ...args, idempotency_key: "key-2" }]]);
});

test("of a thing whose settings list what may be done to it, nothing else is, and what was done is verified", async () => {
  for (const [allowed, type] of [
    [["stop", "acknowledge"], "refused"],
    [["restart"], "ok"],
  ] as const) {
    const { site, writer } = exampleWriter({ registry: exampleRegistry({ p2: { allowed } }) });
    site.replies.restart = {};
    expect(await writer.execute(RESTART, "key", NO_ABORT)).toMatchObject({ type });
    expect(site.calls).toHaveLength(type === "ok" ? 1 : 0);
    site.replies.read_status = { status: "running", taken_at: NOW };
    expect(await writer.observe(RESTART, NO_ABORT)).toMatchObject({ value: "running" });
  }
});

test("a tool fits things of its site, and sets a value of those alone that have a range", () => {
  const range = { quantity: "speed", unit: "rpm", min: 600, max: 1_800 };
  const options = {
    action: "set",
    kinds: [],
    target: "target",
    valueArgument: { name: "to", ranges: { pump: range } },
  };
  const tool = { id: "plant.set", site: "plant", name: "set", options } as unknown as ActingTool;
  const pump = exampleRegistry().find("plant/pump/p2")!;
  const whyOf = (...[one, thing, value]: Parameters<typeof fitOf>) => {
    const fit = fitOf(one, thing, value);
    return "why" in fit ? fit.why : fit.args;
  };
  expect(whyOf(tool, pump, 700)).toEqual({ target: "p2", to: 700 });
  expect(whyOf(tool, { ...pump, kind: "tank" }, 700)).toBe("not_offered");
  expect(whyOf(tool, { ...pump, kind: "tank" }, undefined)).toBe("not_offered");
  expect(whyOf(tool, { ...pump, site: "rival" }, 700)).toBe("not_offered");
  expect(whyOf(tool, pump, undefined)).toBe("needs_value");
  expect(whyOf(tool, pump, 599)).toBe("out_of_range");
  const plain = { ...tool, options: { ...tool.options, valueArgument: undefined } };
  expect(whyOf(plain, pump, undefined)).toEqual({ target: "p2" });
  expect(whyOf(plain, pump, 700)).toBe("not_offered");
  const bare = { ...tool, options: { ...options, target: undefined } } as unknown as ActingTool;
  expect(whyOf(bare, pump, 700)).toBe("not_offered");
  expect(whyOf(tool, { ...pump, allowed: ["stop"] }, 700)).toBe("not_allowed");
});

test("a tool without kinds is for things of every kind", async () => {
  const { site, writer } = exampleWriter();
  site.replies.acknowledge_alarm = {};
  const call = { ...RESTART, tool: "plant.acknowledge_alarm" };
  expect(await writer.execute(call, "key", NO_ABORT)).toEqual({ type: "ok" });
});

test.each([
  ["EXECUTION_FAILED", "failed"],
  ["TIMEOUT", "lost"],
  ["UNAVAILABLE", "lost"],
  ["MALFORMED", "lost"],
  ["TOO_LARGE", "lost"],
  ["POLICY_BLOCKED", "lost"],
  ["NOT_FOUND", "lost"],
] as const)("an error of the call, %s, is %s", async (code, type) => {
  const { site, writer } = exampleWriter();
  site.replies.restart = new SiteFailure(code, "it said so");
  expect(await writer.execute(RESTART, "key", NO_ABORT)).toMatchObject({ type });
  expect(site.calls).toHaveLength(1);
});

test("an error that nobody knows, and a reply that never comes, tell nothing", async () => {
  const { clock, site, writer } = exampleWriter();
  site.replies.restart = new Error("boom");
  expect(await writer.execute(RESTART, "key", NO_ABORT)).toMatchObject({ type: "failed" });
  site.replies.restart = () => new Promise(() => {});
  const reply = writer.execute(RESTART, "key", NO_ABORT);
  await clock.advance(7_001);
  expect(await reply).toMatchObject({ type: "lost", message: expect.stringContaining("TIMEOUT") });
});

test("a site that is away is not called, and an abort is passed on", async () => {
  const { site, writer } = exampleWriter();
  site.state = "failed";
  expect(await writer.execute(RESTART, "key", NO_ABORT)).toMatchObject({ type: "refused" });
  const over = AbortSignal.abort(new Error("over"));
  await expect(writer.execute(RESTART, "key", over)).rejects.toThrow("over");
  expect(site.calls).toEqual([]);
});

describe("what is forbidden", () => {
  it("is everything while the file exists, or the mode is off; it is looked at anew each time", async () => {
    const dir = mkdtempSync(join(tmpdir(), "off-"));
    const offFile = join(dir, "operate.off");
    const { site, writer } = exampleWriter({ offFile });
    expect(writer.forbidden(RESTART)).toBeUndefined();
    writeFileSync(offFile, "");
    expect(writer.forbidden(RESTART)).toBe("off");
    expect(await writer.execute(RESTART, "key", NO_ABORT)).toMatchObject({ type: "refused" });
    rmSync(dir, { recursive: true });
    expect(writer.isOff()).toBe(false);
    expect(site.calls).toEqual([]);
    expect(exampleWriter({ mode: "off" }).writer.forbidden(RESTART)).toBe("off");
    // A path that cannot be looked at: a file where a directory should be.
    expect(exampleWriter({ offFile: join(import.meta.filename, "off") }).writer.isOff()).toBe(true);
  });

  it("is what is locked out", async () => {
    const registry = exampleRegistry({ p2: { lockedOut: true } });
    const { site, writer } = exampleWriter({ registry });
    expect(writer.forbidden(RESTART)).toBe("locked_out");
    expect(await writer.execute(RESTART, "key", NO_ABORT)).toMatchObject({ type: "refused" });
    expect(site.calls).toEqual([]);
  });
});

test("only tools that act on one thing are offered, to the networks of their site", () => {
  const { writer } = exampleWriter();
  const names = writer.toolsFor(ANN).map(({ name }) => name);
  expect(names).toEqual("start stop restart drain update_container acknowledge_alarm set_point".split(" "));
  expect(writer.toolsFor({ ...ANN, network: "rival" })).toEqual([]);
});

describe("the signal of a postcondition", () => {
  const status = (more: object) => {
    const site = new FakePlant();
    site.replies.read_status = { status: "running", taken_at: NOW, ...more };
    return exampleWriter({ site }).writer.observe(RESTART, NO_ABORT);
  };

  it("is read of the thing", async () => {
    expect(await status({})).toMatchObject({ target: RESTART.target, signal: "status", value: "running" });
  });

  it.each([
    ["nothing there", { status: null }],
    ["no state", { status: { on: true } }],
    ["a reading of an hour ago", { taken_at: new Date(NOW_MS - 3_600_000).toISOString() }],
    ["a reading of tomorrow", { taken_at: new Date(NOW_MS + 86_400_000).toISOString() }],
  ])("is not known from %s", async (_what, more) => {
    expect(await status(more)).toBeUndefined();
  });

  it("is not known where sensors disagree, or nothing answers", async () => {
    const site = new FakePlant();
    const { writer } = exampleWriter({ site });
    const hot = {
      ...SET,
      postcondition: { ...SET.postcondition, tool: "plant.read_sensor", signal: "speed" },
    };
    const speed = (value: number) => ({ value, unit: "rpm", taken_at: NOW });
    site.replies.read_sensor = { sensors: { speed: [speed(700), speed(700)] } };
    expect(await writer.observe(hot, NO_ABORT)).toMatchObject({ value: 700 });
    const temperature = [{ value: 60, unit: "°C", taken_at: NOW }];
    site.replies.read_sensor = { sensors: { temperature, speed: [speed(700)] } };
    expect(await writer.observe(hot, NO_ABORT)).toMatchObject({ signal: "speed", value: 700 });
    site.replies.read_sensor = { sensors: { speed: [speed(700), speed(900)] } };
    expect(await writer.observe(hot, NO_ABORT)).toBeUndefined();
    expect(await writer.observe(RESTART, NO_ABORT)).toBeUndefined();
    expect(await writer.observe({ ...RESTART, target: "plant/pump/p9" }, NO_ABORT)).toBeUndefined();
  });
});
