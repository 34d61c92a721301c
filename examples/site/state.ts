/**
 * What was done in the plant, in one file that is written whole or not at all: a new one is written beside it, brought
 * to the disk, and put in its place. One process may use a directory at a time.
 */
import {
  appendFileSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { THINGS } from "./plant.js";
import { type Change, type Course, change } from "./simulation.js";

/** Of each thing the newest, and as many idempotency keys. */
const CHANGES_MAX = 100;
const OPERATIONS_MAX = 1_000;
/** For how long all had been as it was at the beginning. */
const BEFORE_MS = 3 * 86_400_000;

const state = z.object({
  installed_ms: z.number(),
  /** By address; a thing to which nothing was done is not here. */
  changes: z.record(z.string(), z.array(change)),
  /** When an alarm was acknowledged, by its id. */
  acknowledged: z.record(z.string(), z.number()),
  /** What was asked with an idempotency key, and what was answered. */
  operations: z.record(z.string(), z.object({ request: z.string(), reply: z.json() })),
});

export type State = z.infer<typeof state>;

export class Store {
  readonly #file: string;
  #state: State;

  /** Throws where the directory cannot be used, or where its file is no state of a plant. */
  constructor(
    readonly directory: string,
    nowMs: number,
  ) {
    mkdirSync(directory, { recursive: true });
    this.#file = join(directory, "state.json");
    this.#state = existsSync(this.#file)
      ? state.parse(JSON.parse(readFileSync(this.#file, "utf8")))
      : { installed_ms: nowMs, changes: {}, acknowledged: {}, operations: {} };
    this.update(() => undefined);
  }

  get state(): State {
    return this.#state;
  }

  /** All that was done to a thing. */
  course({ address }: { readonly address: string }): Course {
    const mode = THINGS.find((thing) => thing.address === address)?.mode ?? "on";
    const beginning: Change = { at_ms: this.#state.installed_ms - BEFORE_MS, mode };
    return [beginning, ...(this.#state.changes[address] ?? [])];
  }

  /** Adds a line to the list of calls, each of which stands there, whatever it did. */
  note(call: string): void {
    appendFileSync(join(this.directory, "calls"), `${call}\n`);
  }

  /** Lets `change` at the state; what it did counts once it is on the disk. A failure changes nothing. */
  update(change: (state: State) => void): void {
    const next = structuredClone(this.#state);
    change(next);
    for (const list of Object.values(next.changes)) list.splice(0, list.length - CHANGES_MAX);
    const keys = Object.keys(next.operations);
    for (const key of keys.slice(0, Math.max(0, keys.length - OPERATIONS_MAX))) delete next.operations[key];
    write(this.#file, JSON.stringify(next));
    this.#state = next;
  }
}

function write(file: string, text: string): void {
  const beside = `${file}.new`;
  const descriptor = openSync(beside, "w");
  try {
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(beside, file);
}
