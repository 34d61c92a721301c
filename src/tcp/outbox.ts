/**
 * What waits to be written to one relay: bounded by bytes and by age. When it is full the oldest answers are given up
 * whole, so that no message ever has a hole; frames are encoded when they leave, so that until then they can be taken
 * back and sent elsewhere.
 */
import type { OutletFrame, Revoked, SendResult } from "../turn/outlet.js";
import {
  OUTBOX_AGE_MS_MAX,
  OUTBOX_BYTES_MAX,
  OUTBOX_FULL_MS_MAX,
  SOCKET_UNWRITTEN_BYTES_MAX,
} from "./limits.js";

/** One frame with what turns it into bytes. */
export interface Entry {
  /** Absent for frames that belong to no reply. */
  readonly frame?: OutletFrame;
  /** An estimate of the encoded size. */
  readonly bytes: number;
  encode(): Uint8Array;
}

/** The socket, as far as an outbox needs it. */
export interface Sink {
  /** Bytes that it holds and has not handed to the kernel. */
  readonly unwrittenBytes: number;
  write(bytes: Uint8Array): void;
}

export interface OutboxObserver {
  answerGivenUp(mid: number): void;
  frameDropped(frame: string): void;
}

interface Waiting {
  readonly entry: Entry;
  readonly sinceMs: number;
}

/** Entries that have left are swept out of the queue when they are this many. */
const SWEEP_ENTRIES = 1_024;

export class Outbox {
  #queue: Waiting[] = [];
  #head = 0;
  #bytes = 0;
  #fullSinceMs: number | undefined;
  #flushing = false;
  #closed = false;
  /** Answers given up whose speaker does not know yet, each with the first packet dropped. */
  readonly #givenUp = new Map<number, number>();

  constructor(
    private readonly sink: Sink,
    private readonly observer: OutboxObserver,
    /** Monotonic milliseconds. */
    private readonly now: () => number,
  ) {}

  get bytes(): number {
    return this.#bytes;
  }

  get ageMs(): number {
    const oldest = this.#queue[this.#head];
    return oldest === undefined ? 0 : this.now() - oldest.sinceMs;
  }

  send(entry: Entry): SendResult {
    if (this.#closed) return "closed";
    if (entry.frame?.type === "audio" && this.#givenUp.has(entry.frame.mid)) return "refused";
    if (this.#full(entry.bytes)) this.#makeRoom(entry.bytes);
    const mayPass = endsAnswer(entry.frame) || !this.#full(entry.bytes);
    if (!mayPass || (entry.frame?.type === "audio" && this.#givenUp.has(entry.frame.mid))) {
      this.observer.frameDropped(entry.frame?.type ?? "reply");
      return "refused";
    }
    if (entry.frame?.type === "end_message") this.#givenUp.delete(entry.frame.mid);
    this.#queue.push({ entry, sinceMs: this.now() });
    this.#bytes += entry.bytes;
    this.#scheduleFlush();
    return "accepted";
  }

  /** Takes back what has not been handed to the socket of reply `mid`. */
  revoke(mid: number): Revoked {
    const frames = this.#remove((frame) => "mid" in frame && frame.mid === mid);
    const firstAudio = frames.find((frame) => frame.type === "audio");
    const givenUpFrom = this.#givenUp.get(mid);
    return { frames, firstPid: givenUpFrom ?? firstAudio?.pid };
  }

  /** The socket has room again. */
  drained(): void {
    this.#flush();
  }

  /** Looks after age; `stuck` when the outbox has been full for too long. */
  care(): "fine" | "stuck" {
    if (this.#full(0)) this.#makeRoom(0);
    const nowMs = this.now();
    this.#fullSinceMs = this.#full(0) ? (this.#fullSinceMs ?? nowMs) : undefined;
    return this.#fullSinceMs !== undefined && nowMs - this.#fullSinceMs >= OUTBOX_FULL_MS_MAX
      ? "stuck"
      : "fine";
  }

  /** Takes no more. What waits stays here to be revoked. */
  close(): void {
    this.#closed = true;
  }

  /** Hands everything that waits to the socket, whatever it holds already, and takes no more. */
  closeAfterFlush(): void {
    this.#write(Number.POSITIVE_INFINITY);
    this.#closed = true;
  }

  #full(moreBytes: number): boolean {
    return this.#bytes + moreBytes > OUTBOX_BYTES_MAX || this.ageMs > OUTBOX_AGE_MS_MAX;
  }

  /** Gives up answers, oldest first, until there is room or no audio is left. */
  #makeRoom(moreBytes: number): void {
    while (this.#full(moreBytes)) {
      const oldest = this.#waiting().find(({ entry }) => entry.frame?.type === "audio")?.entry.frame;
      if (oldest?.type !== "audio") return;
      const { mid } = oldest;
      this.#remove((frame) => frame.type === "audio" && frame.mid === mid);
      const ended = this.#queue.some(
        ({ entry: { frame } }) => frame?.type === "end_message" && frame.mid === mid,
      );
      if (!ended) this.#givenUp.set(mid, oldest.pid);
      this.observer.answerGivenUp(mid);
    }
  }

  /** What has not left yet, oldest first. */
  #waiting(): Waiting[] {
    return this.#queue.slice(this.#head);
  }

  #remove(matches: (frame: OutletFrame) => boolean): OutletFrame[] {
    const removed: OutletFrame[] = [];
    const kept: Waiting[] = [];
    for (const waiting of this.#waiting()) {
      const { frame, bytes } = waiting.entry;
      if (frame === undefined || !matches(frame)) {
        kept.push(waiting);
      } else {
        removed.push(frame);
        this.#bytes -= bytes;
      }
    }
    this.#queue = kept;
    this.#head = 0;
    return removed;
  }

  /** Frames of one turn of the event loop leave in one write. */
  #scheduleFlush(): void {
    if (this.#flushing) return;
    this.#flushing = true;
    setImmediate(() => {
      this.#flushing = false;
      this.#flush();
    });
  }

  #flush(): void {
    if (!this.#closed) this.#write(SOCKET_UNWRITTEN_BYTES_MAX - this.sink.unwrittenBytes);
  }

  #write(roomBytes: number): void {
    const batch: Uint8Array[] = [];
    for (let left = roomBytes; left > 0 && this.#head < this.#queue.length; ) {
      const { entry } = this.#queue[this.#head]!;
      this.#head += 1;
      this.#bytes -= entry.bytes;
      const encoded = entry.encode();
      left -= encoded.length;
      batch.push(encoded);
    }
    if (batch.length > 0) this.sink.write(batch.length === 1 ? batch[0]! : Buffer.concat(batch));
    if (this.#head === this.#queue.length || this.#head >= SWEEP_ENTRIES) {
      this.#queue = this.#waiting();
      this.#head = 0;
    }
  }
}

/** What must pass even when the outbox is full: it is what takes the place of an answer given up. */
function endsAnswer(frame: OutletFrame | undefined): boolean {
  return frame?.type === "end_message" || frame?.type === "transcription";
}
