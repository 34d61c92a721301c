/** The door of the peers of `first-audio`: takes questions over LoudTalks, and gives back what a peer says. */
import { type AddressInfo, createServer, type Socket } from "node:net";
import {
  audioEncoder,
  EnvelopeDecoder,
  encodeServiceCommand,
  type PacketDurationMs,
  parseRelayCommand,
  type RelayCommand,
} from "@readback/protocol";
import { NETWORK } from "./relay.js";

/** Answers one question; `signal` is aborted when the user stops the answer. */
export type Answer = (question: string, voice: Voice, signal: AbortSignal) => Promise<void>;

/** Listens on a free port of this machine; resolves with it. */
export async function listenAsPeer(answer: Answer): Promise<number> {
  const server = createServer({ noDelay: true }, (socket) => new PeerConnection(socket, answer));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

class PeerConnection {
  readonly #decoder = new EnvelopeDecoder();
  /** By user name. */
  readonly #answers = new Map<string, AbortController>();

  constructor(
    private readonly socket: Socket,
    private readonly answer: Answer,
  ) {
    socket.on("data", (chunk) => this.#receive(chunk));
  }

  #receive(chunk: Uint8Array): void {
    this.#decoder.push(chunk);
    for (let result = this.#decoder.next(); result.type === "envelope"; result = this.#decoder.next()) {
      if (result.envelope.contentType !== "json") continue;
      const parsed = parseRelayCommand(result.envelope);
      if (parsed.type === "refused") throw new Error(parsed.error);
      this.#obey(parsed.command);
    }
  }

  #obey(command: RelayCommand): void {
    if (command.command === "cancel") this.#answers.get(command.username)?.abort();
    else if (command.command === "ai_message") void this.#answer(command.username, command.text);
  }

  async #answer(username: string, question: string): Promise<void> {
    const stop = new AbortController();
    this.#answers.set(username, stop);
    const voice = new Voice(this.socket, username);
    try {
      await this.answer(question, voice, stop.signal);
    } catch (error) {
      if (!stop.signal.aborted) throw error;
    }
    voice.end();
  }
}

/** One voice message. */
export class Voice {
  static #mids = 0;
  readonly #mid = ++Voice.#mids;
  #packets = 0;
  #packetMs: PacketDurationMs = 20;

  constructor(
    private readonly socket: Socket,
    private readonly username: string,
  ) {}

  begin(packetMs: PacketDurationMs): void {
    this.#packetMs = packetMs;
    this.#say({
      command: "message",
      messageId: this.#mid,
      kind: "answer",
      codec: "opus",
      codecHeader: { sampleRateHz: 48_000, framesPerPacket: 1, frameMs: packetMs },
      durationMs: packetMs,
    });
  }

  send(packet: Uint8Array): void {
    const route = { network: NETWORK, username: this.username };
    this.socket.write(audioEncoder(route, this.#mid).encode(this.#packets, packet));
    this.#packets += 1;
  }

  end(): void {
    const durationMs = this.#packets * this.#packetMs;
    this.#say({ command: "end_message", messageId: this.#mid, durationMs, ending: "complete" });
    this.#say({ command: "transcription", messageId: this.#mid, text: "Done.", role: "answer" });
  }

  #say(command: Parameters<typeof encodeServiceCommand>[0]): void {
    this.socket.write(encodeServiceCommand(command, { network: NETWORK, username: this.username }));
  }
}
