/** An outbox on a socket that a test drains by hand, with an encoding of its own that the test can read back. */
import type { OutletFrame, Revocation, SendResult } from "../turn/outlet.js";
import { SOCKET_UNWRITTEN_BYTES_MAX } from "./limits.js";
import { Outbox } from "./outbox.js";

const LENGTH_BYTES = 4;

/** A frame padded to `size` bytes at least: its length (32 bits), its JSON, zeros. */
export function encodeAs(size: number): (frame: OutletFrame) => Uint8Array {
  return (frame) => padded(frame, size);
}

/** The frames, and the texts of replies, in bytes that `encodeAs` and `reply` made. */
export function decodeAll(bytes: Uint8Array): (OutletFrame | string)[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const frames: (OutletFrame | string)[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = view.getUint32(at);
    const json = new TextDecoder().decode(bytes.subarray(at + LENGTH_BYTES, at + length));
    frames.push(JSON.parse(json.replace(/\0+$/, "")));
    at += length;
  }
  return frames;
}

function padded(value: unknown, size: number): Uint8Array {
  const json = new TextEncoder().encode(JSON.stringify(value));
  const bytes = new Uint8Array(Math.max(size, LENGTH_BYTES + json.length));
  new DataView(bytes.buffer).setUint32(0, bytes.length);
  bytes.set(json, LENGTH_BYTES);
  return bytes;
}

export class OutboxBench {
  nowMs = 0;
  /** What the socket holds. */
  unwrittenBytes = 0;
  readonly writes: Uint8Array[] = [];
  readonly givenUp: number[] = [];
  readonly dropped: string[] = [];
  readonly outbox: Outbox;

  constructor() {
    const bench = this;
    const sink = {
      get unwrittenBytes() {
        return bench.unwrittenBytes;
      },
      write: (bytes: Uint8Array) => {
        this.writes.push(bytes);
        this.unwrittenBytes += bytes.length;
      },
    };
    const observer = {
      answerGivenUp: (mid: number) => this.givenUp.push(mid),
      frameDropped: (frame: string) => this.dropped.push(frame),
    };
    this.outbox = new Outbox(sink, observer, () => this.nowMs);
  }

  /** The socket takes nothing more. */
  stall(): void {
    this.unwrittenBytes = SOCKET_UNWRITTEN_BYTES_MAX;
  }

  /** The socket hands `bytes` to the kernel; when it holds nothing any more it says so. */
  drain(bytes = Number.POSITIVE_INFINITY): void {
    this.unwrittenBytes = Math.max(0, this.unwrittenBytes - bytes);
    if (this.unwrittenBytes === 0) this.outbox.drained();
  }

  /** Drains until nothing waits. */
  drainAll(): void {
    for (let rounds = 0; rounds < 10_000 && this.outbox.bytes > 0; rounds++) this.drain();
  }

  send(frame: OutletFrame, size = 0): SendResult {
    return this.outbox.send(frame, encodeAs(size));
  }

  reply(text: string, size = 0): SendResult {
    return this.outbox.post(padded(text, size));
  }

  revoke(mid: number): Revocation {
    return this.outbox.revoke(mid);
  }

  /** Everything that was written, in order. */
  get written(): (OutletFrame | string)[] {
    return this.writes.flatMap(decodeAll);
  }
}

/** What was written as short words: `message 7`, `7.0`, `end 7 20ms`, `words 7`, the text of a reply. */
export function brief(frames: readonly (OutletFrame | string)[]): string[] {
  return frames.map((frame) => {
    if (typeof frame === "string") return frame;
    switch (frame.type) {
      case "message":
        return `message ${frame.mid}`;
      case "audio":
        return `${frame.mid}.${frame.pid}`;
      case "end_message":
        return `end ${frame.mid} ${frame.durationMs}ms${frame.flag === undefined ? "" : ` ${frame.flag}`}`;
      case "transcription":
        return `words ${frame.mid}`;
      case "text_message":
        return `text ${frame.mid}`;
      default:
        return frame.type;
    }
  });
}

/** Lets the write that the outbox has scheduled happen. */
export function flushed(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

export const PACKET_MS = 20;
export const SHAPE = { sampleRateHz: 48_000, packetMs: PACKET_MS };

export const message = (mid: number): OutletFrame => ({ type: "message", mid, shape: SHAPE });
export const audio = (mid: number, pid: number): OutletFrame => ({
  type: "audio",
  mid,
  pid,
  packet: new Uint8Array(0),
});
export const end = (mid: number, packets: number): OutletFrame => ({
  type: "end_message",
  mid,
  durationMs: packets * PACKET_MS,
});
export const words = (mid: number): OutletFrame => ({ type: "transcription", mid, text: "All of it." });
export const text = (mid: number): OutletFrame => ({ type: "text_message", mid, text: "In short." });
export const error: OutletFrame = { type: "error", code: "timeout", error: "Too late." };
