/** Whether a packet of a voice message is what its sender announced. */
import { parseToc } from "@readback/audio";
import type { UtteranceShape } from "../domain/utterance.js";

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
