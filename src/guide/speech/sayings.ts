/** What the stepper says, as sentences for the ear: a guide's own words as they were reviewed, and fixed texts. Pure. */
import type { TextKey, ValuesOf } from "../../locale/catalogue.js";
import type { Locale } from "../../locale/locale.js";
import { quantitiesIn } from "../../words/quantity/quantities.js";
import { commandsAt, fieldAt, stepAt, whereIs, whoConfirms } from "../run/places.js";
import type { FixedSaying, GuideRun, Saying } from "../run/run.js";
import { type GuideIndex, optionsOf, withNames, withVariables } from "../schema/graph.js";
import type { GuideStep } from "../schema/guide.js";

/** Each is said as it is, in order. `locale`: that of the guide's language. */
export function sentencesOf(
  index: GuideIndex,
  run: GuideRun,
  saying: Saying,
  locale: Locale,
): readonly string[] {
  const step = "step" in saying ? index.steps.get(saying.step) : undefined;
  const own = (text: string | undefined) => (text === undefined ? [] : [filled(text, run)]);
  switch (saying.say) {
    case "step":
      return step === undefined ? [] : stepSentences(index, run, step, saying.slowly, locale);
    case "ended": {
      // A title may be the guide's own name, which sounds like one more act.
      const title = step?.title === index.guide.name ? undefined : step?.title;
      return [...own(step?.text ?? title), locale.say("guide_over")];
    }
    case "section":
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
    case "commands": {
      const commands = saying.commands.map((type) => locale.say(`guide_word.${type}`));
      return [locale.say("guide_can_say", { commands: commands.join(", ") })];
    }
    default: {
      const { say, ...values } = saying;
      return [locale.say(`guide_${say}`, values as ValuesOf<TextKey>[0])];
    }
  }
}

export type ShownRun = ReturnType<typeof shownRun>;

/** What a screen shows of a run that is open, in the guide's language, which is a BCP 47 tag. */
export function shownRun(index: GuideIndex, run: GuideRun, locale: Locale) {
  const { language, name } = index.guide;
  const step = stepAt(index, run.place);
  const title = step === undefined ? fieldAt(index, run)?.label : (step.title ?? step.text);
  const said = (saying: Saying) => sentencesOf(index, run, saying, locale).join(" ");
  return {
    language,
    guide: name,
    /** "Step 3 of 12." */
    progress: said(whereIs(index, run)),
    /** What the step, or the field of the intake, is called. */
    step: filled(title ?? "", run),
    /** "You can say: done, back, …" */
    canSay: said({ say: "commands", commands: commandsAt(index, run) }),
  };
}

/** The warning comes before the act. Slowly, it is said first which step that is. */
function stepSentences(
  index: GuideIndex,
  run: GuideRun,
  step: GuideStep,
  slowly: boolean,
  locale: Locale,
): readonly string[] {
  const fixed = (saying: FixedSaying) => sentencesOf(index, run, saying, locale);
  const texts = [step.warning, step.text ?? step.title].filter((text) => text !== undefined);
  return [
    ...(slowly ? fixed(whereIs(index, run)) : []),
    ...texts.map((text) => filled(text, run)),
    ...(optionsOf(step).length === 0 ? [] : optionSentences(step, locale)),
    ...(step.kind === "hold_point" ? fixed(whoConfirms(step)) : []),
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

/** With its variables, and a stop behind a title, which is said as a sentence. */
function filled(text: string, { values }: GuideRun): string {
  const whole = withVariables(
    text,
    new Map(Object.entries(values).map(([name, value]) => [name, `${value}`])),
  );
  return /[\p{L}\p{N})]$/u.test(whole) ? `${whole}.` : whole;
}
