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
import type { GuideFinding } from "../schema/finding.js";
import { type GuideIndex, reached, withNames } from "../schema/graph.js";
import type { GuideOption, GuideStep } from "../schema/guide.js";
import { about } from "./graph-rules.js";
import { STEP_SECONDS_MAX, speechSeconds, spokenParts } from "./speech-length.js";

/** Options that somebody remembers who heard them once. */
export const OPTIONS_HEARD_MAX = 4;
/** How different two options sound at least; hearing takes what differs less for the same word (`hearing/mend.ts`). */
const APART_COST_MIN = 0.8;

export function earFindings(index: GuideIndex): readonly GuideFinding[] {
  const { language, steps } = index.guide;
  const unlocked = reached(index, isLockOut);
  return steps.flatMap((step) => [
    ...oneAct(step, language),
    ...warnedFirst(step, language, unlocked),
    ...optionsHeard(step, language),
    ...shortEnough(step, language),
    ...unitsSaid(step, language),
  ]);
}

/** Verbs are known in English only; elsewhere only questions are counted. */
function oneAct(step: GuideStep, language: Language): readonly GuideFinding[] {
  const text = step.text ?? "";
  if (["question", "record", "check"].includes(step.kind)) {
    const asked = text.split("?").length - 1;
    if (asked < 2) return [];
    return [about(step, "one-act", `it asks ${asked} questions`, "ask one, and make a step of each other")];
  }
  if (!isAct(step) || language !== "en") return [];
  const acts = actsIn(withNames(text));
  if (acts.length < 2) return [];
  const verbs = acts.map((verb) => `"${verb}"`).join(", ");
  return [about(step, "one-act", `it asks for ${acts.length} acts: ${verbs}`, "make a step of each")];
}

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
  const behind = tokens[at + 1];
  const hasThing = behind !== undefined && (DETERMINERS.has(behind.lower) || behind.kind === "number");
  return JOINERS.has(before.lower) && hasThing;
}

/** A warning behind the act comes too late, and so does none at all. */
function warnedFirst(
  step: GuideStep,
  language: Language,
  unlocked: ReadonlySet<string>,
): readonly GuideFinding[] {
  const sentences = splitSentences(step.text ?? "").map((sentence) => sentence.trim());
  const late = sentences.slice(1).some((sentence) => WARNING.test(sentence));
  if (late && !WARNING.test(sentences[0]!))
    return [about(step, "warning-first", "its warning comes behind the act", "move it to `warning`")];
  if (step.warning !== undefined || step.contentType === "warning" || WARNING.test(sentences[0] ?? ""))
    return [];
  if (!isAct(step) || !isDangerous(step, language) || isLockOut(step) || !unlocked.has(step.id)) return [];
  const remedy = "write a `warning`, or put a step before it that locks out or isolates";
  return [about(step, "warning-first", "it is dangerous, and nothing warns of it", remedy)];
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

function isLockOut(step: GuideStep): boolean {
  return step.kind !== "section" && step.kind !== "question" && LOCK_OUT.test(wordsOf(step));
}

function optionsHeard(step: GuideStep, language: Language): readonly GuideFinding[] {
  if (step.kind !== "question") return [];
  const { options } = step;
  if (options.length > OPTIONS_HEARD_MAX) {
    const remedy = `ask in two steps, with ${OPTIONS_HEARD_MAX} options at the most`;
    return [about(step, "options-few", `it has ${options.length} options`, remedy)];
  }
  return options.flatMap((one, at) =>
    options.slice(0, at).flatMap((other) => {
      const alike = alikeWords(other, one, language);
      if (alike === undefined) return [];
      const problem = `"${alike[0]}" and "${alike[1]}" sound alike`;
      return [about(step, "options-apart", problem, "give one of them other words")];
    }),
  );
}

/** The first two words of two options that sound alike. */
function alikeWords(
  one: GuideOption,
  other: GuideOption,
  language: Language,
): readonly [string, string] | undefined {
  for (const ours of [one.label, ...(one.synonyms ?? [])])
    for (const theirs of [other.label, ...(other.synonyms ?? [])])
      if (soundCost(soundOf(ours, language), soundOf(theirs, language)) < APART_COST_MIN)
        return [ours, theirs];
  return undefined;
}

function shortEnough(step: GuideStep, language: Language): readonly GuideFinding[] {
  const seconds = spokenParts(step).reduce((sum, part) => sum + speechSeconds(part, language), 0);
  if (seconds <= STEP_SECONDS_MAX) return [];
  const remedy = `make it shorter than ${STEP_SECONDS_MAX} seconds, or two steps; details go to \`help_text\``;
  return [about(step, "speech-length", `it takes ${Math.ceil(seconds)} seconds to say`, remedy)];
}

function unitsSaid(step: GuideStep, language: Language): readonly GuideFinding[] {
  const { unit, value } = measuredBy(step);
  if (value && unit === undefined)
    return [
      about(step, "units-said", "its value has no unit", "write its `unit`, or `pieces` of what is counted"),
    ];
  if (unit !== undefined && !isSaid(unit))
    return [
      about(
        step,
        "units-said",
        `the unit ${unit} is not known`,
        "write it as a sign such as bar or °C, or in words",
      ),
    ];
  // The question says what the numbers of its options are.
  return [step.warning ?? "", step.text ?? step.title ?? ""].flatMap((part) =>
    bareNumbers(withNames(part), language).map((number) =>
      about(step, "units-said", `${number} has no unit`, "write its unit, or what it counts or names"),
    ),
  );
}

/** The unit of what a step measures or sets, and whether it does. */
function measuredBy(step: GuideStep): { readonly unit?: string | undefined; readonly value: boolean } {
  if (step.kind === "record") return { unit: step.unit, value: step.valueType === "number" };
  if (step.kind === "operate") return { unit: step.unit, value: step.value !== undefined };
  if (step.kind !== "check" || step.expect === undefined) return { value: false };
  const { max, min, unit } = step.expect;
  return { unit, value: (min ?? max) !== undefined };
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
