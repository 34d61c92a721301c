/** One relay connection of a benchmark: many users ask over it, and what each hears is noted packet by packet. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import {
  type AudioEnvelope,
  EnvelopeDecoder,
  encodeRelayCommand,
  parseServiceCommand,
  type ServiceCommand,
} from "@readback/protocol";
import { sharedNowMs } from "./stats.js";

export const NETWORK = "bench";

/** What came back of one turn. */
export interface Heard {
  readonly tag: string;
  readonly askedMs: number;
  readonly endedMs: number;
  /** How it ended: with a voice message, with a text, or with an error. */
  readonly ending: "voice" | "text" | `error ${string}`;
  readonly packetMs: number;
  /** When packet 0, 1, 2 … arrived. */
  readonly arrivalsMs: Float64Array;
  /** Packets whose number was not the next one. */
  readonly outOfOrder: number;
  /** What `end_message` says. */
  readonly durationMs: number;
}

interface Hearing {
  readonly tag: string;
  readonly askedMs: number;
  readonly arrivalsMs: number[];
  outOfOrder: number;
  packetMs: number;
  durationMs: number;
  readonly resolve: (heard: Heard) => void;
}

export class Relay {
  readonly #decoder = new EnvelopeDecoder();
  /** By user name. */
  readonly #hearings = new Map<string, Hearing>();

  private constructor(private readonly socket: Socket) {
    socket.on("data", (chunk) => this.#receive(chunk));
  }

  static async connect(port: number): Promise<Relay> {
    const socket = connect({ host: "127.0.0.1", port, noDelay: true });
    await once(socket, "connect");
    return new Relay(socket);
  }

  /** Resolves when the answer is over; a user asks one thing at a time. */
  ask(username: string, tag: string, text: string, responseType: "text" | "audio"): Promise<Heard> {
    return new Promise((resolve) => {
      const noted = { arrivalsMs: [], outOfOrder: 0, packetMs: 0, durationMs: 0 };
      this.#hearings.set(username, { tag, askedMs: sharedNowMs(), ...noted, resolve });
      this.socket.write(
        encodeRelayCommand({ command: "ai_message", network: NETWORK, username, text, responseType }),
      );
    });
  }

  close(): void {
    this.socket.destroy();
  }

  #receive(chunk: Uint8Array): void {
    const nowMs = sharedNowMs();
    this.#decoder.push(chunk);
    for (let result = this.#decoder.next(); result.type !== "incomplete"; result = this.#decoder.next()) {
      if (result.type === "malformed")
        throw new Error(`the service sent a malformed frame: ${result.detail}`);
      const { envelope } = result;
      if (envelope.contentType === "audio") {
        this.#audio(envelope, nowMs);
        continue;
      }
      const parsed = parseServiceCommand(envelope);
      if (parsed.type === "refused") throw new Error(`the service sent a bad command: ${parsed.error}`);
      this.#command(envelope.username ?? "", parsed.command, nowMs);
    }
  }

  #audio({ username, packetId }: AudioEnvelope, nowMs: number): void {
    const hearing = this.#hearings.get(username);
    if (hearing === undefined) return;
    if (packetId !== hearing.arrivalsMs.length) hearing.outOfOrder += 1;
    hearing.arrivalsMs.push(nowMs);
  }

  #command(username: string, command: ServiceCommand, nowMs: number): void {
    const hearing = this.#hearings.get(username);
    if (hearing === undefined) return;
    if (command.command === "message") hearing.packetMs = command.durationMs;
    else if (command.command === "end_message") hearing.durationMs = command.durationMs;
    else if (command.command === "transcription") this.#end(username, hearing, "voice", nowMs);
    else if (command.command === "text_message") this.#end(username, hearing, "text", nowMs);
    else if (command.command === "ai_message_error")
      this.#end(username, hearing, `error ${command.code}`, nowMs);
  }

  #end(username: string, hearing: Hearing, ending: Heard["ending"], endedMs: number): void {
    this.#hearings.delete(username);
    const { resolve, arrivalsMs, ...rest } = hearing;
    resolve({ ...rest, endedMs, ending, arrivalsMs: Float64Array.from(arrivalsMs) });
  }
}
