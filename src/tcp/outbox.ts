/**
 * What waits to be written to one relay: bounded by bytes and by age. When there is no room the oldest answers are
 * given up whole, so that no message ever has a hole. What waits can be taken back until it leaves, and sent elsewhere.
 */
import type { OutletFrame, Revocation, SendResult } from "../turn/outlet.js";
import { type AudioFrame, type EncodeFrame, FrameQueue, type QueuedFrame } from "./frame-queue.js";
import {
  OUTBOX_AGE_MS_MAX,
  OUTBOX_BYTES_MAX,
  OUTBOX_FULL_MS_MAX,
  SOCKET_UNWRITTEN_BYTES_MAX,
} from "./limits.js";

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

/** A voice message, from its `message` until its end has left. */
interface Voice {
  readonly packetMs: number;
  /** The first packet that was not handed over, once the rest is given up. */
  readonly givenUpFrom?: number;
}

export class Outbox {
  readonly #queue = new FrameQueue();
  /** By `mid`. */
  readonly #voices = new Map<number, Voice>();
  #fullSinceMs: number | undefined;
  #flushing = false;
  #handedOver = 0;
  /** Absent once closed. */
  #sink: Sink | undefined;

  constructor(
    sink: Sink,
    private readonly observer: OutboxObserver,
    /** Monotonic milliseconds. */
    private readonly now: () => number,
  ) {
    this.#sink = sink;
  }

  /** Frames about users that the socket has taken. */
  get handedOver(): number {
    return this.#handedOver;
  }

  get bytes(): number {
    return this.#queue.bytes;
  }

  get ageMs(): number {
    const { oldest } = this.#queue;
    return oldest === undefined ? 0 : this.now() - oldest.sinceMs;
  }

  /**
   * Takes a frame about a user. What ends a message passes even where nothing else does. Of an answer given up every
   * later packet is refused, and its end tells the duration of what was handed over, whatever its speaker knows.
   */
  send(frame: OutletFrame, encode: EncodeFrame): SendResult {
    if (this.#sink === undefined) return "closed";
    const sinceMs = this.now();
    this.#giveUpOverdue(sinceMs);
    const corrected = this.#corrected(frame);
    const bytes = encode(corrected);
    this.#makeRoom(bytes.length);
    if (frame.type === "audio" && !this.#speaks(frame.mid)) return "refused";
    if (!this.#admits(bytes.length, sinceMs, frame)) {
      if (frame.type === "audio") this.#giveUp(frame);
      else this.observer.frameDropped(frame.type);
      return "refused";
    }
    if (frame.type === "message") this.#voices.set(frame.mid, { packetMs: frame.shape.packetMs });
    if (frame.type === "end_message" && isMovedAway(frame)) this.#voices.delete(frame.mid);
    return this.#add({ sinceMs, bytes, frame: corrected, encode });
  }

  /** Takes bytes that belong to no reply. */
  post(bytes: Uint8Array): SendResult {
    if (this.#sink === undefined) return "closed";
    this.#makeRoom(bytes.length);
    const sinceMs = this.now();
    if (this.#admits(bytes.length, sinceMs)) return this.#add({ sinceMs, bytes });
    this.observer.frameDropped("reply");
    return "refused";
  }

  /** Takes back what has not been handed to the socket of reply `mid`. */
  revoke(mid: number): Revocation {
    const frames = this.#queue.remove((frame) => isOf(mid, frame) && !isMovedAway(frame));
    const firstPid =
      frames.find((frame) => frame.type === "audio")?.pid ?? this.#voices.get(mid)?.givenUpFrom;
    if (frames.some(({ type }) => type === "message")) this.#voices.delete(mid);
    return { frames, firstPid };
  }

  /** The socket has room again. */
  drained(): void {
    this.#flush();
  }

  /** Looks after age; `stuck` when the outbox has been full for too long. */
  care(): "fine" | "stuck" {
    const nowMs = this.now();
    this.#giveUpOverdue(nowMs);
    const full = !this.#fits(0) || this.#isStale(nowMs);
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
    this.#queue.clear();
    this.#voices.clear();
  }

  /** Whether the oldest frame has waited too long: then nothing new is begun here. */
  #isStale(nowMs: number): boolean {
    return nowMs - (this.#queue.oldest?.sinceMs ?? nowMs) > OUTBOX_AGE_MS_MAX;
  }

  #fits(bytes: number): boolean {
    return this.bytes + bytes <= OUTBOX_BYTES_MAX;
  }

  #admits(bytes: number, nowMs: number, frame?: OutletFrame): boolean {
    switch (frame?.type) {
      case "end_message":
      case "transcription": // They take the place of what was given up.
        return true;
      case "text_message":
      case "error":
      case "chat_closed":
        return this.#fits(bytes);
      default:
        return this.#fits(bytes) && !this.#isStale(nowMs);
    }
  }

  /** Whether a packet of `mid` would follow on the one before it. */
  #speaks(mid: number): boolean {
    const voice = this.#voices.get(mid);
    return voice !== undefined && voice.givenUpFrom === undefined;
  }

  /** The end of an answer given up, with its true duration; any other frame as it is. */
  #corrected(frame: OutletFrame): OutletFrame {
    if (frame.type !== "end_message") return frame;
    const voice = this.#voices.get(frame.mid);
    if (voice?.givenUpFrom === undefined) return frame;
    return { ...frame, durationMs: voice.givenUpFrom * voice.packetMs };
  }

  /** Gives up answers, oldest first, until `bytes` more have room or no audio is left. */
  #makeRoom(bytes: number): void {
    while (!this.#fits(bytes)) {
      const oldest = this.#queue.oldestPacket;
      if (oldest === undefined) return;
      this.#giveUp(oldest.frame);
    }
  }

  /** Gives up the answers whose oldest packet has waited too long. */
  #giveUpOverdue(nowMs: number): void {
    while (this.#isStale(nowMs)) {
      const oldest = this.#queue.oldestPacket;
      if (oldest === undefined || nowMs - oldest.sinceMs <= OUTBOX_AGE_MS_MAX) return;
      this.#giveUp(oldest.frame);
    }
  }

  /** Drops what waits of an answer's audio; `packet` is the oldest of it, or the one that found no room. */
  #giveUp(packet: AudioFrame): void {
    const { mid } = packet;
    const dropped = this.#queue.remove((frame) => frame.type === "audio" && frame.mid === mid);
    const { pid: givenUpFrom } = (dropped[0] as AudioFrame | undefined) ?? packet;
    const voice = this.#voices.get(mid);
    if (voice !== undefined) this.#voices.set(mid, { ...voice, givenUpFrom });
    this.#queue.rewrite((frame) =>
      isOf(mid, frame) && !isMovedAway(frame) ? this.#corrected(frame) : frame,
    );
    this.observer.answerGivenUp(mid);
  }

  #add(waiting: QueuedFrame): "accepted" {
    this.#queue.push(waiting);
    this.#scheduleFlush();
    return "accepted";
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

  /**
   * Whenever frames are left behind, the socket holds enough to say when it has room again: Node says nothing after a
   * write that the kernel takes at once, whatever its size.
   */
  #flush(): void {
    while (this.#sink !== undefined && this.bytes > 0) {
      const roomBytes = SOCKET_UNWRITTEN_BYTES_MAX - this.#sink.unwrittenBytes;
      if (roomBytes <= 0) return;
      this.#write(roomBytes);
    }
  }

  #write(roomBytes: number): void {
    const leaving = this.#queue.take(roomBytes);
    if (leaving.length === 0) return;
    let length = 0;
    for (const { bytes, frame } of leaving) {
      length += bytes.length;
      if (frame !== undefined) this.#handedOver += 1;
      if (frame?.type === "end_message" && !isMovedAway(frame)) this.#voices.delete(frame.mid);
    }
    this.#sink?.write(written(leaving, length));
  }
}

/** All of them in one piece, of `length` bytes. */
function written(leaving: readonly QueuedFrame[], length: number): Uint8Array {
  const piece = Buffer.allocUnsafe(length);
  let at = 0;
  for (const { bytes } of leaving) {
    if ("writeTo" in bytes) bytes.writeTo(piece, at);
    else piece.set(bytes, at);
    at += bytes.length;
  }
  return piece;
}

function isOf(mid: number, frame: OutletFrame): boolean {
  return "mid" in frame && frame.mid === mid;
}

/** Such an end closes what the relay has had of a reply, wherever the rest goes now; the reply may come back. */
function isMovedAway(frame: OutletFrame): boolean {
  return frame.type === "end_message" && frame.flag === "moved";
}
