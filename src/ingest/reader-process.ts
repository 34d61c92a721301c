/**
 * One reading process, seen from its parent: reads one file at a time, and is ended when a file takes too much time or
 * memory. It has no environment, so that a flaw in a reader finds no secret there.
 */
import { type ChildProcess, fork } from "node:child_process";
import { readFile } from "node:fs/promises";
import { Socket } from "node:net";
import { type Clock, every, type Timer } from "../lib/clock.js";
import type { DocumentOptions } from "./document.js";
import type { IngestOptions } from "./options.js";
import type { ToReader } from "./reader.child.js";
import type { ReadJob, ReadProblemKind, ReadResult } from "./reader.js";
import type { FromReader } from "./reader-child.js";

export type ReaderProcessOptions = DocumentOptions &
  Pick<IngestOptions, "fileTimeoutMs" | "readerMemoryBytesMax">;

/** Time for a process to start, and for one that was killed to be gone. */
const START_MS_MAX = 30_000;
const END_MS_MAX = 5_000;

/** Between two looks at a process's memory. */
const MEMORY_LOOK_MS = 50;

/** The share of the memory that JavaScript's own heap may take; the rest is for buffers and the program. */
const HEAP_SHARE = 0.75;

/** A process is replaced after so many files, or when this share of the memory stays with it: readers may leak. */
export const FILES_PER_PROCESS = 5_000;
const KEPT_SHARE_MAX = 0.5;

/** What is kept of a process's error output, to tell why it died. */
const STDERR_CHARS_MAX = 16_384;

interface Call {
  readonly job: ReadJob;
  readonly resolve: (result: ReadResult) => void;
  readonly reject: (reason: unknown) => void;
}

type State =
  | { readonly type: "starting"; readonly call?: Call; readonly timers: readonly Timer[] }
  | { readonly type: "idle" }
  | { readonly type: "reading"; readonly call: Call; readonly timers: readonly Timer[] }
  /** Killed; `tell` is for whoever waits for its last answer, once it is gone. */
  | { readonly type: "ending"; readonly tell: () => void; readonly timers: readonly Timer[] }
  | { readonly type: "gone" };

export class ReaderProcess {
  readonly #child: ChildProcess;
  /** Resolves when it is gone. */
  readonly #ended: Promise<void>;
  #onEnded: () => void = () => {};
  #state: State;
  #stderr = "";
  #filesRead = 0;

  /** `url` is the compiled module of the process; it calls `serveReader`. */
  constructor(
    url: URL,
    private readonly options: ReaderProcessOptions,
    private readonly clock: Clock,
  ) {
    const heapMiB = Math.floor((options.readerMemoryBytesMax * HEAP_SHARE) / 1_048_576);
    this.#child = fork(url, {
      execArgv: [`--max-old-space-size=${heapMiB}`],
      env: {},
      serialization: "advanced",
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    const late = clock.after(START_MS_MAX, () =>
      this.#end((call) => call?.resolve(cannotStart("it does not answer"))),
    );
    this.#state = { type: "starting", timers: [late] };
    this.#ended = new Promise((resolve) => {
      this.#onEnded = resolve;
    });
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_CHARS_MAX);
    });
    this.#child.on("message", (message: FromReader) => this.#receive(message));
    this.#child.on("error", (error) => {
      if (this.#child.pid === undefined) this.#gone(error.message);
    });
    // Not "exit": what it wrote last may still be on its way.
    this.#child.once("close", (code, signal) => this.#gone(signal ?? `exit code ${code}`));
  }

  /** Whether it can take another file. */
  get usable(): boolean {
    return this.#state.type === "idle";
  }

  /**
   * Reads a file; one call at a time. Rejects with the signal's reason, and only with that. Afterwards the process is
   * `usable`, or gone.
   */
  read(job: ReadJob, signal: AbortSignal): Promise<ReadResult> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const onAbort = () => this.#end((call) => call?.reject(signal.reason));
      const settled = () => signal.removeEventListener("abort", onAbort);
      const call: Call = {
        job,
        resolve: (result) => {
          settled();
          resolve(result);
        },
        reject: (reason) => {
          settled();
          reject(reason);
        },
      };
      signal.addEventListener("abort", onAbort, { once: true });
      const state = this.#state;
      if (state.type === "starting") this.#state = { ...state, call };
      else if (state.type === "idle") this.#begin(call);
      else call.resolve(cannotStart("it has ended"));
    });
  }

  /** Ends it, whatever it does, and waits until it is gone, within bounds. */
  async close(): Promise<void> {
    this.#end((call) => call?.resolve(cannotStart("it was closed")));
    await this.#ended;
  }

  #begin(call: Call): void {
    const { fileTimeoutMs } = this.options;
    const late = this.clock.after(fileTimeoutMs, () =>
      this.#end((ended) => ended?.resolve(tooMuchTime(fileTimeoutMs))),
    );
    const look = every(this.clock, MEMORY_LOOK_MS, () => void this.#lookAtMemory(call));
    this.#state = { type: "reading", call, timers: [late, look] };
    this.#holdParent(true);
    const { defaultVisibility, chunkTokensTarget, chunkOverlapTokensMax, fileUnpackedBytesMax } =
      this.options;
    const options = { defaultVisibility, chunkTokensTarget, chunkOverlapTokensMax, fileUnpackedBytesMax };
    // What cannot be sent any more goes to a process that is gone, and `#gone` tells of it.
    this.#child.send({ job: call.job, options } satisfies ToReader, () => undefined);
  }

  #receive(message: FromReader): void {
    const state = this.#state;
    if (message.type === "ready" && state.type === "starting") {
      for (const timer of state.timers) timer.cancel();
      this.#state = { type: "idle" };
      if (state.call === undefined) this.#holdParent(false);
      else this.#begin(state.call);
    } else if (message.type === "result" && state.type === "reading") {
      this.#filesRead += 1;
      const keptBytesMax = this.options.readerMemoryBytesMax * KEPT_SHARE_MAX;
      if (this.#filesRead >= FILES_PER_PROCESS || message.residentBytes > keptBytesMax) {
        return this.#end((call) => call?.resolve(message.result));
      }
      for (const timer of state.timers) timer.cancel();
      this.#state = { type: "idle" };
      this.#holdParent(false);
      state.call.resolve(message.result);
    }
  }

  async #lookAtMemory(call: Call): Promise<void> {
    const bytes = (await residentBytes(this.#child.pid)) ?? 0;
    const { readerMemoryBytesMax } = this.options;
    const isReading = this.#state.type === "reading" && this.#state.call === call;
    if (isReading && bytes > readerMemoryBytesMax)
      this.#end((ended) => ended?.resolve(tooMuchMemory(readerMemoryBytesMax)));
  }

  /** Kills it; once it is gone, `tell` answers the call that it was busy with, if any. */
  #end(tell: (call: Call | undefined) => void): void {
    const state = this.#state;
    if (state.type === "ending" || state.type === "gone") return;
    if (state.type !== "idle") for (const timer of state.timers) timer.cancel();
    const call = state.type === "idle" ? undefined : state.call;
    const late = this.clock.after(END_MS_MAX, () => this.#gone("SIGKILL"));
    this.#state = { type: "ending", tell: () => tell(call), timers: [late] };
    this.#holdParent(true);
    this.#child.kill("SIGKILL");
  }

  #gone(how: string): void {
    const state = this.#state;
    if (state.type === "gone") return;
    if (state.type !== "idle") for (const timer of state.timers) timer.cancel();
    this.#state = { type: "gone" };
    this.#holdParent(false);
    if (state.type === "ending") state.tell();
    if (state.type === "starting") state.call?.resolve(cannotStart(this.#lastWords() ?? how));
    if (state.type === "reading") state.call.resolve(this.#died(how));
    this.#onEnded();
  }

  #died(how: string): ReadResult {
    if (OUT_OF_MEMORY.test(this.#stderr)) return tooMuchMemory(this.options.readerMemoryBytesMax);
    return problem(
      "crashed",
      `reading the file crashed the reader (${how}); the other files are not affected`,
    );
  }

  /** The error that it wrote when it could not start. */
  #lastWords(): string | undefined {
    return /^\w*Error.*/m.exec(this.#stderr)?.[0];
  }

  /** Whether the parent stays alive for it. */
  #holdParent(hold: boolean): void {
    const { channel, stderr } = this.#child;
    const verb = hold ? "ref" : "unref";
    this.#child[verb]();
    channel?.[verb]();
    if (stderr instanceof Socket) stderr[verb]();
  }
}

const OUT_OF_MEMORY = /heap out of memory|Allocation failed/;

function problem(kind: ReadProblemKind, message: string): ReadResult {
  return { type: "problem", kind, message };
}

function cannotStart(reason: string): ReadResult {
  return problem("unavailable", `no process to read the file could be had: ${reason}; try again later`);
}

function tooMuchTime(limitMs: number): ReadResult {
  const limit = `${limitMs} ms (file_timeout_ms)`;
  return problem(
    "time",
    `reading the file needs more time than allowed: ${limit}; split it or raise the limit`,
  );
}

function tooMuchMemory(bytesMax: number): ReadResult {
  const limit = `${Math.floor(bytesMax / 1_048_576)} MiB (reader_memory_bytes_max)`;
  return problem(
    "memory",
    `reading the file needs more memory than allowed: ${limit}; split it or raise the limit`,
  );
}

/** What a process has in memory; undefined where the system does not tell, or the process is gone. */
async function residentBytes(pid: number | undefined): Promise<number | undefined> {
  try {
    // Unlike `statm`, which counts in pages of a size that it does not say.
    const status = await readFile(`/proc/${pid}/status`, "latin1");
    const kib = /^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1];
    return kib === undefined ? undefined : Number(kib) * 1024;
  } catch {
    return undefined; // No such process, or no such file system.
  }
}
