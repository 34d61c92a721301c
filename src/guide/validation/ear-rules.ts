/** What a guide has to be so that somebody who only hears it, with both hands busy, does it right. Pure. */
import { splitSentences } from "../../lib/sentence-end.js";
import { ACTION_VERBS, DETERMINERS, FUNCTION_WORDS } from "../../words/function-words.js";
import { DANGER, DANGEROUS_CELSIUS_MIN, DANGEROUS_VOLTS_MIN, LOCK_OUT } from "../../words/hazards.js";
import type { Language } from "../../words/polarity.js";
import { quantitiesIn } from "../../words/quantity/quantities.js";
import { unitIn } from "../../words/quantity/unit-at.js";
import { soundCost, soundOf } from "../../words/sound.js";
import { type Token, tokenize } from "../../words/tokens.js";
import { WARNING } from "../../words/warnings.js";
import { measureOf, optionsOf, withNames } from "../schema/graph.js";
import type { GuideOption, GuideStep } from "../schema/guide.js";
import type { StepRule } from "./rule.js";
import { STEP_SECONDS_MAX, speechSeconds, spokenParts } from "./speech-length.js";

/** Options that somebody remembers who heard them once. */
export const OPTIONS_HEARD_MAX = 4;
/** How different two options sound at least; hearing takes what differs less for the same word (`hearing/mend.ts`). */
const APART_COST_MIN = 0.8;

export const EAR_RULES: readonly StepRule[] = [
  {
    rule: "one-act",
    remedy: "ask one, and make a step of each other",
    problems({ kind, text = "" }) {
      const asked = text.split("?").length - 1;
      return ["question", "record", "check"].includes(kind) && asked > 1 && `it asks ${asked} questions`;
    },
  },
  {
    // Verbs are known in English only; elsewhere only questions are counted.
    rule: "one-act",
    remedy: "make a step of each",
    problems(step, { guide }) {
      const acts = isAct(step) && guide.language === "en" ? actsIn(withNames(step.text ?? "")) : [];
      const verbs = acts.map((verb) => `"${verb}"`).join(", ");
      return acts.length > 1 && `it asks for ${acts.length} acts: ${verbs}`;
    },
  },
  {
    rule: "warning-first",
    remedy: "move it to `warning`",
    problems: (step) => warnsLate(step) && "its warning comes behind the act",
  },
  {
    rule: "warning-first",
    remedy: "write a `warning`, or put a step before it that locks out or isolates",
    problems(step, { guide, unlocked }) {
      const isWarned = step.warning !== undefined || sentencesOf(step).some((one) => WARNING.test(one));
      const isUnsafe = isAct(step) && isDangerous(step, guide.language) && !isLockOut(step);
      return !isWarned && isUnsafe && unlocked.has(step.id) && "it is dangerous, and nothing warns of it";
    },
  },
  {
    rule: "options-few",
    remedy: `ask in two steps, with ${OPTIONS_HEARD_MAX} options at the most`,
    problems: (step) => hasMany(step) && `it has ${optionsOf(step).length} options`,
  },
  {
    rule: "options-apart",
    remedy: "give one of them other words",
    problems: (step, { guide }) => (hasMany(step) ? [] : alikeOptions(optionsOf(step), guide.language)),
  },
  {
    rule: "speech-length",
    remedy: `make it shorter than ${STEP_SECONDS_MAX} seconds, or two steps; details go to \`help_text\``,
    problems(step, { guide }) {
      const seconds = spokenParts(step).reduce((sum, part) => sum + speechSeconds(part, guide.language), 0);
      return seconds > STEP_SECONDS_MAX && `it takes ${Math.ceil(seconds)} seconds to say`;
    },
  },
  {
    rule: "units-said",
    remedy: "write its `unit`, or `pieces` of what is counted",
    problems(step) {
      const { unit, value } = measuredBy(step);
      return value && unit === undefined && "its value has no unit";
    },
  },
  {
    rule: "units-said",
    remedy: "write it as a sign such as bar or °C, or in words",
    problems(step) {
      const { unit } = measuredBy(step);
      return unit !== undefined && !isSaid(unit) && `the unit ${unit} is not known`;
    },
  },
  {
    // The question says what the numbers of its options are.
    rule: "units-said",
    remedy: "write its unit, or what it counts or names",
    problems(step, { guide }) {
      const { unit, value } = measuredBy(step);
      if (unit === undefined ? value : !isSaid(unit)) return [];
      const parts = [step.warning ?? "", step.text ?? step.title ?? ""];
      const numbers = parts.flatMap((part) => bareNumbers(withNames(part), guide.language));
      return numbers.map((number) => `${number} has no unit`);
    },
  },
];

function isAct({ contentType = "action", kind }: GuideStep): boolean {
  return ["instruct", "operate", "hold_point"].includes(kind) && contentType === "action";
}

/** The verbs that open an act: at the beginning of a sentence, behind "then", or between "and" and a thing. */
export function actsIn(text: string): readonly string[] {
  return splitSentences(text.replace(/\([^)]{0,500}\)/g, " ")).flatMap((sentence) => {
    const tokens = tokenize(sentence);
    return tokens.flatMap(({ kind, lower }, at) =>
      kind === "word" && ACTION_VERBS.has(lower) && opensAct(tokens, at) ? [lower] : [],
    );
  });
}

const OPENERS: ReadonlySet<string> = new Set(["then", ";", ":"]);
const JOINERS: ReadonlySet<string> = new Set(["and", ","]);

function opensAct(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  if (before === undefined || OPENERS.has(before.lower)) return true;
  // "And switch on the blower."
  const behind = tokens[/^(?:on|off|up|down|out|in)$/.test(tokens[at + 1]?.lower ?? "") ? at + 2 : at + 1];
  const hasThing = behind !== undefined && (DETERMINERS.has(behind.lower) || behind.kind === "number");
  return JOINERS.has(before.lower) && hasThing;
}

/** A warning behind the act comes too late. */
function warnsLate(step: GuideStep): boolean {
  const [first = "", ...others] = sentencesOf(step);
  return !WARNING.test(first) && others.some((sentence) => WARNING.test(sentence));
}

function sentencesOf({ text = "" }: GuideStep): readonly string[] {
  return splitSentences(text).map((sentence) => sentence.trim());
}

function wordsOf({ text, title }: GuideStep): string {
  return `${title ?? ""}. ${text ?? ""}`;
}

function isDangerous(step: GuideStep, language: Language): boolean {
  const words = wordsOf(step);
  return (
    DANGER.test(words) ||
    quantitiesIn(words, language).some(
      ({ dimension, high }) =>
        (dimension === "voltage" && high >= DANGEROUS_VOLTS_MIN) ||
        (dimension === "temperature" && high >= DANGEROUS_CELSIUS_MIN),
    )
  );
}

/** Whether a step locks out or isolates. */
export function isLockOut(step: GuideStep): boolean {
  return step.kind !== "section" && step.kind !== "question" && LOCK_OUT.test(wordsOf(step));
}

function hasMany(step: GuideStep): boolean {
  return optionsOf(step).length > OPTIONS_HEARD_MAX;
}

/** Of each two options the first two words that sound alike. */
function alikeOptions(options: readonly GuideOption[], language: Language): readonly string[] {
  const words = options.map(({ label, synonyms = [] }) => [label, ...synonyms]);
  const isAlike = (one: string, other: string) =>
    soundCost(soundOf(one, language), soundOf(other, language)) < APART_COST_MIN;
  return words.flatMap((theirs, at) =>
    words.slice(0, at).flatMap((ours) => {
      const alike = ours.flatMap((one) =>
        theirs.flatMap((other) => (isAlike(one, other) ? [[one, other]] : [])),
      );
      return alike.slice(0, 1).map(([one, other]) => `"${one}" and "${other}" sound alike`);
    }),
  );
}

/** The unit of what a step measures or sets, and whether it does. */
function measuredBy(step: GuideStep) {
  const { max, min, unit, value } = measureOf(step) ?? {};
  const isNumber = step.kind === "record" && step.valueType === "number";
  return { unit, value: isNumber || (step.kind !== "record" && (value ?? min ?? max) !== undefined) };
}

/** A unit of the lexicon, or a word: "pieces". */
function isSaid(unit: string): boolean {
  return unitIn(unit) !== undefined || /^\p{L}{3,}(?: \p{L}{2,}){0,3}$/u.test(unit);
}

/**
 * Numbers that count nothing and are no names: with decimals, or at the end of a clause behind a word that no thing is
 * called by ("to 80", not "conveyor two"). A position such as zero needs no unit.
 */
function bareNumbers(text: string, language: Language): readonly string[] {
  const tokens = tokenize(text);
  return quantitiesIn(text, language)
    .filter(({ printed, use }) => use === "count" && printed !== 0)
    .filter(({ firstToken, lastToken, printed }) => {
      if (!Number.isInteger(printed)) return true;
      const [before, behind] = [tokens[firstToken - 1]?.lower ?? "", tokens[lastToken + 1]];
      const isNamed = !FUNCTION_WORDS.has(before) && !ACTION_VERBS.has(before);
      return !isNamed && (behind === undefined || behind.kind === "stop");
    })
    .map((quantity) => quantity.text);
}
