/** The thread of one target: explores it, and leaves behind what it is at, for when it does not come back. */
import { parentPort, workerData } from "node:worker_threads";
import { systemClock } from "../../src/lib/clock.js";
import { seededRandom } from "../../src/lib/random.js";
import { readCorpus, writeCorpus } from "./corpus.js";
import { Coverage } from "./coverage.js";
import { explore, type Finding } from "./explore.js";
import { targetNamed } from "./targets.js";

export interface FuzzWork {
  /** Of the repository. */
  readonly root: string;
  readonly target: string;
  readonly seed: number;
  readonly forMs: number;
  /** The input that runs: its length in units, then the units. */
  readonly current: SharedArrayBuffer;
}

export type FuzzMessage =
  | { readonly type: "finding"; readonly finding: Finding }
  | { readonly type: "done"; readonly runs: number; readonly before: number; readonly kept: number };

const { root, target: name, seed, forMs, current } = workerData as FuzzWork;
const length = new Int32Array(current, 0, 1);
const units = new Uint16Array(current, 4);
const send = (message: FuzzMessage) => parentPort!.postMessage(message);

const target = await targetNamed(name);
const ours = /^file:.*\/dist\/(?!test\/)/;
const coverage = new Coverage((url) => ours.test(url));
const stored = readCorpus(root, name);
const { runs, kept } = await explore(target, [...stored, ...target.seeds], systemClock.monotonic() + forMs, {
  clock: systemClock,
  random: seededRandom(seed),
  coverage,
  onInput(input) {
    for (let i = 0; i < input.length; i++) units[i] = input.charCodeAt(i);
    Atomics.store(length, 0, input.length);
  },
  onFinding: (finding) => send({ type: "finding", finding }),
});
coverage.close();
writeCorpus(root, name, kept);
send({ type: "done", runs, before: stored.length, kept: kept.length });
