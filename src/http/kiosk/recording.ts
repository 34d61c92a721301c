/** A recording that a browser sends: Ogg Opus in, an utterance out, or what is wrong with it. */
import { OggOpusDemuxer, type OggOpusEvent, SAMPLES_PER_MS } from "@readback/audio";
import { Rejection } from "../../api/rejection.js";
import { UTTERANCE_MS_MAX } from "../../chat/recording.js";
import type { Utterance, UtteranceShape } from "../../domain/utterance.js";
import { voicePacketFault } from "../../speech/voice-packet.js";

/** What a recording is sent as. */
export const RECORDING_BODY = { types: ["audio/ogg"], what: "Ogg Opus" } as const;

/** Opus decodes to this, whatever was recorded. */
const SAMPLE_RATE_HZ = 48_000;

/**
 * `sentMs`: when it came in (monotonic); the button was held until then. Throws `Rejection`: no Ogg Opus, more than
 * one channel, packets of different lengths, nothing in it, or too much.
 */
export function utteranceIn(bytes: Uint8Array, sentMs: number): Utterance {
  const demuxer = new OggOpusDemuxer();
  const packets: Uint8Array[] = [];
  let shape: UtteranceShape | undefined;
  for (const event of [...demuxer.push(bytes), ...demuxer.end()]) {
    assertSound(event);
    if (event.type !== "packet") continue;
    shape ??= { sampleRateHz: SAMPLE_RATE_HZ, packetMs: event.durationSamples / SAMPLES_PER_MS };
    const fault = voicePacketFault(event.data, shape);
    if (fault !== undefined) throw unsupported(`packet ${packets.length} ${fault}`);
    packets.push(event.data);
    if (packets.length * shape.packetMs > UTTERANCE_MS_MAX)
      throw unsupported(`it is over ${UTTERANCE_MS_MAX / 1_000} seconds long`);
  }
  if (shape === undefined) throw unsupported("there is no sound in it");
  return {
    shape,
    pressedMs: sentMs - packets.length * shape.packetMs,
    async *packets() {
      yield* packets;
    },
  };
}

function assertSound(event: OggOpusEvent): void {
  if (event.type === "malformed") throw unsupported(`it is damaged, or no Ogg Opus (${event.detail})`);
  if (event.type === "truncated") throw unsupported("it broke off");
  if (event.type === "head" && event.head.channels !== 1)
    throw unsupported(`it has ${event.head.channels} channels`);
}

function unsupported(why: string): Rejection {
  const wanted = `one mono stream of Ogg Opus, at most ${UTTERANCE_MS_MAX / 1_000} seconds long`;
  return new Rejection("unsupported_audio", `The recording cannot be used: ${why}. Send ${wanted}.`);
}
