/** Whether a claim that comes with a quote holds: the quote must stand in its source, the claim must agree with it. */
import type { Steps } from "../../lib/steps.js";
import type { Original } from "../checker.js";
import { type EvidencePart, type PreparedEvidence, prepareInSteps } from "../evidence.js";
import { languageOf } from "../language.js";
import { SENTENCE_CHARS_MAX } from "../limits.js";
import { claimsNothing, gap, type SentenceCheck, type SentenceContext } from "./check.js";
import { checkInSteps, harmless, supportAt, unsupported } from "./check-sentence.js";

export interface QuotedClaim {
  readonly text: string;
  /** The `source` of the evidence text that the quote is from. */
  readonly source: string;
  readonly quote: string;
}

/** A quote of fewer words says nothing by itself, such as "the" or "8". */
const QUOTE_WORDS_MIN = 2;

/** Checks the claim against the words quoted, place by place. Its support is the quote, with its place in the source. */
export function* quotedInSteps(
  claim: QuotedClaim,
  evidence: PreparedEvidence,
  context: SentenceContext,
): Steps<SentenceCheck> {
  const found = foundQuote(claim, evidence);
  if (found === undefined) return yield* withoutQuote(claim, evidence, context);
  const { part, place } = found;
  const step = part.sentences.find((one) => one.start <= place.start && place.start < one.end)?.step;
  const quoted = supportAt(part, place.start, place.end, step);
  const narrow = yield* prepareInSteps([{ ...part.source, text: quoted.value }], part.language);
  const check = yield* checkInSteps(claim.text, narrow, context);
  // A short quote may leave out what its sentence says besides: that still has to agree.
  const sentences = sentencesAround(part, place).join(" ");
  const around = yield* prepareInSteps([{ ...part.source, text: sentences }], part.language);
  const wide = yield* checkInSteps(claim.text, around, context);
  let failed = wide.verdict === "contradicted" ? wide : check;
  if (failed.verdict === "supported") {
    // Only all of the evidence shows that the quote speaks of something else than what was asked.
    const among = yield* checkInSteps(claim.text, evidence, context);
    if (among.reasons.some(({ code }) => code === "other_subject") && among.verdict === "contradicted")
      failed = among;
  }
  return { ...failed, role: wide.role, evidence: check.role === "filler" ? [] : [quoted] };
}

/**
 * What may be said in place of a claim that is in another language than what it quotes, since figures and names alone
 * prove nothing: the sentences that it quotes, word for word. `language` is that of the answer, for a claim too short to
 * tell its own. Undefined where both are in one language, or the quote does not stand in its source.
 */
export function originalOf(
  claim: QuotedClaim,
  evidence: PreparedEvidence,
  language: string | undefined,
): Original | undefined {
  const found = foundQuote(claim, evidence);
  const own = languageOf(claim.text) ?? language?.split("-")[0]?.toLowerCase();
  const theirs = found?.part.language;
  if (found === undefined || theirs === undefined || own === undefined || own === theirs) return undefined;
  return { source: claim.source, sentences: sentencesAround(found.part, found.place), language: theirs };
}

function* withoutQuote(
  claim: QuotedClaim,
  evidence: PreparedEvidence,
  context: SentenceContext,
): Steps<SentenceCheck> {
  const { role, verdict } = yield* checkInSteps(claim.text, evidence, context);
  if (claimsNothing({ role }) && verdict === "supported") return harmless(role);
  return unsupported(role, gap("quote_not_found", "the quote does not stand in its source"));
}

interface Place {
  readonly start: number;
  readonly end: number;
}

function foundQuote({ source, quote }: QuotedClaim, { parts }: PreparedEvidence) {
  const part = parts.find((one) => one.source.source === source);
  const place = part && findQuote(part.source.text, quote);
  return part && place && { part, place };
}

/**
 * Where the quote stands. White space, typographic quotes and dashes and the case of its first letter may differ, and
 * a full stop, or an ellipsis, at its end; nothing else.
 */
function findQuote(text: string, quote: string): Place | undefined {
  if (quote.length > SENTENCE_CHARS_MAX) return undefined;
  const words = plain(quote)
    .text.trim()
    .replace(/^["']|["']$/g, "")
    .replace(/^\.{3}\s*|(?<![.…])[.…]+$/g, "")
    .trimEnd();
  if ((words.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) < QUOTE_WORDS_MIN) return undefined;
  const { text: flat, offsets } = plain(text);
  const [first, rest] = [words[0]!, words.slice(1)];
  for (const variant of [words, first.toLowerCase() + rest, first.toUpperCase() + rest]) {
    for (let at = flat.indexOf(variant); at >= 0; at = flat.indexOf(variant, at + 1)) {
      if (cutsWord(flat, at, at + variant.length)) continue;
      return { start: offsets[at]!, end: offsets[at + variant.length - 1]! + 1 };
    }
  }
  return undefined;
}

/** "touch" is not a quote of "untouched", nor "8" of "18". */
function cutsWord(text: string, start: number, end: number): boolean {
  const inside = /[\p{L}\p{N}]/u;
  return (
    (inside.test(text[start - 1] ?? "") && inside.test(text[start]!)) ||
    (inside.test(text[end] ?? "") && inside.test(text[end - 1]!)) ||
    (/[.,]/.test(text[end] ?? "") && /\d/.test(text[end - 1]!) && /\d/.test(text[end + 1] ?? ""))
  );
}

/** Typographic signs made plain, runs of white space one space; with the offset of each character. */
function plain(text: string): { readonly text: string; readonly offsets: readonly number[] } {
  let flat = "";
  const offsets: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (/\s/.test(character)) {
      if (flat.endsWith(" ")) continue;
      flat += " ";
    } else flat += PLAIN[character] ?? character;
    offsets.push(at);
  }
  return { text: flat, offsets };
}

const TYPOGRAPHIC = "‘’‚“”„«»‐‑–—−";
const PLAIN: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from(TYPOGRAPHIC, (sign, at) => [sign, '\'\'\'"""""-----'[at]!]),
);

/** The sentences that the quote is of, as far as it reaches. */
function sentencesAround({ source, sentences }: EvidencePart, { start, end }: Place): readonly string[] {
  const touched = sentences.filter((one) => one.start < end && start < one.end);
  return touched.map((one) => source.text.slice(one.start, one.end));
}
