/** What the stepper says, as sentences for the ear: a guide's own words as they were reviewed, and fixed texts. Pure. */
import type { Locale } from "../../locale/locale.js";
import { quantitiesIn } from "../../words/quantity/quantities.js";
import { commandsAt, fieldAt, numberOf, stepAt } from "../run/places.js";
import type { GuideRun, Saying } from "../run/run.js";
import { type GuideIndex, optionsOf, stepById, withNames, withVariables } from "../schema/graph.js";
import type { GuideStep } from "../schema/guide.js";

/** Each is said as it is, in order. `locale`: that of the guide's language. */
export function sentencesOf(
  index: GuideIndex,
  run: GuideRun,
  saying: Saying,
  locale: Locale,
): readonly string[] {
  const step = "step" in saying && typeof saying.step === "string" ? stepById(index, saying.step) : undefined;
  const own = (text: string | undefined) => (text === undefined ? [] : [filled(text, run)]);
  switch (saying.say) {
    case "step":
      return step === undefined ? [] : stepSentences(index, run, step, saying.slowly, locale);
    case "section":
    case "ended":
    case "person":
      return own(step?.text ?? step?.title);
    case "verification":
      return own(step?.verificationPrompt);
    case "field":
      return own(index.guide.intake.find(({ name }) => name === saying.field)?.label);
    case "values":
      return step === undefined ? [] : valuesOf(step, index, locale);
    case "why":
      return step === undefined ? [] : whyOf(step, run, locale);
    case "options":
      return step === undefined ? [] : optionSentences(step, locale);
    case "reading":
      return [saying.text, ...(saying.fits ? [] : [locale.say("guide_misfit")])];
    case "check_digit":
    case "wrong_digit": {
      const place = filled(step?.checkDigit?.place ?? "", run).replace(/\.$/, "");
      return [locale.say(`guide_${saying.say}`, { place })];
    }
    default:
      return [fixed(saying, locale)];
  }
}

/** What a screen shows of a run that is open, in the guide's language, which is a BCP 47 tag. */
export interface ShownRun {
  readonly language: string;
  readonly guide: string;
  /** "Step 3 of 12." */
  readonly progress: string;
  /** What the step, or the field of the intake, is called. */
  readonly step: string;
  /** "You can say: done, back, …" */
  readonly canSay: string;
}

export function shownRun(index: GuideIndex, run: GuideRun, locale: Locale): ShownRun {
  const { guide } = index;
  const step = stepAt(index, run.place);
  const said = (saying: Saying) => sentencesOf(index, run, saying, locale).join(" ");
  return {
    language: guide.language,
    guide: guide.name,
    progress: said({ say: "where", ...numberOf(index, run) }),
    step: filled((step === undefined ? fieldAt(index, run)?.label : (step.title ?? step.text)) ?? "", run),
    canSay: said({ say: "commands", commands: commandsAt(index, run) }),
  };
}

type OfTheGuide = "section" | "ended" | "person" | "verification" | "field" | "values" | "why" | "options";
type Fixed = Exclude<
  Saying,
  { readonly say: OfTheGuide | "step" | "reading" | "check_digit" | "wrong_digit" }
>;

/** What is said in words of ours alone. */
function fixed(saying: Fixed, locale: Locale): string {
  switch (saying.say) {
    case "readback": {
      const { unit, value } = saying;
      return locale.say("guide_readback", { value: unit === undefined ? `${value}` : `${value} ${unit}` });
    }
    case "out_of_range":
      return outOfRange(saying.min, saying.max, locale);
    case "where":
      return saying.of === undefined
        ? locale.say("guide_where_open", { number: `${saying.number}` })
        : locale.say("guide_where", { number: `${saying.number}`, count: `${saying.of}` });
    case "left":
      return saying.steps === undefined
        ? locale.say("guide_left_unknown")
        : locale.say("guide_left", { count: `${saying.steps}` });
    case "operated":
      return locale.say(`guide_operated_${saying.outcome}`);
    case "may_not_leave_out":
      return locale.say(`guide_keep_${saying.why}`);
    case "needs_second":
      return saying.group === undefined
        ? locale.say("guide_needs_second")
        : locale.say("guide_needs_second_of", { group: saying.group });
    case "handed_over":
      return locale.say("guide_handed_over", { name: saying.to });
    case "commands": {
      const commands = saying.commands.map((type) => locale.say(`guide_word.${type}`));
      return locale.say("guide_can_say", { commands: commands.join(", ") });
    }
    default:
      return locale.say(`guide_${saying.say}`);
  }
}

/** The warning comes before the act. Slowly, it is said first which step that is. */
function stepSentences(
  index: GuideIndex,
  run: GuideRun,
  step: GuideStep,
  slowly: boolean,
  locale: Locale,
): readonly string[] {
  const { number, of } = numberOf(index, run);
  const where = fixed({ say: "where", number, of }, locale);
  const texts = [step.warning, step.text ?? step.title].filter((text) => text !== undefined);
  return [
    ...(slowly ? [where] : []),
    ...texts.map((text) => filled(text, run)),
    ...(optionsOf(step).length === 0 ? [] : optionSentences(step, locale)),
    ...(step.kind === "hold_point" ? [fixed({ say: "needs_second", group: step.group }, locale)] : []),
  ];
}

function optionSentences(step: GuideStep, locale: Locale): readonly string[] {
  const options = optionsOf(step).map(({ label }) => label);
  return [locale.say("guide_options", { options: options.join(", ") })];
}

/** Numbers with their units, as the guide has them. */
function valuesOf(step: GuideStep, { guide }: GuideIndex, locale: Locale): readonly string[] {
  const texts = [step.text, step.expectedOutcome].filter((text) => text !== undefined);
  const values = texts.flatMap((text) =>
    quantitiesIn(withNames(text), guide.language).map((quantity) => quantity.text),
  );
  return values.length === 0 ? [locale.say("guide_no_values")] : [`${[...new Set(values)].join(", ")}.`];
}

function whyOf({ helpText, source }: GuideStep, run: GuideRun, locale: Locale): readonly string[] {
  if (helpText !== undefined) return [filled(helpText, run)];
  if (source === undefined) return [locale.say("guide_no_why")];
  return [locale.say("guide_why_source", { source: `${spokenName(source.document)}, ${source.place}` })];
}

/** "lockout-tagout-2026-03.md" as it is said. */
function spokenName(document: string): string {
  return document
    .replace(/^.*\//, "")
    .replace(/\.\w{2,5}$/, "")
    .replaceAll(/[-_]/g, " ");
}

function outOfRange(min: number | undefined, max: number | undefined, locale: Locale): string {
  if (min === undefined) return locale.say("guide_out_of_range_at_most", { high: `${max}` });
  if (max === undefined) return locale.say("guide_out_of_range_at_least", { low: `${min}` });
  return locale.say("guide_out_of_range_between", { low: `${min}`, high: `${max}` });
}

/** With its variables, and a stop behind a title, which is said as a sentence. */
function filled(text: string, { values }: GuideRun): string {
  const whole = withVariables(
    text,
    new Map(Object.entries(values).map(([name, value]) => [name, `${value}`])),
  );
  return /[\p{L}\p{N})]$/u.test(whole) ? `${whole}.` : whole;
}
