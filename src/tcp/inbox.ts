/**
 * What a relay has sent and the service has not dealt with yet. Connections take turns: each decodes for a short while,
 * then lets the others go on; one that sends more than its budget is read more slowly.
 */
import { type DecodeResult, type Envelope, EnvelopeDecoder } from "@readback/protocol";
import { type Clock, sleep, systemClock } from "../lib/clock.js";
import { pause } from "../lib/pause.js";
import type { Inflow } from "./budget.js";
import { INBOX_BYTES_MAX, INBOX_TURN_MS } from "./limits.js";

/** The socket, as far as an inbox needs it. */
export interface PausableSocket {
  pause(): unknown;
  resume(): unknown;
}

/** A piece of a frame is work too. */
const CHUNK_FRAMES_MIN = 1;

export interface InboxOwner {
  /** Deals with a frame; returns what it counts for, in frames. */
  take(envelope: Envelope): number;
  malformed(result: DecodeResult & { readonly type: "malformed" }): void;
}

export class Inbox {
  readonly #decoder = new EnvelopeDecoder();
  readonly #closed = new AbortController();
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  #paused = false;
  /** Absent: nothing waits. */
  #work: Promise<void> | undefined;

  constructor(
    private readonly source: PausableSocket,
    private readonly owner: InboxOwner,
    /** Of the connection, and of its address. */
    private readonly inflows: readonly Inflow[],
    private readonly clock: Clock,
  ) {}

  /** Bytes come. To be called inside `workFor`: it is for that origin that they are dealt with. */
  receive(chunk: Uint8Array): void {
    if (this.#closed.signal.aborted) return;
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes > INBOX_BYTES_MAX && !this.#paused) {
      this.#paused = true;
      this.source.pause();
    }
    this.#work ??= this.#dealWithAll().finally(() => {
      this.#work = undefined;
    });
  }

  /** Whether something came that is not dealt with. */
  get isBehind(): boolean {
    return this.#work !== undefined;
  }

  /** Resolves when all that came is dealt with. */
  async finished(): Promise<void> {
    await this.#work;
  }

  /** Deals with nothing more; what comes still is read and thrown away. */
  close(): void {
    this.#closed.abort(new Error("the connection is closed"));
    this.#chunks = [];
    this.#resume();
  }

  async #dealWithAll(): Promise<void> {
    const { signal } = this.#closed;
    try {
      for (let chunk = this.#chunks.shift(); chunk !== undefined; chunk = this.#chunks.shift()) {
        const { length } = chunk;
        const frames = await this.#dealWith(chunk, signal);
        this.#bytes -= length;
        const waits = this.inflows.map((inflow) => inflow.spend(Math.max(CHUNK_FRAMES_MIN, frames), length));
        const waitMs = Math.max(...waits);
        if (waitMs > 0) await sleep(this.clock, waitMs, signal);
        if (this.#bytes <= INBOX_BYTES_MAX) this.#resume();
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** Returns what its frames count for. */
  async #dealWith(chunk: Uint8Array, signal: AbortSignal): Promise<number> {
    let frames = 0;
    await pause();
    if (signal.aborted) return frames;
    this.#decoder.push(chunk);
    for (let sinceMs = systemClock.monotonic(); !signal.aborted; ) {
      const result = this.#decoder.next();
      if (result.type === "incomplete") break;
      if (result.type === "malformed") {
        this.owner.malformed(result);
        break;
      }
      frames += this.owner.take(result.envelope);
      if (systemClock.monotonic() - sinceMs < INBOX_TURN_MS) continue;
      await pause();
      sinceMs = systemClock.monotonic();
    }
    return frames;
  }

  #resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.source.resume();
  }
}
