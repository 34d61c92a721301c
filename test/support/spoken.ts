/** Somebody speaks: words as the Opus packets of a phone, by the voice that comes with the service. */
import { systemClock } from "../../src/lib/clock.js";
import { LocalSpeech } from "../../src/speech/local.js";
import { opusPackets } from "../../src/speech/packets.js";

/** Packets of 60 ms. */
export async function spokenPackets(text: string): Promise<Uint8Array[]> {
  const voice = new LocalSpeech(systemClock, { offlineVoice: "slt", offlineQueueLengthMax: 2 });
  try {
    const packets: Uint8Array[] = [];
    const body = voice.synthesize({ text }, new AbortController().signal);
    for await (const packet of opusPackets(body)) packets.push(packet.bytes);
    return packets;
  } finally {
    await voice.close();
  }
}
