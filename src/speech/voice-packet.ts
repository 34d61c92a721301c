/** Whether a packet of a voice message is what its sender announced. */
import { parseToc } from "@readback/audio";
import type { UtteranceShape } from "../domain/utterance.js";

/** What is wrong with `packet`, to be said after "packet 7"; absent when it is Opus of this shape. */
export function voicePacketFault(packet: Uint8Array, { packetMs }: UtteranceShape): string | undefined {
  const parsed = parseToc(packet);
  if (!parsed.ok) return `is not Opus (${parsed.reason})`;
  const { channels, durationMs } = parsed.toc;
  if (channels !== 1) return "is not mono";
  return durationMs === packetMs ? undefined : `has ${durationMs} ms instead of ${packetMs} ms`;
}
