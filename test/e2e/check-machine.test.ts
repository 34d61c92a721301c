/** What this machine says of itself agrees with what it says to others: its load, its disk, a process that comes and goes. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, readFileSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../src/lib/clock.js";
import type { TestUser } from "./relay.js";
import { temporaryDirectory, World } from "./world.js";

async function begin() {
  const sites = [{ name: "host", networks: ["acme"], server: { type: "host" } }];
  const config = { "llm.provider": "offline", sites };
  const world = await World.start({ clock: systemClock, config });
  return (await world.relay()).user("acme", "ann");
}

let count = 0;

async function told(user: TestUser, text: string, more: object = {}): Promise<string> {
  count += 1;
  const id = `m-${count}`;
  user.ask(text, { request_id: id, ...more });
  return String((await user.answered(id)).text).trim();
}

const load = () => Number(readFileSync("/proc/loadavg", "utf8").split(" ")[0]);

test("its load is that of /proc, with its age", async () => {
  const ann = await begin();
  const before = load();
  const said = await told(ann, "what is the load");
  const after = load();
  const [, value] = /^Load: ([\d.]+)\. Checked just now\.$/.exec(said) ?? [];
  expect(Number(value)).toBeGreaterThanOrEqual(Math.min(before, after) * 0.8);
  expect(Number(value)).toBeLessThanOrEqual(Math.max(before, after) * 1.2);
});

test("how long it has been up is said, and no list of things", async () => {
  const ann = await begin();
  for (const question of [
    "how long has the machine been up",
    "how long has this server been running",
    "is the machine up",
  ])
    expect(await told(ann, question)).toMatch(/^Uptime: \d+ \w+\. Checked just now\.$/);
  expect(await told(ann, "wie lange läuft der Rechner schon", { language: "de" })).toMatch(
    /^Laufzeit: \d+ \w+\./,
  );
});

test("its disk is as full as the file system says", async () => {
  const ann = await begin();
  const said = await told(ann, "what is using the disk");
  const { bavail, bfree, blocks } = statfsSync("/");
  const used = ((blocks - bfree) / (blocks - bfree + bavail)) * 100;
  const [, value] = /^Disk: ([\d.]+) %\./.exec(said) ?? [];
  expect(Math.abs(Number(value) - used)).toBeLessThan(2);
  expect(said).toContain("Checked just now.");
});

test("a process runs as long as it does, and nobody knows it before and after", async () => {
  const ann = await begin();
  const program = join(temporaryDirectory(), "redis-readback");
  copyFileSync("/bin/sleep", program);
  const unknown = "I can't see anything here that is called redis-readback.";
  expect(await told(ann, "is redis-readback running")).toBe(unknown);
  const child = spawn(program, ["600"], { stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child, "spawn");
  expect(await told(ann, "is redis-readback running")).toBe(
    "Yes. Redis-readback is running. Checked just now.",
  );
  expect(await told(ann, "repeat")).toContain("Redis-readback is running.");
  const kiosk = { f: "kiosk" };
  expect(await told(ann, "is redis-readback running", kiosk)).toBe(unknown);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(await told(ann, "is redis-readback running")).toBe(unknown);
});
