/** One sentence against the evidence: which words of it the sentence rests on, if any. */
import { analyze } from "../lib/english-analyzer.js";
import type { SentenceCheck, SentenceContext, SentenceRole } from "./check.js";
import type { EvidenceSentence, PreparedEvidence } from "./evidence.js";

/** The share of a sentence's terms that its evidence has to hold. */
const SUPPORT_MIN = 0.7;

export function checkSentence(
  sentence: string,
  evidence: PreparedEvidence,
  context: SentenceContext,
): SentenceCheck {
  const role = roleOf(sentence);
  const terms = analyze(sentence);
  const none = { role, evidence: [], reasons: [], score: 0 } as const;
  if (role === "filler" || role === "refusal") return { ...none, verdict: "unsupported" };
  const known = new Set(analyze(context.question));
  let best: { one: EvidenceSentence; score: number } | undefined;
  for (const one of evidence.sentences) {
    const held = terms.filter((term) => one.terms.has(term) || (role === "question" && known.has(term)));
    const score = terms.length === 0 ? 0 : held.length / terms.length;
    if (score > (best?.score ?? 0)) best = { one, score };
  }
  if (
    best === undefined ||
    best.score < SUPPORT_MIN ||
    numbers(sentence).some((n) => !best.one.value.includes(n))
  ) {
    const reasons = [{ code: "words_not_found", text: "no passage says so" }] as const;
    return { ...none, verdict: "unsupported", reasons, score: best?.score ?? 0 };
  }
  const { text, value, start, end, step } = best.one;
  const number = step === undefined ? {} : { step };
  const support = { source: text.source, type: text.type, value, start, end, ...number };
  return { role, verdict: "supported", evidence: [support], reasons: [], score: best.score };
}

function numbers(text: string): string[] {
  return text.replace(/^\s*(?:step\s+)?\d{1,3}[.):]\s+/i, "").match(/\d+(?:[.,]\d+)*/g) ?? [];
}

function roleOf(sentence: string): SentenceRole {
  if (/\?\s*$/.test(sentence)) return "question";
  if (/^\s*(?:I can't|I cannot|I do not|I don't|The documents do not)\b/i.test(sentence)) return "refusal";
  if (/^\s*(?:step\s+)?\d{1,3}[.):]\s+/i.test(sentence)) return "step";
  if (/^\s*(?:warning|danger|caution|never|do not|don't)\b/i.test(sentence)) return "warning";
  return analyze(sentence).length === 0 ? "filler" : "claim";
}
