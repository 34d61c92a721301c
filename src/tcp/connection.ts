/**
 * One relay's connection: bytes in through an inbox to the dispatcher, frames out through an outbox. Whatever goes
 * wrong here ends this connection and no other [LT-12].
 */
import type { Socket } from "node:net";
import type { Envelope } from "@readback/protocol";
import { workFor } from "../lib/origin.js";
import type { ConnectionEnd } from "../telemetry/events.js";
import { Inflow, type InflowLimits } from "./budget.js";
import { dispatch } from "./dispatch.js";
import { Inbox } from "./inbox.js";
import {
  CLOSE_GRACE_MS,
  HELLO_MS_MAX,
  KEEP_ALIVE_AFTER_MS,
  REFUSED_FRAMES,
  REFUSED_IN_A_ROW_MAX,
  SOCKET_UNWRITTEN_BYTES_MAX,
  UNREAD_MS_MAX,
} from "./limits.js";
import { Outbox, type Sink } from "./outbox.js";
import { RelayLink } from "./relay-link.js";
import type { DispatchDeps } from "./visit.js";

export interface ConnectionOptions extends InflowLimits {
  /** A relay from which no complete frame comes for this long is disconnected. */
  readonly idleTimeoutMs: number;
  /** The same before the first one. */
  readonly firstFrameTimeoutMs: number;
}

export interface ConnectionOrigin {
  readonly id: string;
  readonly address: string;
  /** What all connections of the address may send together. */
  readonly addressInflow: Inflow;
}

export class Connection {
  readonly link: RelayLink;
  readonly #inbox: Inbox;
  #proven = false;
  #refusedInARow = 0;
  #lastFrameMs: number;
  #lastWriteMs: number;
  /** Since when the relay is without a token that it needs. */
  #strangerSinceMs: number | undefined;
  #ended = false;

  constructor(
    readonly origin: ConnectionOrigin,
    private readonly socket: Socket,
    private readonly deps: DispatchDeps,
    private readonly options: ConnectionOptions,
    private readonly onEnd: (connection: Connection) => void,
  ) {
    const { id, address, addressInflow } = origin;
    const { clock } = deps;
    this.#lastFrameMs = clock.monotonic();
    this.#lastWriteMs = clock.monotonic();
    this.link = new RelayLink(id, address, newOutbox(id, this.#sink(), deps), deps.tokens.withoutToken);
    const owner = {
      take: (envelope: Envelope) => this.#take(envelope),
      malformed: ({ reason, detail }: { readonly reason: string; readonly detail: string }) =>
        this.end("malformed", `${reason}: ${detail}`),
    };
    this.#inbox = new Inbox(socket, owner, [new Inflow(clock, options), addressInflow], clock);
    socket.on("data", (chunk) => workFor(this.link.origin(), () => this.#inbox.receive(chunk)));
    socket.on("drain", () => this.link.outbox.drained());
    socket.on("end", () => this.#endAfterLastFrame("the relay closed the connection"));
    socket.on("error", (error) => this.end("error", error.message));
    socket.on("close", () => this.#endAfterLastFrame("the connection is gone"));
  }

  /** Whether a complete frame has come. */
  get proven(): boolean {
    return this.#proven;
  }

  /** When the last frame came, or the connection began; monotonic milliseconds. */
  get lastFrameMs(): number {
    return this.#lastFrameMs;
  }

  /** To be called every `CARE_INTERVAL_MS`: strangers, idle relays, our own silence, what is not read. */
  care(): void {
    const nowMs = this.deps.clock.monotonic();
    const { firstFrameTimeoutMs, idleTimeoutMs } = this.options;
    const silenceMsMax = this.#proven ? idleTimeoutMs : Math.min(firstFrameTimeoutMs, idleTimeoutMs);
    this.#strangerSinceMs = this.link.rights === undefined ? (this.#strangerSinceMs ?? nowMs) : undefined;
    if (nowMs - (this.#strangerSinceMs ?? nowMs) >= HELLO_MS_MAX) {
      this.end("untrusted", `no hello with a known token for ${HELLO_MS_MAX} ms`);
    } else if (nowMs - this.#lastFrameMs >= silenceMsMax) {
      this.end("idle", `no complete frame for ${silenceMsMax} ms`);
    } else if (this.link.outbox.care() === "stuck") {
      this.end("slow", "the relay does not read: its outbox stayed full");
    } else if (this.link.reading.isOverdue(nowMs) && !this.#inbox.isBehind) {
      this.end("slow", `the relay does not read: no echo for ${UNREAD_MS_MAX} ms`);
    } else if (
      this.link.reading.isDue(this.link.outbox.handedOver) ||
      nowMs - this.#lastWriteMs >= KEEP_ALIVE_AFTER_MS
    ) {
      this.link.keepAlive(nowMs);
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
    this.#inbox.close();
    if (reason === "shutdown") {
      this.link.outbox.closeAfterFlush();
      this.#hangUpAfterLastWrite();
    } else {
      this.link.outbox.close();
      this.socket.destroy();
    }
    const { address, id } = this.origin;
    this.deps.telemetry.emit({ type: "relay_disconnected", connection: id, address, reason, detail });
    this.onEnd(this);
  }

  /** What came before counts. */
  #endAfterLastFrame(detail: string): void {
    void this.#inbox.finished().then(() => this.end("peer", detail));
  }

  /** What still comes after the end is read, so that the last words are not lost to a reset, and thrown away. */
  #hangUpAfterLastWrite(): void {
    this.socket.end();
    const timer = this.deps.clock.after(CLOSE_GRACE_MS, () => this.socket.destroy());
    this.socket.once("close", () => timer.cancel());
  }

  /** Returns what the frame counts for in the budget. */
  #take(envelope: Envelope): number {
    this.#proven = true;
    this.#lastFrameMs = this.deps.clock.monotonic();
    const { refused } = this.link;
    this.#dispatch(envelope);
    if (this.link.refused > refused) {
      this.#refusedInARow += 1;
      if (this.#refusedInARow >= REFUSED_IN_A_ROW_MAX)
        this.end("refused", `${REFUSED_IN_A_ROW_MAX} commands in a row were refused`);
      return REFUSED_FRAMES;
    }
    if (envelope.contentType === "json") this.#refusedInARow = 0;
    return 1;
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
function newOutbox(id: string, sink: Sink, { clock, telemetry }: DispatchDeps): Outbox {
  const observer = {
    answerGivenUp: (mid: number) => telemetry.emit({ type: "answer_given_up", connection: id, mid }),
    frameDropped: (frame: string) => telemetry.emit({ type: "frame_dropped", connection: id, frame }),
  };
  return new Outbox(sink, observer, () => clock.monotonic());
}
