/** What sentences are held against: texts prepared once a turn, so that checking a sentence is cheap. */

import type { EvidenceType } from "../domain/answer.js";
import { unitsIn } from "../extractive/passage-units.js";
import { once } from "../lib/once.js";
import { splitSentences } from "../lib/sentence-end.js";
import { atOnce, type Steps } from "../lib/steps.js";
import type { Language } from "../words/polarity.js";
import { WARNING } from "../words/warnings.js";
import { languageOf } from "./language.js";
import { EVIDENCE_CHARS_MAX } from "./limits.js";
import { parsedText, parseSentence, type Sentence } from "./sentence/sentence.js";

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
  readonly codes: ReadonlySet<string>;
  readonly language: Language | undefined;
}

/** All that can be known of the evidence before a sentence is checked. */
export interface PreparedEvidence {
  readonly parts: readonly EvidencePart[];
  readonly terms: ReadonlySet<string>;
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

/** One of the texts alone. Each sentence of an answer is held against every other text, so this is kept. */
export const onlyPart = once((part: EvidencePart) => joined([part]));

function* prepareText(source: EvidenceText, language: Language | undefined): Steps<EvidencePart> {
  const parsed = yield* sentencesOf(source, language ?? "en");
  const sentences = writesDayInFull(parsed) ? parsed.map(withKnownHalf) : parsed;
  const around = [source.title ?? "", ...(source.headings ?? [])].map((text) => parseSentence(text));
  const all = [...sentences, ...around];
  return {
    source,
    sentences,
    around: new Set(around.flatMap(({ terms }) => [...terms])),
    terms: new Set(sentences.flatMap(({ terms }) => [...terms])),
    codes: new Set(all.flatMap(({ codes }) => codes.map(({ key }) => key))),
    language,
  };
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
  return {
    parts,
    terms: new Set(parts.flatMap(({ terms }) => [...terms])),
    codes: new Set(parts.flatMap(({ codes }) => [...codes])),
  };
}

/** Beside steps, what must never be done is a warning even without the word. */
const PROHIBITION = /^(?:never|do not|don't|must not)\b/i;
const BLANK_LINE = /\n[^\S\n]*\n/;

/** Whether a heading or a lead-in forbids what stands in the items below it: "Not allowed", "Never do this". */
function forbidsItems(text: string): boolean {
  if (PROHIBITION.test(text)) return true;
  const { clauses } = parsedText(text);
  return clauses.length === 1 && clauses[0]!.forbids;
}

/** The same sentence, forbidden. */
function forbidden(sentence: Sentence): Sentence {
  return {
    ...sentence,
    clauses: sentence.clauses.map((clause) => ({ ...clause, forbids: true })),
    words: sentence.words.map((word) => ({ ...word, negated: true })),
  };
}

function* sentencesOf({ headings, text }: EvidenceText, language: Language): Steps<EvidenceSentence[]> {
  const found: EvidenceSentence[] = [];
  let warned = false;
  let last = 0;
  for (const unit of unitsIn(text).filter(({ role }) => role !== "heading")) {
    // What follows a warning in its paragraph belongs to it.
    warned &&= unit.list === undefined && !BLANK_LINE.test(text.slice(last, unit.start));
    last = unit.end;
    const listed = {
      ...(unit.role === "step" ? { step: unit.number } : {}),
      ...(unit.list === undefined ? {} : ({ item: unit.role === "step" ? "ordered" : "marked" } as const)),
    };
    const heads = unit.list?.lead ?? headings?.at(-1) ?? "";
    const isForbidden = unit.list !== undefined && unit.role !== "step" && forbidsItems(heads);
    let at = unit.start;
    for (const piece of splitSentences(text.slice(unit.start, unit.end))) {
      yield;
      for (const { from, to, sentence } of yield* checkable(text, at, at + piece.length, language)) {
        warned ||= WARNING.test(sentence.text);
        const isWarning = warned || (unit.role !== "step" && PROHIBITION.test(sentence.text));
        const place = { index: found.length, part: 0, start: from, end: to, isWarning };
        const whole = isForbidden && sentence.denials.length === 0 ? forbidden(sentence) : sentence;
        found.push({ ...whole, ...place, ...listed });
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

/** A text that writes 15:00 means the morning when it writes 9:00. */
function writesDayInFull(sentences: readonly EvidenceSentence[]): boolean {
  const times = sentences.flatMap(({ quantities }) =>
    quantities.filter(({ dimension }) => dimension === "clock"),
  );
  return times.some(({ high, text }) => high >= 13 * 60 && /\d:\d/.test(text) && !/m/i.test(text));
}

function withKnownHalf(sentence: EvidenceSentence): EvidenceSentence {
  const quantities = sentence.quantities.map((one) =>
    one.dimension === "clock" ? { ...one, known: "half" } : one,
  );
  return { ...sentence, quantities };
}
