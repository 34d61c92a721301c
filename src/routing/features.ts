/**
 * An utterance as a sparse vector: its words, neighbouring words and parts of words, each hashed to a number, so that
 * no vocabulary has to be kept (K. Weinberger et al.: "Feature Hashing for Large Scale Multitask Learning", ICML 2009).
 */

/** Numbers that features are hashed to; a power of two. */
export const BUCKETS = 1 << 14;

/** Bucket and value of each feature that is there; the values have the Euclidean length 1. */
export interface Features {
  readonly buckets: Int32Array;
  readonly values: Float32Array;
}

/** Raised whenever the same text would give other features: models know for which they were trained. */
export const FEATURES_VERSION = 1;

/** Features that one utterance has at the most. */
const FEATURES_MAX = 4_096;

const GRAM_CHARS = [3, 4] as const;
const WORD_WEIGHT = 1;
const PAIR_WEIGHT = 1;
const EDGE_WEIGHT = 1;
const GRAM_WEIGHT = 0.4;

/** `core` as `utterance` makes it. */
export function featuresOf(core: string): Features {
  const weights = new Map<number, number>();
  const add = (kind: number, text: string, from: number, to: number, weight: number) => {
    if (weights.size >= FEATURES_MAX) return;
    const bucket = hash(kind, text, from, to);
    weights.set(bucket, (weights.get(bucket) ?? 0) + weight);
  };
  const text = ` ${core.replace(/\d+/g, "0")} `;
  const starts: number[] = [];
  for (let i = 0; i + 1 < text.length; i++) if (text.charCodeAt(i) === SPACE) starts.push(i);
  starts.forEach((start, i) => {
    const [next = text.length - 1, afterNext] = [starts[i + 1], starts[i + 2]];
    add(Kind.word, text, start, next, WORD_WEIGHT);
    if (i < EDGE_WORDS) add(Kind.first + i, text, start, next, EDGE_WEIGHT);
    if (starts[i + 1] !== undefined) add(Kind.pair, text, start, afterNext ?? text.length - 1, PAIR_WEIGHT);
    if (i + 2 < starts.length) add(Kind.triple, text, start, starts[i + 3] ?? text.length - 1, PAIR_WEIGHT);
  });
  add(Kind.last, text, starts.at(-1) ?? 0, text.length - 1, EDGE_WEIGHT);
  add(Kind.length, String(Math.min(LENGTH_WORDS_MAX, starts.length)), 0, 2, EDGE_WEIGHT);
  for (const size of GRAM_CHARS)
    for (let i = 0; i + size <= text.length; i++) add(Kind.gram, text, i, i + size, GRAM_WEIGHT);
  return normalized(weights);
}

const SPACE = 32;

/** The first words that are features of their own: they tell an order from a question. */
const EDGE_WORDS = 3;

const LENGTH_WORDS_MAX = 12;

const Kind = { word: 1, pair: 2, triple: 3, gram: 4, last: 5, length: 6, first: 7 } as const;

/** FNV-1a over UTF-16 code units, with a final mixing step, since only the lower bits are used. */
function hash(kind: number, text: string, from: number, to: number): number {
  let value = Math.imul(0x811c9dc5 ^ kind, 0x01000193);
  for (let i = from; i < to; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  value ^= value >>> 15;
  return (value ^ (value >>> 7)) & (BUCKETS - 1);
}

function normalized(weights: ReadonlyMap<number, number>): Features {
  const buckets = Int32Array.from(weights.keys());
  const values = Float32Array.from(weights.values());
  let squares = 0;
  for (const value of values) squares += value * value;
  const scale = squares === 0 ? 0 : 1 / Math.sqrt(squares);
  for (let i = 0; i < values.length; i++) values[i]! *= scale;
  return { buckets, values };
}
