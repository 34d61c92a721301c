/**
 * How much voice there is in audio, by level and periodicity: voiced sounds repeat themselves at the pitch of a voice,
 * stand out from what is there all the time, and change. Noise, hum, tones and clicks each lack one of these. Pure
 * arithmetic on PCM, in constant space; made to tell nothing from something before a recogniser is asked, not to cut
 * speech.
 */

/** The rate of the PCM. */
export const METER_SAMPLE_RATE_HZ = 8_000;

/** The first harmonics of a voice tell its pitch, and half of the samples hold them. */
const INNER_RATE_HZ = METER_SAMPLE_RATE_HZ / 2;
const FRAME_MS = 20;
const FRAME_SAMPLES = (INNER_RATE_HZ * FRAME_MS) / 1_000;
/** A voice's pitch is 70 to 400 Hz. */
const LAG_MIN = Math.floor(INNER_RATE_HZ / 400);
const LAG_MAX = Math.ceil(INNER_RATE_HZ / 70);
/** Samples that are compared with those one period earlier. */
const WINDOW = 2 * FRAME_SAMPLES;
const HISTORY = WINDOW + LAG_MAX;

/** Filters of one pole each: below 100 Hz are hum and wind, above 900 Hz more noise than voice. */
const HIGH_PASS = Math.exp((-2 * Math.PI * 100) / METER_SAMPLE_RATE_HZ);
const LOW_PASS = 1 - Math.exp((-2 * Math.PI * 900) / METER_SAMPLE_RATE_HZ);

/** Below that, in dB of full scale, nothing is heard. */
const LEVEL_DB_MIN = -72;
/** What stands out is so much above the level below which one frame in ten stays. */
const ABOVE_FLOOR_DB = 6;
const FLOOR_QUANTILE = 0.1;
/** The normalized autocorrelation of a voiced frame. */
const PERIODICITY_MIN = 0.6;
/** Levels of voiced frames spread at least so much, the outer tenths apart: a tone is all of one level. */
const SPREAD_DB_MIN = 2;
const OUTER = 0.1;

export interface VoiceMeasure {
  /** Audio that was measured. */
  readonly totalMs: number;
  /** Voiced sounds in it. */
  readonly voicedMs: number;
}

export class VoiceMeter {
  readonly #levels = new LevelCounts();
  /** Of the periodic frames alone. */
  readonly #periodicLevels = new LevelCounts();
  /** The last filtered samples, the newest at the end. */
  readonly #recent = new Float64Array(HISTORY);
  #frameFill = 0;
  #isOddSample = false;
  #lastSample = 0;
  #high = 0;
  #low = 0;

  /** Takes mono PCM at 8 kHz, any number of samples. */
  hear(pcm: Int16Array): void {
    for (const sample of pcm) {
      this.#high = HIGH_PASS * (this.#high + sample - this.#lastSample);
      this.#lastSample = sample;
      this.#low += LOW_PASS * (this.#high - this.#low);
      this.#isOddSample = !this.#isOddSample;
      if (this.#isOddSample) continue;
      this.#recent[HISTORY - FRAME_SAMPLES + this.#frameFill] = this.#low;
      if (++this.#frameFill === FRAME_SAMPLES) this.#closeFrame();
    }
  }

  /** What there was so far. */
  measure(): VoiceMeasure {
    const totalMs = this.#levels.count * FRAME_MS;
    const thresholdDb = Math.max(LEVEL_DB_MIN, this.#levels.quantileDb(FLOOR_QUANTILE) + ABOVE_FLOOR_DB);
    const voiced = this.#periodicLevels.from(thresholdDb);
    const spreadDb = voiced.quantileDb(1 - OUTER) - voiced.quantileDb(OUTER);
    return { totalMs, voicedMs: spreadDb < SPREAD_DB_MIN ? 0 : voiced.count * FRAME_MS };
  }

  #closeFrame(): void {
    const recent = this.#recent;
    const levelDb = levelOf(recent.subarray(HISTORY - FRAME_SAMPLES));
    this.#levels.add(levelDb);
    if (levelDb >= LEVEL_DB_MIN && periodicityOf(recent) >= PERIODICITY_MIN)
      this.#periodicLevels.add(levelDb);
    recent.copyWithin(0, FRAME_SAMPLES);
    this.#frameFill = 0;
  }
}

const LEVEL_BINS = 256;
const BIN_DB = 0.5;
/** The level of the lowest bin, which holds whatever is lower. */
const BINS_FROM_DB = -LEVEL_BINS * BIN_DB;

/** How many frames have which level. */
class LevelCounts {
  count = 0;
  readonly #bins: Uint32Array;

  constructor(bins = new Uint32Array(LEVEL_BINS)) {
    this.#bins = bins;
    for (const frames of bins) this.count += frames;
  }

  add(levelDb: number): void {
    this.count++;
    this.#bins[binOf(levelDb)]!++;
  }

  /** Those of this level and above. */
  from(levelDb: number): LevelCounts {
    return new LevelCounts(this.#bins.slice().fill(0, 0, binOf(levelDb)));
  }

  /** The level below which `fraction` of the frames stay. */
  quantileDb(fraction: number): number {
    let below = 0;
    let bin = 0;
    while (bin < LEVEL_BINS - 1 && below + this.#bins[bin]! <= fraction * this.count)
      below += this.#bins[bin++]!;
    return BINS_FROM_DB + bin * BIN_DB;
  }
}

function binOf(levelDb: number): number {
  return Math.max(0, Math.min(LEVEL_BINS - 1, Math.round((levelDb - BINS_FROM_DB) / BIN_DB)));
}

const FULL_SCALE = 32_768;

/** Of samples, in dB of full scale. */
function levelOf(samples: Float64Array): number {
  let energy = 0;
  for (const sample of samples) energy += sample * sample;
  return 10 * Math.log10(energy / samples.length / FULL_SCALE ** 2);
}

/** The highest correlation of the last samples with those one pitch period earlier; 1 where they are the same. */
function periodicityOf(recent: Float64Array): number {
  const start = HISTORY - WINDOW;
  let now = 0;
  for (let i = start; i < HISTORY; i++) now += recent[i]! ** 2;
  let best = 0;
  for (let lag = LAG_MIN; lag <= LAG_MAX; lag++) {
    let both = 0;
    let before = 0;
    for (let i = start; i < HISTORY; i++) {
      const earlier = recent[i - lag]!;
      both += recent[i]! * earlier;
      before += earlier * earlier;
    }
    best = Math.max(best, both / Math.sqrt(now * before + 1));
  }
  return best;
}
