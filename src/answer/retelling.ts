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

/** What an answer's sentences may be checked against once more: the passages, and everything else they rest on. */
export function* evidenceOf(answer: Answer): Generator<DraftEvent> {
  if (answer.passages.length > 0) yield { type: "passages", passages: answer.passages };
  const texts = saidOf(answer.claims).flatMap(({ evidence, text }) =>
    evidence.filter(({ type }) => type !== "passage").map((one) => asText(one, text)),
  );
  if (texts.length > 0) yield { type: "evidence", texts };
}

/** A value that was read says what the sentence said of it, as of then; other evidence has words of its own. */
function asText({ type, source, value, takenAtMs }: Evidence, said: string): EvidenceText {
  const text = type === "user_input" ? value : said;
  return { type, source, text, ...(takenAtMs === undefined ? {} : { takenAtMs }) };
}

/** What the caller says was said, as `text`: evidence of itself. */
export function heardEvidence({ readAtMs }: Earlier, introducedBy: string, text: string): DraftEvent {
  const source = { type: "user_input", source: "history", text } as const;
  return {
    type: "evidence",
    texts: [{ ...source, ...(readAtMs === undefined ? {} : { takenAtMs: readAtMs }) }],
    introducedBy,
  };
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
  const phrase = (words: string) => fixedPhrase(left.reduce((rest, one) => rest.replaceAll(one, ""), words));
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

function* fixedPhrase(text: string): Generator<DraftEvent> {
  const words = text.trim();
  if (words !== "") yield { type: "phrase", text: words };
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

/** Whether an answer gave one step of a procedure, so that the next one is to be one, too. */
function isStepByStep(answer: Answer): boolean {
  const said = saidClaims(answer);
  return said.filter(isStep).length === 1 && isStep(said.at(-1)!);
}

/** What comes in the document behind the last that was said, word for word; empty when nothing does. */
export function continuationOf(answer: Answer): readonly string[] {
  const last = saidClaims(answer).findLast((claim) => passageOf(claim, answer) !== undefined);
  const passage = last && passageOf(last, answer);
  if (passage === undefined) return [];
  const units = passageUnits(passage);
  const values = saidOf(answer.claims)
    .flatMap(({ evidence }) => evidence)
    .filter(({ source }) => source === passage.chunkId)
    .map(({ value }) => bare(value))
    .slice(-QUOTES_COMPARED_MAX);
  const reached = units.findLastIndex(({ text }) => {
    const words = bare(text);
    return values.some((value) => overlaps(words, value));
  });
  const next = answer.passages.find(
    ({ documentId, position }) => documentId === passage.documentId && position === passage.position + 1,
  );
  const isThing = ({ role }: { readonly role: string }) => role !== "heading";
  const here = units.slice(reached + 1).filter(isThing);
  const ahead = here.length > 0 || next === undefined ? here : passageUnits(trusted(next)).filter(isThing);
  const count = isStepByStep(answer) ? 1 : CONTINUATION_UNITS_MAX;
  const texts = warningsFirst(ahead.slice(0, count)).map(spoken);
  return fitting(texts, CONTINUATION_CHARS_MAX);
}

/** The places that the claims of an answer rest on, best first, each with the words there. */
export function sourcesOf(
  answer: Answer,
  locale: Locale,
): readonly { readonly source: string; readonly quote: string }[] {
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
export function systemsOf(
  answer: Answer,
): { readonly names: readonly string[]; readonly takenAtMs: number } | undefined {
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

function overlaps(a: string, b: string): boolean {
  return a !== "" && b !== "" && (a.includes(b) || b.includes(a));
}
