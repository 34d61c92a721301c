/**
 * A relay with one user: asks over TCP as a real relay would, and tells what comes back with the time it came. For
 * `readback ask` and the demo.
 */
import type { Socket } from "node:net";
import {
  type AudioEnvelope,
  EnvelopeDecoder,
  encodeAudio,
  encodeRelayCommand,
  parseServiceCommand,
  type RelayCommandDraft,
  type ServiceCommand,
} from "@readback/protocol";
import { Channel } from "../lib/channel.js";
import { type Clock, every, type Timer } from "../lib/clock.js";
import { CannotConnect, type DialAddress, dial } from "../lib/dial.js";

/** How long connecting may take. */
export const CONNECT_MS_MAX = 5_000;

/** How often the client says that it is there: well within the service's idle timeout. */
const KEEP_ALIVE_INTERVAL_MS = 30_000;

/** Frames received and not yet looked at. */
const FRAMES_WAITING_MAX = 100_000;

/** A frame from the service; `atMs` is monotonic. */
export type ReceivedFrame =
  | { readonly type: "command"; readonly atMs: number; readonly command: ServiceCommand }
  | { readonly type: "audio"; readonly atMs: number; readonly audio: AudioEnvelope };

/** The connection failed, or the service said something that is not LoudTalks. */
export class RelayError extends Error {
  override readonly name = "RelayError";
}

export class RelayClient {
  readonly #received = new Channel<ReceivedFrame>(FRAMES_WAITING_MAX);
  readonly #decoder = new EnvelopeDecoder();
  readonly #keepAlive: Timer;

  private constructor(
    private readonly socket: Socket,
    private readonly clock: Clock,
  ) {
    this.#keepAlive = every(clock, KEEP_ALIVE_INTERVAL_MS, () => this.send({ command: "keep_alive" }));
    socket.on("data", (chunk) => this.#receive(chunk));
    socket.on("error", (error) => this.#end(new RelayError(`the connection failed: ${error.message}`)));
    socket.on("close", () => this.#end(new RelayError("the service closed the connection")));
  }

  /** Connects; rejects with `RelayError` or the signal's reason. */
  static async connect(address: DialAddress, clock: Clock, signal: AbortSignal): Promise<RelayClient> {
    try {
      return new RelayClient(await dial(address, clock, CONNECT_MS_MAX, signal), clock);
    } catch (error) {
      throw error instanceof CannotConnect ? new RelayError(error.message) : error;
    }
  }

  send(command: RelayCommandDraft): void {
    this.socket.write(encodeRelayCommand(command));
  }

  /** Sends one packet of the user's voice message. */
  sendAudio(packet: Parameters<typeof encodeAudio>[0]): void {
    this.socket.write(encodeAudio(packet));
  }

  /** Everything received, in order; ends with `close`, throws `RelayError` when the service hangs up first. */
  received(): AsyncIterable<ReceivedFrame> {
    return this.#received;
  }

  /** Ends the stream of what is received with `reason`. */
  abort(reason: unknown): void {
    this.#end(reason);
  }

  close(): void {
    this.#end(undefined);
    this.socket.end();
    this.socket.destroySoon();
  }

  #receive(chunk: Uint8Array): void {
    this.#decoder.push(chunk);
    const atMs = this.clock.monotonic();
    for (let result = this.#decoder.next(); result.type !== "incomplete"; result = this.#decoder.next()) {
      if (result.type === "malformed") {
        this.#end(new RelayError(`the service sent a malformed frame: ${result.detail}`));
        this.socket.destroy();
        return;
      }
      const { envelope } = result;
      if (envelope.contentType === "audio") {
        this.#put({ type: "audio", atMs, audio: envelope });
        continue;
      }
      const parsed = parseServiceCommand(envelope);
      if (parsed.type === "refused")
        this.#end(new RelayError(`the service sent a bad command: ${parsed.error}`));
      else this.#put({ type: "command", atMs, command: parsed.command });
    }
  }

  #put(received: ReceivedFrame): void {
    if (!this.#received.put(received))
      this.#end(new RelayError(`more than ${FRAMES_WAITING_MAX} frames wait to be read`));
  }

  #end(error: unknown): void {
    this.#keepAlive.cancel();
    if (error === undefined) this.#received.close();
    else this.#received.fail(error);
  }
}
