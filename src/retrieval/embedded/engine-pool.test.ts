/** The pool with real processes that are stopped and killed from outside; its deadlines run on a virtual clock. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { childrenOf, gone } from "../../../test/attack/support/processes.js";
import { defaultsOf } from "../../../test/support/default-options.js";
import { RecordedEvents } from "../../../test/support/events.js";
import { patience } from "../../../test/support/patience.js";
import { VirtualClock } from "../../../test/support/virtual-clock.js";
import { retrievalOptions } from "../options.js";
import { CALL_MS_MAX, EnginePool, SLOW_CALL_MS } from "./engine-pool.js";

const signal = new AbortController().signal;
const ATTEMPTS_MAX = 2;
const QUARANTINE_MS = 600_000;
const ended: (() => Promise<void>)[] = [];

/** Nothing was ingested: each network's revision is "none". */
function open(searchProcesses: number) {
  const directory = mkdtempSync(join(tmpdir(), "readback-pool-"));
  const clock = new VirtualClock();
  const telemetry = new RecordedEvents();
  const options = { ...defaultsOf(retrievalOptions), searchProcesses, searchQueueLengthMax: 3 };
  const pool = new EnginePool({ clock, telemetry, directory, options });
  ended.push(async () => {
    await clock.advance(0);
    await pool.close();
    rmSync(directory, { recursive: true });
  });
  const ask = (network: string, until = signal) => pool.call("revision", network, { network }, until);
  const deaths = () => telemetry.of("search_process_ended").length;
  return { pool, clock, ask, deaths };
}

const searching = () => childrenOf(process.pid, "search.child");

/** Processes that search, as soon as there are so many. */
async function searchers(count: number): Promise<number[]> {
  await vi.waitFor(() => expect(searching()).toHaveLength(count), { timeout: patience(20_000) });
  return searching();
}

function send(name: NodeJS.Signals, pids: readonly number[]): void {
  for (const pid of pids) process.kill(pid, name);
}

afterEach(async () => {
  send("SIGCONT", searching());
  for (const end of ended.splice(0)) await end();
});

describe("a process that hangs", () => {
  it("gives the networks behind it to another, and is ended at the deadline, its call made once more", async () => {
    const { clock, ask, deaths } = open(2);
    await ask("acme");
    const first = await searchers(1);
    send("SIGSTOP", first);
    const held = ask("acme");
    await clock.advance(SLOW_CALL_MS);
    await expect(ask("plant")).resolves.toBe("none");
    await clock.advance(CALL_MS_MAX);
    await expect(held).resolves.toBe("none");
    await gone(first);
    expect(deaths()).toBe(1);
  });

  it("lets those go who wait no longer, and refuses more than may wait", async () => {
    const { ask } = open(1);
    await ask("acme");
    send("SIGSTOP", await searchers(1));
    const leaving = new AbortController();
    const waiting = Array.from({ length: 4 }, () => ask("acme", leaving.signal));
    await expect(ask("acme")).rejects.toThrow("3 searches wait already");
    leaving.abort(new Error("enough"));
    for (const outcome of await Promise.allSettled(waiting))
      expect(outcome).toMatchObject({ status: "rejected", reason: { message: "enough" } });
  });
});

describe("a process that dies", () => {
  it("takes its call along twice at the most, and the network is kept apart for a while", async () => {
    const { clock, ask, deaths } = open(1);
    await ask("acme");
    const [home] = await searchers(1);
    send("SIGSTOP", [home!]);
    const doomed = ask("acme");
    send("SIGKILL", [home!]);
    await gone([home!]);
    const [apart] = await searchers(1);
    await expect(doomed).resolves.toBe("none");
    expect(deaths()).toBe(1);

    send("SIGSTOP", [apart!]);
    const again = ask("acme");
    await expect(ask("plant")).resolves.toBe("none");
    await searchers(2);
    send("SIGKILL", [apart!]);
    await clock.advance(1_000);
    await expect(again).resolves.toBe("none");
    await clock.advance(QUARANTINE_MS);
    await ask("acme");
    expect(deaths()).toBe(ATTEMPTS_MAX);
  });

  it("is started again at once the first time, then after a pause", async () => {
    const { clock, ask } = open(1);
    const outcome = ask("acme").catch((error: Error) => error.message);
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      const [running] = await searchers(1);
      send("SIGKILL", [running!]);
      await gone([running!]);
    }
    await expect(outcome).resolves.toContain("twice");
    const next = ask("acme");
    expect(searching()).toEqual([]);
    await clock.advance(30_000);
    await expect(next).resolves.toBe("none");
  });
});

it("closes while a process hangs", async () => {
  const { pool, clock, ask } = open(1);
  await ask("acme");
  const running = await searchers(1);
  send("SIGSTOP", running);
  const call = ask("acme");
  const closing = pool.close();
  await expect(call).rejects.toThrow("closed");
  await clock.advance(10_000);
  await closing;
  await gone(running);
});
