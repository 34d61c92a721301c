/**
 * What can be seen of a question and the passages found for it that tells whether they answer it: how much of the
 * question's weight they hold, how close together, how clearly one of them is ahead, and whether a sentence shows the
 * kind of thing that was asked for. Terms are weighed by how rare they are in English at large, since the index cannot
 * be asked from here.
 */
import type { Passage } from "../../domain/passage.js";
import { analyze, analyzeWithOffsets } from "../../lib/english-analyzer.js";
import { splitSentences } from "../../lib/sentence-end.js";
import { queryTerms } from "../../retrieval/query-terms.js";
import { SENTENCE_CHARS_MAX } from "../limits.js";
import { DOCUMENTS, documentFrequency, TERMS_PER_DOCUMENT } from "./background.js";
import { showsKind } from "./kind.js";

/** What is seen; all of it of the best passage unless said otherwise. */
const SEEN = [
  "bm25",
  "bm25 squared",
  "bm25 ahead of the second",
  "ratio to the second",
  "ratio to the third",
  "held",
  "held by any passage",
  "held ahead of the second",
  "in one sentence",
  "in one window",
  "in one window, squared",
  "in one window, times ahead",
  "neighbours",
  "in the title",
  "in the title, times bm25",
  "title in the first sentence",
  "defines its title",
  "missing",
  "beyond the title, in one sentence",
  "terms held",
  "shows the kind",
  "last term held",
] as const;

/**
 * In the order of the values that `featuresOf` gives. What is seen counts differently where documents are cut into
 * sections, under headings and with neighbours on the same subject, than where texts stand alone; so each feature has a
 * weight for all passages and a further one where headings were found.
 */
export const FEATURES: readonly string[] = [...SEEN, "section", ...SEEN.map((name) => `section: ${name}`)];

export interface FeatureValues {
  readonly features: readonly number[];
  /** Telling words that the best passage lacks, the most telling first. */
  readonly missing: readonly string[];
}

/** Undefined when there is no passage, or nothing in the question to look for. */
export function featuresOf(question: string, passages: readonly Passage[]): FeatureValues | undefined {
  const scale = new Scale(question);
  const read = passages.map((passage) => new PassageProfile(passage, scale)).sort((a, b) => b.bm25 - a.bm25);
  const best = read[0];
  // Passages of one document are not rivals.
  const rivals = read.filter(({ documentId }) => documentId !== best?.documentId);
  if (best === undefined || scale.mass === 0) return undefined;
  const [second, third] = [rivals[0]?.bm25 ?? 0, rivals[1]?.bm25 ?? 0];
  const ahead = best.bm25 - second;
  const ratio = (other: number) => (best.bm25 === 0 ? 0 : 1 - other / best.bm25);
  const absent = scale.terms.filter((term) => !best.all.has(term));
  const seen: Record<(typeof SEEN)[number], number> = {
    bm25: best.bm25,
    "bm25 squared": best.bm25 ** 2,
    "bm25 ahead of the second": ahead,
    "ratio to the second": ratio(second),
    "ratio to the third": ratio(third),
    held: best.held,
    "held by any passage": Math.max(...read.map(({ held }) => held)),
    "held ahead of the second": best.held - (rivals[0]?.held ?? 0),
    "in one sentence": best.inSentence(scale.terms),
    "in one window": best.inWindow,
    "in one window, squared": best.inWindow ** 2,
    "in one window, times ahead": best.inWindow * ahead,
    neighbours: best.neighbours(),
    "in the title": scale.share(best.title),
    "in the title, times bm25": scale.share(best.title) * best.bm25,
    "title in the first sentence": best.titleInFirst,
    "defines its title": best.definesTitle ? 1 : 0,
    missing: absent.reduce((sum, term) => sum + rarityOf(term), 0) / WEIGHTS_UNIT,
    "beyond the title, in one sentence": best.inSentence(scale.terms.filter((term) => !best.title.has(term))),
    "terms held": 1 - absent.length / scale.terms.length,
    "shows the kind": showsKind(question, best.bestSentence, best.definesTitle),
    "last term held": best.all.has(scale.terms.at(-1)!) ? 1 : 0,
  };
  const values = SEEN.map((name) => seen[name]);
  const section = passages.some(({ headings }) => headings.length > 0) ? 1 : 0;
  const features = [...values, section, ...values.map((value) => section * value)];
  return { features, missing: wordsOf(question, absent) };
}

/** Brings sums of weights to about 1. */
const WEIGHTS_UNIT = 10;

/** How rare a term is: Lucene's idf, over a sample of English text. */
export function rarityOf(term: string): number {
  const having = documentFrequency(term);
  return Math.log(1 + (DOCUMENTS - having + 0.5) / (having + 0.5));
}

/** The terms as the question writes them, rarest first. */
function wordsOf(question: string, terms: readonly string[]): readonly string[] {
  const words = new Map(
    analyzeWithOffsets(question).map(({ end, start, term }) => [term, question.slice(start, end)] as const),
  );
  return [...terms].sort((a, b) => rarityOf(b) - rarityOf(a)).map((term) => words.get(term)!);
}

/** Terms of a question that are looked for. */
const TERMS_MAX = 64;

/** A question's terms and what each is worth. */
class Scale {
  readonly terms: readonly string[];
  readonly mass: number;

  constructor(question: string) {
    this.terms = [...queryTerms(question.slice(0, SENTENCE_CHARS_MAX)).keys()].slice(0, TERMS_MAX);
    this.mass = sumOf(this.terms);
  }

  /** The share of the question's weight that these terms hold. */
  share(held: { has(term: string): boolean }, terms: readonly string[] = this.terms): number {
    const mass = terms === this.terms ? this.mass : sumOf(terms);
    return mass === 0 ? 1 : sumOf(terms.filter((term) => held.has(term))) / mass;
  }
}

function sumOf(terms: readonly string[]): number {
  return terms.reduce((sum, term) => sum + rarityOf(term), 0);
}

/** BM25's usual parameters. */
const K1 = 1.2;
const B = 0.75;

/** Terms that stand close together. */
const WINDOW_TERMS = 15;
const NEAR_TERMS = 2;

/** A passage as the question looks at it. */
class PassageProfile {
  readonly documentId: string;
  readonly title: ReadonlySet<string>;
  readonly all: ReadonlySet<string>;
  readonly held: number;
  readonly bm25: number;
  readonly inWindow: number;
  readonly titleInFirst: number;
  readonly definesTitle: boolean;
  readonly bestSentence: string;
  readonly #titleTerms: readonly string[];
  readonly #body: readonly string[];
  readonly #sentences: readonly ReadonlySet<string>[];
  readonly #scale: Scale;

  constructor({ documentId, headings, text, title }: Passage, scale: Scale) {
    this.documentId = documentId;
    this.#scale = scale;
    this.#titleTerms = analyze([title, ...headings].join(" . "));
    this.#body = analyze(text);
    this.title = new Set(this.#titleTerms);
    this.all = new Set([...this.#titleTerms, ...this.#body]);
    this.held = scale.share(this.all);
    this.bm25 = this.#bm25();
    this.inWindow = this.#inWindow();
    const sentences = splitSentences(text);
    this.#sentences = sentences.map((sentence) => new Set(analyze(sentence)));
    const shares = this.#sentences.map((terms) => scale.share(terms));
    this.bestSentence = sentences[shares.indexOf(Math.max(...shares))] ?? "";
    const first = this.#sentences[0] ?? new Set();
    const inFirst = [...this.title].filter((term) => first.has(term)).length;
    this.titleInFirst = this.title.size === 0 ? 0 : inFirst / this.title.size;
    this.definesTitle = this.titleInFirst > 0.5 && DEFINES.test(sentences[0] ?? "");
  }

  #bm25(): number {
    if (this.#scale.mass === 0) return 0;
    const counts = new Map<string, number>();
    const terms = [...this.#titleTerms, ...this.#body];
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    const norm = K1 * (1 - B + (B * terms.length) / TERMS_PER_DOCUMENT);
    const score = this.#scale.terms.reduce((sum, term) => {
      const count = counts.get(term) ?? 0;
      return sum + (rarityOf(term) * count) / (count + norm);
    }, 0);
    return score / this.#scale.mass;
  }

  /** The most that stands within a few terms of each other. */
  #inWindow(): number {
    const asked = new Set(this.#scale.terms);
    const places = this.#body.flatMap((term, at) => (asked.has(term) ? [{ term, at }] : []));
    const shares = places.map(({ at: from }, first) => {
      const near = places.slice(first, first + WINDOW_TERMS).filter(({ at }) => at < from + WINDOW_TERMS);
      return this.#scale.share(new Set(near.map(({ term }) => term)));
    });
    return shares.reduce((most, one) => Math.max(most, one), 0);
  }

  /** The most of these terms' weight that one sentence holds. */
  inSentence(terms: readonly string[]): number {
    return terms.length === 0
      ? 1
      : Math.max(0, ...this.#sentences.map((own) => this.#scale.share(own, terms)));
  }

  /** The share of the question's neighbouring terms that are near each other here, in the title or in the text. */
  neighbours(): number {
    const { terms } = this.#scale;
    if (terms.length < 2) return 0.5;
    const pairs = terms.slice(1).map((term, i) => [terms[i]!, term] as const);
    const found = pairs.filter(([a, b]) => isNear(this.#body, a, b) || isNear(this.#titleTerms, a, b));
    return found.length / pairs.length;
  }
}

/** What says what something is. */
const DEFINES = /\b(?:is|are|was|were|refers? to|means)\b/;

function isNear(terms: readonly string[], a: string, b: string): boolean {
  return terms.some((term, at) => {
    if (term !== a) return false;
    const from = Math.max(0, at - NEAR_TERMS);
    return terms.slice(from, at + NEAR_TERMS + 1).includes(b);
  });
}
