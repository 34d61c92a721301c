/** Reads the words of a language that is spoken: `locales/spoken/<tag>.json`. */
import { z } from "zod";
import { shippedText } from "../../lib/shipped-files.js";
import { type Gender, type Noun, SIGNS, type SpokenWords } from "./language.js";

const text = z.string();
const texts = z.record(text, text);

const fileSchema = z.strictObject({
  linkWords: text,
  /** Nouns here and below: their forms, and behind a comma their gender where it is not "m". */
  units: texts,
  unitAliases: texts,
  prefixes: texts,
  localSymbols: z.strictObject({ prefixes: texts, units: texts }).exactOptional(),
  per: text,
  scales: texts,
  /** The whole, and its hundredth if there is one. */
  currencies: z.record(text, z.array(text).min(1).max(2)),
  moneyAnd: text,
  clockSuffix: text,
  months: z.array(text).length(12),
  slashDates: z.enum(["day first", "ambiguous"]),
  ordinalSuffix: text,
  abbreviations: texts,
  sentenceEnders: z.array(text),
  signs: z.record(z.enum(SIGNS), text),
  dialled: text,
  named: text,
  isSingularBeforeNoun: z.boolean(),
  chapters: text,
  versions: text,
  allDay: text,
  vowels: text,
});

/** `unit` makes a noun of its forms, as the language does. Throws where the file is not as it should be. */
export function spokenWords(tag: string, unit: (forms: string, gender: Gender) => Noun): SpokenWords {
  const file = fileSchema.parse(JSON.parse(shippedText(`locales/spoken/${tag}.json`)));
  const nounOf = (written: string) => {
    const [forms = "", gender = "m"] = written.split(", ");
    return unit(forms, gender as Gender);
  };
  return {
    ...file,
    units: mapped(file.units, nounOf),
    scales: mapped(file.scales, nounOf),
    currencies: mapped(file.currencies, ([major = "", minor]) => ({
      major: nounOf(major),
      minor: minor === undefined ? undefined : nounOf(minor),
    })),
  };
}

function mapped<From, To>(of: Readonly<Record<string, From>>, to: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(of).map(([key, value]) => [key, to(value)]));
}
