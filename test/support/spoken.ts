/** Somebody speaks: words as the Opus packets of a phone, by the voice that comes with the service. */
import { systemClock } from "../../src/lib/clock.js";
import { LocalSpeech } from "../../src/speech/local.js";
import { opusPackets } from "../../src/speech/packets.js";

/** Packets of 60 ms. `offlineVoice`: who speaks; the local recogniser understands `rms` best. */
export async function spokenPackets(
  text: string,
  offlineVoice: "slt" | "rms" = "slt",
): Promise<Uint8Array[]> {
  const voice = new LocalSpeech(systemClock, { offlineVoice, offlineQueueLengthMax: 2 });
  try {
    const packets: Uint8Array[] = [];
    const body = voice.synthesize({ text }, new AbortController().signal);
    for await (const read of opusPackets(body)) packets.push(...read.packets);
    return packets;
  } finally {
    await voice.close();
  }
}
