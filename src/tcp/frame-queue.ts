/** What waits to be written, in order, with the frames that it is made of. */
import type { FrameBytes } from "@readback/protocol";
import type { OutletFrame } from "../turn/outlet.js";

/** The bytes of a frame for one user, or what writes them. May throw: then nothing of the frame is taken. */
export type EncodeFrame = (frame: OutletFrame) => Uint8Array | FrameBytes;

export interface QueuedFrame {
  /** Monotonic milliseconds. */
  readonly sinceMs: number;
  readonly bytes: Uint8Array | FrameBytes;
  /** What the bytes say, and who made them; both absent where they belong to no reply. */
  readonly frame?: OutletFrame;
  readonly encode?: EncodeFrame;
}

export type AudioFrame = OutletFrame & { readonly type: "audio" };

export class FrameQueue {
  #entries: QueuedFrame[] = [];
  #bytes = 0;
  /** Audio frames among the entries. */
  #packets = 0;

  get bytes(): number {
    return this.#bytes;
  }

  get oldest(): QueuedFrame | undefined {
    return this.#entries[0];
  }

  /** The oldest packet of any voice message, and since when it has waited. */
  get oldestPacket(): { readonly sinceMs: number; readonly frame: AudioFrame } | undefined {
    if (this.#packets === 0) return undefined;
    for (const { sinceMs, frame } of this.#entries) {
      if (frame?.type === "audio") return { sinceMs, frame };
    }
    return undefined;
  }

  push(entry: QueuedFrame): void {
    this.#entries.push(entry);
    this.#count(entry, 1);
  }

  /** Takes entries from the front as long as fewer than `bytes` are taken: the last one may exceed them. */
  take(bytes: number): readonly QueuedFrame[] {
    let count = 0;
    for (let left = bytes; left > 0 && count < this.#entries.length; count++) {
      left -= this.#entries[count]!.bytes.length;
    }
    const taken = this.#entries.splice(0, count);
    for (const entry of taken) this.#count(entry, -1);
    return taken;
  }

  /** Takes out every frame that matches, and returns them in order. */
  remove(matches: (frame: OutletFrame) => boolean): readonly OutletFrame[] {
    const removed: OutletFrame[] = [];
    this.#entries = this.#entries.filter((entry) => {
      if (entry.frame === undefined || !matches(entry.frame)) return true;
      removed.push(entry.frame);
      this.#count(entry, -1);
      return false;
    });
    return removed;
  }

  /** Encodes anew every frame for which `changed` gives another one. */
  rewrite(changed: (frame: OutletFrame) => OutletFrame): void {
    this.#entries = this.#entries.map((entry) => {
      const { encode, frame } = entry;
      const next = frame && changed(frame);
      if (next === frame || next === undefined || encode === undefined) return entry;
      const rewritten = { ...entry, bytes: encode(next), frame: next };
      this.#count(entry, -1);
      this.#count(rewritten, 1);
      return rewritten;
    });
  }

  clear(): void {
    this.#entries = [];
    this.#bytes = 0;
    this.#packets = 0;
  }

  #count({ bytes, frame }: QueuedFrame, sign: 1 | -1): void {
    this.#bytes += sign * bytes.length;
    if (frame?.type === "audio") this.#packets += sign;
  }
}
