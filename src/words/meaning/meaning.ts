/**
 * What a text is about, as a direction: the sum of the vectors of its word pieces, from `models/meaning`. Texts that say
 * like things in other words point in like directions. It knows English; a text in another language has no direction. The
 * files are read when a first text comes, and take some 10 MB of memory in each process that asks.
 */

import { readFileSync } from "node:fs";
import { lately } from "../../lib/lately.js";
import { shippedPath, shippedText } from "../../lib/shipped-files.js";
import { WordPieces } from "./word-pieces.js";

export const DIMENSIONS = 256;

/** UTF-16 units; a longer text is taken by its beginning. */
export const TEXT_CHARS_MAX = 8_000;

/**
 * The share of a text's words, numbers apart, that the vocabulary must have whole, or more: nearly every question and
 * passage in English has more (ClapNQ: at least 61%), and hardly one in another language, whose words fall to pieces.
 */
const WHOLE_SHARE_MIN = 0.6;

const SCALE_BYTES = Float32Array.BYTES_PER_ELEMENT;

/**
 * What a text is about: a vector of `DIMENSIONS` numbers and length 1, or of zeros where it has no words that are known.
 * Takes time in proportion to the text, some 30 µs for a question. Throws where the shipped files are missing or damaged.
 */
export function meaningOf(text: string): Float32Array {
  const { pieces, scales, codes } = loaded();
  const sum = new Float32Array(DIMENSIONS);
  let [words, whole] = [0, 0];
  for (const { word, ids } of pieces.of(text.slice(0, TEXT_CHARS_MAX))) {
    if (!/^\p{N}/u.test(word)) {
      words += 1;
      whole += ids.length === 1 ? 1 : 0;
    }
    for (const id of ids) {
      const [scale, from] = [scales[id]!, id * DIMENSIONS];
      for (let d = 0; d < DIMENSIONS; d++) sum[d]! += scale * codes[from + d]!;
    }
  }
  const length = Math.hypot(...sum);
  if (length === 0 || whole <= words * WHOLE_SHARE_MIN) return sum.fill(0);
  return sum.map((value) => value / length);
}

/** The same for texts of documents, which come back turn after turn; a megabyte for each thousand. */
export const keptMeaning = lately(meaningOf, { textsMax: 4_096, charsMax: TEXT_CHARS_MAX });

/** A word that the vocabulary has whole, as `pieceLikeness` takes it; undefined for any other, a number too. */
export function pieceOf(word: string): number | undefined {
  const [only, ...more] = loaded().pieces.of(word);
  const isWhole = only?.ids.length === 1 && more.length === 0 && !/^\p{N}/u.test(only.word);
  return isWhole ? only.ids[0] : undefined;
}

/** The cosine of the vectors of two pieces. The scale of a vector does not change its direction. */
export function pieceLikeness(one: number, other: number): number {
  const model = loaded();
  return product(model, one, other) / (lengthOf(model, one) * lengthOf(model, other) || 1);
}

function lengthOf(model: Model, piece: number): number {
  if (model.lengths[piece] === 0) model.lengths[piece] = Math.sqrt(product(model, piece, piece));
  return model.lengths[piece]!;
}

/** Of whole numbers below 2^31, which are multiplied much faster as such. */
function product({ codes }: Model, one: number, other: number): number {
  const [first, second] = [one * DIMENSIONS, other * DIMENSIONS];
  let sum = 0;
  for (let d = 0; d < DIMENSIONS; d++) sum = (sum + Math.imul(codes[first + d]!, codes[second + d]!)) | 0;
  return sum;
}

/** How alike two texts are in what they are about, by their meanings: 1 for the same, about 0 for unlike ones. */
export function likeness(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, value, d) => sum + value * other[d]!, 0);
}

interface Model {
  readonly pieces: WordPieces;
  /** By piece; a vector is its codes times its scale. */
  readonly scales: Float32Array;
  /** `DIMENSIONS` for each piece. */
  readonly codes: Int8Array;
  /** By piece; 0 until somebody asks. */
  readonly lengths: Float32Array;
}

let model: Model | undefined;

function loaded(): Model {
  model ??= load();
  return model;
}

function load(): Model {
  const vocabulary = shippedText("models/meaning/vocabulary.txt").trimEnd().split("\n");
  const path = shippedPath("models/meaning/vectors.bin");
  const { buffer, byteOffset, length } = readFileSync(path);
  const count = vocabulary.length;
  if (length !== count * (SCALE_BYTES + DIMENSIONS))
    throw new Error(`${path} does not go with its vocabulary`);
  return {
    pieces: new WordPieces(vocabulary),
    scales: new Float32Array(buffer, byteOffset, count),
    codes: new Int8Array(buffer, byteOffset + count * SCALE_BYTES),
    lengths: new Float32Array(count),
  };
}
