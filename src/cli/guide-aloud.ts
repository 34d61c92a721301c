/** `readback guide check --aloud`: a guide as it is heard, from the first field of its intake to its last step. */
import { loadTexts } from "../compose/answering.js";
import { createGuard } from "../compose/guarding.js";
import { COMMAND_DEPS } from "../compose/knowledge.js";
import { createSpeech } from "../compose/speech.js";
import type { Config } from "../config/schema.js";
import { fieldsOf } from "../guide/run/places.js";
import { indexGuide, variablesIn, withVariables } from "../guide/schema/graph.js";
import type { Guide, GuideStep } from "../guide/schema/guide.js";
import { speechSeconds, spokenParts } from "../guide/validation/speech-length.js";
import { writePrivateFile } from "../lib/private-files.js";
import { loadLocales } from "../locale/load.js";
import type { Locale } from "../locale/locale.js";
import { speechFile } from "../speech/speech-file.js";
import { spokenWords } from "../turn/spoken-words.js";
import { complain, say } from "./output.js";

/** Prints what is heard of each step and how long it takes. */
export async function readOut(guide: Guide): Promise<void> {
  const locale = (await loadLocales()).of(guide.language);
  for (const { name, seconds, words } of heardIn(guide, locale))
    say(`${name} (${Math.ceil(seconds)} s): ${words.join(" / ")}`);
}

/** Writes all of it as one Ogg Opus file, in the voice that answers are spoken in. Rejects with `SpeechFailure`. */
export async function speakTo(
  path: string,
  guide: Guide,
  config: Config,
  signal: AbortSignal,
): Promise<void> {
  const { locales } = await loadTexts(config);
  const speech = createSpeech(config, locales, { ...COMMAND_DEPS, guard: createGuard(config, COMMAND_DEPS) });
  try {
    const spoken = heardIn(guide, locales.of(guide.language)).flatMap(({ words }) =>
      words.filter((text) => text !== ""),
    );
    await writePrivateFile(path, await speechFile(speech, spoken, guide.language, signal));
    complain(`Written to ${path}.`);
  } finally {
    await speech.close();
  }
}

/** In the order of the file; what a run says besides, such as "Step four of nine", is not a guide's. */
function heardIn(guide: Guide, locale: Locale) {
  const { language, steps } = guide;
  const heard = (name: string, texts: readonly string[]) => ({
    name,
    seconds: texts.reduce((sum, text) => sum + speechSeconds(text, language), 0),
    words: texts.map((text) => spokenWords(withFieldNames(text), language)),
  });
  const digitsOf = ({ checkDigit }: GuideStep) =>
    checkDigit === undefined ? [] : [locale.say("guide_check_digit", { place: checkDigit.place })];
  return [
    ...fieldsOf(indexGuide(guide)).map(({ label, name }) => heard(name, [label])),
    ...steps.map((step) =>
      heard(step.id, [...digitsOf(step), ...spokenParts(step), step.verificationPrompt ?? []].flat()),
    ),
  ];
}

/** "The pressure of [VAR:line_two]": what is filled in there is called by its name. */
function withFieldNames(text: string): string {
  return withVariables(text, new Map(variablesIn(text).map((name) => [name, name.replaceAll("_", " ")])));
}
