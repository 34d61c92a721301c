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

const VOICE = { sampleRateHz: 48_000, framesPerPacket: 1, frameMs: 20 } as const;

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
  /** What `end_message` says, and when it arrived; NaN: never. */
  readonly durationMs: number;
  readonly endMessageMs: number;
  /** When the user stopped the answer; NaN: never. */
  readonly stoppedMs: number;
  /** What a `text_message` said. */
  readonly text: string;
}

/** How a user stops an answer, and how long after its first packet. */
export interface Stop {
  readonly by: "press" | "cancel" | "close_chat";
  readonly afterMs: number;
}

interface Hearing {
  readonly tag: string;
  readonly askedMs: number;
  readonly stop: Stop | undefined;
  stoppedMs: number;
  endMessageMs: number;
  text: string;
  readonly arrivalsMs: number[];
  outOfOrder: number;
  packetMs: number;
  durationMs: number;
  readonly resolve: (heard: Heard) => void;
}

/** As relays do, and at once, since the service lets go of those that are silent, and of strangers sooner. */
const KEEP_ALIVE_EVERY_MS = 30_000;
const KEEP_ALIVE = encodeRelayCommand({ command: "keep_alive" });

export class Relay {
  readonly #decoder = new EnvelopeDecoder();
  /** By user name. */
  readonly #hearings = new Map<string, Hearing>();
  #isClosed = false;

  private constructor(private readonly socket: Socket) {
    socket.on("data", (chunk) => this.#receive(chunk));
    socket.write(KEEP_ALIVE);
    const keptAlive = setInterval(() => socket.write(KEEP_ALIVE), KEEP_ALIVE_EVERY_MS).unref();
    socket.on("close", () => {
      clearInterval(keptAlive);
      if (!this.#isClosed) throw new Error("the service closed a connection that a benchmark needs");
    });
  }

  static async connect(port: number): Promise<Relay> {
    const socket = connect({ host: "127.0.0.1", port, noDelay: true });
    await once(socket, "connect");
    return new Relay(socket);
  }

  /** Resolves when the answer is over; a user asks one thing at a time, and may stop the answer to it. */
  ask(
    username: string,
    tag: string,
    text: string,
    responseType: "text" | "audio",
    stop?: Stop,
    network = NETWORK,
  ): Promise<Heard> {
    return new Promise((resolve) => {
      const never = { stoppedMs: Number.NaN, endMessageMs: Number.NaN };
      const noted = { arrivalsMs: [], outOfOrder: 0, packetMs: 0, durationMs: 0, text: "", ...never };
      this.#hearings.set(username, { tag, stop, askedMs: sharedNowMs(), ...noted, resolve });
      this.socket.write(encodeRelayCommand({ command: "ai_message", network, username, text, responseType }));
    });
  }

  close(): void {
    this.#isClosed = true;
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
    if (hearing.arrivalsMs.length > 1 || hearing.stop === undefined) return;
    const { by, afterMs } = hearing.stop;
    if (afterMs === 0) this.#stop(username, hearing, by);
    else setTimeout(() => this.#stop(username, hearing, by), afterMs);
  }

  /** Sends what stops the answer, unless that is over. */
  #stop(username: string, hearing: Hearing, by: Stop["by"]): void {
    if (this.#hearings.get(username) !== hearing || !Number.isNaN(hearing.endMessageMs)) return;
    const who = { network: NETWORK, username };
    hearing.stoppedMs = sharedNowMs();
    const press = { command: "message", ...who, messageId: 1, codecHeader: VOICE, durationMs: 20 } as const;
    this.socket.write(encodeRelayCommand(by === "press" ? press : { command: by, ...who }));
  }

  #command(username: string, command: ServiceCommand, nowMs: number): void {
    const hearing = this.#hearings.get(username);
    if (hearing === undefined) return;
    if (command.command === "message") hearing.packetMs = command.durationMs;
    else if (command.command === "end_message") {
      hearing.durationMs = command.durationMs;
      hearing.endMessageMs = nowMs;
    } else if (command.command === "transcription") this.#transcribed(username, hearing, nowMs);
    else if (command.command === "text_message") {
      hearing.text = command.text;
      this.#end(username, hearing, "text", nowMs);
    } else if (command.command === "ai_message_error") {
      const ending = hearing.endMessageMs > 0 ? "voice" : (`error ${command.code}` as const);
      this.#end(username, hearing, ending, nowMs);
    }
  }

  /** Who pressed the button lets go of it without a word, and is told that this was dropped. */
  #transcribed(username: string, hearing: Hearing, nowMs: number): void {
    const isPressed = hearing.stop?.by === "press" && hearing.stoppedMs > 0;
    if (!isPressed) this.#end(username, hearing, "voice", nowMs);
    else this.socket.write(encodeRelayCommand({ command: "cancel", network: NETWORK, username }));
  }

  #end(username: string, hearing: Hearing, ending: Heard["ending"], endedMs: number): void {
    this.#hearings.delete(username);
    const { resolve, arrivalsMs, stop: _, ...rest } = hearing;
    resolve({ ...rest, endedMs, ending, arrivalsMs: Float64Array.from(arrivalsMs) });
  }
}
