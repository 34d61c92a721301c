/** Writes many bodies at once, each at its own pace, on one timer for all of them. */
import type { ServerResponse } from "node:http";
import { sharedNowMs } from "./stats.js";

export interface Pumped {
  readonly response: ServerResponse;
  readonly bytes: Uint8Array;
  /** Where the first chunk ends, which is written at once. */
  readonly firstEnd: number;
  readonly bytesPerMs: number;
}

interface Under extends Pumped {
  readonly startMs: number;
  sent: number;
}

export class BodyPump {
  readonly #bodies = new Set<Under>();
  #timer: NodeJS.Timeout | undefined;
  #intervalMs = 0;

  /** Writes the first chunk now, and what is due of the rest every `intervalMs`. */
  start(body: Pumped, intervalMs: number): void {
    const { bytes, response } = body;
    const sent = Math.min(bytes.length, body.firstEnd);
    response.write(bytes.subarray(0, sent));
    const under: Under = { ...body, startMs: sharedNowMs(), sent };
    this.#bodies.add(under);
    response.on("close", () => this.#bodies.delete(under));
    if (this.#timer !== undefined && this.#intervalMs === intervalMs) return;
    clearInterval(this.#timer);
    this.#intervalMs = intervalMs;
    this.#timer = setInterval(() => this.#writeAll(), intervalMs);
  }

  #writeAll(): void {
    const nowMs = sharedNowMs();
    for (const body of this.#bodies) this.#write(body, nowMs);
    if (this.#bodies.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #write(body: Under, nowMs: number): void {
    const { bytes, bytesPerMs, firstEnd, response, sent, startMs } = body;
    const due = Math.min(bytes.length, firstEnd + Math.floor((nowMs - startMs) * bytesPerMs));
    body.sent = due;
    if (due === bytes.length) {
      this.#bodies.delete(body);
      response.end(bytes.subarray(sent, due));
    } else if (due > sent) response.write(bytes.subarray(sent, due));
  }
}
