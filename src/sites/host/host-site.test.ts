/** The site as it is used: its readings run in a process of their own, which is stopped, killed and kept too long. */
import { loadavg } from "node:os";
import { afterEach, describe, expect, it } from "vitest";
import { childrenOf, gone } from "../../../test/attack/support/processes.js";
import { RecordedEvents } from "../../../test/support/events.js";
import { patience } from "../../../test/support/patience.js";
import { toCamelCase } from "../../config/settings.js";
import { systemClock } from "../../lib/clock.js";
import { withDeadline } from "../../lib/deadline.js";
import { sitesOptions } from "../options.js";
import { readingsOf } from "../readings.js";
import { HOST_TOOLS, HostSite, type HostSiteOptions } from "./host-site.js";
import type { SteadyPart } from "./readings.js";

const CALL_MS = 5_000;
const MODULE = "host.child";
const made: HostSite[] = [];
let telemetry = new RecordedEvents();

afterEach(async () => {
  await Promise.all(made.splice(0).map((site) => site.close()));
});

function optionsOf(rest: object = {}, server: object = {}): HostSiteOptions {
  const site = {
    name: "machine",
    networks: ["plant"],
    server: { type: "host", ...server },
    call_ms_max: CALL_MS,
    ...rest,
  };
  return (toCamelCase(sitesOptions, sitesOptions.parse([site])) as HostSiteOptions[])[0]!;
}

async function started(rest?: object, server?: object): Promise<HostSite> {
  telemetry = new RecordedEvents();
  const site = new HostSite(optionsOf(rest, server), { clock: systemClock, telemetry });
  made.push(site);
  await site.start();
  expect(site.status()).toMatchObject({ state: "connected" });
  return site;
}

/** Resolves when all that it may tell was collected once. */
async function collected(site: HostSite, last: SteadyPart = "services"): Promise<void> {
  await expect
    .poll(() => site.steadyState.text(100_000), { timeout: patience(30_000) })
    .toMatch(new RegExp(`^${last}, `, "m"));
}

const call = (site: HostSite, tool: string, args = {}, signal = new AbortController().signal) =>
  site.call(tool, args, signal);

describe("the machine as a site", () => {
  it("has ten readings, declared as settings declare them", async () => {
    const site = await started({ tools: { linux_reboot: { effect: "read", reads: {} } } });
    expect(Object.keys(HOST_TOOLS)).toHaveLength(10);
    for (const { effect, reads } of Object.values(HOST_TOOLS)) {
      expect(effect).toBe("read");
      for (const read of Object.values(reads)) expect(read.maxAgeMs).toBe(300_000);
    }
    const { tools } = site.status();
    expect(tools.filter(({ isOn }) => isOn).map(({ name }) => name)).toEqual(Object.keys(HOST_TOOLS));
    expect(tools.at(-1)).toMatchObject({ name: "linux_reboot", isOn: false, reason: expect.any(String) });
  });

  it("tells what it reads, dated", async () => {
    const site = await started();
    const beforeMs = systemClock.now();
    const { content, takenAtMs } = await call(site, "linux_system_info");
    expect(takenAtMs).toBeGreaterThanOrEqual(beforeMs);
    expect(Math.abs((content as { load: number }).load - loadavg()[0]!)).toBeLessThan(1);
    await expect(call(site, "linux_service_status", { service: "sshd" })).resolves.toMatchObject({
      content: { status: expect.any(String) },
    });
  });

  it("has a reading wherever its declaration says that one stands, and none that is no value", async () => {
    const site = await started();
    await collected(site);
    const known = new Set(site.resources().map(({ address }) => address));
    const takes: readonly [tool: string, args?: object][] = [
      ["linux_system_info"],
      ["linux_processes"],
      ["linux_service_status", { service: [...known][0] }],
      ["linux_disk_usage"],
      ["linux_network_info"],
      ["linux_disk_io"],
      ["linux_network_traffic"],
      ["linux_file_changes"],
    ];
    for (const [tool, args] of takes) {
      const { reads } = HOST_TOOLS[tool]!;
      const reply = await call(site, tool, args);
      const { problems, readings } = readingsOf(reply, { tool, reads, targetOf: () => "machine" });
      expect([tool, problems]).toEqual([tool, []]);
      expect(new Set(readings.map(({ signal }) => signal))).toEqual(new Set(Object.keys(reads)));
    }
  });

  it("refuses names, arguments and readings that are none before anything is read", async () => {
    const site = new HostSite(optionsOf(), { clock: systemClock, telemetry });
    made.push(site);
    const hostile = ["", "nginx; id", "$(id)", "-H", "../../etc/shadow", "a\nb", "x".repeat(1_000)];
    for (const service of hostile)
      await expect(call(site, "linux_service_status", { service })).rejects.toMatchObject({
        code: "MALFORMED",
      });
    for (const args of [{ lines: 1e9 }, { service: "-f" }, { lines: "5" }, { file: "/etc/shadow" }])
      await expect(call(site, "linux_recent_logs", args)).rejects.toMatchObject({ code: "MALFORMED" });
    await expect(call(site, "linux_disk_usage", { path: "/" })).rejects.toMatchObject({ code: "MALFORMED" });
    for (const tool of ["linux_reboot", "constructor", "__proto__"])
      await expect(call(site, tool)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(childrenOf(process.pid, MODULE)).toEqual([]);
  });

  it("tells what fails by its code: a reply that is too large", async () => {
    const site = new HostSite({ ...optionsOf(), replyBytesMax: 10 }, { clock: systemClock, telemetry });
    made.push(site);
    await site.start();
    await expect(call(site, "linux_processes")).rejects.toMatchObject({
      name: "SiteFailure",
      code: "TOO_LARGE",
    });
  });
});

describe("the process of the readings", () => {
  it("that hangs is ended with what it was asked, and the next call has another", async () => {
    const site = await started({ call_ms_max: patience(2_000) });
    await collected(site);
    const [pid] = childrenOf(process.pid, MODULE);
    process.kill(pid!, "SIGSTOP");
    await expect(call(site, "linux_disk_usage")).rejects.toMatchObject({ code: "TIMEOUT", retryable: true });
    await gone([pid!]);
    await expect(call(site, "linux_service_status", { service: "x" })).resolves.toBeDefined();
  });

  it("that dies takes its calls with it, and nothing else", async () => {
    const site = await started();
    await collected(site);
    const calls = Array.from({ length: 3 }, () => call(site, "linux_disk_io"));
    process.kill(childrenOf(process.pid, MODULE)[0]!, "SIGKILL");
    for (const { status, ...rest } of await Promise.allSettled(calls))
      expect([status, rest]).toMatchObject([
        "rejected",
        { reason: { code: "UNAVAILABLE", retryable: true } },
      ]);
    await expect(call(site, "linux_processes")).resolves.toBeDefined();
  });

  it("is not waited for by a caller who gave up, and takes so many calls and no more", async () => {
    const site = await started();
    await collected(site);
    const given = Array.from({ length: 40 }, () => new AbortController());
    const calls = given.map(({ signal }) => call(site, "linux_disk_io", {}, signal));
    const outcomes = Promise.allSettled(calls);
    for (const one of given) one.abort(new Error("gave up"));
    const reasons = (await outcomes).map((outcome) =>
      String((outcome as PromiseRejectedResult).reason.message),
    );
    expect(reasons.filter((reason) => reason === "gave up")).toHaveLength(16);
    expect(reasons.filter((reason) => /under way/.test(reason))).toHaveLength(24);
  });

  it("goes on where a caller's own time is over before that of the reading", async () => {
    const site = await started();
    const [pid] = childrenOf(process.pid, MODULE);
    const hurried = withDeadline(systemClock, "a turn", 20, new AbortController().signal, (signal) =>
      call(site, "linux_disk_io", {}, signal),
    );
    await expect(hurried).rejects.toThrow("a turn took longer");
    await expect(call(site, "linux_processes")).resolves.toBeDefined();
    expect(childrenOf(process.pid, MODULE)).toEqual([pid]);
  });

  it("ends with the site, after which nothing is read", async () => {
    const site = await started();
    const pids = childrenOf(process.pid, MODULE);
    await site.close();
    await gone(pids);
    expect(site.status().state).toBe("closed");
    await expect(call(site, "linux_disk_usage")).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(childrenOf(process.pid, MODULE)).toEqual([]);
    expect(telemetry.of("host_part_failed")).toEqual([]);
  });
});

describe("what changes rarely", () => {
  it("is there after the start, without users and settings unless they may be told", async () => {
    const [closed, open] = [await started(), await started({}, { tell_users: true, tell_config: true })];
    await Promise.all([collected(closed), collected(open, "users")]);
    const told = ["users", "groups", "administrators", "timezone", "mounts"];
    for (const key of told) {
      expect(closed.steadyState.text(100_000)).not.toMatch(new RegExp(`[:;] ${key}: `));
      expect(open.steadyState.text(100_000)).toMatch(new RegExp(`[:;] ${key}: `));
    }
    expect(closed.steadyState.text(100_000)).not.toMatch(/^(?:users|config)/m);
    expect(closed.steadyState.text(100_000)).toMatch(/^identity, as of [-\dT:.]+Z: hostname: ./);
    const kinds = new Set(closed.resources().map(({ kind }) => kind));
    expect([...kinds]).toEqual(expect.arrayContaining(["service", "package"]));
  });
});
