import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CATALOGUE } from "./catalogue.js";
import { type LocaleOptions, loadLocales } from "./load.js";

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "readback-locales-"));
});
afterEach(async () => {
  await rm(dir, { recursive: true });
});

function write(name: string, texts: unknown): Promise<void> {
  return writeFile(join(dir, name), typeof texts === "string" ? texts : JSON.stringify(texts));
}

/** Every text, made of its placeholders. */
function whole(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(CATALOGUE).map(([key, names]) => [
      key,
      `testo ${names.map((name) => `%${name}%`).join(" ")}`,
    ]),
  );
}

function problem(options: LocaleOptions, shipped?: string): Promise<string> {
  return loadLocales(options, shipped).then(
    () => "",
    (error: Error) => error.message,
  );
}

describe("loadLocales", () => {
  it("loads what comes with the service and says it", async () => {
    const english = (await loadLocales()).of("en");
    expect(english.say("welcome")).toBe("You're welcome.");
    expect(english.say("says", { source: "Lockout" })).toBe("Lockout says:");
  });

  it("takes a value for what it is, placeholders and all", async () => {
    const english = (await loadLocales()).of("en");
    expect(english.say("which_one", { first: "%second% $& $1", second: "B" })).toBe(
      "Do you mean %second% $& $1, or B?",
    );
  });

  it("takes single texts of an operator, with fewer placeholders too, and leaves the others", async () => {
    await write("en.json", { says: "The book says:" });
    const english = (await loadLocales({ dir })).of("en");
    expect([english.say("says", { source: "Lockout" }), english.say("goodbye")]).toEqual([
      "The book says:",
      "Goodbye.",
    ]);
  });

  it("takes another language of an operator, if it is whole", async () => {
    await write("it.json", whole());
    const locales = await loadLocales({
      dir,
      defaultLanguage: "it",
      languageByNetwork: { fabbrica: "it-CH" },
    });
    expect([locales.of("it-IT").language, locales.usual.language]).toEqual(["it", "it"]);
    expect(locales.ofNetwork("fabbrica")?.language).toBe("it");
    expect(locales.ofNetwork("plant")).toBeUndefined();
  });

  it("tells everything that is wrong at once", async () => {
    const { goodbye: _, ...italian } = whole();
    await write("it.json", italian);
    await write("en.json", {
      says: "%source% and %author% say:",
      toString: "x",
      welcom: "x",
      welcome: " ",
      greeting: "Hi, %name%.",
    });
    await write("fr.json", { welcome: 3 });
    await write("de.json", "{");
    await write("words_of_mine.json", {});
    const said = await problem({ dir, defaultLanguage: "tlh", languageByNetwork: { plant: "xx" } });
    for (const line of [
      'it.json: there is no text "goodbye"',
      'en.json: "says" has the placeholder %author%, which is unknown here (there are: source)',
      'en.json: "toString" is not the name of any text',
      'en.json: "welcom" is not the name of any text',
      'en.json: "welcome" is empty',
      'en.json: "greeting" has the placeholder %name%, which is unknown here (this text has no placeholders)',
      "fr.json: welcome is not a text",
      "de.json: is not JSON",
      "words_of_mine.json: the name is no BCP 47 tag",
      'locale.default_language: there are no texts in "tlh"',
      'locale.language_by_network.plant: there are no texts in "xx"',
    ])
      expect(said).toContain(line);
    expect(said).not.toMatch(/goodbye.*\n.*goodbye/);
  });

  it("tells of a directory that is not there", async () => {
    expect(await problem({ dir: join(dir, "none") })).toMatch(
      /none: cannot be read as a directory \(ENOENT\)/,
    );
  });
});

describe("the locale of a tag", () => {
  it.each([
    ["en", "en"],
    ["EN-us", "en"],
    ["en_GB", "en"],
    ["en-Latn-GB-x-radio", "en"],
    ["tlh", "en"],
    ["", "en"],
    ["e", "en"],
    [undefined, "en"],
  ])("%s → %s", async (tag, language) => {
    expect((await loadLocales()).of(tag).language).toBe(language);
  });

  it("is not that of a region for the language alone", async () => {
    await write("pt-br.json", whole());
    const locales = await loadLocales({ dir });
    expect([locales.of("pt-BR").language, locales.of("pt").language]).toEqual(["pt-BR", "en"]);
    expect(locales.find("pt")).toBeUndefined();
  });
});
