/** A recording that a browser sends: Ogg Opus in, an utterance out, or what is wrong with it. */
import { OggOpusDemuxer, type OggOpusEvent, SAMPLES_PER_MS } from "@readback/audio";
import type { Utterance } from "../../domain/utterance.js";
import { Rejection } from "../../door/rejection.js";

/** Longest recording. */
export const RECORDING_MS_MAX = 60_000;

/** What the recording is transported in. */
export const RECORDING_BODY = { types: ["audio/ogg"], what: "Ogg Opus" } as const;

/** Durations of a packet that a voice message may have. */
const PACKET_MS: readonly number[] = [10, 20, 40, 60, 80, 100, 120];

/** Throws `Rejection`: bytes that are no Ogg Opus, more than one voice, packets of changing length, or too many. */
export function utteranceIn(bytes: Uint8Array): Utterance {
  const demuxer = new OggOpusDemuxer();
  const packets: Uint8Array[] = [];
  let packetMs: number | undefined;
  let totalMs = 0;
  for (const event of [...demuxer.push(bytes), ...demuxer.end()]) {
    assertSound(event);
    if (event.type !== "packet") continue;
    const ms = event.durationSamples / SAMPLES_PER_MS;
    packetMs ??= ms;
    if (ms !== packetMs) throw unsupported("its packets are of different lengths");
    totalMs += ms;
    if (totalMs > RECORDING_MS_MAX) throw unsupported(`it is over ${RECORDING_MS_MAX / 1_000} seconds long`);
    packets.push(event.data);
  }
  if (packetMs === undefined) throw unsupported("there is no sound in it");
  if (!PACKET_MS.includes(packetMs)) throw unsupported(`packets of ${packetMs} ms are not taken`);
  return {
    shape: { sampleRateHz: 48_000, packetMs },
    async *packets() {
      yield* packets;
    },
  };
}

function assertSound(event: OggOpusEvent): void {
  switch (event.type) {
    case "malformed":
      throw unsupported(`it is damaged, or no Ogg Opus: ${event.detail}`);
    case "truncated":
      throw unsupported("it broke off");
    case "head":
      if (event.head.channels !== 1) throw unsupported(`it has ${event.head.channels} channels`);
      return;
    default:
      return;
  }
}

function unsupported(why: string): Rejection {
  return new Rejection(
    "unsupported_audio",
    `The recording cannot be used: ${why}. Send one mono Ogg Opus stream of at most ${RECORDING_MS_MAX / 1_000} seconds.`,
  );
}
