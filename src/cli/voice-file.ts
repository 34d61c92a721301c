/** Somebody's voice in Ogg Opus, as the packets that a radio would send. */
import { createReadStream } from "node:fs";
import { isPacketDuration } from "@readback/protocol";
import { UsageProblem } from "../lib/usage-problem.js";
import type { SimulatedVoice } from "../sim/voice.js";
import { opusPackets } from "../speech/packets.js";
import { SpeechFailure } from "../speech/port.js";

/** A file that no radio could send; the message names it. */
export class VoiceFileProblem extends UsageProblem {
  override readonly name = "VoiceFileProblem";
}

/** Rejects with `VoiceFileProblem` when the file cannot be read, or is not mono Opus in packets of 20, 40 or 60 ms. */
export async function readVoiceFile(path: string): Promise<SimulatedVoice> {
  try {
    return await voiceIn(createReadStream(path));
  } catch (error) {
    const { message } = error as Error;
    throw new VoiceFileProblem(
      error instanceof SpeechFailure
        ? `${path} is no voice that a radio could send: ${message}`
        : `${path} cannot be read: ${message}`,
      { cause: error },
    );
  }
}

/** The packets of an Ogg Opus body, whole. Rejects with what the body throws, or `SpeechFailure`. */
export async function voiceIn(body: AsyncIterable<Uint8Array>): Promise<SimulatedVoice> {
  const packets: Uint8Array[] = [];
  let shape = { packetMs: 0, sampleRateHz: 0 };
  for await (const read of opusPackets(body)) {
    for (const packet of read.packets) packets.push(packet.slice());
    shape = read.shape;
  }
  const { packetMs, sampleRateHz } = shape;
  if (!isPacketDuration(packetMs)) throw new SpeechFailure("wrong_shape", `packets of ${packetMs} ms`);
  return { packets, packetMs, sampleRateHz };
}
