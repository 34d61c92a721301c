/** Somebody's voice in an Ogg Opus file, as the packets that a radio would send. */
import { readFile } from "node:fs/promises";
import { isPacketDuration, type PacketDurationMs } from "@readback/protocol";
import { opusPackets } from "../speech/packets.js";
import { SpeechFailure } from "../speech/port.js";
import { RelayError } from "./relay-client.js";

export interface VoiceFile {
  readonly packets: readonly Uint8Array[];
  readonly packetMs: PacketDurationMs;
  readonly sampleRateHz: number;
}

/** Rejects with `RelayError` when the file cannot be read, or is not mono Opus in packets of 20, 40 or 60 ms. */
export async function readVoiceFile(path: string): Promise<VoiceFile> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw new RelayError(`${path} cannot be read: ${String((error as Error).message)}`);
  });
  const packets: Uint8Array[] = [];
  let shape = { packetMs: 0, sampleRateHz: 0 };
  try {
    for await (const packet of opusPackets(chunks(bytes))) {
      packets.push(packet.bytes);
      shape = packet.shape;
    }
  } catch (error) {
    if (!(error instanceof SpeechFailure)) throw error;
    throw new RelayError(`${path} is no voice that a radio could send: ${error.message}`);
  }
  const { packetMs, sampleRateHz } = shape;
  if (!isPacketDuration(packetMs)) throw new RelayError(`${path} holds packets of ${packetMs} ms`);
  return { packets, packetMs, sampleRateHz };
}

async function* chunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
