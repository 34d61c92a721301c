import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  CLAUSE_PAUSE_MS,
  LEAD_IN_MS,
  LOUDNESS_DBFS,
  PEAK_DBFS,
  polished,
  SENTENCE_PAUSE_MS,
} from "./polish.js";

const RATE_HZ = 16_000;
const TEXT = "Lock the press.";
const samplesOf = (ms: number) => (ms * RATE_HZ) / 1_000;

/** Silence, a tone with an amplitude, silence. */
function burst({ beforeMs = 200, ms = 500, afterMs = 300, amplitude = 8_000 } = {}): Int16Array {
  const samples = new Int16Array(samplesOf(beforeMs + ms + afterMs));
  for (let i = 0; i < samplesOf(ms); i++)
    samples[samplesOf(beforeMs) + i] = amplitude * Math.sin((2 * Math.PI * 300 * i) / RATE_HZ);
  return samples;
}

function dbfs(samples: Int16Array): number {
  const power = samples.reduce((sum, sample) => sum + (sample / 32_768) ** 2, 0) / samples.length;
  return 10 * Math.log10(power);
}

const peakOf = (samples: Int16Array) => samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);

describe("polished", () => {
  it.each([
    [0, 0],
    [200, 300],
    [1_000, 5],
  ])("leaves as much silence as there should be of %i ms before and %i ms behind", (beforeMs, afterMs) => {
    const speech = polished(burst({ beforeMs, afterMs }), RATE_HZ, TEXT);
    const loudFrom = speech.findIndex((sample) => Math.abs(sample) > 300);
    const loudTo = speech.length - 1 - speech.findLastIndex((sample) => Math.abs(sample) > 300);
    expect(loudFrom).toBeLessThanOrEqual(samplesOf(LEAD_IN_MS + 10));
    expect(loudFrom).toBeGreaterThanOrEqual(beforeMs === 0 ? 0 : samplesOf(LEAD_IN_MS - 10));
    expect(loudTo).toBeGreaterThanOrEqual(samplesOf(SENTENCE_PAUSE_MS - 10));
    expect(loudTo).toBeLessThanOrEqual(samplesOf(SENTENCE_PAUSE_MS + 10));
  });

  it("takes a shorter breath behind a clause", () => {
    const pauses = [
      "Lock the press,",
      "Lock the press",
      "Lock the press.",
      'He said "lock it."',
      "Locked?",
    ].map((text) => polished(burst(), RATE_HZ, text).length);
    const shorter = samplesOf(SENTENCE_PAUSE_MS - CLAUSE_PAUSE_MS);
    const longest = Math.max(...pauses);
    expect(pauses).toEqual([longest - shorter, longest - shorter, longest, longest, longest]);
  });

  it.each([1_500, 3_000, 6_000, 12_000])("makes speech of amplitude %i as loud as all", (amplitude) => {
    const speech = polished(burst({ amplitude }), RATE_HZ, TEXT);
    const middle = speech.subarray(samplesOf(LEAD_IN_MS + 100), samplesOf(LEAD_IN_MS + 400));
    expect(Math.abs(dbfs(middle) - LOUDNESS_DBFS)).toBeLessThan(0.5);
  });

  it("does not make a whisper loud, nor anything louder than the peak", () => {
    expect(dbfs(polished(burst({ amplitude: 120 }), RATE_HZ, TEXT))).toBeLessThan(LOUDNESS_DBFS - 15);
    // Quiet speech with a bang in it.
    const speech = burst({ amplitude: 2_000 });
    speech.fill(32_767, samplesOf(400), samplesOf(401));
    speech.fill(-32_768, samplesOf(401), samplesOf(402));
    expect(peakOf(polished(speech, RATE_HZ, TEXT))).toBeLessThanOrEqual(32_768 * 10 ** (PEAK_DBFS / 20));
  });

  it("begins and ends at nothing", () => {
    const speech = polished(burst({ beforeMs: 0, afterMs: 0 }), RATE_HZ, TEXT);
    expect(Math.abs(speech[0]!)).toBeLessThan(20);
    expect(Math.abs(speech.at(-1)!)).toBe(0);
    const steps = speech.map((sample, i) => (i === 0 ? 0 : Math.abs(sample - speech[i - 1]!)));
    // No step is larger than those of the tone itself at that loudness.
    expect(Math.max(...steps)).toBeLessThan(1_200);
  });

  it("makes a pause of silence, and of nothing", () => {
    expect(polished(new Int16Array(5_000), RATE_HZ, TEXT)).toEqual(
      new Int16Array(samplesOf(SENTENCE_PAUSE_MS)),
    );
    expect(polished(new Int16Array(0), RATE_HZ, TEXT)).toEqual(new Int16Array(samplesOf(SENTENCE_PAUSE_MS)));
  });

  it("takes any samples, keeps all of the speech, and never goes above the peak", () => {
    const any = fc.int16Array({ maxLength: 3_000 });
    fc.assert(
      fc.property(any, (samples) => {
        const speech = polished(samples, RATE_HZ, TEXT);
        expect(peakOf(speech)).toBeLessThanOrEqual(32_768 * 10 ** (PEAK_DBFS / 20));
        expect(speech.length).toBeLessThanOrEqual(samples.length + samplesOf(SENTENCE_PAUSE_MS));
      }),
    );
  });
});
