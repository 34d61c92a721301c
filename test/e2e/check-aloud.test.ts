/**
 * What is it right now, asked and answered aloud without any provider: our own voice asks in the packets of a phone, the
 * local recogniser reads them, and what is said agrees with what this machine, or a public server, tells others.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, readdirSync, readFileSync, statfsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { systemClock } from "../../src/lib/clock.js";
import { closeSites, opened } from "../support/mcp/sites.js";
import { patience } from "../support/patience.js";
import { spokenPackets } from "../support/spoken.js";
import { packetsOf, type TestUser } from "./relay.js";
import { temporaryDirectory, World } from "./world.js";

// A recogniser of its own process for each question, and answers at the pace of speech.
vi.setConfig({ testTimeout: patience(120_000) });
afterEach(closeSites);

/** Nobody is asked but this machine. */
const OFFLINE = { "llm.base_url": undefined, "llm.api_key": undefined, "transcription.provider": "local" };

async function begin(site: object): Promise<TestUser> {
  const world = await World.start({ clock: systemClock, config: { ...OFFLINE, sites: [site] } });
  onTestFinished(() => expect(world.server.requests).toEqual([]));
  return (await world.relay()).user("acme", "ann");
}

let count = 0;

/** Says it; gives what was understood, and the words of the spoken answer. */
async function asked(user: TestUser, question: string): Promise<{ heard: string; said: string }> {
  count += 1;
  const id = `v-${count}`;
  const before = packetsOf(user.frames).length;
  user.say(count, await spokenPackets(question, "rms"), { request_id: id });
  const answer = await user.answered(id);
  const heard = user.frames.findLast(({ json }) => json?.role === "question")?.json;
  expect(answer.command).toBe("transcription");
  const end = user.frames.findLast(({ json }) => json?.command === "end_message")?.json;
  expect(end?.duration_ms).toBe((packetsOf(user.frames).length - before) * 60);
  return { heard: String(heard?.text), said: String(answer.text).trim() };
}

describe("this machine", () => {
  /** As an operator writes services whose names are no words of English, with what people say for them. */
  const service = (address: string, ...names: readonly string[]) => ({ address, kind: "service", names });
  const site = {
    name: "host",
    networks: ["acme"],
    server: { type: "host" },
    resources: [service("redis", "redis"), service("sshd", "secure shell", "sshd")],
  };

  /** What the process table says. */
  function runs(...names: readonly string[]): boolean {
    return readdirSync("/proc").some((pid) => /^\d+$/.test(pid) && names.includes(commandOf(pid)));
  }

  function commandOf(pid: string): string {
    try {
      return readFileSync(`/proc/${pid}/comm`, "utf8").trim();
    } catch {
      return ""; // It has ended meanwhile.
    }
  }

  /** What is said of a service, by what the process table has of it. */
  function stateSaid(name: string, isRunning: boolean): RegExp {
    return isRunning
      ? new RegExp(`^Yes\\. ${name} is running\\. Checked just now\\.$`)
      : new RegExp(`^(?:No\\. )?${name} is (?:stopped|in a state that I don't know)\\. Checked just now\\.$`);
  }

  test("tells its load, as /proc has it", async () => {
    const load = () => Number(readFileSync("/proc/loadavg", "utf8").split(" ")[0]);
    const ann = await begin(site);
    const before = load();
    const { heard, said } = await asked(ann, "what is the load");
    const after = load();
    expect(said, heard).toMatch(/^Load: [\d.]+\. Checked just now\.$/);
    const value = Number(/^Load: ([\d.]+)\./.exec(said)?.[1]);
    expect(value).toBeGreaterThanOrEqual(Math.min(before, after) * 0.8);
    expect(value).toBeLessThanOrEqual(Math.max(before, after) * 1.2);
  });

  test("tells how full its disk is, as the file system has it", async () => {
    const ann = await begin(site);
    const { heard, said } = await asked(ann, "what is using the disk");
    const { bavail, bfree, blocks } = statfsSync("/");
    const used = ((blocks - bfree) / (blocks - bfree + bavail)) * 100;
    expect(said, heard).toMatch(/^Disk: [\d.]+ %\..*Checked just now\.$/);
    expect(Math.abs(Number(/[\d.]+/.exec(said)?.[0]) - used)).toBeLessThan(2);
  });

  test("tells whether redis runs: before it was started, then, and after it was stopped", async () => {
    const ann = await begin(site);
    const isSaid = async () => {
      const { heard, said } = await asked(ann, "is redis running");
      expect(said, heard).toMatch(stateSaid("Redis", runs("redis", "redis-server")));
    };
    await isSaid();
    const program = join(temporaryDirectory(), "redis-server");
    copyFileSync("/bin/sleep", program);
    const child = spawn(program, ["600"], { stdio: "ignore" });
    onTestFinished(() => void child.kill("SIGKILL"));
    await once(child, "spawn");
    expect(runs("redis-server")).toBe(true);
    await isSaid();
    child.kill("SIGKILL");
    await once(child, "exit");
    await isSaid();
  });

  test("tells whether sshd runs, by a name that can be heard, and nothing of it by one that cannot", async () => {
    const ann = await begin(site);
    const named = await asked(ann, "is the secure shell running");
    expect(named.said, named.heard).toMatch(stateSaid("Secure shell", runs("sshd")));
    // The letters are heard as any words.
    const spelt = await asked(ann, "is sshd running");
    expect(spelt.said, spelt.heard).not.toMatch(/shell is|Checked just now/);
  });
});

test("a public server that nobody here wrote is asked", async () => {
  const path = createRequire(import.meta.url).resolve(
    "@modelcontextprotocol/server-everything/dist/index.js",
  );
  const server = { type: "mcp", command: [process.execPath, path, "stdio"] } as const;
  const { site } = await opened({ name: "weather", server });
  const tool = "get-structured-content";
  const schema = site.status().tools.find(({ name }) => name === tool)?.schema;
  const reads = {
    temperature: { value: "/temperature", unit: "°C" },
    humidity: { value: "/humidity", unit: "%" },
  };
  const city = (address: string) => ({ address, kind: "city", names: [address] });
  const ann = await begin({
    name: "weather",
    networks: ["acme"],
    server,
    tools: { [tool]: { effect: "read", target: "location", reads, schema } },
    resources: [city("New York"), city("Chicago"), city("Los Angeles")],
  });
  const warm = await asked(ann, "what is the temperature in New York");
  expect(warm.said, warm.heard).toBe("New York, temperature: 33 °C. Checked just now.");
  const damp = await asked(ann, "what is the humidity in Chicago");
  expect(damp.said, damp.heard).toBe("Chicago, humidity: 82 %. Checked just now.");
});
