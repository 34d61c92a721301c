/**
 * One relay's connection: bytes in through a decoder to the dispatcher, frames out through an outbox. Whatever goes
 * wrong here ends this connection and no other [LT-12].
 */
import type { Socket } from "node:net";
import { type Envelope, EnvelopeDecoder } from "@readback/protocol";
import type { Clock } from "../lib/clock.js";
import type { ConnectionEnd, Telemetry } from "../telemetry/events.js";
import { dispatch } from "./dispatch.js";
import { CLOSE_GRACE_MS, HELLO_MS_MAX, KEEP_ALIVE_AFTER_MS, SOCKET_UNWRITTEN_BYTES_MAX } from "./limits.js";
import { Outbox, type Sink } from "./outbox.js";
import { RelayLink } from "./relay-link.js";
import type { DispatchDeps } from "./visit.js";

export interface ConnectionDeps extends DispatchDeps {
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

export interface ConnectionOptions {
  /** A relay from which no complete frame comes for this long is disconnected. */
  readonly idleTimeoutMs: number;
}

export class Connection {
  readonly link: RelayLink;
  readonly #decoder = new EnvelopeDecoder();
  #lastFrameMs: number;
  #lastWriteMs: number;
  /** Since when the relay is without a token that it needs. */
  #strangerSinceMs: number | undefined;
  #ended = false;

  constructor(
    readonly id: string,
    private readonly socket: Socket,
    private readonly deps: ConnectionDeps,
    private readonly options: ConnectionOptions,
    private readonly onEnd: (connection: Connection) => void,
  ) {
    this.#lastFrameMs = deps.clock.monotonic();
    this.#lastWriteMs = deps.clock.monotonic();
    this.link = new RelayLink(id, newOutbox(id, this.#sink(), deps), deps.tokens.withoutToken);
    socket.on("data", (chunk) => this.#receive(chunk));
    socket.on("drain", () => this.link.outbox.drained());
    socket.on("end", () => this.end("peer", "the relay closed the connection"));
    socket.on("error", (error) => this.end("error", error.message));
    socket.on("close", () => this.end("peer", "the connection is gone"));
  }

  /** To be called every `CARE_INTERVAL_MS`: strangers, idle relays, our own silence, an outbox that stays full. */
  care(): void {
    const nowMs = this.deps.clock.monotonic();
    this.#strangerSinceMs = this.link.rights === undefined ? (this.#strangerSinceMs ?? nowMs) : undefined;
    if (nowMs - (this.#strangerSinceMs ?? nowMs) >= HELLO_MS_MAX) {
      this.end("untrusted", `no hello with a known token for ${HELLO_MS_MAX} ms`);
    } else if (nowMs - this.#lastFrameMs >= this.options.idleTimeoutMs) {
      this.end("idle", `no complete frame for ${this.options.idleTimeoutMs} ms`);
    } else if (this.link.outbox.care() === "stuck") {
      this.end("slow", "the relay does not read: its outbox stayed full");
    } else if (nowMs - this.#lastWriteMs >= KEEP_ALIVE_AFTER_MS) {
      this.link.reply({ command: "keep_alive" }, {});
    }
  }

  /** The tokens have changed: a relay whose token is gone, or stands for something else now, has to come again. */
  reconsider(): void {
    const { rights } = this.link;
    if (rights !== undefined && !this.deps.tokens.stillGives(rights))
      this.end("untrusted", "the relay's token was withdrawn");
  }

  /** Ends the connection, once. At shutdown what waits may still leave. */
  end(reason: ConnectionEnd, detail: string): void {
    if (this.#ended) return;
    this.#ended = true;
    if (reason === "shutdown") {
      this.link.outbox.closeAfterFlush();
      this.#hangUpAfterLastWrite();
    } else {
      this.link.outbox.close();
      this.socket.destroy();
    }
    this.deps.telemetry.emit({ type: "relay_disconnected", connection: this.id, reason, detail });
    this.onEnd(this);
  }

  #hangUpAfterLastWrite(): void {
    this.socket.end();
    const timer = this.deps.clock.after(CLOSE_GRACE_MS, () => this.socket.destroy());
    this.socket.once("close", () => timer.cancel());
  }

  /** What still comes after the end is read, so that the last words are not lost to a reset, and thrown away. */
  #receive(chunk: Uint8Array): void {
    if (this.#ended) return;
    this.#decoder.push(chunk);
    while (!this.#ended) {
      const result = this.#decoder.next();
      if (result.type === "incomplete") return;
      if (result.type === "malformed") {
        this.end("malformed", `${result.reason}: ${result.detail}`);
        return;
      }
      this.#lastFrameMs = this.deps.clock.monotonic();
      this.#dispatch(result.envelope);
    }
  }

  /** A fault of ours in dealing with one relay's frame must not become everybody's. */
  #dispatch(envelope: Envelope): void {
    try {
      dispatch(envelope, this.link, this.deps);
    } catch (error) {
      this.deps.telemetry.emit({ type: "service_fault", where: "dispatch", error: String(error) });
      this.end("error", "a fault of the service");
    }
  }

  #sink(): Sink {
    const { socket } = this;
    const write = (bytes: Uint8Array) => {
      this.#lastWriteMs = this.deps.clock.monotonic();
      socket.write(bytes);
    };
    return {
      get unwrittenBytes() {
        return socket.writable ? socket.writableLength : SOCKET_UNWRITTEN_BYTES_MAX;
      },
      write,
    };
  }
}

/** An outbox that holds on to its connection no longer than it is open. */
function newOutbox(id: string, sink: Sink, { clock, telemetry }: ConnectionDeps): Outbox {
  const observer = {
    answerGivenUp: (mid: number) => telemetry.emit({ type: "answer_given_up", connection: id, mid }),
    frameDropped: (frame: string) => telemetry.emit({ type: "frame_dropped", connection: id, frame }),
  };
  return new Outbox(sink, observer, () => clock.monotonic());
}
