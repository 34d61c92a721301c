/** What a data set expects of an answer, held against the answer: pure functions, with words for people. */
import type { Answer } from "../domain/answer.js";
import type { AnswerReport } from "../domain/answer-report.js";
import type { ExpectedAnswer } from "./data-set.js";
import { notApplicable, type Score, scored } from "./score.js";

export interface Check {
  readonly name: "outcome" | "must_say" | "must_not_say" | "same_words_as";
  readonly passed: boolean;
  /** What was expected, and what came. */
  readonly text: string;
}

/**
 * The checks that the expectations ask for, in the order in which they stand there. `other` is the report on the row
 * whose words should be the same; without it that check is left out. A turn that failed passes no check.
 */
export function checksOf(expected: ExpectedAnswer, report: AnswerReport, other?: AnswerReport): Check[] {
  const { answer } = report;
  const checks: Check[] = [];
  const came = answer?.outcome ?? `the failure ${report.failure?.code ?? "unknown"}`;
  if (expected.outcomes !== undefined)
    checks.push({
      name: "outcome",
      passed: answer !== undefined && expected.outcomes.includes(answer.outcome),
      text: `expected ${expected.outcomes.join(" or ")}, came to ${came}`,
    });
  for (const wordings of expected.mustSay)
    checks.push({
      name: "must_say",
      passed: answer !== undefined && wordings.some((wording) => isSaid(answer, wording)),
      text: `has to say ${wordings.map(quoted).join(" or ")}`,
    });
  for (const wording of expected.mustNotSay)
    checks.push({
      name: "must_not_say",
      passed: answer !== undefined && !isSaid(answer, wording),
      text: `must not say ${quoted(wording)}`,
    });
  if (expected.sameWordsAs !== undefined && other !== undefined)
    checks.push({
      name: "same_words_as",
      passed: answer !== undefined && hasSameWords(answer, other.answer),
      text: `has to sound exactly like the answer to ${expected.sameWordsAs}`,
    });
  return checks;
}

/** 1 when every check passed. */
export function asExpected(checks: readonly Check[]): Score {
  if (checks.length === 0) return notApplicable("the data set expects nothing of this answer");
  const broken = checks.filter(({ passed }) => !passed).map(({ text }) => text);
  return scored(broken.length === 0 ? 1 : 0, broken);
}

function hasSameWords(a: Answer, b: Answer | undefined): boolean {
  return a.text === b?.text && a.spoken === b.spoken && a.outcome === b.outcome;
}

/** On the screen or aloud: the two spell numbers and units differently. */
function isSaid({ text, spoken }: Answer, wording: string): boolean {
  return [text, spoken].some((rendering) => holdsWording(rendering, wording));
}

/**
 * Whether `text` holds the wording as whole words, however it is spaced and whether or not it is in capitals. `5 °C` is
 * in neither `15 °C` nor `1.5 °C` nor `-5 °C`.
 */
export function holdsWording(text: string, wording: string): boolean {
  const inside = normalized(text);
  const sought = normalized(wording);
  if (sought === "") return false;
  for (let at = inside.indexOf(sought); at >= 0; at = inside.indexOf(sought, at + 1)) {
    const end = at + sought.length;
    const before = inside.slice(Math.max(0, at - NEIGHBOURS), at);
    if (!isJoinedBefore(before, sought) && !isJoinedAfter(inside.slice(end, end + NEIGHBOURS), sought))
      return true;
  }
  return false;
}

/** UTF-16 units beside a wording that tell whether a word or a number goes on there. */
const NEIGHBOURS = 8;

function normalized(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[−‐‑–]/g, "-")
    .replace(/[’‘]/g, "'")
    .replace(/\s+/g, " ")
    .trim();
}

function isJoinedBefore(before: string, sought: string): boolean {
  if (/^[\p{L}\p{N}]/u.test(sought) && /[\p{L}\p{N}]$/u.test(before)) return true;
  return /^\p{N}/u.test(sought) && /(?:\p{N}[.,]|(?<!\p{N} ?)-)$/u.test(before);
}

function isJoinedAfter(after: string, sought: string): boolean {
  if (/[\p{L}\p{N}]$/u.test(sought) && /^[\p{L}\p{N}]/u.test(after)) return true;
  return /\p{N}$/u.test(sought) && /^[.,]\p{N}/u.test(after);
}

function quoted(text: string): string {
  return `"${text}"`;
}
