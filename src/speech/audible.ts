/**
 * Is there speech at all? A press of the button without a word is told from a question before anybody transcribes it:
 * it costs nothing, and a recogniser that hears nothing makes something up. The packets are decoded one by one as they
 * come, until the answer is clear.
 */
import type { Utterance } from "../domain/utterance.js";
import type { RecognitionResult, SpeechHints, SpeechToText } from "./speech-to-text.js";
import { METER_SAMPLE_RATE_HZ, VoiceMeter } from "./voice-meter.js";
import { decoded } from "./voice-packet.js";

/** A press of the button that is shorter says nothing. */
export const UTTERANCE_MS_MIN = 300;
/** The vowel of a short "stop" lasts so long. */
export const VOICED_MS_MIN = 100;

export type Audibility =
  | { readonly type: "speech" }
  | { readonly type: "nothing"; readonly reason: "too_short" | "silent" };

/**
 * Whether anybody speaks; settles as soon as somebody surely does, else at the end of the utterance. Rejects with
 * `RecognitionFailure("not_audio")`, with what the utterance throws, or with the signal's reason.
 */
export async function audibility(utterance: Utterance, signal: AbortSignal): Promise<Audibility> {
  const { shape } = utterance;
  const meter = new VoiceMeter();
  let heardMs = 0;
  for await (const pcm of decoded(utterance, METER_SAMPLE_RATE_HZ, signal)) {
    meter.hear(pcm);
    heardMs += shape.packetMs;
    if (heardMs >= UTTERANCE_MS_MIN && meter.measure().voicedMs >= VOICED_MS_MIN) return { type: "speech" };
  }
  const isShort = heardMs < UTTERANCE_MS_MIN || meter.measure().voicedMs > 0;
  return { type: "nothing", reason: isShort ? "too_short" : "silent" };
}

/** A recogniser that is asked only when there is something to hear. */
export class AudibleOnly implements SpeechToText {
  readonly name: string;

  constructor(private readonly inner: SpeechToText) {
    this.name = inner.name;
  }

  async recognise(utterance: Utterance, hints: SpeechHints, signal: AbortSignal): Promise<RecognitionResult> {
    try {
      return await this.inner.recognise(new Audible(utterance, signal), hints, signal);
    } catch (error) {
      if (error instanceof NothingToHear) return { type: "nothing", reason: error.reason };
      throw error;
    }
  }

  warm(signal: AbortSignal): Promise<void> {
    return this.inner.warm(signal);
  }

  close(): Promise<void> {
    return this.inner.close();
  }
}

class NothingToHear extends Error {
  override readonly name = "NothingToHear";
  constructor(readonly reason: "too_short" | "silent") {
    super(`nobody speaks: ${reason}`);
  }
}

/** Its packets come when somebody is known to speak; of nothing, it throws `NothingToHear` instead. */
class Audible implements Utterance {
  readonly shape: Utterance["shape"];
  #audibility: Promise<Audibility> | undefined;

  constructor(
    private readonly utterance: Utterance,
    private readonly signal: AbortSignal,
  ) {
    this.shape = utterance.shape;
  }

  async *packets(): AsyncGenerator<Uint8Array, void, undefined> {
    this.#audibility ??= audibility(this.utterance, this.signal);
    const heard = await this.#audibility;
    if (heard.type === "nothing") throw new NothingToHear(heard.reason);
    yield* this.utterance.packets();
  }
}
