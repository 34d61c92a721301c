/**
 * A reading process for the tests of `ReadPool` that does what the file's name says, well or badly. Its answers carry
 * what it knows of itself as warnings.
 */
import { writeFileSync } from "node:fs";
import type { ToReader } from "../../src/ingest/reader.child.js";
import type { ReadResult } from "../../src/ingest/reader.js";
import { readInChild, serveReader } from "../../src/ingest/reader-child.js";

const ACTIONS: Readonly<Record<string, (message: ToReader) => Promise<ReadResult> | ReadResult>> = {
  "endless.txt": ({ job }) => {
    say(job.path);
    for (;;);
  },
  "never.txt": ({ job }) => {
    say(job.path);
    return new Promise<never>(() => {});
  },
  "hog.txt": () => {
    const kept: Uint8Array[] = [];
    for (;;) kept.push(new Uint8Array(1_048_576).fill(1));
  },
  "heap.txt": () => {
    const kept: string[][] = [];
    for (;;) kept.push(Array.from({ length: 10_000 }, (_, index) => `${kept.length} ${index}`));
  },
  "keeps.txt": (message) => {
    hoard.push(new Uint8Array(100 * 1_048_576).fill(1));
    return about(message);
  },
  "killed.txt": () => {
    process.kill(process.pid, "SIGKILL");
    return new Promise<never>(() => {});
  },
  "exits.txt": () => process.exit(7),
  "throws-later.txt": () => {
    setImmediate(() => {
      throw new Error("later");
    });
    return new Promise<never>(() => {});
  },
  "environment.txt": (message) => about(message, Object.keys(process.env)),
};

const hoard: Uint8Array[] = [];

/** Tells the test, which knows only files, that it has begun, and who it is. */
function say(path: string): void {
  writeFileSync(path, String(process.pid));
}

async function about(message: ToReader, warnings: readonly string[] = []): Promise<ReadResult> {
  const result = await readInChild(message.job, message.options);
  return result.type === "document"
    ? { ...result, warnings: [...result.warnings, `pid ${process.pid}`, ...warnings] }
    : result;
}

serveReader<ToReader>(async (message) => (ACTIONS[message.job.name] ?? about)(message));
