import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { StoreUnusable } from "./dead-letters.js";
import { type DeadLetters, MESSAGE_CHARS_MAX, openDeadLetters } from "./embedded-dead-letters.js";

let base: string;
let nowMs: number;
const clock = { now: () => nowMs };
const opened: DeadLetters[] = [];

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "readback-"));
  nowMs = 1_000;
});
afterEach(async () => {
  for (const letters of opened.splice(0)) await letters.close();
  rmSync(base, { recursive: true, force: true });
});

async function open(lettersMax?: number): Promise<DeadLetters> {
  const letters = await openDeadLetters(base, clock, lettersMax);
  opened.push(letters);
  return letters;
}

const letter = (path: string, message = "the file is empty") => ({
  path,
  source: "/docs",
  reason: "invalid",
  message,
});
const paths = async (letters: DeadLetters, network?: string) =>
  (await letters.list(network)).map(({ path }) => path);

describe("dead letters", () => {
  it("are kept with their reason, by network and path, until they are cleared", async () => {
    const letters = await open();
    await letters.record("plant", [letter("/docs/b.md"), letter("/docs/a.md")]);
    await letters.record("depot", [letter("/docs/a.md")]);
    const again = await open();
    expect(await again.list()).toEqual([
      { network: "depot", ...letter("/docs/a.md"), firstAtMs: 1_000, lastAtMs: 1_000, attempts: 1 },
      { network: "plant", ...letter("/docs/a.md"), firstAtMs: 1_000, lastAtMs: 1_000, attempts: 1 },
      { network: "plant", ...letter("/docs/b.md"), firstAtMs: 1_000, lastAtMs: 1_000, attempts: 1 },
    ]);
    await again.clear("plant", ["/docs/a.md", "/docs/nothing.md"]);
    expect(await paths(letters, "plant")).toEqual(["/docs/b.md"]);
    expect(await paths(letters, "depot")).toEqual(["/docs/a.md"]);
  });

  it("count attempts, with the last reason and the first time", async () => {
    const letters = await open();
    await letters.record("plant", [letter("/docs/a.md")]);
    nowMs = 5_000.7;
    await letters.record("plant", [{ ...letter("/docs/a.md", "permission denied"), reason: "unreadable" }]);
    expect(await letters.list("plant")).toMatchObject([
      { reason: "unreadable", message: "permission denied", firstAtMs: 1_000, lastAtMs: 5_000, attempts: 2 },
    ]);
  });

  it("are bounded: the oldest go, and are counted", async () => {
    const letters = await open(3);
    for (const path of ["/1", "/2", "/3"]) {
      await letters.record("plant", [letter(path)]);
      nowMs += 1;
    }
    await letters.record("plant", [letter("/1")]);
    nowMs += 1;
    await letters.record("depot", [letter("/other")]);
    expect([await paths(letters, "plant"), await letters.dropped()]).toEqual([["/1", "/2", "/3"], 0]);
    await letters.record("plant", [letter("/4"), letter("/5")]);
    expect(await paths(letters, "plant")).toEqual(["/1", "/4", "/5"]);
    expect(await Promise.all([undefined, "plant", "depot"].map((name) => letters.dropped(name)))).toEqual([
      2, 2, 0,
    ]);
  });

  it("hold any name, and messages within bounds", async () => {
    const letters = await open();
    const odd = "s3://b/Größe\n'; DROP TABLE letters; --\u{1F9BA}";
    await letters.record("né'two\"rk", [letter(odd, "x".repeat(5_000))]);
    const [kept] = await letters.list("né'two\"rk");
    expect([kept?.path, kept?.message.length]).toEqual([odd, MESSAGE_CHARS_MAX]);
  });

  it("do nothing with nothing", async () => {
    const letters = await open();
    await letters.record("plant", []);
    await letters.clear("plant", []);
    expect(await letters.list()).toEqual([]);
  });

  it("may be written by two processes at once", async () => {
    const [one, two] = [await open(), await open()];
    await Promise.all(
      Array.from({ length: 20 }, (_, i) => (i % 2 ? one : two).record("plant", [letter(`/${i}`)])),
    );
    expect((await one.list("plant")).length).toBe(20);
  });

  it("say which file is broken, and what to do", async () => {
    writeFileSync(join(base, "dead-letters.db"), "This is no database. ".repeat(100));
    const failed = openDeadLetters(base, clock);
    await expect(failed).rejects.toBeInstanceOf(StoreUnusable);
    await expect(failed).rejects.toThrow(/dead-letters\.db cannot be used: .*\. Check/);
  });

  it("say so when their folder cannot be made", async () => {
    writeFileSync(join(base, "file"), "");
    await expect(openDeadLetters(join(base, "file"), clock)).rejects.toBeInstanceOf(StoreUnusable);
    mkdirSync(join(base, "dead-letters.db"));
    await expect(openDeadLetters(base, clock)).rejects.toBeInstanceOf(StoreUnusable);
  });
});
