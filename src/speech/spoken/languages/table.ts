/** The languages that are spoken, by their tags. A new one is a file beside this and a line here. */
import type { SpokenLanguage } from "../language.js";
import { GERMAN } from "./de.js";
import { ENGLISH } from "./en.js";
import { SPANISH } from "./es.js";
import { FRENCH } from "./fr.js";
import { POLISH } from "./pl.js";
import { UKRAINIAN } from "./uk.js";

const LANGUAGES: ReadonlyMap<string, SpokenLanguage> = new Map(
  [ENGLISH, SPANISH, FRENCH, GERMAN, POLISH, UKRAINIAN].map((language) => [language.tag, language]),
);

/** The language of a BCP 47 tag, whatever its region. */
export function languageFor(tag: string): SpokenLanguage | undefined {
  return LANGUAGES.get(tag.split(/[-_]/)[0]!.toLowerCase());
}
