/**
 * Fuzzing, steered by coverage: `npm run fuzz -- --minutes 10`. Every target gets an equal share of the time. What is
 * found is written to test/fuzz/findings/, and makes the exit code 1; `--replay <file>` runs one finding again.
 * `--runs 10000 --target floor --target outbox` makes so many runs of tests that draw sequences, however long they take.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { every, systemClock } from "../../src/lib/clock.js";
import { systemRandom } from "../../src/lib/random.js";
import type { Finding } from "./explore.js";
import type { FuzzMessage, FuzzWork } from "./fuzz.worker.js";
import { fuzzSequences, SEQUENCES } from "./sequences.js";
import { TARGET_NAMES, targetNamed } from "./targets.js";

const MS_PER_MINUTE = 60_000;

/** One input that takes so long is one that hangs. */
const HANG_MS = 20_000;
const LOOK_MS = 1_000;

/** Of the longest input of any target. */
const INPUT_UNITS_MAX = 65_536;

const SEEDS = 2 ** 31;

const root = process.cwd();
const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    runs: { type: "string" },
    seed: { type: "string" },
    target: { type: "string", multiple: true },
    replay: { type: "string" },
  },
});
process.exitCode = values.replay === undefined ? await fuzz() : await replay(values.replay);

async function fuzz(): Promise<number> {
  const seed = Number(values.seed ?? Math.floor(systemRandom.fraction() * SEEDS));
  const { runs } = values;
  const names = values.target ?? [...(runs === undefined ? TARGET_NAMES : []), ...SEQUENCES.keys()];
  const forMs = (Number(values.minutes) * MS_PER_MINUTE) / names.length;
  const share = runs === undefined ? `${Math.round(forMs / 1000)} s` : `${runs} runs`;
  console.log(`seed ${seed}, ${names.length} targets, ${share} each`);
  let found = 0;
  for (const name of names) {
    const file = SEQUENCES.get(name);
    found +=
      file === undefined
        ? await fuzzTarget(name, seed, forMs)
        : await fuzzSequences({ name, file, root, seed, forMs, runs });
  }
  console.log(found === 0 ? "Nothing was found." : `${found} findings, in test/fuzz/findings/.`);
  return found === 0 ? 0 : 1;
}

/** Explores one target in a thread of its own. Returns how many things were found. */
function fuzzTarget(target: string, seed: number, forMs: number): Promise<number> {
  const current = new SharedArrayBuffer(4 + INPUT_UNITS_MAX * 2);
  const workerData: FuzzWork = { root, target, seed, forMs, current };
  const worker = new Worker(new URL("./fuzz.worker.js", import.meta.url), { workerData });
  let found = 0;
  const tell = (finding: Finding) => {
    found += 1;
    console.log(
      `${target}: ${finding.kind}: ${finding.message.split("\n")[0]} → ${save(target, seed, finding)}`,
    );
  };
  return new Promise((resolve, reject) => {
    let last = "";
    let sinceMs = systemClock.monotonic();
    const watch = every(systemClock, LOOK_MS, () => {
      const input = inputIn(current);
      const nowMs = systemClock.monotonic();
      if (input !== last) [last, sinceMs] = [input, nowMs];
      if (nowMs - sinceMs < HANG_MS) return;
      tell({ kind: "hangs", input, message: `no end after ${HANG_MS} ms` });
      void worker.terminate();
    });
    worker.on("message", (message: FuzzMessage) => {
      if (message.type === "finding") return tell(message.finding);
      const { runs, before, kept } = message;
      console.log(`${target}: ${runs} runs, corpus ${before} → ${kept}`);
    });
    worker.once("error", reject);
    worker.once("exit", () => {
      watch.cancel();
      resolve(found);
    });
  });
}

function inputIn(current: SharedArrayBuffer): string {
  const length = Atomics.load(new Int32Array(current, 0, 1), 0);
  return String.fromCharCode(...new Uint16Array(current, 4, length));
}

/** Returns the file's path. */
function save(target: string, seed: number, finding: Finding): string {
  const directory = join(root, "test/fuzz/findings");
  mkdirSync(directory, { recursive: true });
  const id = createHash("sha256").update(finding.input).digest("hex").slice(0, 12);
  const file = join("test/fuzz/findings", `${target}-${id}.json`);
  const replay = `npm run fuzz -- --replay ${file}`;
  writeFileSync(join(root, file), `${JSON.stringify({ target, seed, replay, ...finding }, null, 2)}\n`);
  return file;
}

async function replay(file: string): Promise<number> {
  const { target, input } = JSON.parse(readFileSync(file, "utf8")) as { target: string; input: string };
  const startMs = systemClock.monotonic();
  try {
    await (await targetNamed(target)).check(input);
  } catch (error) {
    console.log(error);
    return 1;
  }
  const ms = Math.round(systemClock.monotonic() - startMs);
  console.log(`${target}: nothing is wrong with it; ${ms} ms for ${input.length} characters`);
  return 0;
}
