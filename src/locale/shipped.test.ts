/** The texts that come with the service, in every language: whole, the same placeholders, fit to be said aloud. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CATALOGUE, type TextKey } from "./catalogue.js";
import { LOCALES_DIR } from "./load.js";
import { PLACEHOLDER } from "./locale.js";

const FILES = readdirSync(LOCALES_DIR).filter((name) => name.endsWith(".json"));

function texts(name: string): Record<TextKey, string> {
  return JSON.parse(readFileSync(join(LOCALES_DIR, name), "utf8"));
}

/** What stands on a button or beside one. */
const LABELS =
  "back_to_start call_colleague close hold_to_talk key_delete key_hide key_shift key_space " +
  "keyboard language language_name listening page release_to_send repeat send source " +
  "speaking stop suggested_questions thinking title type_your_question volume your_question";

const WORDS_MAX: Readonly<Record<string, number>> = {
  acknowledgement_1: 4,
  acknowledgement_2: 4,
  acknowledgement_3: 4,
  acknowledgement_4: 4,
  not_caught: 12,
  ...Object.fromEntries(LABELS.split(" ").map((label) => [`kiosk.${label}`, 5])),
};

function wordCount(text: string): number {
  return text.match(/[\p{L}\p{N}%'’_-]+/gu)?.length ?? 0;
}

/** Words that two languages share. */
const SHARED: readonly string[] = [
  "es state.no",
  "fr kiosk.page",
  "fr kiosk.source",
  "fr kiosk.volume",
  "fr source_page",
  "fr source_section",
  "de source_revision",
  "de kiosk.revision",
  "es check_no",
  "es guide_word.no",
  ...["de", "es", "pl", "uk"].flatMap((one) => [`${one} check_site_value`, `${one} check_value`]),
];

it("comes in the languages of the issue", () => {
  expect(FILES).toEqual(["de.json", "en.json", "es.json", "fr.json", "pl.json", "uk.json"]);
});

it("is translated: nothing is in English elsewhere", () => {
  const english = Object.entries(texts("en.json"));
  const same = FILES.filter((name) => name !== "en.json").flatMap((name) => {
    const own: Readonly<Record<string, string>> = texts(name);
    const alike = english.filter(([key, text]) => own[key]?.toLowerCase() === text.toLowerCase());
    return alike.map(([key]) => `${name.slice(0, 2)} ${key}`);
  });
  expect(same.filter((one) => !SHARED.includes(one))).toEqual([]);
});

describe.each(FILES)("%s", (name) => {
  const entries = Object.entries(texts(name)) as [TextKey, string][];

  it("has exactly the texts that there are, sorted", () => {
    expect(entries.map(([key]) => key)).toEqual(Object.keys(CATALOGUE).sort());
  });

  it("has the placeholders of each text, each once", () => {
    const used = entries.map(([key, text]) => [
      key,
      Array.from(text.matchAll(PLACEHOLDER), ([, variable]) => variable).sort(),
    ]);
    expect(used).toEqual(entries.map(([key]) => [key, [...CATALOGUE[key]].sort()]));
  });

  it("has plain text only: no marks, no brackets, no addresses, no double spaces", () => {
    const marked = entries.filter(([, text]) => {
      const filled = text.replace(PLACEHOLDER, "X");
      return /[%*_`#|<>{}[\]\\]|\s{2}|https?:|\n/.test(filled) || text !== text.trim().normalize("NFC");
    });
    expect(marked).toEqual([]);
  });

  it("says in one breath what is said", () => {
    const long = entries.filter(([key, text]) => wordCount(text) > (WORDS_MAX[key] ?? 32));
    expect(long).toEqual([]);
  });

  it("has sentences where sentences are said", () => {
    const unended = entries.filter(
      ([key, text]) => /[.!?:]$/.test(text) !== /[.!?:]$/.test(texts("en.json")[key]),
    );
    expect(unended).toEqual([]);
  });

  it("is written as an import writes it", () => {
    const written = readFileSync(join(LOCALES_DIR, name), "utf8");
    expect(written).toBe(`${JSON.stringify(texts(name), null, 2)}\n`);
  });
});

describe("README.md", () => {
  it("tells of every text when it is said", () => {
    const readme = readFileSync(join(LOCALES_DIR, "README.md"), "utf8");
    const told = Array.from(readme.matchAll(/^\| `([a-z_0-9.]+)` \| \S/gm), ([, key]) => key);
    expect(told).toEqual(Object.keys(CATALOGUE).sort());
  });
});
