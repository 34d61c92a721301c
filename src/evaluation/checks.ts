/** What a data set expects of an answer, held against the answer: pure functions, with words for people. */
import type { Answer } from "../domain/answer.js";
import type { AnswerReport } from "../domain/answer-report.js";
import type { ExpectedAnswer } from "./data-set.js";
import { marked, markText } from "./marking.js";
import { notApplicable, type Score, scored } from "./score.js";
import { holdsWording } from "./wording.js";

export interface Check {
  readonly name: "outcome" | "mark" | "must_say" | "must_not_say" | "same_words_as";
  readonly passed: boolean;
  /** What was expected, and what came. */
  readonly text: string;
}

/**
 * The checks that the expectations ask for, in the order in which they stand there. `other` is the report on the row
 * whose words should be the same; without it that check is left out. A turn that failed passes no check. Where the row
 * says whether there is an answer, its mark stands for the words.
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
  const mark = marked(expected, report);
  if (mark !== undefined)
    checks.push({ name: "mark", passed: mark.mark === "right", text: markText(mark, expected) });
  for (const wordings of mark === undefined ? expected.mustSay : [])
    checks.push({
      name: "must_say",
      passed: answer !== undefined && wordings.some((wording) => isSaid(answer, wording)),
      text: `has to say ${wordings.map(quoted).join(" or ")}`,
    });
  for (const wording of mark === undefined ? expected.mustNotSay : [])
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

function quoted(text: string): string {
  return `"${text}"`;
}
