/**
 * What a synthesizer of our own says, made fit to be heard one sentence after the other: as much silence before and
 * behind each as there should be, all of them equally loud, and no click where they meet. A provider's speech is never
 * treated so, since its packets pass as they are.
 *
 * Loudness is the mean power of the loud part of the speech in dB below full scale, gated as in ITU-R BS.1770 but
 * without its K weighting: all sentences are of one voice, so that a weighting would shift them alike.
 */

/** Silence that is left before the speech. */
export const LEAD_IN_MS = 40;

/** How much of what follows the last loud sound is kept: a voice dies away in it. */
export const TAIL_MS = 60;

/** A breath between two sentences, the tail included; and the moment that a clause takes. */
export const SENTENCE_PAUSE_MS = 200;
export const CLAUSE_PAUSE_MS = 80;

/** How loud speech should be. */
export const LOUDNESS_DBFS = -19;

/** No sample is above this. */
export const PEAK_DBFS = -1;

/** `samples` at `rateHz`, which say `text`, ready for the encoder. */
export function polished(samples: Int16Array, rateHz: number, text: string): Int16Array {
  const inSamples = (ms: number) => Math.round((ms * rateHz) / 1_000);
  const pause = inSamples(/[.!?:;…]["')\]]*\s*$/.test(text) ? SENTENCE_PAUSE_MS : CLAUSE_PAUSE_MS);
  const window = inSamples(WINDOW_MS);
  const powers = windowPowers(samples, window);
  const loud = loudWindows(powers);
  if (loud === undefined) return new Int16Array(pause);

  const start = Math.max(0, loud.first * window - inSamples(LEAD_IN_MS));
  const end = Math.min(samples.length, (loud.last + 1) * window);
  const tail = samples.subarray(end, Math.min(samples.length, end + Math.min(pause, inSamples(TAIL_MS))));
  const speech = new Int16Array(end - start + pause);
  speech.set(samples.subarray(start, end));
  speech.set(tail, end - start);
  amplify(speech, gainFor(powers));
  fade(speech, 0, inSamples(FADE_IN_MS), 1);
  fade(speech, end - start + tail.length - 1, Math.min(tail.length, inSamples(FADE_OUT_MS)), -1);
  return speech;
}

/** Speech is looked at in pieces of this length. */
const WINDOW_MS = 10;
const FADE_IN_MS = 5;
const FADE_OUT_MS = 30;

/** What is so much weaker than the loudest piece is silence, and so is whatever is under the floor. */
const SILENCE_BELOW_LOUDEST_DB = 40;
const SILENCE_DBFS = -60;

/** The gate of BS.1770: pieces further below the mean of all count as pauses. */
const GATE_BELOW_MEAN_DB = 10;

/** Corrections beyond this would make a whisper or a fault loud. */
const GAIN_DB_MAX = 12;

const FULL_SCALE = 32_768;
/** Above this part of the peak a sample is bent rather than cut off. */
const KNEE = 0.7;

function windowPowers(samples: Int16Array, window: number): number[] {
  return Array.from({ length: Math.ceil(samples.length / window) }, (_, i) => {
    const piece = samples.subarray(i * window, (i + 1) * window);
    return piece.reduce((sum, sample) => sum + (sample / FULL_SCALE) ** 2, 0) / piece.length;
  });
}

function loudWindows(powers: readonly number[]): { first: number; last: number } | undefined {
  const loudest = powers.reduce((most, power) => Math.max(most, power), 0);
  const threshold = Math.max(power(SILENCE_DBFS), loudest * power(-SILENCE_BELOW_LOUDEST_DB));
  const isLoud = (value: number) => value >= threshold;
  const first = powers.findIndex(isLoud);
  return first === -1 ? undefined : { first, last: powers.findLastIndex(isLoud) };
}

/** What to multiply samples by. */
function gainFor(powers: readonly number[]): number {
  const heard = powers.filter((value) => value >= power(SILENCE_DBFS));
  const gate = mean(heard) * power(-GATE_BELOW_MEAN_DB);
  const db = LOUDNESS_DBFS - 10 * Math.log10(mean(heard.filter((value) => value >= gate)));
  return amplitude(Math.max(-GAIN_DB_MAX, Math.min(GAIN_DB_MAX, db)));
}

/** Multiplies, and bends what would come out above the peak. */
function amplify(samples: Int16Array, gain: number): void {
  const peak = FULL_SCALE * amplitude(PEAK_DBFS);
  const knee = peak * KNEE;
  for (let i = 0; i < samples.length; i++) {
    const value = samples[i]! * gain;
    const size = Math.abs(value);
    samples[i] =
      size <= knee
        ? value
        : Math.sign(value) * (knee + (peak - knee) * Math.tanh((size - knee) / (peak - knee)));
  }
}

/** Lets `count` samples rise from nothing, from `at` on in the direction of `step`. */
function fade(samples: Int16Array, at: number, count: number, step: 1 | -1): void {
  for (let i = 0; i < count; i++) samples[at + i * step]! *= 0.5 - 0.5 * Math.cos((Math.PI * i) / count);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function amplitude(db: number): number {
  return 10 ** (db / 20);
}

function power(db: number): number {
  return 10 ** (db / 10);
}
