/**
 * A reply that is written while it comes to be. It begins with its first piece, so that what fails before has a status
 * of its own; it never runs ahead of a slow reader, and leaves one who does not read at all.
 */
import { once } from "node:events";
import type { Response } from "express";
import { Rejection } from "../api/rejection.js";
import { type Clock, every, type Timer } from "../lib/clock.js";
import { withDeadline } from "../lib/deadline.js";
import type { ApiExchange } from "./exchange.js";

/** How often a stream that has nothing to say shows that it is alive. */
export const HEARTBEAT_MS = 10_000;

/** How long a client may leave unread what was sent to it. */
export const STALL_MS_MAX = 30_000;

export interface StreamedReplyOptions {
  readonly clock: Clock;
  readonly contentType: string;
  /** Sent while there is nothing to say; it begins the reply too. Absent: nothing is. */
  readonly heartbeat?: string;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
}

export class StreamedReply {
  readonly #heartbeat: Timer | undefined;

  constructor(
    private readonly response: Response,
    private readonly options: StreamedReplyOptions,
  ) {
    const { clock, heartbeat, signal } = options;
    if (heartbeat === undefined) return;
    const timer = every(clock, HEARTBEAT_MS, () => this.#beat(heartbeat));
    this.#heartbeat = timer;
    signal.addEventListener("abort", () => timer.cancel(), { once: true });
  }

  /** Whether anything was sent: from then on nothing can be said with a status. */
  get begun(): boolean {
    return this.response.headersSent;
  }

  /** Rejects when the client is gone, or leaves too much unread. */
  async write(text: string): Promise<void> {
    const { clock, signal } = this.options;
    signal.throwIfAborted();
    this.#begin();
    if (this.response.write(text)) return;
    try {
      await withDeadline(clock, "the client's reading", STALL_MS_MAX, signal, async (both) => {
        await once(this.response, "drain", { signal: both });
      });
    } catch (error) {
      this.response.destroy();
      throw error;
    }
  }

  end(): void {
    this.stop();
    this.response.end();
  }

  /** No heartbeat from here on. */
  stop(): void {
    this.#heartbeat?.cancel();
  }

  #begin(): void {
    if (this.begun) return;
    this.response.writeHead(200, {
      "content-type": this.options.contentType,
      "cache-control": "no-cache",
      // A proxy that collects the reply first would make it late.
      "x-accel-buffering": "no",
    });
  }

  #beat(text: string): void {
    if (this.response.writableEnded || this.response.writableNeedDrain) return;
    this.#begin();
    this.response.write(text);
  }
}

/**
 * Streams what `work` writes. What is rejected before the first piece is the caller's to answer; later, `failed` says it
 * in the stream, which then ends.
 */
export async function streamReply(
  { ended, response, signal }: ApiExchange,
  options: Omit<StreamedReplyOptions, "signal">,
  work: (reply: StreamedReply) => Promise<void>,
  failed: (rejection: Rejection) => string,
): Promise<void> {
  const reply = new StreamedReply(response, { ...options, signal });
  try {
    await work(reply);
    reply.end();
  } catch (error) {
    if (!(error instanceof Rejection) || !reply.begun) throw error;
    ended(error.code);
    await reply.write(failed(error));
    reply.end();
  } finally {
    reply.stop();
  }
}

/** One server-sent event. */
export function serverSent(data: string, event?: string): string {
  return `${event === undefined ? "" : `event: ${event}\n`}data: ${data}\n\n`;
}

/** A comment: readers of server-sent events pass over it. */
export const SERVER_SENT_HEARTBEAT = ": still here\n\n";

/** A reply of server-sent events. */
export function eventStream(clock: Clock): Omit<StreamedReplyOptions, "signal"> {
  return { clock, contentType: "text/event-stream; charset=utf-8", heartbeat: SERVER_SENT_HEARTBEAT };
}
