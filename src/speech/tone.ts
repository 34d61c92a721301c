/** A short sound that says "I heard you", made here: two soft notes, a fifth apart, that swell and fade. */
import { OpusPacketEncoder } from "@readback/audio";
import type { SpeechPackets } from "./packets.js";
import type { SpeechShape } from "./port.js";

/** How long the sound is; the last packet is filled with silence. */
export const TONE_MS = 200;

const RATE_HZ = 16_000;
const NOTES_HZ: readonly number[] = [587.33, 880];
/** Quieter than speech: it should be noticed, not heeded. */
const AMPLITUDE = 0.12;
/** How fast a note swells; it fades over the rest of its time. */
const ATTACK_MS = 12;

const made = new Map<number, readonly Uint8Array[]>();

/** The sound in packets of `shape`; undefined where its packets are none of 20, 40 or 60 ms. */
export function tonePackets(shape: SpeechShape): SpeechPackets | undefined {
  const { packetMs } = shape;
  if (packetMs !== 20 && packetMs !== 40 && packetMs !== 60) return undefined;
  const packets = made.get(packetMs) ?? encoded(packetMs);
  made.set(packetMs, packets);
  return { packets, shape };
}

function encoded(packetMs: 20 | 40 | 60): readonly Uint8Array[] {
  const encoder = new OpusPacketEncoder({ sampleRateHz: RATE_HZ, packetMs });
  return [...encoder.encode(tone()), ...encoder.finish().packets];
}

function tone(): Float32Array {
  const noteSamples = Math.round((TONE_MS / NOTES_HZ.length / 1_000) * RATE_HZ);
  const samples = new Float32Array(noteSamples * NOTES_HZ.length);
  NOTES_HZ.forEach((hz, note) => {
    for (let i = 0; i < noteSamples; i++) {
      const wave = Math.sin((2 * Math.PI * hz * i) / RATE_HZ);
      samples[note * noteSamples + i] = AMPLITUDE * envelope(i, noteSamples) * wave;
    }
  });
  return samples;
}

/** From nothing to 1 and back to nothing, each half of a cosine: no click at either end. */
function envelope(i: number, count: number): number {
  const attack = (ATTACK_MS / 1_000) * RATE_HZ;
  const part = i < attack ? i / attack : 1 - (i - attack) / (count - attack);
  return 0.5 - 0.5 * Math.cos(Math.PI * part);
}
