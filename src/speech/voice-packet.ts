/** Whether a packet of a voice message is what its sender announced, and what it sounds like. */
import { OpusPacketDecoder, type OpusSampleRateHz, parseToc } from "@readback/audio";
import type { Utterance, UtteranceShape } from "../domain/utterance.js";
import { untilAborted } from "../lib/deadline.js";
import { RecognitionFailure } from "./speech-to-text.js";

/** Beyond that no decoder here takes a packet: 120 ms at Opus's highest rate, 510 kbit/s, are 7,650 bytes. */
export const VOICE_PACKET_BYTES_MAX = 8_192;

/**
 * What is wrong with `packet`, to be said after "packet 7"; absent when it is Opus of this shape. Reads the framing
 * only, which decides alone whether a packet decodes and to how much.
 */
export function voicePacketFault(packet: Uint8Array, { packetMs }: UtteranceShape): string | undefined {
  if (packet.length > VOICE_PACKET_BYTES_MAX)
    return `has ${packet.length} bytes; at most ${VOICE_PACKET_BYTES_MAX}`;
  const parsed = parseToc(packet);
  if (!parsed.ok) return `is not Opus (${parsed.reason})`;
  const { channels, durationMs } = parsed.toc;
  if (channels !== 1) return "is not mono";
  return durationMs === packetMs ? undefined : `has ${durationMs} ms instead of ${packetMs} ms`;
}

/**
 * The packets of `utterance` as mono PCM, one after the other as they come in. Throws `RecognitionFailure("not_audio")`,
 * what the utterance throws, or the signal's reason.
 */
export async function* decoded(
  utterance: Utterance,
  sampleRateHz: OpusSampleRateHz,
  signal: AbortSignal,
): AsyncGenerator<Int16Array, void, undefined> {
  const decoder = new OpusPacketDecoder({ sampleRateHz });
  for await (const packet of untilAborted(utterance.packets(), signal)) {
    const fault = voicePacketFault(packet, utterance.shape);
    if (fault !== undefined) throw new RecognitionFailure("not_audio", `a packet of the question ${fault}`);
    yield decoder.decode(packet);
  }
}
