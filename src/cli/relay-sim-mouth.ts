/** What simulated users say, made by the voice that comes with the service, or read from Ogg Opus files. */
import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { isPacketDuration } from "@readback/protocol";
import type { Clock } from "../lib/clock.js";
import type { Mouth, Utterance } from "../sim/voice.js";
import { LocalSpeech } from "../speech/local.js";
import { opusPackets } from "../speech/packets.js";

/** `folder`: where files are looked for. */
export async function withMouth<T>(
  clock: Clock,
  folder: string,
  signal: AbortSignal,
  work: (mouth: Mouth) => Promise<T>,
): Promise<T> {
  const speech = new LocalSpeech(clock, { offlineVoice: "rms", offlineQueueLengthMax: 1 });
  try {
    return await work({
      speak: (text) => utterance(speech.synthesize({ text }, signal), JSON.stringify(text)),
      play: (file) => utterance(createReadStream(resolve(folder, file)), file),
    });
  } finally {
    await speech.close();
  }
}

async function utterance(body: AsyncIterable<Uint8Array>, name: string): Promise<Utterance> {
  const packets: Uint8Array[] = [];
  let shape: { readonly sampleRateHz: number; readonly packetMs: number } | undefined;
  for await (const packet of opusPackets(body)) {
    shape ??= packet.shape;
    packets.push(packet.bytes.slice());
  }
  if (shape === undefined || !isPacketDuration(shape.packetMs))
    throw new Error(`${name} has no packets that the wire carries`);
  return { sampleRateHz: shape.sampleRateHz, packetMs: shape.packetMs, packets };
}
