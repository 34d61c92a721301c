/**
 * An utterance as a sparse vector: its words, neighbouring words and parts of words, and the classes of its words, each
 * hashed to a number, so that no vocabulary has to be kept (K. Weinberger et al.: "Feature Hashing for Large Scale
 * Multitask Learning", ICML 2009).
 */
import { wordClass } from "../locale/word-classes.js";

/** Numbers that features are hashed to; a power of two. */
export const BUCKETS = 1 << 14;

/** Bucket and value of each feature that is there; the values have the Euclidean length 1. */
export interface Features {
  readonly buckets: Int32Array;
  readonly values: Float32Array;
}

/** Raised whenever the same text would give other features: models know for which they were trained. */
export const FEATURES_VERSION = 1;

/** Words that are looked at; what a turn is for is said by then. */
const WORDS_MAX = 48;

/** The first words that are features of their own, since they tell an order from a question. */
const FIRST_WORDS = 3;

const GRAM_CHARS = [3, 4] as const;

const WEIGHT = { word: 1, pair: 0.8, gram: 0.3, classes: 1 } as const;

/** The longest run of classes that is a feature. */
const CLASS_RUN_MAX = 4;

/** `core` as `utterance` makes it. */
export function featuresOf(core: string): Features {
  const words = core.replace(/\d+/g, "0").split(" ").slice(0, WORDS_MAX);
  const found = new Weights();
  addWords(words, found);
  addGrams(` ${words.join(" ")} `, found);
  addClasses(words, found);
  return found.features();
}

function addWords(words: readonly string[], found: Weights): void {
  for (const [i, word] of words.entries()) {
    found.add(Kind.word, word, WEIGHT.word);
    if (i < FIRST_WORDS) found.add(Kind.first + i, word, WEIGHT.word);
    if (i > 0) found.add(Kind.pair, `${words[i - 1]} ${word}`, WEIGHT.pair);
    if (i > 1) found.add(Kind.triple, `${words[i - 2]} ${words[i - 1]} ${word}`, WEIGHT.pair);
  }
  found.add(Kind.last, words.at(-1) ?? "", WEIGHT.word);
}

function addGrams(text: string, found: Weights): void {
  for (const size of GRAM_CHARS)
    for (let i = 0; i + size <= text.length; i++) found.add(Kind.gram, text.slice(i, i + size), WEIGHT.gram);
}

/** Runs of classes, from the edges too: what has no class stands for itself at no place, as "x". */
function addClasses(words: readonly string[], found: Weights): void {
  const classes = ["<", ...words.map((word) => wordClass(word) ?? "x"), ">"];
  for (let i = 0; i < classes.length; i++) {
    let run = "";
    for (let j = i; j < Math.min(classes.length, i + CLASS_RUN_MAX); j++) {
      run += ` ${classes[j]}`;
      found.add(Kind.classes, run, WEIGHT.classes);
    }
  }
}

const Kind = { word: 1, pair: 2, triple: 3, gram: 4, last: 5, classes: 6, first: 7 } as const;

class Weights {
  readonly #weights = new Map<number, number>();

  add(kind: number, text: string, weight: number): void {
    const bucket = hash(kind, text);
    this.#weights.set(bucket, (this.#weights.get(bucket) ?? 0) + weight);
  }

  features(): Features {
    const values = Float32Array.from(this.#weights.values());
    let squares = 0;
    for (const value of values) squares += value * value;
    const scale = squares === 0 ? 0 : 1 / Math.sqrt(squares);
    for (let i = 0; i < values.length; i++) values[i]! *= scale;
    return { buckets: Int32Array.from(this.#weights.keys()), values };
  }
}

/** FNV-1a over UTF-16 code units, with a final mixing step, since only the lower bits are used. */
function hash(kind: number, text: string): number {
  let value = Math.imul(0x811c9dc5 ^ kind, 0x01000193);
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  value ^= value >>> 15;
  return (value ^ (value >>> 7)) & (BUCKETS - 1);
}
