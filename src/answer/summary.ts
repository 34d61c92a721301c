/**
 * Drafts of a summary: by a model, part by part where the text is long, or of the most central sentences, word for word.
 * The warnings of the text come first and are never summarised; steps of a procedure are left out, and that is said. The
 * gate checks what a draft says as it checks an answer.
 */

import type { DraftEvent } from "../capability/draft.js";
import { type Passage, passageOf } from "../domain/passage.js";
import type { User } from "../domain/user.js";
import { type PassageUnit, passageUnits } from "../extractive/passage-units.js";
import { ended, fitting, isWarning } from "../extractive/spoken-units.js";
import { rowName } from "../extractive/table-row.js";
import { pause } from "../lib/pause.js";
import { splitSentences } from "../lib/sentence-end.js";
import { countTokens } from "../lib/tokens.js";
import { ModelFailure, type ModelMessage } from "../llm/port.js";
import type { Locale } from "../locale/locale.js";
import { RETRIEVED_TOKENS_MAX } from "./budget.js";
import { centralSentences } from "./central-sentences.js";
import { type WriterDeps, written } from "./compose.js";
import { allTrusted } from "./search.js";

/** What is summarised. */
export interface SummaryMaterial {
  /** In order; of a document, or of lines that are no document's. */
  readonly passages: readonly Passage[];
  /** What the model is told that it is. */
  readonly what: string;
  /** Comes first: says that this is a summary, and of what. */
  readonly introduction: string;
  readonly locale: Locale;
  /** The BCP 47 tag of the language that the summary is to be in, where somebody asked for one. */
  readonly language?: string | undefined;
}

/** Sentences and characters of a summary without a model, its warnings excluded: about 40 s of speech. */
const SENTENCES_MAX = 5;
const CHARS_MAX = 600;

/** Warnings that are said before a summary. */
const WARNINGS_MAX = 4;
const WARNING_CHARS_MAX = 600;

/** Shorter ones are captions and fragments. */
const SENTENCE_WORDS_MIN = 4;

/** Sentences that are compared with each other, the first of a text, and what each has in characters at the most. */
const COMPARED_MAX = 400;
const COMPARED_CHARS_MAX = 2_000;

/** Characters of a line that is worked on in one piece. */
const LINE_CHARS_MAX = 8_000;

/** Parts of a text that a model reads, each of `RETRIEVED_TOKENS_MAX` tokens: what is beyond them is left out. */
export const PARTS_MAX = 4;

/** The most central sentences, word for word. */
export async function extractiveDraft(material: SummaryMaterial): Promise<readonly DraftEvent[]> {
  const { units } = await taken(material);
  const sentences: string[] = [];
  for (const { role, text } of units) {
    await pause();
    if (sentences.length === COMPARED_MAX) break;
    if ((role === "sentence" || role === "item") && text.length <= COMPARED_CHARS_MAX && isWhole(text))
      sentences.push(text);
  }
  const central = (await centralSentences(sentences, SENTENCES_MAX)).map((at) => sentences[at]!);
  return drafted(material, units, fitting(central, CHARS_MAX));
}

/** What a model writes. Rejects with `ModelFailure`, or with the signal's reason. */
export async function modelDraft(
  material: SummaryMaterial,
  deps: WriterDeps,
  signal: AbortSignal,
): Promise<readonly DraftEvent[]> {
  const { passages, units } = await taken(material);
  const parts: string[] = [];
  for (const part of partsOf(passages).slice(0, PARTS_MAX))
    parts.push(await asked(part, material, deps, signal));
  const text = parts.length <= 1 ? parts.join("") : await asked(parts.join("\n"), material, deps, signal);
  const sentences = splitSentences(text).map((sentence) => sentence.trim());
  return drafted(material, units, sentences);
}

/** Introduction, warnings, what was written; and that steps were left out, where there are any. */
function drafted(
  { introduction, locale, passages }: SummaryMaterial,
  units: readonly PassageUnit[],
  sentences: readonly string[],
): readonly DraftEvent[] {
  const first = fitting(warningsOf(units).slice(0, WARNINGS_MAX), WARNING_CHARS_MAX);
  const rest = sentences.filter((sentence) => sentence !== "" && !first.includes(sentence));
  const text = [...first, ...rest].map(ended).join(" ");
  const leavesSteps = units.some(({ role }) => role === "step");
  return [
    evidenceOf(passages),
    { type: "phrase", text: introduction },
    ...(text === "" ? [] : [{ type: "text", text } as const]),
    ...(leavesSteps ? [{ type: "phrase", text: locale.say("summary.steps_left_out") } as const] : []),
    { type: "end", searched: "found", degraded: false, outcome: "answered" },
  ];
}

/** What stands in no document is no passage: nobody can be sent there to read it. */
function evidenceOf(passages: readonly Passage[]): DraftEvent {
  if (passages.some(({ documentId }) => documentId !== NO_DOCUMENT)) return { type: "passages", passages };
  const texts = passages.map(({ chunkId, text }) => ({ type: "user_input" as const, source: chunkId, text }));
  return { type: "evidence", texts };
}

/** The passages that may be told of, and what can be spoken of them. */
async function taken({ passages }: SummaryMaterial) {
  const clean = await allTrusted(passages);
  const units: PassageUnit[] = [];
  for (const passage of clean) {
    await pause();
    units.push(...passageUnits(passage));
  }
  return { passages: clean, units };
}

/** Each warning once, behind the sentence before it where it makes no sense without. */
function warningsOf(units: readonly PassageUnit[]): readonly string[] {
  const texts = units.flatMap((unit, at) => {
    if (!isWarning(unit)) return [];
    const before = units[at - 1];
    const needsBefore =
      POINTS_BACK.test(unit.text) && (before?.role === "sentence" || before?.role === "warning");
    return needsBefore ? [ended(before.text), unit.text] : [unit.text];
  });
  return [...new Set(texts)];
}

/** Among the first words, something stands for what was said before. */
const POINTS_BACK = /^(?:[^\s,;]+\s+){0,3}(?:it|its|they|them|their|this|that|these|those|he|she|him|her)\b/i;

/** A row of a table and the item of a list say nothing without what stands around them. */
function isWhole(text: string): boolean {
  return (
    /[.!?…。！？]["”»')]*$/u.test(text) &&
    rowName(text) === undefined &&
    (text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) >= SENTENCE_WORDS_MIN
  );
}

/** A text in pieces of whole sentences, of `LINE_CHARS_MAX` characters at the most where sentences are no longer. */
function inPieces(text: string): readonly string[] {
  if (text.length <= LINE_CHARS_MAX) return [text];
  const pieces: string[] = [];
  let start = 0;
  let end = 0;
  for (const sentence of splitSentences(text)) {
    if (end + sentence.length - start > LINE_CHARS_MAX && end > start) {
      pieces.push(text.slice(start, end));
      start = end;
    }
    end += sentence.length;
  }
  return [...pieces, text.slice(start)];
}

/** The passages in texts that fit into a prompt each. */
function partsOf(passages: readonly Passage[]): readonly string[] {
  const parts: { texts: string[]; tokens: number }[] = [];
  for (const { headings, text } of passages) {
    const piece = [headings.at(-1) ?? "", text].filter((line) => line !== "").join("\n");
    const tokens = countTokens(piece);
    const last = parts.at(-1);
    if (last !== undefined && last.tokens + tokens <= RETRIEVED_TOKENS_MAX) {
      last.texts.push(piece);
      last.tokens += tokens;
    } else parts.push({ texts: [piece], tokens });
  }
  return parts.map(({ texts }) => texts.join("\n\n"));
}

async function asked(
  text: string,
  { language, locale, what }: SummaryMaterial,
  deps: WriterDeps,
  signal: AbortSignal,
): Promise<string> {
  const tag = language ?? locale.language;
  const inLanguage = deps.prompts.render("language-given", { tag });
  const messages: readonly ModelMessage[] = [
    { role: "system", content: deps.prompts.render("summary", { what, language: inLanguage }) },
    { role: "user", content: text, foreign: [{ what: "passage", text }] },
  ];
  const reply = await written("summarize", { messages, tools: [], toolChoice: "none" }, deps, signal);
  const summary = reply.text.trim();
  if (summary === "") throw new ModelFailure("malformed", "the model writes no summary");
  return summary;
}

/** Instead of the id of a document, on lines that are none's. */
export const NO_DOCUMENT = "";

/** Lines that are no document's, as passages of one: nobody else may read them. A long one becomes several. */
export function asLines(texts: readonly string[], { network, username }: User): readonly Passage[] {
  const access = { network, visibility: "restricted", allowedUsers: [username], allowedGroups: [] } as const;
  return texts
    .flatMap(inPieces)
    .map((text, position) =>
      passageOf({ chunkId: `line-${position}`, documentId: NO_DOCUMENT, position, text, access }),
    );
}
