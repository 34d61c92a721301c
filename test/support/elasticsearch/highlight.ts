/**
 * Highlights: the passages of a field's text that a query's words stand in, with the words marked, or for
 * `semantic_text` the chunks that are nearest in meaning. Passages and their scores as Lucene's unified highlighter
 * has them.
 */
import { indexAnalyzer } from "./analysis.js";
import { ElasticsearchError, illegalArgument, NotSupported } from "./errors.js";
import { isObject, type Json, type JsonObject, listOf, objectOf } from "./json.js";
import type { Field } from "./mapping.js";
import type { Mark } from "./matcher.js";
import { dot, encode } from "./sparse.js";
import { type StoredDocument, type StoredIndex, semanticChunks } from "./stored-index.js";

/** The fragments of each field that has any. */
export function highlight(
  index: StoredIndex,
  document: StoredDocument,
  request: JsonObject,
  marks: readonly Mark[],
): JsonObject {
  const { fields, ...shared } = request;
  checkKeys(shared);
  const found: Record<string, Json> = {};
  for (const [path, own] of Object.entries(fieldsOf(fields))) {
    const settings = { ...shared, ...objectOf(own, path) };
    checkKeys(settings);
    const field = index.mapping.fields.get(path);
    if (path.includes("*")) throw new NotSupported("patterns among the fields of a highlight");
    if (field === undefined) continue;
    const fragments =
      field.type === "semantic_text"
        ? chunksNearest(document, field, settings, marks)
        : passages(index, document, field, settings, marks);
    if (fragments.length > 0) found[path] = fragments;
  }
  return found;
}

const KEYS = [
  "type",
  "number_of_fragments",
  "fragment_size",
  "pre_tags",
  "post_tags",
  "order",
  "require_field_match",
  "boundary_scanner",
  "no_match_size",
];

const OTHER_KEYS = [
  "boundary_chars",
  "boundary_max_scan",
  "boundary_scanner_locale",
  "encoder",
  "force_source",
  "fragmenter",
  "fragment_offset",
  "highlight_filter",
  "highlight_query",
  "matched_fields",
  "max_analyzed_offset",
  "max_fragment_length",
  "options",
  "phrase_limit",
  "tags_schema",
];

function checkKeys(settings: JsonObject): void {
  for (const key of Object.keys(settings)) {
    if (OTHER_KEYS.includes(key)) throw new NotSupported(`[${key}] of a highlight`);
    if (!KEYS.includes(key))
      throw new ElasticsearchError(
        400,
        "x_content_parse_exception",
        `[1:1] [highlight] unknown field [${key}]`,
      );
  }
}

function fieldsOf(fields: Json | undefined): JsonObject {
  if (isObject(fields)) return fields;
  return Object.assign({}, ...listOf(fields).map((one) => objectOf(one, "fields")));
}

const FRAGMENTS = 5;
const FRAGMENT_SIZE = 100;

function fragmentsWanted(settings: JsonObject): number {
  return Number(settings.number_of_fragments ?? FRAGMENTS);
}

function chunksNearest(
  document: StoredDocument,
  field: Field,
  settings: JsonObject,
  marks: readonly Mark[],
): readonly string[] {
  const { type = "semantic", order } = settings;
  if (type !== "semantic")
    throw illegalArgument(
      `The [${String(type)}] highlighter cannot be used on the field [${field.path}] of type [semantic_text]`,
    );
  const texts = marks.flatMap((mark) =>
    mark.kind === "meaning" && mark.field === field.path ? [encode(mark.text)] : [],
  );
  const scored = semanticChunks(document, field.path)
    .map(({ text, vector }, place) => ({
      text,
      place,
      score: Math.max(0, ...texts.map((wanted) => dot(wanted, vector))),
    }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, fragmentsWanted(settings));
  if (order !== "score") scored.sort((one, other) => one.place - other.place);
  return scored.map(({ text }) => text);
}

interface Word {
  readonly term: string;
  readonly start: number;
  readonly end: number;
}

interface Passage {
  readonly start: number;
  readonly end: number;
  readonly words: Word[];
}

/** Between the values of a field, so that they are one text: as Lucene's highlighter joins them. */
const VALUE_SEPARATOR = "\u2029";

function passages(
  index: StoredIndex,
  document: StoredDocument,
  field: Field,
  settings: JsonObject,
  marks: readonly Mark[],
): readonly string[] {
  const { type = "unified", require_field_match = true } = settings;
  if (type === "semantic")
    throw illegalArgument(`The [semantic] highlighter cannot be used on the field [${field.path}]`);
  if (type !== "unified" && type !== "plain") throw new NotSupported(`the highlighter [${String(type)}]`);
  if (field.type !== "text" && field.type !== "keyword") return [];
  const accepting = marks.flatMap((mark) =>
    mark.kind === "terms" && (require_field_match === false || mark.field === field.path)
      ? [mark.accepts]
      : [],
  );
  const text = (document.values.get(field.path) ?? []).join(VALUE_SEPARATOR);
  const analyzer = indexAnalyzer(index.analyzers, field);
  const words = analyzer(text).filter(({ term }) => accepting.some((accepts) => accepts(term)));
  const wanted = fragmentsWanted(settings);
  if (words.length === 0) return withoutMatch(text, settings);
  if (wanted === 0) return [marked(text, { start: 0, end: text.length, words }, settings)];
  const found = cut(text, words, settings);
  const scores = new Map(found.map((passage) => [passage, passageScore(passage, words, text.length)]));
  const byScore = (one: Passage, other: Passage) =>
    scores.get(other)! - scores.get(one)! || one.start - other.start;
  const best = found.sort(byScore).slice(0, wanted);
  if (settings.order !== "score") best.sort((one, other) => one.start - other.start);
  return best.map((passage) => marked(text, passage, settings));
}

function withoutMatch(text: string, { no_match_size = 0 }: JsonObject): readonly string[] {
  return Number(no_match_size) > 0 && text !== "" ? [text.slice(0, Number(no_match_size))] : [];
}

const sentenceSegmenter = new Intl.Segmenter("en", { granularity: "sentence" });
const wordSegmenter = new Intl.Segmenter("en", { granularity: "word" });

/** The parts of the text that hold the words: sentences, of at least `fragment_size` where that is not 0. */
function cut(text: string, words: readonly Word[], settings: JsonObject): Passage[] {
  const { boundary_scanner = "sentence", fragment_size = FRAGMENT_SIZE } = settings;
  if (boundary_scanner !== "sentence" && boundary_scanner !== "word")
    throw new NotSupported(`the boundary scanner [${String(boundary_scanner)}]`);
  const segmenter = boundary_scanner === "word" ? wordSegmenter : sentenceSegmenter;
  const breaks = boundaries(segmenter, text);
  const size = Number(fragment_size);
  const found: Passage[] = [];
  for (const word of words) {
    const last = found.at(-1);
    if (last !== undefined && word.start < last.end) {
      last.words.push(word);
      continue;
    }
    const start = Math.max(last?.end ?? 0, breaks.filter((at) => at <= word.start).at(-1) ?? 0);
    found.push({ start, end: endOf(text, breaks, start, word, size), words: [word] });
  }
  return found;
}

function boundaries(segmenter: Intl.Segmenter, text: string): number[] {
  const starts = [...segmenter.segment(text)].map(({ index }) => index);
  const values = [...text].length === 0 ? [] : [...text.matchAll(/\u2029/g)].map(({ index }) => index + 1);
  return [...new Set([...starts, ...values, text.length])].sort((one, other) => one - other);
}

/** Whole sentences up to `size`; a longer sentence is cut at the word boundary behind `size`. */
function endOf(text: string, breaks: readonly number[], start: number, word: Word, size: number): number {
  const after = breaks.filter((at) => at >= word.end);
  if (size === 0) return after[0] ?? text.length;
  const fitting = after.filter((at) => at - start <= size).at(-1);
  if (fitting !== undefined) return fitting;
  const wordBreaks = boundaries(wordSegmenter, text);
  return wordBreaks.find((at) => at >= Math.max(start + size, word.end)) ?? text.length;
}

/** Lucene's `PassageScorer`: BM25 with each passage as a document of about 87 characters. */
const PIVOT = 87;
const K1 = 1.2;
const B = 0.75;

function passageScore(passage: Passage, words: readonly Word[], textLength: number): number {
  const documents = 1 + textLength / PIVOT;
  const length = passage.end - passage.start;
  const terms = new Set(passage.words.map(({ term }) => term));
  let score = 0;
  for (const term of terms) {
    const count = (list: readonly Word[]) => list.filter((word) => word.term === term).length;
    const total = count(words);
    const weight = (K1 + 1) * Math.log(1 + (documents + 0.5) / (total + 0.5));
    const frequency = count(passage.words);
    score += weight * (frequency / (frequency + K1 * (1 - B + (B * length) / PIVOT)));
  }
  return score * (1 + 1 / Math.log(PIVOT + passage.start));
}

function marked(text: string, passage: Passage, settings: JsonObject): string {
  const before = String(listOf(settings.pre_tags ?? "<em>")[0]);
  const after = String(listOf(settings.post_tags ?? "</em>")[0]);
  let out = "";
  let at = passage.start;
  for (const { start, end } of passage.words) {
    if (start < at) continue;
    out += `${text.slice(at, start)}${before}${text.slice(start, end)}${after}`;
    at = end;
  }
  return `${out}${text.slice(at, passage.end)}`.replaceAll(VALUE_SEPARATOR, " ").trim();
}
