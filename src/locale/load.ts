/**
 * Loads the fixed texts of every language: `locales/<language>.json`, one flat object of texts each, and over them an
 * operator's own. Everything about them is checked here, so that a service that starts has a text for everything.
 */
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { z } from "zod";
import { shippedPath } from "../lib/shipped-files.js";
import { CATALOGUE, type TextKey } from "./catalogue.js";
import { Locale, PLACEHOLDER } from "./locale.js";
import { Locales, lookUp } from "./locales.js";

export interface LocaleOptions {
  /** Texts of the operator's own. */
  readonly dir?: string | undefined;
  readonly defaultLanguage?: string;
  readonly languageByNetwork?: Readonly<Record<string, string>>;
  readonly emergencyByNetwork?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

/** Texts are missing or not as they should be. The message lists all of it, for the operator. */
export class LocaleError extends Error {
  override readonly name = "LocaleError";
}

/** The texts that come with the service. */
export const LOCALES_DIR = shippedPath("locales/");

/** Rejects with one `LocaleError` about everything that is wrong. */
export async function loadLocales(options: LocaleOptions = {}, shipped = LOCALES_DIR): Promise<Locales> {
  const problems: string[] = [];
  const texts = await readTexts(shipped, problems);
  const own = options.dir === undefined ? new Map<string, Texts>() : await readTexts(options.dir, problems);
  for (const [language, { path, texts: replaced }] of own) {
    const before = texts.get(language)?.texts ?? [];
    texts.set(language, { path, texts: new Map([...before, ...replaced]) });
  }
  const locales = new Map<string, Locale>();
  for (const [language, { path, texts: all }] of texts) {
    const missing = KEYS.filter((key) => !all.has(key));
    problems.push(...missing.map((key) => `${path}: there is no text "${key}"`));
    locales.set(language.toLowerCase(), new Locale(language, all));
  }
  const configured = (setting: string, tag: string): Locale | undefined => {
    const locale = lookUp(locales, tag);
    const known = [...locales.values()].map(({ language }) => language).sort();
    if (locale === undefined)
      problems.push(
        `${setting}: there are no texts in "${tag}" (there are: ${known.join(", ")}); add ${tag}.json to locale.dir`,
      );
    return locale;
  };
  const usual = configured("locale.default_language", options.defaultLanguage ?? "en");
  const byNetwork = Object.entries(options.languageByNetwork ?? {}).flatMap(([network, tag]) => {
    const locale = configured(`locale.language_by_network.${network}`, tag);
    return locale === undefined ? [] : [[network, locale] as const];
  });
  if (usual === undefined || problems.length > 0)
    throw new LocaleError(`Texts cannot be used (locale.dir):\n${problems.join("\n")}`);
  const emergencies = Object.entries(options.emergencyByNetwork ?? {}).map(([network, texts]) => {
    const byTag = typeof texts === "string" ? { "": texts } : texts;
    return [network, new Map(Object.entries(byTag).map(([tag, text]) => [tag.toLowerCase(), text]))] as const;
  });
  return new Locales(locales, usual, new Map(byNetwork), new Map(emergencies));
}

interface Texts {
  readonly path: string;
  readonly texts: ReadonlyMap<TextKey, string>;
}

const KEYS = Object.keys(CATALOGUE) as TextKey[];

const file = z.record(z.string(), z.string("is not a text"));

/** By canonical tag. Adds what is wrong to `problems`; what is left out is no problem yet. */
async function readTexts(directory: string, problems: string[]): Promise<Map<string, Texts>> {
  const found = new Map<string, Texts>();
  for (const name of await jsonFiles(directory, problems)) {
    const path = join(directory, name);
    const language = canonical(basename(name, ".json"));
    if (language === undefined) {
      problems.push(`${path}: the name is no BCP 47 tag; call it like "es.json" or "pt-BR.json"`);
      continue;
    }
    const parsed = parse(await readFile(path, "utf8"));
    if (typeof parsed === "string") {
      problems.push(`${path}: ${parsed}`);
      continue;
    }
    const texts = new Map<TextKey, string>();
    for (const [key, text] of Object.entries(parsed)) {
      const wrong = problemsOf(key, text);
      problems.push(...wrong.map((problem) => `${path}: "${key}" ${problem}`));
      if (wrong.length === 0) texts.set(key as TextKey, text);
    }
    found.set(language, { path, texts });
  }
  return found;
}

async function jsonFiles(directory: string, problems: string[]): Promise<readonly string[]> {
  try {
    return (await readdir(directory)).filter((name) => name.endsWith(".json")).sort();
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    problems.push(`${directory}: cannot be read as a directory (${error.code})`);
    return [];
  }
}

function canonical(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The texts of a file, or what is wrong with it. */
function parse(text: string): Readonly<Record<string, string>> | string {
  try {
    const parsed = file.safeParse(JSON.parse(text));
    if (parsed.success) return parsed.data;
    return parsed.error.issues.map(({ path, message }) => [...path, message].join(" ")).join("; ");
  } catch (error) {
    if (error instanceof SyntaxError) return `is not JSON (${error.message})`;
    throw error;
  }
}

function problemsOf(key: string, text: string): readonly string[] {
  if (!Object.hasOwn(CATALOGUE, key)) return ["is not the name of any text"];
  if (text.trim() === "") return ["is empty"];
  const known: readonly string[] = CATALOGUE[key as TextKey];
  const hint = known.length === 0 ? "this text has no placeholders" : `there are: ${known.join(", ")}`;
  const used = new Set(Array.from(text.matchAll(PLACEHOLDER), ([, name]) => name!));
  return [...used]
    .filter((name) => !known.includes(name))
    .map((name) => `has the placeholder %${name}%, which is unknown here (${hint})`);
}
