/**
 * The voice that comes with the service: English, no key, no network, one thread of its own. Sentences of all users
 * wait in one bounded line; at some fifty times real time it is a short one.
 */
import type { Clock } from "../lib/clock.js";
import { WorkerClient, WorkerFailure, workerUrl } from "../lib/worker.js";
import type { FliteVoice } from "./flite.js";
import type { LocalPacketMs, LocalSpeechCalls, LocalSpeechData } from "./local.worker.js";
import { SpeechFailure, type SpeechRequest, type TextToSpeech } from "./port.js";

/** Characters of one request at the most: far beyond a sentence, about two minutes of speech. */
export const TEXT_CHARS_MAX = 2_000;

/** Packets that this voice makes; the first where nobody asks: fewer bytes, and as fast to the first sound. */
const PACKET_MS: readonly LocalPacketMs[] = [60, 40, 20];

/** A sentence is synthesized in one go, within this. */
const ABORT_GRACE_MS = 2_000;

export interface LocalSpeechOptions {
  readonly offlineVoice: FliteVoice;
  /** Requests that may wait for the one that is spoken. */
  readonly offlineQueueLengthMax: number;
}

export class LocalSpeech implements TextToSpeech {
  readonly name: string;
  readonly usualPacketMs = PACKET_MS[0]!;
  readonly #worker: WorkerClient<LocalSpeechCalls>;

  constructor(clock: Clock, options: LocalSpeechOptions) {
    this.name = `offline/${options.offlineVoice}`;
    this.#worker = new WorkerClient({
      url: workerUrl(import.meta.url, "./local.worker.js"),
      name: "speech",
      data: { voice: options.offlineVoice } satisfies LocalSpeechData,
      queueLengthMax: options.offlineQueueLengthMax,
      abortGraceMs: ABORT_GRACE_MS,
      clock,
    });
  }

  /** Starts the thread and loads the voice, so that the first sentence need not wait for it. */
  async warm(signal: AbortSignal): Promise<void> {
    try {
      await this.#worker.call("warm", undefined, signal);
    } catch (error) {
      throw failureOf(error, false);
    }
  }

  /** In packets as long as asked for; their rate is that of the voice, which no decoder minds. */
  async *synthesize(
    { text, shape }: SpeechRequest,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    if (text.length > TEXT_CHARS_MAX)
      throw new SpeechFailure("unavailable", "the text is too long for the offline voice");
    const packetMs = PACKET_MS.find((ms) => ms === shape?.packetMs) ?? this.usualPacketMs;
    let begun = false;
    try {
      for await (const bytes of this.#worker.stream("speak", { text, packetMs }, signal)) {
        begun = true;
        yield bytes;
      }
    } catch (error) {
      throw signal.aborted ? signal.reason : failureOf(error, begun);
    }
    if (!begun) throw new SpeechFailure("unavailable", "the offline voice speaks English only");
  }

  close(): Promise<void> {
    return this.#worker.close();
  }
}

function failureOf(error: unknown, begun: boolean): unknown {
  if (!(error instanceof WorkerFailure)) return error;
  return new SpeechFailure(begun ? "cut" : "unavailable", error.message, { cause: error });
}
