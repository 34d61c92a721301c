/**
 * The unit of some passages that is closest to a question in what it is about, in whatever words, and how likely it
 * answers. Two small models weigh what can be seen of it: one chooses among the units, one tells whether the chosen one
 * is an answer (`models/closest.json`, fitted by `bench/train-closest.ts`; docs/decisions/0066).
 */
import type { Passage } from "../../domain/passage.js";
import { mayMean } from "../../extractive/meant.js";
import { type PassageUnit, passageUnits } from "../../extractive/passage-units.js";
import { readQuestion } from "../../extractive/question.js";
import { QuestionScale } from "../../extractive/question-scale.js";
import { rowName } from "../../extractive/table-row.js";
import { type LogisticModel, logitOf, probabilityOf } from "../../lib/logistic.js";
import { pause } from "../../lib/pause.js";
import { shippedText } from "../../lib/shipped-files.js";
import { keptMeaning, likeness, meaningOf } from "../../words/meaning/meaning.js";
import { AskedWords, unitsMet, wordsOf } from "./asked-words.js";

export interface Closest {
  readonly passage: Passage;
  /** All of the passage. */
  readonly units: readonly PassageUnit[];
  readonly index: number;
  /** How likely it answers, 0–1. */
  readonly probability: number;
}

/** What is seen of a unit beside its question. */
export const SEEN = [
  "held, squared",
  "held by the title",
  "meaning",
  "meaning of its heading",
  "meaning with its lead-in",
  "meaning of its closest clause",
  "kind",
  "number",
  "place",
  "item",
  "row",
  "name of its row",
  "step where steps are asked for",
] as const;

/** What is seen of the unit that was chosen. */
export const SEEN_OF_BEST = [
  ...SEEN,
  "preferred",
  "ahead",
  "ahead of other passages",
  "most telling word lacking",
  "words",
] as const;

/** `choice` weighs each of `SEEN`, `answer` each of `SEEN_OF_BEST`. */
const MODELS: Readonly<Record<"choice" | "answer", LogisticModel>> = JSON.parse(
  shippedText("models/closest.json"),
);

/** Undefined where nothing is asked about, or there is nothing to read. `prior`: what was asked before. */
export async function closestUnit(
  question: string,
  prior: string | undefined,
  passages: readonly Passage[],
): Promise<Closest | undefined> {
  const best = bestOf(await unitsSeen(question, prior, passages), MODELS.choice);
  return best && { ...best.unit, probability: probabilityOf(best.seen, MODELS.answer) };
}

/** Whether no other unit of the passages is much closer to the question than this one; also where none can be told. */
export async function isAmongClosest(
  chosen: PassageUnit,
  question: string,
  prior: string | undefined,
  passages: readonly Passage[],
): Promise<boolean> {
  const seen = await unitsSeen(question, prior, passages);
  const own = seen.find(({ unit: { index, units } }) => units[index] === chosen);
  if (own === undefined) return seen.length === 0;
  const ownLogit = logitOf(own.seen, MODELS.choice);
  return seen.every((one) => logitOf(one.seen, MODELS.choice) - ownLogit <= CLOSER_MAX);
}

/** Of logits; less does not tell two units apart. */
const CLOSER_MAX = 0.75;

/** A unit, and the values of `SEEN`. */
export interface UnitSeen {
  readonly unit: Omit<Closest, "probability">;
  readonly seen: readonly number[];
  /** The share of the question's weight of the most telling word that neither it nor what stands around it has. */
  readonly lacking: number;
  /** Words that count. */
  readonly words: number;
}

/** The unit that the model prefers, with the values of `SEEN_OF_BEST`. Pure. */
export function bestOf(units: readonly UnitSeen[], choice: LogisticModel) {
  const ranked = units
    .map((one) => ({ ...one, logit: logitOf(one.seen, choice) }))
    .sort((a, b) => b.logit - a.logit);
  const [best, second] = ranked;
  if (best === undefined) return undefined;
  const other = ranked.find(({ unit }) => unit.passage !== best.unit.passage);
  // Where there is nothing else, being ahead tells nothing.
  const ahead = (one: typeof second) => Math.min(best.logit - (one ?? best).logit, AHEAD_MAX);
  const seen = [...best.seen, best.logit, ahead(second), ahead(other), best.lacking, best.words];
  return { unit: best.unit, seen };
}

/** Of logits; more makes no difference. */
const AHEAD_MAX = 4;

/** What can be seen of each unit that could be said. Takes time in proportion to the passages. */
export async function unitsSeen(
  question: string,
  prior: string | undefined,
  passages: readonly Passage[],
): Promise<readonly UnitSeen[]> {
  const scale = new QuestionScale(readQuestion(question, prior), passages);
  const whole = [prior ?? "", question].join(" ");
  const asked = new AskedWords(whole);
  if (asked.count === 0) return [];
  const meaning = meaningOf(whole);
  const likenessTo = (text: string) => likeness(meaning, keptMeaning(text));
  const seen: UnitSeen[] = [];
  for (const [place, passage] of passages.entries()) {
    if (!scale.hasNumbers(passage)) continue;
    const units = passageUnits(passage);
    const about = [passage.title, passage.headings.at(-1) ?? ""].join(" ");
    const heading = likenessTo(about);
    const title = asked.share(asked.metBy(wordsOf(passage.title)));
    for (const { held, index, unit } of unitsMet(passage, asked)) {
      if (ASKS.test(unit.text) || !mayMean(scale, passage, unit)) continue;
      await pause();
      const values: Record<(typeof SEEN)[number], number> = {
        "held, squared": asked.share(held) ** 2,
        "held by the title": title,
        meaning: likenessTo(`${about} ${unit.list?.lead ?? ""} ${unit.text}`),
        "meaning of its heading": heading,
        "meaning with its lead-in": likenessTo(`${unit.list?.lead ?? ""} ${unit.text}`),
        "meaning of its closest clause": Math.max(...clausesOf(unit.text).map(likenessTo)),
        kind: scale.question.expects === undefined ? 0.5 : scale.isOfKind(unit) ? 1 : 0,
        number: /\p{N}/u.test(unit.text) ? 1 : 0,
        place,
        item: unit.role === "item" ? 1 : 0,
        row: unit.role === "row" ? 1 : 0,
        "name of its row": unit.role === "row" ? 1 - asked.missedIn(wordsOf(rowName(unit.text)!)) : 0,
        "step where steps are asked for": unit.role === "step" && scale.question.seeksSteps ? 1 : 0,
      };
      seen.push({
        unit: { passage, units, index },
        seen: SEEN.map((name) => values[name]),
        lacking: asked.mostMissed(held),
        words: asked.count,
      });
    }
  }
  return seen;
}

/** The text itself, and its parts that are long enough to mean something. */
function clausesOf(text: string): readonly string[] {
  return [text, ...text.split(CLAUSE_END).filter(({ length }) => length > CLAUSE_CHARS_MIN)];
}

const CLAUSE_END = /[.;:,()–—]|\b(?:and|but|or|if|when|unless)\b/i;
const CLAUSE_CHARS_MIN = 8;

/** A question is no answer. */
const ASKS = /[?？]["”»')]*$/u;
