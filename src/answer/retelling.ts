/**
 * What can be said again of an answer that was given: all of it, the gist of it, where it comes from, and what comes
 * after it in its document. Every sentence was checked when it was given; the gate sees it again. Pure.
 */

import type { DraftEvent } from "../capability/draft.js";
import type { Answer, AnswerClaim, Evidence } from "../domain/answer.js";
import type { Passage } from "../domain/passage.js";
import type { HistoryEntry } from "../domain/turn.js";
import { isWarningText, passageUnits } from "../extractive/passage-units.js";
import { fitting, spoken, warningsFirst } from "../extractive/spoken-units.js";
import { sourceAloud } from "../grounding/checkers/source.js";
import type { EvidenceText } from "../grounding/evidence.js";
import { trusted } from "../grounding/injection.js";
import type { Locale } from "../locale/locale.js";
import type { Phrases } from "./phrases.js";

/** An answer that was given, and what it answered. */
export interface Earlier {
  readonly question: string;
  /** What of it reached the user, when it broke off. */
  readonly heard: string;
  /** Since when what it may rest on grows old, in Unix milliseconds. */
  readonly readAtMs: number | undefined;
  /** Absent when it broke off before it was whole, and for lines that the caller remembers for us. */
  readonly answer: Answer | undefined;
  /** Whether this line came from us: a caller's memory is the caller's word. */
  readonly isOurs: boolean;
}

/** Sentences that "go on" brings at the most, and what they come to in characters. */
const CONTINUATION_UNITS_MAX = 3;
const CONTINUATION_CHARS_MAX = 600;

const SOURCES_MAX = 2;

/** Quotes of an answer that are looked for in a passage, the last: each is held against each of its sentences. */
const QUOTES_COMPARED_MAX = 32;

/** What was answered, newest first. */
export function earlierAnswers(history: readonly HistoryEntry[]): readonly Earlier[] {
  return history
    .flatMap(({ role, text, answer, readAtMs, sources }, i): readonly Earlier[] => {
      if (role !== "assistant") return [];
      const question = history.slice(0, i).findLast((entry) => entry.role === "user")?.text ?? "";
      const isOurs = answer !== undefined || sources.length > 0;
      return [{ question, heard: text, readAtMs, answer, isOurs }];
    })
    .reverse();
}

/**
 * What an earlier answer may be checked by once more: its passages, and everything else that it rests on; for a line that
 * only the caller remembers, what the caller sent.
 */
export function evidenceFor(earlier: Earlier, { fromAttached }: Phrases): readonly DraftEvent[] {
  const { answer, isOurs, readAtMs } = earlier;
  if (answer === undefined) {
    if (isOurs) return [];
    const text = wordsOf(earlier, fromAttached);
    const heard = { type: "user_input", source: "history", text, ...takenAt(readAtMs) } as const;
    return [{ type: "evidence", texts: [heard], introducedBy: fromAttached }];
  }
  const { claims, passages } = answer;
  const texts = saidOf(claims).flatMap(({ evidence, text }) =>
    evidence.filter(({ type }) => type !== "passage").map((one) => asText(one, text)),
  );
  return [
    ...(passages.length > 0 ? [{ type: "passages", passages } as const] : []),
    ...(texts.length > 0 ? [{ type: "evidence", texts } as const] : []),
  ];
}

/** The caller's words; they may have been introduced as the caller's when they were said before. */
export function wordsOf({ heard }: Earlier, fromAttached: string): string {
  return heard.startsWith(fromAttached) ? heard.slice(fromAttached.length).trimStart() : heard;
}

/** A value that was read says what the sentence said of it, as of then; other evidence has words of its own. */
function asText({ type, source, value, takenAtMs }: Evidence, said: string): EvidenceText {
  return { type, source, text: type === "user_input" ? value : said, ...takenAt(takenAtMs) };
}

/** With the time at which something was read, where it grows old. */
export function takenAt(takenAtMs: number | undefined) {
  return takenAtMs === undefined ? {} : { takenAtMs };
}

/**
 * The whole answer again: its claims as text, and what stands between them as the fixed phrases that they are, but for
 * what told their age, which is another now, and `introductions`, which were said before it when it was told again.
 */
export function* retell(
  { claims, text }: Answer,
  introductions: readonly string[] = [],
): Generator<DraftEvent> {
  const left = [...introductions, ...claims.flatMap(({ dated }) => dated ?? [])];
  const phrase = (words: string): readonly DraftEvent[] => {
    const fixed = left.reduce((rest, one) => rest.replaceAll(one, ""), words).trim();
    return fixed === "" ? [] : [{ type: "phrase", text: fixed }];
  };
  let at = 0;
  for (const { text: claim, rule, start } of inOrderOfText(claims, text)) {
    yield* phrase(text.slice(at, start));
    yield rule === undefined
      ? { type: "text", text: `${claim}\n\n` }
      : { type: "statement", text: claim, rule };
    at = start + claim.length;
  }
  yield* phrase(text.slice(at));
}

/** Where each claim that was said stands in the text; two that say the same stand apart. */
function inOrderOfText(claims: readonly AnswerClaim[], text: string) {
  const taken = new Set<number>();
  // Behind the place of a claim stands the next one that says the same.
  const from = new Map<string, number>();
  return saidOf(claims)
    .flatMap(({ rule, text: claim }) => {
      let start = text.indexOf(claim, from.get(claim) ?? 0);
      while (taken.has(start)) start = text.indexOf(claim, start + 1);
      from.set(claim, start < 0 ? text.length + 1 : start + 1);
      if (start < 0) return [];
      taken.add(start);
      return [{ text: claim, rule, start }];
    })
    .sort((a, b) => a.start - b.start);
}

/** The claims that were said, in the order in which they were. */
export function saidClaims({ claims, text }: Answer): readonly AnswerClaim[] {
  const places = new Map(inOrderOfText(claims, text).map((one) => [one.text, one.start]));
  return [...saidOf(claims)].sort((a, b) => (places.get(a.text) ?? 0) - (places.get(b.text) ?? 0));
}

function saidOf(claims: readonly AnswerClaim[]): readonly AnswerClaim[] {
  return claims.filter(({ said }) => said);
}

/** Every warning of an answer with its first other sentence, and where that is one step of several, its procedure. */
export function gistOf(answer: Answer) {
  const said = saidClaims(answer);
  const warnings = said.filter(({ text }) => isWarningText(text));
  const first = said.filter(({ text }) => !isWarningText(text)).slice(0, 1);
  const isProcedure = said.filter(isStep).length > 1;
  const [procedure] = isProcedure ? first.map((claim) => passageOf(claim, answer)) : [];
  return { sentences: [...warnings, ...first].map(({ text }) => text), procedure };
}

export function isStep({ text }: { readonly text: string }): boolean {
  return /^\s*(?:step\s+)?\d{1,3}[.):]\s/i.test(text);
}

/** What comes in the document behind the last that was said, word for word; empty when nothing does. */
export function continuationOf(answer: Answer): readonly string[] {
  const said = saidClaims(answer);
  const last = said.findLast((claim) => passageOf(claim, answer) !== undefined);
  const passage = last && passageOf(last, answer);
  if (passage === undefined) return [];
  const units = passageUnits(passage);
  const values = saidOf(answer.claims)
    .flatMap(({ evidence }) => evidence)
    .filter(({ source }) => source === passage.chunkId)
    .slice(-QUOTES_COMPARED_MAX)
    .flatMap(({ value }) => bare(value) || []);
  const reached = units.findLastIndex(({ text }) => {
    const words = bare(text);
    return words !== "" && values.some((value) => words.includes(value) || value.includes(words));
  });
  const next = answer.passages.find(
    ({ documentId, position }) => documentId === passage.documentId && position === passage.position + 1,
  );
  const isThing = ({ role }: { readonly role: string }) => role !== "heading";
  const here = units.slice(reached + 1).filter(isThing);
  const ahead = here.length > 0 || next === undefined ? here : passageUnits(trusted(next)).filter(isThing);
  // Behind one step of a procedure comes one step.
  const isStepByStep = said.filter(isStep).length === 1 && isStep(said.at(-1)!);
  const count = isStepByStep ? 1 : CONTINUATION_UNITS_MAX;
  const texts = warningsFirst(ahead.slice(0, count)).map(spoken);
  return fitting(texts, CONTINUATION_CHARS_MAX);
}

/** The places that the claims of an answer rest on, best first, each with the words there. */
export function sourcesOf(answer: Answer, locale: Locale) {
  const quotes = new Map<string, string>();
  for (const claim of saidClaims(answer)) {
    const passage = passageOf(claim, answer);
    if (passage === undefined) continue;
    const source = sourceAloud(passage, locale);
    if (!quotes.has(source)) quotes.set(source, claim.evidence[0]!.value);
  }
  return [...quotes].slice(0, SOURCES_MAX).map(([source, quote]) => ({ source, quote }));
}

/** The systems whose readings an answer rests on, and when the oldest was taken, in Unix milliseconds; undefined: none. */
export function systemsOf(answer: Answer) {
  const readings = saidClaims(answer)
    .flatMap(({ evidence }) => evidence)
    .flatMap(({ source, takenAtMs, type }) =>
      type === "tool_output" && takenAtMs !== undefined ? [{ name: source.split(".")[0]!, takenAtMs }] : [],
    );
  if (readings.length === 0) return undefined;
  const names = [...new Set(readings.map(({ name }) => name))].slice(0, SOURCES_MAX);
  return { names, takenAtMs: Math.min(...readings.map((one) => one.takenAtMs)) };
}

function passageOf({ evidence }: AnswerClaim, { passages }: Answer): Passage | undefined {
  const best = evidence[0];
  if (best?.type !== "passage") return undefined;
  const passage = passages.find(({ chunkId }) => chunkId === best.source);
  return passage && trusted(passage);
}

function bare(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
