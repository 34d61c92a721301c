/**
 * The floor under pacing: a server that takes the same questions over the same sockets and answers each at once with
 * a voice message of ready-made packets, one timer a voice, no service logic. `interval` leaves the pace to
 * `setInterval`, as a plain sender would; `deadline` sets a timer to each packet's own time less the service's cushion.
 */
import { type AddressInfo, createServer, type Socket } from "node:net";
import {
  type AudioEncoder,
  audioEncoder,
  EnvelopeDecoder,
  encodeServiceCommand,
  type ServiceCommand,
} from "@readback/protocol";
import { CUSHION_MS } from "../../src/turn/pacer.js";
import { serve } from "./child.js";
import { type LoopReport, loopReport } from "./loop-report.js";
import { NETWORK } from "./relay.js";
import { opusPackets, type PacketMs } from "./speech-body.js";
import { sharedNowMs } from "./stats.js";

export type Pace = "interval" | "deadline";

export interface BareVoicesSetup {
  readonly pace: Pace;
  readonly packetMs: PacketMs;
  readonly answerMs: number;
}

export type BareVoicesCalls = {
  start: { input: BareVoicesSetup; output: { readonly port: number } };
  loop: { input: undefined; output: LoopReport };
};

/** Packets that are made; longer answers repeat them. */
const RECORDED_MS = 6_000;

let mids = 0;

serve<BareVoicesCalls>({
  start: async (setup) => {
    const packets = opusPackets(setup.packetMs, RECORDED_MS);
    const server = createServer({ noDelay: true }, (socket) => {
      const decoder = new EnvelopeDecoder();
      socket.on("data", (chunk) => {
        decoder.push(chunk);
        for (let result = decoder.next(); result.type === "envelope"; result = decoder.next()) {
          // A keep_alive names nobody.
          const { username } = result.envelope;
          if (username !== undefined) new Voice(socket, username, packets, setup).start();
        }
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return { port: (server.address() as AddressInfo).port };
  },
  loop: loopReport,
});

class Voice {
  readonly #mid = ++mids;
  readonly #encoder: AudioEncoder;
  #pid = 0;

  constructor(
    private readonly socket: Socket,
    private readonly username: string,
    private readonly packets: readonly Uint8Array[],
    private readonly setup: BareVoicesSetup,
  ) {
    this.#encoder = audioEncoder({ network: NETWORK, username }, this.#mid);
  }

  start(): void {
    const { pace, packetMs } = this.setup;
    this.#say({
      command: "message",
      messageId: this.#mid,
      kind: "answer",
      codec: "opus",
      codecHeader: { sampleRateHz: 48_000, framesPerPacket: 1, frameMs: packetMs },
      durationMs: packetMs,
    });
    this.#sendNext();
    if (pace === "interval") this.#repeat(packetMs);
    else this.#followDeadlines(packetMs, sharedNowMs());
  }

  #repeat(packetMs: number): void {
    const timer = setInterval(() => {
      if (!this.#sendNext()) clearInterval(timer);
    }, packetMs);
  }

  #followDeadlines(packetMs: number, startMs: number): void {
    const waitMs = startMs + this.#pid * packetMs - CUSHION_MS - sharedNowMs();
    setTimeout(() => {
      if (this.#sendNext()) this.#followDeadlines(packetMs, startMs);
    }, waitMs);
  }

  /** False when it was the last packet. */
  #sendNext(): boolean {
    const { packetMs, answerMs } = this.setup;
    this.socket.write(this.#encoder.encode(this.#pid, this.packets[this.#pid % this.packets.length]!));
    this.#pid += 1;
    if (this.#pid * packetMs < answerMs) return true;
    this.#say({ command: "end_message", messageId: this.#mid, durationMs: answerMs, ending: "complete" });
    this.#say({ command: "transcription", messageId: this.#mid, text: "Done.", role: "answer" });
    return false;
  }

  #say(command: ServiceCommand): void {
    this.socket.write(encodeServiceCommand(command, { network: NETWORK, username: this.username }));
  }
}
