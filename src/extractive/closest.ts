/**
 * The unit of some passages that is closest to a question in what it is about, in whatever words, and how likely it
 * answers. Two small models weigh what can be seen of it: one chooses among the units, one tells whether the chosen one
 * is an answer (`models/closest.json`, fitted by `bench/train-closest.ts`; docs/decisions/0066).
 */
import type { Passage } from "../domain/passage.js";
import { type LogisticModel, logitOf, probabilityOf } from "../lib/logistic.js";
import { pause } from "../lib/pause.js";
import { shippedText } from "../lib/shipped-files.js";
import { likeness, meaningOf } from "../words/meaning/meaning.js";
import { wordLikeness } from "../words/meaning/word-likeness.js";
import { once } from "./once.js";
import { type PassageUnit, passageUnits } from "./passage-units.js";
import { type Question, readQuestion } from "./question.js";
import { QuestionScale } from "./question-scale.js";
import { termsOf } from "./terms.js";

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
  "held",
  "held itself",
  "meaning",
  "meaning of its heading",
  "kind",
  "number",
  "place",
  "item",
  "row",
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

interface Models {
  /** Weighs each of `SEEN`. */
  readonly choice: LogisticModel;
  /** Weighs each of `SEEN_OF_BEST`. */
  readonly answer: LogisticModel;
}

/** Undefined where nothing is asked about, or there is nothing to read. `prior`: what was asked before. */
export async function closestUnit(
  question: string,
  prior: string | undefined,
  passages: readonly Passage[],
): Promise<Closest | undefined> {
  const models = shippedModels();
  const units = await unitsSeen(question, prior, passages);
  const best = bestOf(units, models.choice);
  return best && { ...best.unit, probability: probabilityOf(best.seen, models.answer) };
}

let shipped: Models | undefined;

function shippedModels(): Models {
  shipped ??= JSON.parse(shippedText("models/closest.json")) as Models;
  return shipped;
}

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
export function bestOf(
  units: readonly UnitSeen[],
  choice: LogisticModel,
): { readonly unit: UnitSeen["unit"]; readonly seen: readonly number[] } | undefined {
  const ranked = units
    .map((one) => ({ ...one, logit: logitOf(one.seen, choice) }))
    .sort((a, b) => b.logit - a.logit);
  const [best, second] = ranked;
  if (best === undefined) return undefined;
  const other = ranked.find(({ unit }) => unit.passage !== best.unit.passage);
  const ahead = (one: typeof second) => Math.min(best.logit - (one?.logit ?? -Infinity), AHEAD_MAX);
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
  const asked = askedWords([question, prior ?? ""].join(" "), scale.question);
  const held = await new HeldWords(asked, passages).read();
  const meaning = meaningOf([prior ?? "", question].join(" "));
  const seen: UnitSeen[] = [];
  for (const [place, passage] of passages.entries()) {
    if (!scale.hasNumbers(passage)) continue;
    const units = passageUnits(passage);
    const about = [passage.title, passage.headings.at(-1) ?? ""].join(" ");
    const heading = meaningOf(about);
    for (const [index, unit] of units.entries()) {
      if (unit.role === "heading" || ASKS.test(unit.text)) continue;
      await pause();
      const { itself, whole, lacking } = held.of(unit, passage);
      const values: Record<(typeof SEEN)[number], number> = {
        held: whole,
        "held itself": itself,
        meaning: likeness(meaning, meaningOf([about, unit.list?.lead ?? "", unit.text].join(" "))),
        "meaning of its heading": likeness(meaning, heading),
        kind: scale.question.expects === undefined ? 0.5 : scale.isOfKind(unit) ? 1 : 0,
        number: /\p{N}/u.test(unit.text) ? 1 : 0,
        place,
        item: unit.role === "item" ? 1 : 0,
        row: unit.role === "row" ? 1 : 0,
      };
      seen.push({
        unit: { passage, units, index },
        seen: SEEN.map((name) => values[name]),
        lacking,
        words: asked.size,
      });
    }
  }
  return asked.size === 0 ? [] : seen;
}

/** A question is no answer. */
const ASKS = /[?？]["”»')]*$/u;

/** Words of a question that are looked for. */
const ASKED_MAX = 24;

/** The words of a question that tell what it is about, each with its weight. */
function askedWords(text: string, { telling }: Question): ReadonlyMap<string, number> {
  const words = new Map<string, number>();
  const known = new Set<string>();
  for (const word of wordsOf(text)) {
    const term = termOf(word);
    const weight = telling.get(term);
    if (weight === undefined || known.has(term) || words.size === ASKED_MAX) continue;
    known.add(term);
    words.set(word, weight);
  }
  return words;
}

/** Different words, in small letters. */
function wordsOf(text: string): readonly string[] {
  return [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])];
}

const unitWords = once(({ text }: PassageUnit): readonly string[] => wordsOf(text));

function termOf(word: string): string {
  return termsOf(word)[0] ?? word;
}

/** Words less alike than this have nothing to do with each other. */
const ALIKE_MIN = 0.35;
/** What a heading or a lead-in says counts nearly as much as the sentence's own words. */
const ABOUT_WEIGHT = 0.9;

/** How well texts hold the words of a question: each by the word that is most like it, the rare ones counting more. */
class HeldWords {
  /** For each asked word how alike the words of the passages are, 0–1; what is not there is not alike. */
  readonly #alike = new Map<string, ReadonlyMap<string, number>>();
  /** Shares that add up to 1. */
  #weights: ReadonlyMap<string, number> = new Map();

  constructor(
    private readonly asked: ReadonlyMap<string, number>,
    private readonly passages: readonly Passage[],
  ) {}

  async read(): Promise<this> {
    const units = this.passages.flatMap((passage) => passageUnits(passage));
    const words = new Map<string, number>();
    for (const unit of units)
      for (const word of new Set([...unitWords(unit), ...leadWords(unit)]))
        words.set(word, (words.get(word) ?? 0) + 1);
    for (const word of this.passages.flatMap(aboutWords)) if (!words.has(word)) words.set(word, 0);
    const weights = new Map<string, number>();
    for (const [word, weight] of this.asked) {
      await pause();
      const term = termOf(word);
      const alike = new Map<string, number>();
      let having = 0;
      for (const [other, count] of words) {
        const isSame = other === word || termOf(other) === term;
        const share = isSame ? 1 : alikeShare(word, other);
        if (isSame) having += count;
        if (share > 0) alike.set(other, share);
      }
      this.#alike.set(word, alike);
      weights.set(word, weight * Math.log(1 + (units.length + 1) / (having + 0.5)));
    }
    const sum = [...weights.values()].reduce((total, weight) => total + weight, 0);
    this.#weights = new Map([...weights].map(([word, weight]) => [word, weight / sum]));
    return this;
  }

  of(unit: PassageUnit, passage: Passage) {
    let [itself, whole, lacking] = [0, 0, 0];
    for (const [word, weight] of this.#weights) {
      const alike = this.#alike.get(word)!;
      const most = (words: readonly string[]) =>
        words.reduce((best, one) => Math.max(best, alike.get(one) ?? 0), 0);
      const own = most(unitWords(unit));
      const held = Math.max(
        own,
        ABOUT_WEIGHT * most(leadWords(unit)),
        ABOUT_WEIGHT * most(aboutWords(passage)),
      );
      itself += weight * own;
      whole += weight * held;
      lacking = Math.max(lacking, weight * (1 - held));
    }
    return { itself, whole, lacking };
  }
}

const leadWords = once(({ list }: PassageUnit): readonly string[] => wordsOf(list?.lead ?? ""));
const aboutWords = once(({ headings, title }: Passage): readonly string[] =>
  wordsOf([title, ...headings].join(" ")),
);

/** A number is like no other. */
function alikeShare(word: string, other: string): number {
  if (/\p{N}/u.test(word) || /\p{N}/u.test(other)) return 0;
  return Math.max(0, (wordLikeness(word, other) - ALIKE_MIN) / (1 - ALIKE_MIN));
}
