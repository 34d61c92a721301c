/** Servers of MCP as processes of their own, that behave well, badly, and not at all. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import { afterEach, describe, expect, it, vi } from "vitest";
import { closeSites, declared, type OpenedSite, opened } from "../../../test/support/mcp/sites.js";
import { patience } from "../../../test/support/patience.js";
import { workerUrl } from "../../lib/worker.js";

const script = (name: string) =>
  fileURLToPath(workerUrl(import.meta.url, `../../../test/support/mcp/${name}.js`));
const plant = { server: { command: [process.execPath, script("plant-child")] } };
const naive = (mood = "well", env = {}) => ({
  server: { command: [process.execPath, script("naive-server"), mood], env },
});
/** Time enough for a server that is well. */
const QUICK = { callMsMax: patience(1_000) };

afterEach(closeSites);

/** The code of the failure, and its message. */
async function failure(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  const { code, message } = Object(error) as { code?: string; message?: string };
  return `${code} ${message}`;
}

/** Resolves when the site is connected again. */
async function connectedAgain({ events }: OpenedSite, times = 2): Promise<void> {
  await expect
    .poll(() => events.of("site_connected").length, { timeout: patience(20_000) })
    .toBeGreaterThanOrEqual(times);
}

function reasonOf({ site }: OpenedSite, tool: string): string | undefined {
  return site.status().tools.find(({ name }) => name === tool)?.reason;
}

describe("a server that is well", () => {
  it("is called, and its structured content comes back", async () => {
    const { call, events, site } = await declared(plant);
    const beforeMs = Date.now();
    const { content, takenAtMs } = await call("get_temperature", { sensor: "t1" });
    expect(content).toMatchObject({ value: 8.6, unit: "degrees Celsius" });
    expect(takenAtMs).toBeGreaterThanOrEqual(beforeMs);
    expect(await call("get_pump", { pump: "p1" })).toMatchObject({ content: '{"state": "running"}' });
    expect(site.status()).toMatchObject({ state: "connected" });
    expect(events.of("site_connected")).toMatchObject([{ site: "plant", toolsOn: 5 }]);
  });

  it.each(["well", "mute", "dies"])("may be an older one that takes a new question as %s", async (mood) => {
    const { call } = await declared(naive(mood));
    expect(await call("get")).toMatchObject({ content: { value: 8.6 } });
  });

  it("is called by several at once, and each has its own reply", async () => {
    const { call } = await declared(plant);
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        i % 2 === 0 ? call("get_pump", { pump: "p" }) : call("get_temperature", { sensor: "t" }),
      ),
    );
    expect(replies.map(({ content }) => typeof content)).toEqual(Array(4).fill(["string", "object"]).flat());
  });

  it("has PATH, HOME and what is configured in its environment, and nothing else", async () => {
    process.env.OF_THE_SERVICE = "secret";
    const { call } = await declared(naive("well", { PLANT: "7" }));
    delete process.env.OF_THE_SERVICE;
    const { content } = await call("environment");
    expect(content).toEqual({ PATH: process.env.PATH, HOME: "/srv/of-the-service", PLANT: "7" });
  });

  it("ends with the site, and so does what it started, even if it ignores that it is told to", async () => {
    const { call, site } = await declared(naive("stubborn"));
    const { content } = await call("spawns");
    const { value: pid } = content as { value: number };
    expect(isRunning(pid)).toBe(true);
    await site.close();
    await expect.poll(() => isRunning(pid), { timeout: patience(10_000) }).toBe(false);
    expect(site.status().state).toBe("closed");
  });

  it("is offered nothing that it could ask of us", async () => {
    const { call } = await declared(naive());
    const { content } = await call("asks");
    for (const method of ["elicitation/create", "sampling/createMessage", "roots/list"])
      expect((content as Record<string, unknown>)[method]).toMatchObject({ error: { code: -32601 } });
    const modern = await declared(plant);
    expect(await failure(modern.call("asks"))).toMatch(/^(?:POLICY_BLOCKED|EXECUTION_FAILED) /);
  });
});

describe("a tool", () => {
  it("is off until it is declared, and then until it changes", async () => {
    const undeclared = await opened({ ...naive(), tools: {} });
    expect(reasonOf(undeclared, "get")).toMatch(/not in the settings/);
    expect(await failure(undeclared.call("get"))).toMatch(
      /^POLICY_BLOCKED get is off: it is not in the settings/,
    );
    const site = await declared(naive());
    await site.call("get");
    await site.call("change");
    expect(await failure(site.call("get"))).toMatch(
      /^POLICY_BLOCKED get is off: it is not what was declared any more/,
    );
    expect(await site.call("instructions")).toBeDefined();
    expect(site.events.of("site_tool_off")).toMatchObject([
      { tool: "fails", reason: expect.stringMatching(/readOnlyHint: false/) },
      { tool: "get", reason: expect.stringMatching(/not what was declared/) },
    ]);
  });

  it("has its schema compiled once, however often its system is asked what it offers", async () => {
    const site = await declared({ ...naive(), ...QUICK });
    const compiles = vi.spyOn(AjvJsonSchemaValidator.prototype, "getValidator");
    await site.call("get");
    expect(await failure(site.call("silence"))).toMatch(/^TIMEOUT/); // After which the tools are looked at.
    await site.call("get");
    expect(compiles).toHaveBeenCalledTimes(1);
    compiles.mockRestore();
  });

  it("that changed without a word is found as soon as something is wrong, and every half minute", async () => {
    const site = await declared({ ...naive(), ...QUICK });
    await site.call("change_unsaid");
    expect(await failure(site.call("silence"))).toMatch(/^TIMEOUT/);
    await expect
      .poll(() => reasonOf(site, "get"), { timeout: patience(10_000) })
      .toMatch(/not what was declared/);
  });

  it("of a newer server that changes is off as well", async () => {
    const site = await declared(plant);
    await site.call("change");
    await expect
      .poll(() => reasonOf(site, "get_pump"), { timeout: patience(10_000) })
      .toMatch(/not what was declared/);
    expect(await failure(site.call("get_pump", { pump: "p" }))).toMatch(/^POLICY_BLOCKED/);
  });
});

describe("a reply that is none", () => {
  it.each<[tool: string, failed: RegExp]>([
    ["lies", /^MALFORMED its reply is not what its output schema says: data\/value must be number/],
    ["nothing", /^MALFORMED its reply has no structured content/],
    ["async", /^MALFORMED its reply is not what its output schema says/],
    ["deep", /^MALFORMED its reply is nested too deeply/],
  ])("%s", async (tool, failed) => {
    const site = await declared(naive());
    expect(await failure(site.call(tool))).toMatch(failed);
    expect(await site.call("get")).toMatchObject({ content: { value: 8.6 } });
  });

  it("is an error that the tool tells", async () => {
    const irreversible = { effect: "irreversible" } as const;
    const site = await declared(naive(), irreversible);
    expect(await failure(site.call("fails"))).toBe("EXECUTION_FAILED no such pump");
  });

  it("does not take long to be judged by a pattern of its server", async () => {
    const { call } = await declared(naive());
    expect(await call("pattern")).toMatchObject({ content: { value: expect.stringMatching(/^a+!$/) } });
  });
});

describe("a server that", () => {
  it.each<[tool: string, failed: RegExp]>([
    ["crash", /^UNAVAILABLE its server ended \(exit code 3\): segmentation fault/],
    ["hang", /^TIMEOUT hang took longer than/],
    ["endless", /^TOO_LARGE a message of it has more than 67108864 bytes/],
    ["flood", /^TOO_LARGE it sends more than 200 messages a second/],
  ])("breaks with %s fails the call, is started again, and answers", async (tool, failed) => {
    const site = await declared({ ...naive(), ...QUICK });
    const heapBefore = process.memoryUsage().rss;
    expect(await failure(site.call(tool))).toMatch(failed);
    await connectedAgain(site);
    expect(process.memoryUsage().rss - heapBefore).toBeLessThan(100 * 1_048_576);
    expect(await site.call("get")).toMatchObject({ content: { value: 8.6 } });
    expect(site.events.of("site_lost")).toMatchObject([{ site: "plant", attempt: 1 }]);
  });

  it("gives a reply that is too large keeps its connection, and so do other calls", async () => {
    const site = await declared(naive());
    const large = failure(site.call("large"));
    const others = Array.from({ length: 5 }, () => site.call("get"));
    expect(await large).toMatch(/^TOO_LARGE a message of it has more than 262144 bytes/);
    for (const other of others) expect(await other).toMatchObject({ content: { value: 8.6 } });
    expect(site.events.of("site_lost")).toEqual([]);
  });

  it("leaves one call unanswered keeps its connection, and so do other calls", async () => {
    const site = await declared({ ...naive(), ...QUICK });
    const unanswered = failure(site.call("silence"));
    expect(await site.call("get")).toMatchObject({ content: { value: 8.6 } });
    expect(await unanswered).toMatch(/^TIMEOUT silence took longer/);
    expect(await site.call("get")).toMatchObject({ content: { value: 8.6 } });
    expect(site.events.of("site_lost")).toEqual([]);
  });

  it("floods its error output is not listened to for long", async () => {
    const site = await opened(naive("talks"));
    await expect
      .poll(() => site.events.of("site_lost").length, { timeout: patience(20_000) })
      .toBeGreaterThan(0);
    expect(site.events.of("site_lost")[0]!.error).toMatch(/sends more than/);
    const said = site.events.of("site_server_said");
    expect(said.length).toBeLessThanOrEqual(1_000); // Of two connections.
    expect(Math.max(...said.map(({ text }) => text.length))).toBeLessThanOrEqual(300);
  });

  it.each<[string, string[], RegExp]>([
    ["ends at once", [process.execPath, script("naive-server"), "crash"], /exit code 3.*no licence/],
    ["is not there", ["/nowhere/plant-server"], /\/nowhere\/plant-server cannot be started/],
    ["speaks something else", ["yes", "no"], /sends more than|more than 262144 bytes/],
  ])("%s is tried again after pauses that grow", async (_what, command, error) => {
    const site = await opened({ server: { command } });
    expect(site.site.status()).toMatchObject({ state: "failed", error: expect.stringMatching(error) });
    await expect.poll(() => site.events.of("site_lost").length, { timeout: patience(20_000) }).toBe(2);
    const [first, second] = site.events.of("site_lost");
    expect([first!.attempt, second!.attempt]).toEqual([1, 2]);
    expect(second!.retryInMs).toBeGreaterThanOrEqual(1_000);
    expect(await failure(site.call("get"))).toMatch(/^UNAVAILABLE plant is not connected/);
  });
});

it("a caller that gives up is let go at once, and nobody else is", async () => {
  const site = await declared(naive());
  const caller = new AbortController();
  const given = site.site.call("silence", {}, caller.signal);
  caller.abort(new Error("enough"));
  await expect(given).rejects.toThrow("enough");
  expect(await site.call("get")).toBeDefined();
  expect(site.events.of("site_lost")).toEqual([]);
});

it("a site that is closed while a call is under way fails the call", async () => {
  const site = await declared(naive());
  const call = failure(site.call("silence"));
  await site.site.close();
  expect(await call).toMatch(/^UNAVAILABLE plant is closed/);
});

function isRunning(pid: number): boolean {
  const path = `/proc/${pid}/stat`;
  return existsSync(path) && !/\) [ZX] /.test(readFileSync(path, "utf8"));
}
