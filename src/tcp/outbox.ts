/**
 * What waits to be written to one relay: bounded by bytes and by age. When there is no room the oldest answers are
 * given up whole, so that no message ever has a hole. What waits keeps the frame it was made of, so that until it
 * leaves it can be taken back and sent elsewhere.
 */
import type { OutletFrame, Revoked, SendResult } from "../turn/outlet.js";
import {
  OUTBOX_AGE_MS_MAX,
  OUTBOX_BYTES_MAX,
  OUTBOX_FULL_MS_MAX,
  SOCKET_UNWRITTEN_BYTES_MAX,
} from "./limits.js";

/** The bytes of a frame for one user. May throw: then nothing of the frame is taken. */
export type EncodeFrame = (frame: OutletFrame) => Uint8Array;

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
  readonly sinceMs: number;
  readonly bytes: Uint8Array;
  /** What the bytes say; absent where they belong to no reply. */
  readonly said?: { readonly frame: OutletFrame; readonly encode: EncodeFrame };
}

type AudioFrame = OutletFrame & { readonly type: "audio" };
type EndFrame = OutletFrame & { readonly type: "end_message" };

/** How much of an answer given up was handed over, of the packets that its speaker believes to have sent. */
interface GivenUp {
  readonly firstPid: number;
  readonly packets: number;
}

export class Outbox {
  #queue: Waiting[] = [];
  #bytes = 0;
  /** Waiting audio frames. */
  #packets = 0;
  #fullSinceMs: number | undefined;
  #flushing = false;
  /** Absent once closed. */
  #sink: Sink | undefined;
  /** Answers given up whose speaker does not know yet. */
  readonly #givenUp = new Map<number, GivenUp>();

  constructor(
    sink: Sink,
    private readonly observer: OutboxObserver,
    /** Monotonic milliseconds. */
    private readonly now: () => number,
  ) {
    this.#sink = sink;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get ageMs(): number {
    const oldest = this.#queue[0];
    return oldest === undefined ? 0 : this.now() - oldest.sinceMs;
  }

  /** Takes a frame about a user. What ends a message passes even where nothing else does. */
  send(frame: OutletFrame, encode: EncodeFrame): SendResult {
    if (this.#sink === undefined) return "closed";
    this.#giveUpOverdue();
    if (frame.type === "audio") return this.#sendAudio(frame, encode);
    return this.#sendOther(frame.type === "end_message" ? this.#trueEnd(frame) : frame, encode);
  }

  /** Takes bytes that belong to no reply. */
  post(bytes: Uint8Array): SendResult {
    if (this.#sink === undefined) return "closed";
    this.#makeRoom(bytes.length);
    if (!this.#admits(bytes.length)) {
      this.observer.frameDropped("reply");
      return "refused";
    }
    return this.#add({ sinceMs: this.now(), bytes });
  }

  /** Takes back what has not been handed to the socket of reply `mid`. */
  revoke(mid: number): Revoked {
    const frames = this.#remove((frame) => isOf(mid, frame));
    const firstPid = frames.find((frame) => frame.type === "audio")?.pid ?? this.#givenUp.get(mid)?.firstPid;
    this.#givenUp.delete(mid);
    return { frames, firstPid };
  }

  /** The socket has room again. */
  drained(): void {
    this.#flush();
  }

  /** Looks after age; `stuck` when the outbox has been full for too long. */
  care(): "fine" | "stuck" {
    this.#giveUpOverdue();
    const nowMs = this.now();
    const full = !this.#fits(0) || this.#stale;
    this.#fullSinceMs = full ? (this.#fullSinceMs ?? nowMs) : undefined;
    return nowMs - (this.#fullSinceMs ?? nowMs) >= OUTBOX_FULL_MS_MAX ? "stuck" : "fine";
  }

  /** Takes no more. What waits stays here to be revoked, until `discard`. */
  close(): void {
    this.#sink = undefined;
  }

  /** Hands everything that waits to the socket, whatever it holds already, and takes no more. */
  closeAfterFlush(): void {
    this.#write(Number.POSITIVE_INFINITY);
    this.close();
  }

  /** Forgets what waits, once nobody can want it back. */
  discard(): void {
    this.#queue = [];
    this.#bytes = 0;
    this.#packets = 0;
    this.#givenUp.clear();
  }

  /** Whether the oldest frame has waited too long: then nothing new is begun here. */
  get #stale(): boolean {
    return this.ageMs > OUTBOX_AGE_MS_MAX;
  }

  #sendAudio(frame: AudioFrame, encode: EncodeFrame): SendResult {
    const bytes = encode(frame);
    this.#makeRoom(bytes.length);
    const givenUp = this.#givenUp.get(frame.mid);
    if (givenUp !== undefined) {
      this.#givenUp.set(frame.mid, { ...givenUp, packets: frame.pid + 1 });
      return "refused";
    }
    if (!this.#admits(bytes.length, frame)) {
      this.#giveUp(frame);
      return "refused";
    }
    return this.#add({ sinceMs: this.now(), bytes, said: { frame, encode } });
  }

  #sendOther(frame: OutletFrame, encode: EncodeFrame): SendResult {
    const bytes = encode(frame);
    this.#makeRoom(bytes.length);
    if (!this.#admits(bytes.length, frame)) {
      this.observer.frameDropped(frame.type);
      return "refused";
    }
    return this.#add({ sinceMs: this.now(), bytes, said: { frame, encode } });
  }

  /** The end of an answer with the duration of what was handed over, should its speaker not know that it was given up. */
  #trueEnd(end: EndFrame): EndFrame {
    const givenUp = this.#givenUp.get(end.mid);
    this.#givenUp.delete(end.mid);
    return givenUp === undefined ? end : shortened(end, givenUp);
  }

  #admits(bytes: number, frame?: OutletFrame): boolean {
    switch (frame?.type) {
      case "end_message":
      case "transcription": // They take the place of what was given up.
        return true;
      case "text_message":
      case "error":
      case "chat_closed":
        return this.#fits(bytes);
      default:
        return this.#fits(bytes) && !this.#stale;
    }
  }

  #fits(bytes: number): boolean {
    return this.#bytes + bytes <= OUTBOX_BYTES_MAX;
  }

  /** Gives up answers, oldest first, until `bytes` more have room or no audio is left. */
  #makeRoom(bytes: number): void {
    while (!this.#fits(bytes)) {
      const oldest = this.#oldestPacket();
      if (oldest === undefined) return;
      this.#giveUp(oldest.frame);
    }
  }

  /** Gives up the answers whose oldest packet has waited too long. */
  #giveUpOverdue(): void {
    while (this.#stale) {
      const oldest = this.#oldestPacket();
      if (oldest === undefined || this.now() - oldest.sinceMs <= OUTBOX_AGE_MS_MAX) return;
      this.#giveUp(oldest.frame);
    }
  }

  /** Drops what waits of an answer's audio; `packet` is the oldest of it, or the one that found no room. */
  #giveUp(packet: AudioFrame): void {
    const { mid } = packet;
    const last = this.#queue.findLast(({ said }) => said !== undefined && isOf(mid, said.frame));
    const dropped = this.#remove((frame) => frame.type === "audio" && frame.mid === mid) as AudioFrame[];
    const { pid: firstPid } = dropped[0] ?? packet;
    const { pid: lastPid } = dropped.at(-1) ?? packet;
    const givenUp = { firstPid, packets: lastPid + 1 };
    const ended = last?.said?.frame.type === "end_message" || last?.said?.frame.type === "transcription";
    if (ended) this.#correctEnd(mid, givenUp);
    else this.#givenUp.set(mid, givenUp);
    this.observer.answerGivenUp(mid);
  }

  /** Corrects the end that waits for an answer given up. */
  #correctEnd(mid: number, givenUp: GivenUp): void {
    const at = this.#queue.findLastIndex(
      ({ said }) => said?.frame.type === "end_message" && said.frame.mid === mid,
    );
    const { sinceMs, bytes, said } = this.#queue[at]!;
    if (said?.frame.type !== "end_message") return;
    const frame = shortened(said.frame, givenUp);
    const corrected = said.encode(frame);
    this.#queue[at] = { sinceMs, bytes: corrected, said: { ...said, frame } };
    this.#bytes += corrected.length - bytes.length;
  }

  #oldestPacket(): { readonly sinceMs: number; readonly frame: AudioFrame } | undefined {
    if (this.#packets === 0) return undefined;
    for (const { sinceMs, said } of this.#queue) {
      if (said?.frame.type === "audio") return { sinceMs, frame: said.frame };
    }
    return undefined;
  }

  #add(waiting: Waiting): "accepted" {
    this.#queue.push(waiting);
    this.#count(waiting, 1);
    this.#scheduleFlush();
    return "accepted";
  }

  #remove(matches: (frame: OutletFrame) => boolean): OutletFrame[] {
    const removed: OutletFrame[] = [];
    this.#queue = this.#queue.filter((waiting) => {
      if (waiting.said === undefined || !matches(waiting.said.frame)) return true;
      removed.push(waiting.said.frame);
      this.#count(waiting, -1);
      return false;
    });
    return removed;
  }

  #count({ bytes, said }: Waiting, sign: 1 | -1): void {
    this.#bytes += sign * bytes.length;
    if (said?.frame.type === "audio") this.#packets += sign;
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
    if (this.#sink !== undefined) this.#write(SOCKET_UNWRITTEN_BYTES_MAX - this.#sink.unwrittenBytes);
  }

  /**
   * Writes frames as long as there is room; the last one may exceed it. So whenever frames are left behind, the socket
   * holds enough to say when it has room again.
   */
  #write(roomBytes: number): void {
    const batch: Uint8Array[] = [];
    for (let left = roomBytes; left > 0 && batch.length < this.#queue.length; ) {
      const waiting = this.#queue[batch.length]!;
      batch.push(waiting.bytes);
      left -= waiting.bytes.length;
      this.#count(waiting, -1);
    }
    if (batch.length === 0) return;
    this.#queue.splice(0, batch.length);
    this.#sink?.write(batch.length === 1 ? batch[0]! : Buffer.concat(batch));
  }
}

function isOf(mid: number, frame: OutletFrame): boolean {
  return "mid" in frame && frame.mid === mid;
}

/** `end` speaks of all packets; only those before the first one given up were handed over. */
function shortened(end: EndFrame, { firstPid, packets }: GivenUp): EndFrame {
  return { ...end, durationMs: (end.durationMs / packets) * firstPid };
}
