/**
 * The answer by its name: the steps below a heading, or what stands behind a label ("Run-out: step back"), where that
 * names in whatever words what is asked or told. A name is short, so that its meaning is sure where that of a sentence
 * among its steps is not.
 */
import type { Passage } from "../domain/passage.js";
import {
  ANSWER_CHARS_MAX,
  type ExtractedAnswer,
  type ExtractOptions,
  wholeProcedure,
} from "../extractive/answer-text.js";
import { mayMean } from "../extractive/meant.js";
import { type PassageUnit, passageUnits } from "../extractive/passage-units.js";
import { hasSteps, partsOf, stepsAt, stepsLabel } from "../extractive/procedure.js";
import type { QuestionScale } from "../extractive/question-scale.js";
import { aloud, fitting } from "../extractive/spoken-units.js";
import { AskedWords, wordsOf } from "../grounding/answerability/asked-words.js";
import { likeness, meaningOf } from "../words/meaning/meaning.js";
import { ASKS_OF_WHOM, BEGINS_QUESTION } from "../words/question-forms.js";

/**
 * How much a name has of a question at the least: the likeness of their meanings, and the share of the question's words
 * that it meets. On `bench/training` and half a of the yardstick other names than the right one come to .88 where steps
 * are asked for, and to 1.15 elsewhere.
 */
const NAMED_MIN = { steps: 0.95, other: 1.2 } as const;

/** A word that tells more of the question than this, and is met by nothing there, is of another thing: "lock out the oven". */
const MISSED_MAX = 0.4;

/** Names that are as near as this may both be meant. */
const NEAR = 0.05;

interface Named {
  readonly passage: Passage;
  /** From the label on to the end of its paragraph, or the next one; absent where a heading names steps. */
  readonly units?: readonly PassageUnit[];
  readonly score: number;
}

/** Undefined where nothing is named so, or several things are. Rejects as `readDocument` does. */
export async function namedAnswer(
  question: string,
  scale: QuestionScale,
  passages: readonly Passage[],
  { from = 0, readDocument }: ExtractOptions,
): Promise<ExtractedAnswer | undefined> {
  const { expects, seeksSteps, step } = scale.question;
  if (expects !== undefined || (!seeksSteps && ASKS_OF_WHOM.test(question))) return undefined;
  const names = namesIn(told(question), scale, passages);
  const [best, other] = names.toSorted((a, b) => b.score - a.score);
  if (best === undefined || best.score < NAMED_MIN[seeksSteps ? "steps" : "other"]) return undefined;
  if (other !== undefined && best.score - other.score < NEAR && best.units === undefined) return undefined;
  const { passage, units } = best;
  if (units === undefined) return wholeProcedure(await stepsAt(passage, passages, readDocument), from, step);
  const sentences = fitting(units.map(aloud), ANSWER_CHARS_MAX);
  return { type: "answer", sentences, passages: [passage], complete: true };
}

function namesIn(asked: string, scale: QuestionScale, passages: readonly Passage[]): readonly Named[] {
  const meaning = meaningOf(asked);
  const words = new AskedWords(asked);
  if (words.count === 0) return [];
  const scored = (names: readonly string[], passage: Passage, units?: readonly PassageUnit[]): Named[] => {
    const whole = [...names, ...(units ?? passageUnits(passage)).map(({ text }) => text)].join(" . ");
    if (words.mostMissed(words.metBy(wordsOf(whole))) > MISSED_MAX) return [];
    const alike = Math.max(...names.map((name) => likeness(meaning, meaningOf(name))));
    const score = alike + words.share(words.metBy(wordsOf(names[0]!)));
    return [{ passage, score, ...(units && { units }) }];
  };
  return passages
    .filter((passage) => scale.hasNumbers(passage))
    .flatMap((passage) => {
      const named = paragraphsOf(passageUnits(passage)).flatMap((units) => {
        const name = labelOf(units[0]!);
        const isMeant = name !== undefined && mayMean(scale, passage, units[0]!);
        return isMeant ? scored([name], passage, units) : [];
      });
      if (!scale.question.seeksSteps) return named;
      const parts = partsOf(passage).filter(
        (part) => hasSteps(part) && !scale.isContrary(part, passageUnits(part)),
      );
      return [...named, ...parts.flatMap((part) => scored(stepsLabel(part), part))];
    });
}

/** What a question tells, without what it then asks; all of it where it tells nothing. */
export function told(question: string): string {
  const clauses = question.split(/[,;.?!](?:\s|$)/).flatMap((clause) => clause.trim() || []);
  const telling = clauses.filter((clause) => !BEGINS_QUESTION.test(clause));
  return telling.length === 0 ? question : telling.join(". ");
}

/** From each unit on to the end of its paragraph, or the next label. */
export function paragraphsOf(all: readonly PassageUnit[]): readonly (readonly PassageUnit[])[] {
  return all.map((unit, at) => {
    const rest = all.slice(at + 1);
    const end = rest.findIndex((one) => one.paragraph !== unit.paragraph || labelOf(one) !== undefined);
    return [unit, ...rest.slice(0, end === -1 ? undefined : end)];
  });
}

/** "Acid in the eye: rinse it", not a figure behind its name, nor a warning. */
const LABEL = /^([^:;.!?]{3,80}): \p{L}/u;

export function labelOf({ role, text }: PassageUnit): string | undefined {
  return role === "row" || role === "warning" ? undefined : LABEL.exec(text)?.[1];
}
