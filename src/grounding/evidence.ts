/** What sentences are held against: texts prepared once a turn, so that checking a sentence is cheap. */

import type { EvidenceType } from "../domain/answer.js";
import { pattern } from "../lib/pattern.js";
import { splitSentences } from "../lib/sentence-end.js";
import { atOnce, type Steps } from "../lib/steps.js";
import type { Language } from "../words/polarity.js";
import { languageOf } from "./language.js";
import { EVIDENCE_CHARS_MAX } from "./limits.js";
import { parseSentence, type Sentence } from "./sentence/sentence.js";

/** A text that claims may rest on. */
export interface EvidenceText {
  readonly type: EvidenceType;
  /** The chunk's id for a passage; otherwise what the evidence is called, such as `attached.selected_text`. */
  readonly source: string;
  readonly text: string;
  /** The document that it is part of, where it is one's: two texts may bear the same title. */
  readonly document?: string;
  /** What stands around a passage: its title and its headings from the outermost. Support may draw on their words. */
  readonly title?: string;
  readonly headings?: readonly string[];
  /** Older revisions that the document replaces, newest first. */
  readonly supersedes?: readonly string[];
  /** When it was read, in Unix milliseconds, where it changes by itself: it grows old. */
  readonly takenAtMs?: number;
}

/** A sentence of the evidence with its place. */
export interface EvidenceSentence extends Sentence {
  /** Position among all sentences of the evidence. */
  readonly index: number;
  /** Which text it is of. */
  readonly part: number;
  /** UTF-16 offsets in the text, white space around it excluded. */
  readonly start: number;
  readonly end: number;
  /** Number of the step that it is part of. */
  readonly step?: number;
  readonly isWarning: boolean;
  /** Stands in an item of a list: with a number or a letter, items have an order. */
  readonly item?: "ordered" | "marked";
}

export interface EvidencePart {
  readonly source: EvidenceText;
  readonly sentences: readonly EvidenceSentence[];
  /** Terms of the title and the headings. */
  readonly around: ReadonlySet<string>;
  readonly terms: ReadonlySet<string>;
  /** Each word of the text, its title and headings in lower case, for names. */
  readonly words: ReadonlySet<string>;
  readonly codes: ReadonlySet<string>;
  readonly language: Language | undefined;
}

/** All that can be known of the evidence before a sentence is checked. */
export interface PreparedEvidence {
  readonly parts: readonly EvidencePart[];
  readonly sentences: readonly EvidenceSentence[];
  /** Indices of the sentences that hold a term. */
  readonly byTerm: ReadonlyMap<string, readonly number[]>;
  readonly words: ReadonlySet<string>;
  readonly codes: ReadonlySet<string>;
}

/** Prepares texts for checking. `language` is theirs, where it is known already; otherwise each is looked at. */
export function prepareEvidence(texts: readonly EvidenceText[], language?: Language): PreparedEvidence {
  return atOnce(prepareInSteps(texts, language));
}

/** As `prepareEvidence`, sentence by sentence. Texts for which no room is left are not looked at. */
export function* prepareInSteps(
  texts: readonly EvidenceText[],
  language?: Language,
): Steps<PreparedEvidence> {
  const parts: EvidencePart[] = [];
  let chars = 0;
  for (const source of texts) {
    if (chars + source.text.length > EVIDENCE_CHARS_MAX) continue;
    chars += source.text.length;
    parts.push(yield* partOf(source, language));
  }
  yield;
  return joined(parts);
}

/** The same passages come back turn after turn, and again when a second search adds to them. */
const prepared = new Map<string, EvidencePart>();
const PREPARED_MAX = 64;
/** Longer texts are not kept. */
const PREPARED_CHARS_MAX = 8_000;

function* partOf(source: EvidenceText, given: Language | undefined): Steps<EvidencePart> {
  const key = [given ?? "", source.title ?? "", ...(source.headings ?? []), "", source.text].join("\n");
  const known = prepared.get(key);
  if (known !== undefined) return { ...known, source };
  const part = yield* prepareText(source, given ?? languageOf(source.text));
  if (source.text.length > PREPARED_CHARS_MAX) return part;
  if (prepared.size >= PREPARED_MAX) prepared.clear();
  prepared.set(key, part);
  return part;
}

const alone = new WeakMap<EvidencePart, PreparedEvidence>();

/** One of the texts alone. Each sentence of an answer is held against every other text, so this is kept. */
export function onlyPart({ parts }: PreparedEvidence, part: number): PreparedEvidence {
  const one = parts[part]!;
  const known = alone.get(one);
  if (known !== undefined) return known;
  const evidence = joined([one]);
  alone.set(one, evidence);
  return evidence;
}

function* prepareText(source: EvidenceText, language: Language | undefined): Steps<EvidencePart> {
  const parsed = yield* sentencesOf(source.text, language ?? "en");
  const sentences = writesDayInFull(parsed) ? parsed.map(withKnownHalf) : parsed;
  const around = [source.title ?? "", ...(source.headings ?? [])].map((text) => parseSentence(text));
  const all = [...sentences, ...around];
  return {
    source,
    sentences,
    around: new Set(around.flatMap(({ terms }) => [...terms])),
    terms: new Set(sentences.flatMap(({ terms }) => [...terms])),
    words: wordsOf(all),
    codes: new Set(all.flatMap(({ codes }) => codes.map(({ key }) => key))),
    language,
  };
}

function wordsOf(sentences: readonly Sentence[]): Set<string> {
  return new Set(sentences.flatMap(({ tokens }) => tokens.map(({ lower }) => lower.replace(/'s?$/, ""))));
}

/** Puts texts together: their sentences are numbered through. */
function joined(texts: readonly EvidencePart[]): PreparedEvidence {
  let index = 0;
  const parts = texts.map(
    (text, part): EvidencePart => ({
      ...text,
      sentences: text.sentences.map((sentence) => ({ ...sentence, part, index: index++ })),
    }),
  );
  const sentences = parts.flatMap((part) => part.sentences);
  return {
    parts,
    sentences,
    ...indexOf(sentences),
    words: new Set(parts.flatMap(({ words }) => [...words])),
    codes: new Set(parts.flatMap(({ codes }) => [...codes])),
  };
}

/** A number at the beginning of a line makes it a step; its sentences all belong to it. */
const STEP = /^[ \t]*(\d{1,3})[.)][ \t]+/;
const BULLET = /^[ \t]*(?:[-*•+]|[a-z][.)])[ \t]+/;
const WARNING = pattern("iu")`
  ^(?:⚠|\uFE0F|[\s*_>])*(?:warning|danger|caution|attention|warnung|gefahr|vorsicht
  |achtung|avertissement|prudence|advertencia|peligro|atención|precaución|ostrzeżenie
  |niebezpieczeństwo|uwaga|попередження|небезпека|увага)\s*[:!.–—-]
`;

/** Beside steps, what must never be done is a warning even without the word. */
const PROHIBITION = /^(?:never|do not|don't|must not)\b/i;

function* sentencesOf(text: string, language: Language): Steps<EvidenceSentence[]> {
  const found: EvidenceSentence[] = [];
  for (const { start, end, step, item } of blocksOf(text)) {
    let at = start;
    let warned = false;
    for (const piece of splitSentences(text.slice(start, end))) {
      yield;
      for (const { from, to, sentence } of yield* checkable(text, at, at + piece.length, language)) {
        // What follows a warning in its paragraph belongs to it.
        warned = WARNING.test(sentence.text) || (warned && from > start);
        const place = {
          index: found.length,
          part: 0,
          start: from,
          end: to,
          isWarning: warned || (step === undefined && PROHIBITION.test(sentence.text)),
        };
        const listed = { ...(step === undefined ? {} : { step }), ...(item === undefined ? {} : { item }) };
        found.push({ ...sentence, ...place, ...listed });
      }
      at += piece.length;
    }
  }
  return found;
}

interface Checkable {
  /** UTF-16 offsets, white space excluded. */
  readonly from: number;
  readonly to: number;
  readonly sentence: Sentence;
}

/**
 * The sentence, or the lines of one that is over the bounds: a table, a list. Where what one line denies may reach over
 * into the next, as in running text, it stays whole, and bears nothing out.
 */
function* checkable(
  text: string,
  start: number,
  end: number,
  language: Language,
): Steps<readonly Checkable[]> {
  const whole = parsedBetween(text, start, end, language);
  if (whole === undefined) return [];
  if (whole.sentence.excess === undefined) return [whole];
  const lines: Checkable[] = [];
  for (let from = start; from < end; ) {
    yield;
    const feed = text.indexOf("\n", from);
    const to = feed < 0 || feed >= end ? end : feed;
    const line = parsedBetween(text, from, to, language);
    if (line !== undefined) lines.push(line);
    from = to + 1;
  }
  const isTable = lines.every(({ sentence }) => ROW.test(sentence.text));
  return isTable || lines.every(({ sentence }) => standsAlone(sentence)) ? lines : [whole];
}

function parsedBetween(text: string, start: number, end: number, language: Language): Checkable | undefined {
  const piece = text.slice(start, end);
  const from = start + (piece.length - piece.trimStart().length);
  const to = start + piece.trimEnd().length;
  return to <= from ? undefined : { from, to, sentence: parseSentence(text, from, to, language) };
}

/** A row of a table. */
const ROW = /^\|/;

function standsAlone({ clauses, denials, excess }: Sentence): boolean {
  return (
    excess === undefined &&
    denials.length === 0 &&
    clauses.every(({ forbids, kind }) => kind === "main" && !forbids)
  );
}

interface TextBlock {
  readonly start: number;
  readonly end: number;
  readonly step?: number;
  readonly item?: "ordered" | "marked";
}

/** Steps, bullets and paragraphs. Lines without a mark go on with the block before them. */
function blocksOf(text: string): TextBlock[] {
  const blocks: { start: number; end: number; step?: number; item?: "ordered" | "marked" }[] = [];
  let at = 0;
  let fresh = true;
  for (const line of text.split("\n")) {
    const end = at + line.length;
    const [step, bullet] = [STEP.exec(line), BULLET.exec(line)];
    if (line.trim() === "") fresh = true;
    else if (step !== null)
      blocks.push({ start: at + step[0].length, end, step: Number(step[1]), item: "ordered" });
    else if (bullet !== null)
      blocks.push({ start: at + bullet[0].length, end, item: /\w/.test(bullet[0]) ? "ordered" : "marked" });
    else if (fresh || blocks.length === 0) blocks.push({ start: at, end });
    else blocks.at(-1)!.end = end;
    if (line.trim() !== "") fresh = false;
    at = end + 1;
  }
  return blocks.flatMap((block) => (block.item === "ordered" ? letteredIn(text, block) : [block]));
}

/** "a. … b. … c. …" on one line: each is an item. */
function letteredIn(text: string, block: TextBlock): TextBlock[] {
  const starts = [block.start];
  const ends: number[] = [];
  for (let letter = 98; letter <= 122; letter++) {
    const mark = text.indexOf(` ${String.fromCharCode(letter)}. `, starts.at(-1)!);
    if (mark < 0 || mark >= block.end) break;
    ends.push(mark);
    starts.push(mark + LETTER_CHARS);
  }
  return starts.map((start, i) => ({ ...block, start, end: ends[i] ?? block.end }));
}

/** " b. " */
const LETTER_CHARS = 4;

function indexOf(sentences: readonly EvidenceSentence[]): Pick<PreparedEvidence, "byTerm"> {
  const byTerm = new Map<string, number[]>();
  for (const { index, terms } of sentences) for (const term of terms) push(byTerm, term, index);
  return { byTerm };
}

function push<K>(map: Map<K, number[]>, key: K, index: number): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [index]);
  else if (list.at(-1) !== index) list.push(index);
}

/** A text that writes 15:00 means the morning when it writes 9:00. */
function writesDayInFull(sentences: readonly EvidenceSentence[]): boolean {
  return sentences.some(({ quantities }) =>
    quantities.some(
      ({ dimension, high, text }) =>
        dimension === "clock" && high >= 13 * 60 && /\d:\d/.test(text) && !/m/i.test(text),
    ),
  );
}

function withKnownHalf(sentence: EvidenceSentence): EvidenceSentence {
  const quantities = sentence.quantities.map((one) =>
    one.dimension === "clock" ? { ...one, known: "half" } : one,
  );
  return { ...sentence, quantities };
}
