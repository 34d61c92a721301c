import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import { FILES_CHECK_MS, WatchedFiles } from "./watched-files.js";

let folder: string;
let clock: VirtualClock;
let watched: WatchedFiles;
const told: [name: string, problem: string | undefined][] = [];
let looked: () => void = () => {};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "readback-watched-"));
  clock = new VirtualClock();
  told.length = 0;
  watched = new WatchedFiles(clock, (...one) => told.push(one));
});
afterEach(() => {
  watched.stop();
  rmSync(folder, { recursive: true });
});

/** Advances to the next look, and waits until it is over: the last group says so. */
async function look(): Promise<void> {
  const over = new Promise<void>((resolve) => {
    looked = resolve;
  });
  await clock.advance(FILES_CHECK_MS);
  await over;
}

/** A watched file, and what was read of it. */
function watch(name: string, text: string, problem?: () => string | undefined) {
  const path = join(folder, name);
  const read: string[] = [];
  const write = (next: string) => writeFileSync(path, next);
  write(text);
  const fault: { error?: Error } = {};
  watched.add({
    name,
    paths: [path],
    reload: async () => {
      if (fault.error !== undefined) throw fault.error;
      read.push("read");
    },
    ...(problem && { problem }),
  });
  return { path, write, read, fault };
}

/** Added last: after its problem was asked for, the look is over. */
function watchTheEnd(): void {
  watched.add({ name: "end", paths: [], reload: () => {}, problem: () => void looked() });
}

it("reads a file once it has changed, and the first time in any case, of which it says nothing", async () => {
  const file = watch("keys", "one");
  watchTheEnd();
  await look();
  await look();
  expect([file.read.length, told]).toEqual([1, []]);
  file.write("another");
  await look();
  expect([file.read.length, told]).toEqual([2, [["keys", undefined]]]);
});

it("tells once of a file that is gone or cannot be used, until it can be again", async () => {
  const file = watch("keys", "one");
  watchTheEnd();
  await look();
  file.fault.error = new Error("It is gone.");
  rmSync(file.path);
  await look();
  await look();
  expect(told).toEqual([["keys", "It is gone. What was read before stays in force."]]);
  expect(watched.troubled).toEqual(["keys"]);
  delete file.fault.error;
  file.write("two");
  await look();
  expect(told.slice(1)).toEqual([["keys", undefined]]);
  expect(watched.troubled).toEqual([]);
});

it("tells of what is in force and out of time, though no file has changed", async () => {
  let problem: string | undefined;
  watch("certificate", "one", () => problem);
  watchTheEnd();
  await look();
  problem = "it has ended";
  await look();
  await look();
  expect(told).toEqual([["certificate", "it has ended"]]);
  expect(watched.troubled).toEqual(["certificate"]);
});
