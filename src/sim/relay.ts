/** A relay of the simulation: one connection for many users, which can also break, stop reading and send rubbish. */
import type { Socket } from "node:net";
import {
  type AudioShape,
  EnvelopeDecoder,
  ERROR_CODES,
  encodeAudio,
  encodeRelayCommand,
  type JsonEnvelope,
  parseServiceCommand,
  type RelayCommandDraft,
  type UserIdentity,
} from "@readback/protocol";
import { type Clock, every, type Timer } from "../lib/clock.js";
import { type DialAddress, dial } from "../lib/dial.js";
import type { LoopWatch } from "../lib/loop-watch.js";
import type { TraceEvent } from "./trace.js";

/** How long connecting may take, on the simulation's clock. */
export const CONNECT_MS_MAX = 60_000;

/** Well within the service's idle timeout. */
const KEEP_ALIVE_INTERVAL_MS = 50_000;

export interface RelayDeps {
  readonly clock: Clock;
  readonly loop: LoopWatch;
  readonly address: DialAddress;
  readonly token: string | undefined;
  /** Told of everything that happens on the connection. */
  readonly emit: (event: TraceEvent) => void;
}

export interface RelayCapabilities {
  readonly audio: readonly AudioShape[];
  readonly acknowledgements: boolean;
  readonly announcements?: boolean | undefined;
}

interface Connection {
  readonly socket: Socket;
  readonly decoder: EnvelopeDecoder;
  readonly keepAlive: Timer;
  /** What we did that may end it. */
  cause: string | undefined;
  error: string | undefined;
}

export class Relay {
  #connection: Connection | undefined;
  #connecting: Promise<void> | undefined;
  /** Since when it has not read. */
  #heldSinceMs: number | undefined;
  #whenClosed: () => void = () => undefined;

  constructor(
    readonly name: string,
    private readonly capabilities: RelayCapabilities,
    private readonly deps: RelayDeps,
  ) {}

  get connected(): boolean {
    return this.#connection !== undefined;
  }

  /** Connects unless it is connected, and says what it can take if that is special. Rejects when nobody is there. */
  connect(signal: AbortSignal): Promise<void> {
    if (this.connected) return Promise.resolve();
    this.#connecting ??= this.#open(signal).finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  async #open(signal: AbortSignal): Promise<void> {
    const { address, clock, emit, token } = this.deps;
    this.#adopt(await dial(address, clock, CONNECT_MS_MAX, signal));
    const { audio, acknowledgements, announcements = false } = this.capabilities;
    if (audio.length > 0 || acknowledgements || announcements || token !== undefined)
      this.send({ command: "hello", audio, acknowledgements, announcements, token });
    // Nothing is known of it before its first frame, and nobody may have anything to say for a while.
    else this.send({ command: "keep_alive" });
    emit({ type: "opened", atMs: clock.monotonic(), relay: this.name, acknowledgements });
  }

  /** Sends a command; one without a connection is lost, as with a real relay. */
  send(command: RelayCommandDraft): void {
    this.#connection?.socket.write(encodeRelayCommand(command));
  }

  sendAudio(
    route: UserIdentity & { readonly connectionId: string },
    messageId: number,
    packetId: number,
    payload: Uint8Array,
  ): void {
    this.#connection?.socket.write(encodeAudio({ ...route, messageId, packetId, payload }));
  }

  /** Sends bytes as they are. `cause`: why the service may close the connection for them. */
  sendBytes(bytes: Uint8Array, cause?: string): void {
    if (this.#connection === undefined) return;
    this.#connection.cause ??= cause;
    this.#connection.socket.write(bytes);
  }

  /** Resolves when the connection is closed, by whichever side. */
  closed(): Promise<void> {
    if (this.#connection === undefined) return Promise.resolve();
    return new Promise((resolve) => {
      const before = this.#whenClosed;
      this.#whenClosed = () => {
        before();
        resolve();
      };
    });
  }

  /** Leaves what comes in where it is. Over `cause` the service may close the connection. */
  stopReading(cause: string): void {
    if (this.#connection === undefined) return;
    this.#connection.cause ??= cause;
    this.#heldSinceMs ??= this.deps.clock.monotonic();
    this.#connection.socket.pause();
  }

  readAgain(): void {
    this.#connection?.socket.resume();
  }

  /** What comes from here on has not lain anywhere. */
  caughtUp(): void {
    this.#heldSinceMs = undefined;
    if (this.#connection !== undefined) this.#connection.cause = undefined;
  }

  /** What was on its way in either direction is lost. */
  disconnect(): void {
    const { socket } = this.#connection ?? {};
    this.#over("us");
    socket?.destroy();
  }

  #adopt(socket: Socket): void {
    const keepAlive = every(this.deps.clock, KEEP_ALIVE_INTERVAL_MS, () =>
      this.send({ command: "keep_alive" }),
    );
    const connection = {
      socket,
      decoder: new EnvelopeDecoder(),
      keepAlive,
      cause: undefined,
      error: undefined,
    } as Connection;
    this.#connection = connection;
    this.#heldSinceMs = undefined;
    socket.on("data", (chunk) => {
      if (this.#connection === connection) this.#receive(connection, chunk);
    });
    // `close` follows.
    socket.on("error", (error) => {
      connection.error = error.message;
    });
    socket.on("close", () => {
      if (this.#connection === connection) this.#over("service");
    });
  }

  #over(by: "us" | "service"): void {
    const connection = this.#connection;
    if (connection === undefined) return;
    this.#connection = undefined;
    connection.keepAlive.cancel();
    const { cause, error } = connection;
    this.deps.emit({ type: "closed", atMs: this.deps.clock.monotonic(), relay: this.name, by, cause, error });
    this.#whenClosed();
    this.#whenClosed = () => undefined;
  }

  #receive(connection: Connection, chunk: Uint8Array): void {
    const { clock, emit, loop } = this.deps;
    const { decoder } = connection;
    decoder.push(chunk);
    const moment = {
      relay: this.name,
      atMs: clock.monotonic(),
      earliestMs: Math.min(loop.earliestMs, this.#heldSinceMs ?? Number.POSITIVE_INFINITY),
    };
    for (let result = decoder.next(); result.type !== "incomplete"; result = decoder.next()) {
      if (result.type === "malformed") {
        emit({ type: "unreadable", ...moment, what: "malformed_frame", detail: result.detail });
        this.disconnect();
        return;
      }
      const { envelope } = result;
      if (envelope.contentType === "audio") emit({ type: "audio", ...moment, audio: envelope });
      else emit({ ...moment, ...readCommand(envelope) });
    }
  }
}

function readCommand(envelope: JsonEnvelope) {
  const parsed = parseServiceCommand(envelope);
  if (parsed.type === "command") return parsed;
  const what = hasUnknownCode(envelope) ? ("unknown_code" as const) : ("bad_command" as const);
  return { type: "unreadable" as const, what, detail: parsed.error };
}

function hasUnknownCode({ payload }: JsonEnvelope): boolean {
  try {
    const { command, code } = JSON.parse(new TextDecoder().decode(payload)) as Record<string, unknown>;
    return command === "ai_message_error" && !(ERROR_CODES as readonly unknown[]).includes(code);
  } catch {
    return false;
  }
}
