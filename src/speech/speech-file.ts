/** Texts as one file of sound, one after the other, in the voice that answers are spoken in. */
import { muxOggOpus } from "@readback/audio";
import { opusPackets } from "./packets.js";
import type { TextToSpeech } from "./port.js";

/** A voice that leaves the choice to us gives packets of this shape, so that they fit one file. */
const SHAPE = { sampleRateHz: 16_000, packetMs: 60 } as const;

/** Ogg Opus. `texts`: words and punctuation only. Rejects with `SpeechFailure`, or the signal's reason. */
export async function speechFile(
  speech: Pick<TextToSpeech, "synthesize">,
  texts: readonly string[],
  language: string,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const packets: Uint8Array[] = [];
  let inputSampleRateHz: number = SHAPE.sampleRateHz;
  for (const text of texts) {
    const body = speech.synthesize({ text, language, shape: SHAPE }, signal);
    for await (const read of opusPackets(body)) {
      for (const packet of read.packets) packets.push(packet.slice());
      inputSampleRateHz = read.shape.sampleRateHz;
    }
  }
  return muxOggOpus(packets, { inputSampleRateHz });
}
