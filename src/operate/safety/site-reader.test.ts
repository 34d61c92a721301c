/** The one way to a site's tools: what may be called by whom, and what may come back. */
import { expect, test } from "vitest";
import { RecordedEvents } from "../../../test/support/events.js";
import { VirtualClock } from "../../../test/support/virtual-clock.js";
import type { Resource } from "../../domain/resource.js";
import type { Access } from "../../domain/user.js";
import { type SiteOptions, sitesOptions } from "../../sites/options.js";
import { type Site, SiteFailure, type SiteStatus } from "../../sites/port.js";
import { KnownResources, Registry } from "../targets/registry.js";
import { isOfWholeSite, SiteReader } from "./site-reader.js";
import type { ConfiguredSite } from "./site-tools.js";

const ANN: Access = { network: "acme", username: "ann", groups: [], kiosk: false };
const NO_ABORT = new AbortController().signal;

const OPTIONS = {
  name: "plant",
  networks: ["acme"],
  server: { type: "mcp", command: ["plant"] },
  tools: {
    list: {
      effect: "read",
      reads: { status: { each: "/items", name: "/name", value: "/status" }, load: { value: "/load" } },
    },
    one: { effect: "read", target: "id", reads: { speed: { value: "/speed" } } },
    stop: {
      ...{ effect: "disruptive", action: "stop", target: "id" },
      postcondition: { tool: "list", signal: "status", equals: "stopped" },
    },
  },
};

const NOBODY = Registry.EMPTY.knownTo(ANN);

function pump(site: string, n: number, word: string): Resource {
  const access = { network: "acme", visibility: "network", allowedUsers: [], allowedGroups: [] } as const;
  const own = { id: `${site}/pump/p${n}`, site, kind: "pump", address: `p${n}` };
  return { ...own, names: ["the big pump", `pump ${word}`], paths: [], access };
}

function begin(more: object = {}, status: Partial<SiteStatus> = {}) {
  const [raw] = sitesOptions.parse([{ ...OPTIONS, ...more }]);
  const options = { ...raw, callMsMax: 5_000 } as unknown as SiteOptions;
  const calls: unknown[] = [];
  const signals: AbortSignal[] = [];
  const reply: { content: unknown; tookMs: number } = { content: {}, tookMs: 0 };
  const [clock, events] = [new VirtualClock(), new RecordedEvents()];
  const site: Site = {
    steadyState: { text: () => "services: mailer, payroll" },
    start: async () => {},
    close: async () => {},
    status: () => ({
      state: "connected",
      tools: Object.keys(options.tools).map((name) => ({ name, isOn: true })),
      ...status,
    }),
    call: async (...call) => {
      calls.push(call.slice(0, 2));
      signals.push(call[2]);
      if (reply.tookMs > 0) await clock.advance(reply.tookMs);
      if (reply.content instanceof Error) throw reply.content;
      return { content: reply.content, takenAtMs: 0 };
    },
  };
  const reader = new SiteReader([{ options, site }], { clock, telemetry: events });
  const toolNames = (access: Partial<Access> = {}) =>
    reader.toolsFor({ ...ANN, ...access }).map(({ name }) => name);
  return { calls, events, reader, reply, signals, toolNames };
}

test("only what reads is offered, to the networks of the site, and to a kiosk about single things only", () => {
  const { toolNames } = begin();
  expect(toolNames()).toEqual(["list", "one"]);
  expect(toolNames({ network: "rival" })).toEqual([]);
  expect(toolNames({ kiosk: true })).toEqual(["one"]);
});

test("a model is told of a site where nothing of it is kept from anybody, and is never told at a kiosk", () => {
  const service = (visibility: string) => ({
    kind: "service",
    address: visibility,
    names: [visibility],
    visibility,
  });
  const told = (visibilities: readonly string[], access: Partial<Access> = {}) =>
    begin({ resources: visibilities.map(service) }).reader.steadyState({ ...ANN, ...access });
  expect(told(["network"])).toBe("services: mailer, payroll");
  expect(told(["network", "restricted"])).toBe("");
  expect(told(["network"], { kiosk: true })).toBe("");
  expect(told(["network"], { network: "rival" })).toBe("");
});

test("of several sites a model is told one below the other, of each no more than 4,000 characters", () => {
  const site = (name: string, text?: string) => {
    const steadyState = text === undefined ? undefined : { text: (max: number) => text.slice(0, max) };
    return { options: { name, networks: ["acme"], resources: [] }, site: { steadyState } };
  };
  const sites = [site("shop", "x".repeat(5_000)), site("quiet"), site("yard", "services: cups")];
  const deps = { clock: new VirtualClock(), telemetry: new RecordedEvents() };
  const reader = new SiteReader(sites as unknown as readonly ConfiguredSite[], deps);
  expect(reader.steadyState(ANN)).toBe(`${"x".repeat(4_000)}\nservices: cups`);
});

test("a tool that is off is not offered; a site that is away is asked all the same", () => {
  const off = begin(
    {},
    {
      tools: [
        { name: "list", isOn: false },
        { name: "one", isOn: true },
      ],
    },
  );
  expect(off.toolNames()).toEqual(["one"]);
  expect(off.reader.signalsFor(ANN)).toEqual(["status", "load", "speed"]);
  expect(begin({}, { state: "failed", tools: [] }).toolNames()).toEqual(["list", "one"]);
});

test("a tool is called with the address of the thing that is asked about, and with what the settings give", async () => {
  const one = {
    effect: "read",
    target: "id",
    arguments: { full: true },
    reads: { speed: { value: "/speed" } },
  };
  const { calls, reader, reply } = begin({ tools: { one, all: { ...one, target: undefined } } });
  const [tool, all] = reader.toolsFor(ANN);
  const resource = pump("plant", 2, "two");
  reply.content = { speed: 7 };
  const { readings } = await reader.read({ tool: tool!, resource }, NOBODY, NO_ABORT);
  await reader.read({ tool: all!, resource }, NOBODY, NO_ABORT);
  expect(calls).toEqual([
    ["one", { full: true, id: "p2" }],
    ["all", { full: true }],
  ]);
  expect(readings).toMatchObject([{ target: "plant/pump/p2", signal: "speed", value: 7 }]);
});

test("a value is of what the reply calls by its address or by any of its names, at this site alone", async () => {
  const { reader, reply } = begin();
  const named = ["p2", "pump two", "p9", "pump nine"];
  reply.content = { items: named.map((name) => ({ name, status: "on" })), load: 3 };
  const known = new KnownResources([
    pump("north", 9, "nine"),
    pump("plant", 1, "one"),
    pump("plant", 2, "two"),
  ]);
  const [tool] = reader.toolsFor(ANN);
  const { readings } = await reader.read({ tool: tool!, resource: known.all[2]! }, known, NO_ABORT);
  const nameless = await reader.read({ tool: tool! }, known, NO_ABORT);
  const targets = ["plant/pump/p2", "plant/pump/p2"];
  expect(readings.map(({ target }) => target)).toEqual([...targets, "plant/pump/p2"]);
  expect(nameless.readings.map(({ target }) => target)).toEqual([...targets, "plant/"]);
});

test("what may not be read of a thing is not told of it, whatever else its tool tells", async () => {
  const reads = { speed: { value: "/speed" }, status: { value: "/status" }, alarm: { value: "/alarm" } };
  const { reader, reply } = begin({ tools: { one: { effect: "read", target: "id", reads } } });
  const resource = { ...pump("plant", 2, "two"), allowed: ["status"] };
  reply.content = { speed: 7, status: "on" };
  const [tool] = reader.toolsFor(ANN);
  const read = { tool: tool!, resource };
  const result = await reader.read(read, new KnownResources([resource]), NO_ABORT);
  expect(result).toMatchObject({ readings: [{ signal: "status", value: "on" }], problems: [] });
});

test("a tool is not asked about a thing of another site, or of a kind that it is not for", async () => {
  const one = { effect: "read", target: "id", kinds: ["pump"], reads: { speed: { value: "/speed" } } };
  const { calls, reader } = begin({ tools: { one } });
  const [tool] = reader.toolsFor(ANN);
  const valve = { ...pump("plant", 2, "two"), id: "plant/valve/p2", kind: "valve" };
  for (const resource of [pump("north", 2, "two"), valve]) {
    const { failure, readings } = await reader.read({ tool: tool!, resource }, NOBODY, NO_ABORT);
    expect([failure?.code, readings]).toEqual(["NOT_FOUND", []]);
  }
  expect(calls).toEqual([]);
});

test("what a machine calls by a name that nothing has is a part of it", async () => {
  const disks = { effect: "read", reads: { disk: { each: "/disks", name: "/name", value: "/used" } } };
  const { reader, reply } = begin({ server: { type: "host" }, tools: { disks } });
  reply.content = { disks: [{ name: "/boot", used: 12 }] };
  const [tool] = reader.toolsFor(ANN);
  const { readings } = await reader.read({ tool: tool! }, NOBODY, NO_ABORT);
  expect(readings).toMatchObject([{ target: "plant//boot", value: 12 }]);
});

test.each([
  ["plant/", true],
  ["plant/redis", true],
  ["plant//boot", true],
  ["plant//srv/data/cache", true],
  ["plant/pump/p2", false],
  ["plant/fire_door/d-1", false],
  ["plant/Valve.2/v1", false],
])("of %s it is %s that it is the site itself or a part of its machine", (id, isIt) => {
  expect(isOfWholeSite(id)).toBe(isIt);
});

test("what a reply names and nobody may know of is neither a reading nor a problem", async () => {
  const { reader, reply } = begin();
  reply.content = { items: [{ name: "secret tank", status: "on" }], load: "NaN" };
  const [tool] = reader.toolsFor(ANN);
  const result = await reader.read({ tool: tool! }, NOBODY, NO_ABORT);
  expect(result).toMatchObject({ readings: [], problems: [{ signal: "load" }] });
  expect(JSON.stringify(result)).not.toContain("secret");
});

test.each([
  [new SiteFailure("NOT_FOUND", "no such thing"), "NOT_FOUND"],
  [new Error("boom"), "EXECUTION_FAILED"],
])("a failure is a result: %s", async (error, code) => {
  const { reader, reply } = begin();
  reply.content = error;
  const [tool] = reader.toolsFor(ANN);
  expect(await reader.read({ tool: tool! }, NOBODY, NO_ABORT)).toMatchObject({
    readings: [],
    problems: [],
    failure: { code },
  });
});

test("a call's time is its site's to keep, which then looks whether its system is well", async () => {
  const { reader, reply, signals } = begin();
  reply.tookMs = 6_000;
  reply.content = new SiteFailure("TIMEOUT", "it took longer than 5000 ms");
  const [tool] = reader.toolsFor(ANN);
  const result = await reader.read({ tool: tool! }, NOBODY, NO_ABORT);
  expect(result).toMatchObject({ readings: [], failure: { code: "TIMEOUT" }, ms: 6_000 });
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
});

test("each call is told of with what came of it, and how long it took", async () => {
  const { events, reader, reply } = begin();
  const [tool] = reader.toolsFor(ANN);
  reply.tookMs = 250;
  for (const content of [{}, new SiteFailure("NOT_FOUND", "no such thing"), new Error("boom")]) {
    reply.content = content;
    await reader.read({ tool: tool! }, NOBODY, NO_ABORT);
  }
  reply.tookMs = 0;
  const aborted = reader.read({ tool: tool! }, NOBODY, AbortSignal.abort(new Error("not wanted any more")));
  await expect(aborted).rejects.toThrow("not wanted any more");
  const told = (result: string, ms: number) => ({
    ...{ type: "site_called", site: "plant", tool: "list" },
    ...{ result, ms },
  });
  expect(events.of("site_called")).toEqual([
    told("ok", 250),
    told("NOT_FOUND", 250),
    told("EXECUTION_FAILED", 250),
    told("aborted", 0),
  ]);
});

test("a process is asked for by its name on a machine of which nothing is kept from anybody", () => {
  const host = { server: { type: "host" }, tools: {} };
  expect(begin(host).reader.unlisted("Redis", ANN)).toEqual({
    ...{ id: "plant/redis", site: "plant", kind: "service", address: "redis", names: ["Redis"], paths: [] },
    access: { network: "acme", visibility: "network", allowedUsers: [], allowedGroups: [] },
  });
  const secret = { address: "redis", kind: "service", names: ["cache"], visibility: "restricted" };
  expect(begin({ ...host, resources: [secret] }).reader.unlisted("redis-server", ANN)).toBeUndefined();
  expect(begin(host).reader.unlisted("redis", { ...ANN, kiosk: true })).toBeUndefined();
  expect(begin(host).reader.unlisted("redis", { ...ANN, network: "rival" })).toBeUndefined();
  expect(begin(host).reader.unlisted("tank four", ANN)).toBeUndefined();
  expect(begin().reader.unlisted("redis", ANN)).toBeUndefined();
});

test("a machine may be asked by its name by whom its networks are, and never at a kiosk", () => {
  const { reader } = begin({ server: { type: "host" }, tools: {} });
  expect(reader.machinesFor(ANN)).toEqual(["plant"]);
  expect(reader.machinesFor({ ...ANN, kiosk: true })).toEqual([]);
  expect(reader.machinesFor({ ...ANN, network: "rival" })).toEqual([]);
  expect(begin().reader.machinesFor(ANN)).toEqual([]);
});

test.each([
  [{ line: "systemctl status pump" }, 1],
  [{ line: "systemctl restart pump" }, 0],
  [{}, 0],
])("of a tool that takes a shell command, %j is called %d times", async (args, times) => {
  const run = { effect: "read", command: "line", arguments: args, reads: { load: { value: "/load" } } };
  const { calls, reader } = begin({ tools: { run } });
  const [tool] = reader.toolsFor(ANN);
  const { failure } = await reader.read({ tool: tool! }, NOBODY, NO_ABORT);
  expect(calls).toHaveLength(times);
  expect(failure?.code).toBe(times === 0 ? "POLICY_BLOCKED" : undefined);
});
