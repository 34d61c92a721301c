/**
 * Reads files in processes of their own, several at a time. A file that never ends, eats all memory or crashes its
 * reader is reported by name; the others are read, by the same processes or by new ones. Where no process can read even
 * a line of text, that is told once, and not of every file.
 */
import type { Clock } from "../lib/clock.js";
import { workerUrl } from "../lib/worker.js";
import { contentHashOf } from "./document.js";
import type { IngestOptions } from "./options.js";
import { type DocumentReader, ReadersUnusable, type ReadJob, type ReadResult } from "./reader.js";
import { ReaderProcess, type ReaderProcessOptions } from "./reader-process.js";

export type ReadPoolOptions = ReaderProcessOptions & Pick<IngestOptions, "readConcurrency">;

/** Files, with their bytes, that may wait for a process. */
export const FILES_WAITING_MAX = 64;

/** After so many files in a row that ended their process, or got none, it is found out whether one can be read at all. */
export const DEATHS_IN_A_ROW_MAX = 16;

/** What every reader can read that reads anything. */
const PROBE: ReadJob = {
  path: "probe.txt",
  name: "probe.txt",
  bytes: new TextEncoder().encode("Can this be read?"),
  described: undefined,
};

/** A place for a process; it may have none at the moment. */
type Slot = ReaderProcess | undefined;

export class ReadPool implements DocumentReader {
  /** Slots in which nothing is read, those with a process last. */
  readonly #free: Slot[];
  readonly #busy = new Set<ReaderProcess>();
  readonly #waiting: ((slot: Slot | "closed") => void)[] = [];
  #closed = false;
  /** Files since the last one whose process outlived it. */
  #deaths = 0;

  /** `childUrl` is the compiled module of the processes, for tests; it calls `serveReader`. */
  constructor(
    private readonly options: ReadPoolOptions,
    private readonly clock: Clock,
    private readonly childUrl: URL = workerUrl(import.meta.url, "./reader.child.js"),
  ) {
    this.#free = Array.from({ length: options.readConcurrency }, () => undefined);
  }

  contentHash(job: ReadJob): string {
    return contentHashOf(job, this.options);
  }

  async read(job: ReadJob, signal: AbortSignal): Promise<ReadResult> {
    signal.throwIfAborted();
    if (this.#waiting.length >= FILES_WAITING_MAX)
      return unavailable("too many files wait to be read; try again later");
    const slot = await this.#slot(signal);
    if (slot === "closed") return unavailable("reading has ended; try again");
    const place = { slot };
    try {
      const result = await this.#readIn(place, job, signal);
      if (!this.#isSuspicious(result)) return result;
      const probed = await this.#readIn(place, PROBE, signal);
      if (this.#closed || deathIn(probed) === undefined) return result;
      throw unusable(deathIn(probed)!);
    } finally {
      this.#release(place.slot);
    }
  }

  /** Ends all processes, whatever they do; files that are being read or wait become problems. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const take of this.#waiting.splice(0)) take("closed");
    const processes = [...this.#busy, ...this.#free.splice(0).filter((slot) => slot !== undefined)];
    await Promise.all(processes.map((process) => process.close()));
  }

  /** Reads in the process of this place, or in a new one; leaves there what can be used again. */
  async #readIn(place: { slot: Slot }, job: ReadJob, signal: AbortSignal): Promise<ReadResult> {
    const process = place.slot ?? this.#start();
    place.slot = undefined;
    if (!(process instanceof ReaderProcess)) return process;
    this.#busy.add(process);
    try {
      return await process.read(job, signal);
    } finally {
      this.#busy.delete(process);
      if (process.usable) place.slot = process;
    }
  }

  /** Whether it may be the readers that are bad, and not the files: so many in a row have ended their process. */
  #isSuspicious(result: ReadResult): boolean {
    if (this.#closed) return false;
    if (deathIn(result) !== undefined) this.#deaths += 1;
    else if (outlived(result)) this.#deaths = 0;
    if (this.#deaths < DEATHS_IN_A_ROW_MAX) return false;
    this.#deaths = 0;
    return true;
  }

  #start(): ReaderProcess | ReadResult {
    try {
      return new ReaderProcess(this.childUrl, this.options, this.clock);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return unavailable(`no process to read the file could be started: ${reason}; try again later`);
    }
  }

  /** Waits for a free slot. Rejects with the signal's reason. */
  #slot(signal: AbortSignal): Promise<Slot | "closed"> {
    if (this.#closed) return Promise.resolve("closed");
    if (this.#free.length > 0) return Promise.resolve(this.#takeFree());
    return new Promise((resolve, reject) => {
      const take = (slot: Slot | "closed") => {
        signal.removeEventListener("abort", onAbort);
        resolve(slot);
      };
      const onAbort = () => {
        this.#waiting.splice(this.#waiting.indexOf(take), 1);
        reject(signal.reason);
      };
      signal.addEventListener("abort", onAbort, { once: true });
      this.#waiting.push(take);
    });
  }

  /** A process that was idle may have died meanwhile. */
  #takeFree(): Slot {
    const slot = this.#free.pop();
    return slot?.usable ? slot : undefined;
  }

  #release(slot: Slot): void {
    const next = this.#waiting.shift();
    if (next !== undefined) next(slot);
    else if (this.#closed) void slot?.close();
    else if (slot === undefined) this.#free.unshift(slot);
    else this.#free.push(slot);
  }
}

/** Why there is no process any more that read a file; `undefined` where it lives, or was ended by us. */
function deathIn(result: ReadResult): string | undefined {
  const isDeath = result.type === "problem" && (result.kind === "crashed" || result.kind === "unavailable");
  return isDeath ? result.message : undefined;
}

/** Whether the process came to an end with the file and still lived. */
function outlived(result: ReadResult): boolean {
  return result.type === "document" || result.kind === "invalid";
}

function unusable(reason: string): ReadersUnusable {
  const found = `no process lived through any of the last ${DEATHS_IN_A_ROW_MAX} files, nor through a line of text (${reason})`;
  const remedy =
    "see whether the service is built completely, and whether reader_memory_bytes_max and the machine's limits leave " +
    "room for a process";
  return new ReadersUnusable(`no file can be read: ${found}; ${remedy}`);
}

function unavailable(message: string): ReadResult {
  return { type: "problem", kind: "unavailable", message };
}
