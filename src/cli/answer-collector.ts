/** Puts an answer together from the frames that a relay receives. */
import { muxOggOpus } from "@readback/audio";
import type { ServiceCommand } from "@readback/protocol";
import type { ReceivedFrame } from "./relay-client.js";

export interface CollectedAnswer {
  readonly text: string | undefined;
  readonly error: { readonly code: string; readonly error: string } | undefined;
  readonly packets: readonly Uint8Array[];
  readonly packetMs: number;
  readonly sampleRateHz: number;
  /** As `end_message` says it. */
  readonly durationMs: number;
  /** From the question to the first packet, or to the text. */
  readonly firstMs: number | undefined;
  /** The spoken answer as an Ogg Opus file; undefined when no audio came. */
  oggFile(): Uint8Array | undefined;
}

/** Whether `command` is the last one that the request causes. */
export function isLastOf(command: ServiceCommand, requestId: string): boolean {
  if (!("requestId" in command) || command.requestId !== requestId) return false;
  if (command.command === "transcription" && command.role === "question") return false;
  return ["text_message", "transcription", "ai_message_error"].includes(command.command);
}

export class AnswerCollector {
  #text: string | undefined;
  #error: CollectedAnswer["error"];
  #packets: Uint8Array[] = [];
  #packetMs = 0;
  #sampleRateHz = 0;
  #durationMs = 0;
  #firstMs: number | undefined;

  /** `startMs`: when the question was sent, monotonic. */
  constructor(private readonly startMs: number) {}

  add(received: ReceivedFrame): void {
    if (received.type === "audio") {
      this.#firstMs ??= received.atMs - this.startMs;
      this.#packets.push(received.audio.payload);
      return;
    }
    const { command } = received;
    switch (command.command) {
      case "message":
        if (command.kind === "acknowledgement") break;
        this.#packetMs = command.durationMs;
        this.#sampleRateHz = command.codecHeader.sampleRateHz;
        break;
      case "end_message":
        this.#durationMs = command.durationMs;
        break;
      case "transcription":
      case "text_message":
        if (command.command === "transcription" && command.role === "question") break;
        this.#text = command.text;
        this.#firstMs ??= received.atMs - this.startMs;
        break;
      case "ai_message_error":
        this.#error = { code: command.code, error: command.error };
        break;
      default: // Nothing of the answer.
    }
  }

  get answer(): CollectedAnswer {
    const packets = this.#packets;
    const sampleRateHz = this.#sampleRateHz;
    return {
      text: this.#text,
      error: this.#error,
      packets,
      packetMs: this.#packetMs,
      sampleRateHz,
      durationMs: this.#durationMs,
      firstMs: this.#firstMs,
      oggFile: () =>
        packets.length === 0 ? undefined : muxOggOpus(packets, { inputSampleRateHz: sampleRateHz }),
    };
  }
}
