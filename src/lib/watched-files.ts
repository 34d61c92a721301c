/**
 * Files that are looked at again while the service runs, so that keys, tokens and certificates are rotated without a
 * restart. A change that cannot be used changes nothing: what was read before stays in force, and the operator is told
 * until the files can be used again.
 */
import { stat } from "node:fs/promises";
import { type Clock, every, type Timer } from "./clock.js";

/** How often files are looked at. They are polled, since secrets are often mounted as links, which are replaced as a whole. */
export const FILES_CHECK_MS = 2_000;

/** Files that are read together. */
export interface WatchedGroup {
  /** The setting that names them, for logs and `/readyz`. */
  readonly name: string;
  readonly paths: readonly string[];
  /** Reads them again. Throws or rejects, with a message for the operator, when they cannot be used. */
  reload(): Promise<void> | void;
  /** What is wrong with what is in force, such as that its time is over. */
  problem?(): string | undefined;
}

interface Watched {
  readonly group: WatchedGroup;
  /** Of the files as they were read last; empty before the first look, which reads them in any case. */
  mark: string;
  unusable: string | undefined;
  told: string | undefined;
}

export class WatchedFiles {
  readonly #watched: Watched[] = [];
  readonly #timer: Timer;
  #isLooking = false;

  /** `tell` is told once of each problem, and with none when changed files were read. */
  constructor(
    clock: Clock,
    private readonly tell: (name: string, problem: string | undefined) => void,
  ) {
    this.#timer = every(clock, FILES_CHECK_MS, () => void this.#lookAtAll());
  }

  /** Whoever adds files has read them before. */
  add(group: WatchedGroup): void {
    this.#watched.push({ group, mark: "", unusable: undefined, told: undefined });
  }

  /** Names of what is in force although its files cannot be used, or although its time is over. */
  get troubled(): readonly string[] {
    return this.#watched.filter(({ told }) => told !== undefined).map(({ group }) => group.name);
  }

  stop(): void {
    this.#timer.cancel();
  }

  async #lookAtAll(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    for (const watched of this.#watched) await this.#lookAt(watched);
    this.#isLooking = false;
  }

  async #lookAt(watched: Watched): Promise<void> {
    const { group, mark: before, told } = watched;
    watched.mark = (await Promise.all(group.paths.map(markOf))).join();
    const hasChanged = watched.mark !== before;
    if (hasChanged) watched.unusable = await problemOf(group);
    watched.told = watched.unusable ?? group.problem?.();
    if (watched.told !== told || (hasChanged && before !== "")) this.tell(group.name, watched.told);
  }
}

/** Reads the files again; what is wrong with them. */
async function problemOf(group: WatchedGroup): Promise<string | undefined> {
  try {
    await group.reload();
    return undefined;
  } catch (error) {
    return `${(error as Error).message} What was read before stays in force.`;
  }
}

/** Tells one state of a file from another; the error's code where it cannot be looked at. */
async function markOf(path: string): Promise<string> {
  try {
    const { ino, mtimeMs, size } = await stat(path);
    return `${ino} ${mtimeMs} ${size}`;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? "unknown";
  }
}
