/**
 * Passages that say the same in nearly the same words: a paragraph copied from one handbook into another. MinHash over
 * word shingles finds candidates (Broder, "On the resemblance and containment of documents", 1997; banding as in
 * Leskovec, Rajaraman and Ullman, "Mining of Massive Datasets", chapter 3); an exact comparison decides. It errs on
 * one side: texts that differ in a number, a unit, an identifier, a name, a "not" or a "must" never say the same,
 * since whoever hears one of them must not be told that it stands for the other. Pure.
 */

import type { Passage, PassageName } from "../domain/passage.js";
import { lately } from "../lib/lately.js";
import { once } from "../lib/once.js";
import { pattern } from "../lib/pattern.js";
import { DECIDING_WORDS } from "./deciding-words.js";

export const BANDS = 8;
const ROWS = 8;
const SHINGLE_WORDS = 3;

/** Texts with fewer words have to be equal after folding: so little is not enough to be nearly anything. */
const LOOSE_WORDS_MIN = 16;

/** The share of shingles that two texts have to have in common. */
const JACCARD_MIN = 0.85;

/**
 * One number for each band: texts that say the same have one of them in common, nearly always. A text whose shingles
 * are 95% those of another shares a band with it in 999 of 1,000 cases, one of 85% in 92 of 100, one of 50% in 3 of 100.
 * The numbers of different bands differ, so that all of them can go into one index.
 */
export function bandsOf(text: string): Uint32Array {
  const minima = new Uint32Array(BANDS * ROWS).fill(0xffffffff);
  const words = wordsOf(text);
  for (let first = 0; first === 0 || first + SHINGLE_WORDS <= words.length; first++) {
    const hash = hashOfShingle(words, first);
    for (let i = 0; i < minima.length; i++) {
      const value = mix(hash ^ SEEDS[i]!);
      if (value < minima[i]!) minima[i] = value;
    }
  }
  return Uint32Array.from({ length: BANDS }, (_, band) =>
    minima.subarray(band * ROWS, (band + 1) * ROWS).reduce((hash, value) => mix(hash ^ value), band + 1),
  );
}

/** Whether two texts say the same up to wording, case, punctuation and white space. Symmetric. */
export function saysTheSame(a: string, b: string): boolean {
  return a === b || sameText(comparedText(a), comparedText(b));
}

/**
 * Keeps the best of each of the first `groupsMax` groups of passages that say the same, in the given order (best
 * first), and lists the others in its `alsoIn`. Source text has to be equal but for white space. Passages under headings
 * that differ in a number or a "not" stay apart.
 */
export function collapseNearDuplicates(
  passages: readonly Passage[],
  groupsMax = Number.POSITIVE_INFINITY,
): Passage[] {
  const kept: {
    readonly passage: Passage;
    readonly texts: ComparedPassage;
    readonly alsoIn: PassageName[];
  }[] = [];
  for (const passage of passages) {
    const texts = comparedPassage(passage);
    const better = kept.find((one) => samePassage(one.texts, texts));
    if (better === undefined) {
      if (kept.length < groupsMax) kept.push({ passage, texts, alsoIn: [...passage.alsoIn] });
    } else better.alsoIn.push(nameOf(passage), ...passage.alsoIn);
  }
  return kept.map(({ passage, alsoIn }) => ({ ...passage, alsoIn: uniqueNames(alsoIn, passage.chunkId) }));
}

interface ComparedPassage {
  readonly text: ComparedText;
  /** Of source text, where every character counts: the text with its white space evened out. */
  readonly source: string | undefined;
  readonly headings: readonly string[];
}

/** The number that a heading has in its document: a copy elsewhere has another one. */
const OUTLINE_NUMBER = /^\s*(?:\d+(?:\.\d+)*\.?|[A-Z]\.)\s+/;

function comparedPassage({ text, kind, headings }: Passage): ComparedPassage {
  return {
    text: comparedText(text),
    source: kind.docType === "spec" ? undefined : text.replace(/\s+/g, " ").trim(),
    headings,
  };
}

const headingFacts = once((headings: readonly string[]) =>
  headings.map((heading) => factsOf(wordsOf(heading.replace(OUTLINE_NUMBER, "")))).join("\n"),
);

function samePassage(a: ComparedPassage, b: ComparedPassage): boolean {
  if (a.source !== b.source || (a.source === undefined && !sameText(a.text, b.text))) return false;
  return headingFacts(a.headings) === headingFacts(b.headings);
}

function nameOf({ chunkId, documentId, title }: Passage): PassageName {
  return { chunkId, documentId, title };
}

function uniqueNames(names: readonly PassageName[], ownChunkId: string): PassageName[] {
  const seen = new Set([ownChunkId]);
  return names.filter(({ chunkId }) => !seen.has(chunkId) && seen.add(chunkId));
}

interface Word {
  readonly folded: string;
  /** Written as names are: with a capital that no beginning of a sentence explains. */
  readonly isName: boolean;
}

/** A text as `sameText` takes it, for whoever compares one with many. What only some comparisons need waits for them. */
export class ComparedText {
  /** The digits of a text of ASCII, which has no others: each is a part of its facts. */
  readonly digits: string | undefined;
  #words: readonly Word[] | undefined;
  #folded: string | undefined;
  #facts: string | undefined;
  #counts: ReadonlyMap<string, number> | undefined;
  #names: readonly string[] | undefined;
  #shingles: ReadonlySet<string> | undefined;

  constructor(private readonly text: string) {
    this.digits = ASCII.test(text) ? text.replace(/\D+/g, "") : undefined;
  }

  get words(): readonly Word[] {
    this.#words ??= wordsOf(this.text);
    return this.#words;
  }

  get folded(): string {
    this.#folded ??= this.words.map(({ folded }) => folded).join(" ");
    return this.#folded;
  }

  /** Everything that has to be the same, in its order. */
  get facts(): string {
    this.#facts ??= factsOf(this.words);
    return this.#facts;
  }

  /** How often it has each word. */
  get counts(): ReadonlyMap<string, number> {
    this.#counts ??= this.words.reduce(
      (counts, { folded }) => counts.set(folded, (counts.get(folded) ?? 0) + 1),
      new Map<string, number>(),
    );
    return this.#counts;
  }

  /** Words that are names, or of a script whose negations we do not know: another text has each of them as often. */
  get names(): readonly string[] {
    this.#names ??= [
      ...new Set(
        this.words.flatMap(({ folded, isName }) => (isName || !LATIN_WORD.test(folded) ? folded : [])),
      ),
    ];
    return this.#names;
  }

  get shingles(): ReadonlySet<string> {
    this.#shingles ??= shinglesOf(this.words.map(({ folded }) => folded));
    return this.#shingles;
  }
}

const COMPARED = { textsMax: 512, charsMax: 8_000 };

/** One search finds much of what the one before found. */
export const comparedText = lately((text) => new ComparedText(text), COMPARED);

/** `saysTheSame` of two texts. */
export function sameText(a: ComparedText, b: ComparedText): boolean {
  // Nearly all of a shelf ends here, before its words are taken apart.
  if (a.digits !== b.digits && a.digits !== undefined && b.digits !== undefined) return false;
  if (a.folded === b.folded) return true;
  if (Math.min(a.words.length, b.words.length) < LOOSE_WORDS_MIN || a.facts !== b.facts) return false;
  if ([...a.names, ...b.names].some((name) => a.counts.get(name) !== b.counts.get(name))) return false;
  return jaccard(a.shingles, b.shingles) >= JACCARD_MIN;
}

function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const shingle of a) if (b.has(shingle)) common += 1;
  return common / (a.size + b.size - common);
}

/** Numbers with what stands behind them, identifiers, symbols and deciding words, in the order of the text. */
function factsOf(words: readonly Word[]): string {
  return words
    .map(({ folded }) => folded)
    .filter((word, index, all) => isFact(word) || ENDS_IN_DIGIT.test(all[index - 1] ?? ""))
    .join(" ");
}

function isFact(word: string): boolean {
  return DECIDING_WORDS.has(word) || FACT.test(word) || (word.length === 1 && word !== "a" && word !== "i");
}

/** A digit, the underscore of an identifier, or anything that is not made of letters. */
const FACT = /[\p{N}_]|[^\p{L}\p{M}']/u;
const ENDS_IN_DIGIT = /\p{N}$/u;

const LATIN_WORD = /^[\p{sc=Latin}\p{M}']+$/u;

/**
 * Words, what is joined to them, a sign before a number, and the symbols that change what a number or a condition says.
 * Everything else is punctuation.
 */
const TOKEN = pattern("gu")`
  (?:(?<![\p{L}\p{N}])[-+](?=[.,]?\p{N}))?[\p{L}\p{M}\p{N}_]+
  (?:['.,:/-]['.,:/_-]*[\p{L}\p{N}][\p{L}\p{M}\p{N}_]*)*|[<>≤≥=≠≈±×÷%‰°€$£¥§^~&|√∞→←↑↓]
  |!(?=[\p{L}\p{N}=])
`;

function wordsOf(text: string): Word[] {
  const even = evenedOut(text);
  const words: Word[] = [];
  let end = 0;
  for (const match of even.matchAll(TOKEN)) {
    const [token] = match;
    if (PLAIN_WORD.test(token)) {
      for (const folded of expanded(token)) words.push({ folded, isName: false });
    } else {
      const startsSentence = end === 0 || SENTENCE_STOP.test(even.slice(end, match.index));
      const isName = CAPITAL.test(startsSentence ? token.replace(FIRST_LETTER, "") : token);
      for (const folded of parts(caseless(token))) words.push({ folded, isName });
    }
    end = match.index + token.length;
  }
  return words;
}

/** Most words, for which there is nothing to find out. */
const PLAIN_WORD = /^[a-z]+$/;
const CAPITAL = /\p{Lu}/u;
const FIRST_LETTER = /^\W*\p{L}/u;

/** Both ways, since `ß` and `SS` are one. */
function caseless(text: string): string {
  return text.toUpperCase().toLowerCase();
}

const SENTENCE_STOP = /[.!?:;\n•]/;

/**
 * One character for what is written with several. Compatibility forms are resolved, but not so that `1½` becomes 11/2
 * or `10²` 102.
 */
function evenedOut(text: string): string {
  if (ASCII.test(text)) return text;
  return text
    .replace(/(?<=\p{N})(?=[¼-¾⅐-⅞])/gu, " ")
    .replace(/[⁰¹²³⁴-⁹]+/g, "^$&")
    .normalize("NFKC")
    .replace(/[‐‑‒–—―−]/g, "-")
    .replace(/[‘’ʼ]/g, "'")
    .replace(/⁄/g, "/");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII.
const ASCII = /^[\x00-\x7f]*$/;

/** A token's words: `well-known` has two, `don't` is "do not", `5bar` is "5 bar"; `P-101`, `1,000.5` and `a_b` stay whole. */
function parts(token: string): readonly string[] {
  if (PLAIN_WORD.test(token)) return expanded(token);
  const quantity = QUANTITY.exec(token);
  if (quantity !== null) return [quantity[1]!, quantity[2]!];
  if (/[\p{N}_]/u.test(token)) return [token];
  if (/^\p{L}(?:\.\p{L})+$/u.test(token)) return [token.replaceAll(".", "")];
  return token.split(/[.,:/-]+/).flatMap(expanded);
}

const QUANTITY = /^([-+]?\p{N}[\p{N}.,]*)(\p{L}+)$/u;

/** English contractions of "not" in full, and "cannot" with them. */
function expanded(word: string): readonly string[] {
  if (word === "cannot" || word === "can't") return ["can", "not"];
  if (word === "won't") return ["will", "not"];
  if (word === "shan't") return ["shall", "not"];
  return word.endsWith("n't") ? [word.slice(0, -3), "not"] : [word];
}

/** Every run of so many words, once; a shorter text is one run. */
function shinglesOf(words: readonly string[]): Set<string> {
  const shingles = new Set<string>();
  for (let i = 0; i === 0 || i + SHINGLE_WORDS <= words.length; i++) {
    shingles.add(words.slice(i, i + SHINGLE_WORDS).join(" "));
  }
  return shingles;
}

/** FNV-1a over UTF-16 units, 32 bits, of the shingle that begins with this word, with spaces between its words. */
function hashOfShingle(words: readonly Word[], first: number): number {
  const end = Math.min(first + SHINGLE_WORDS, words.length);
  let hash = 0x811c9dc5;
  for (let at = first; at < end; at++) {
    if (at > first) hash = Math.imul(hash ^ SPACE, 0x01000193);
    const { folded } = words[at]!;
    for (let i = 0; i < folded.length; i++) hash = Math.imul(hash ^ folded.charCodeAt(i), 0x01000193);
  }
  return hash >>> 0;
}

const SPACE = 0x20;

/** The finalizer of MurmurHash3: a permutation of the 32-bit numbers, so that each seed orders all shingles anew. */
function mix(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Fixed for ever: stored bands are compared with new ones. */
const SEEDS: Uint32Array = Uint32Array.from({ length: BANDS * ROWS }, (_, row) =>
  mix(Math.imul(row + 1, 0x9e3779b9)),
);
