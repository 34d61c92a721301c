import { describe, expect, it } from "vitest";
import { locales } from "../../test/support/locales.js";
import type { HistoryEntry } from "../domain/turn.js";
import { Locales } from "../locale/locales.js";
import { turnLanguage } from "./language.js";

const user = { network: "plant", username: "ann" };

function asked(...questions: readonly string[]): readonly HistoryEntry[] {
  return questions.flatMap((text) => [
    { role: "user", text, sources: [] },
    { role: "assistant", text: "I can't find that in your documents.", sources: [] },
  ]);
}

const SPANISH = "¿Cuánto tiempo puede estar abierta la puerta?";
const GERMAN = "Wie lange darf die Tür offen bleiben?";
const ENGLISH = "How long may the door stay open?";

describe("the language of a turn", () => {
  it.each([
    ["its question's", SPANISH, [], "es"],
    ["its question's, whatever the chat was in", ENGLISH, [SPANISH, SPANISH], "en"],
    ["the chat's, for a word or two", "Valve 7?", [GERMAN], "de"],
    ["the chat's, for a word of another language", "Merci", [GERMAN], "de"],
    ["the chat's, for a word of several languages", "no", [SPANISH], "es"],
    ["the chat's, for a list of names", "P-101 Grundfos Magna compressor", [SPANISH], "es"],
    ["the newest that tells, of the chat's", "Valve 7?", [SPANISH, GERMAN, "Valve 6?"], "de"],
    ["the question's, for a word in another script", "Тиск?", [ENGLISH], "uk"],
    ["the question's, for a word that begins a chat", "Gracias", [], "es"],
    ["the usual one, where nothing tells", "P-101", [], "en"],
    ["the usual one, where all that tells is a short word of several languages", "I fell", [], "en"],
    ["the command's, by the words of one", "Starte Pumpe zwei", [], "de"],
    ["the usual one, for a language that there are no phrases in", "Dove sono i guanti?", [], "en"],
    ["the usual one, for no words at all", "", [], "en"],
    ["the chat's, for no words at all", "", [SPANISH], "es"],
  ])("is %s: %s", (_, text, before, language) => {
    const chosen = turnLanguage({ text, user }, asked(...before), locales);
    expect([chosen.locale.language, chosen.language]).toEqual([language, undefined]);
  });

  it("is the one that is asked for, as it is asked for", () => {
    const chosen = turnLanguage({ language: "es-MX", text: ENGLISH, user }, asked(GERMAN), locales);
    expect([chosen.locale.language, chosen.language]).toEqual(["es", "es-MX"]);
  });

  it("is the one that is asked for, for the model alone where there are no phrases in it", () => {
    const chosen = turnLanguage({ language: "it", text: ENGLISH, user }, [], locales);
    expect([chosen.locale.language, chosen.language]).toEqual(["en", "it"]);
  });

  it("is the network's before the question's, and after the one that is asked for", () => {
    const french = locales.of("fr");
    const byTag = new Map([french, locales.of("de"), locales.of("en")].map((one) => [one.language, one]));
    const ours = new Locales(byTag, locales.of("en"), new Map([["plant", french]]));
    const of = (more: object) => {
      const chosen = turnLanguage({ text: GERMAN, user, ...more }, [], ours);
      return [chosen.locale.language, chosen.language];
    };
    expect(of({})).toEqual(["fr", "fr"]);
    expect(of({ heardLanguage: "de" })).toEqual(["fr", "fr"]);
    expect(of({ language: "de" })).toEqual(["de", "de"]);
    expect(of({ language: "it" })).toEqual(["fr", "it"]);
    expect(of({ user: { network: "office", username: "ann" } })).toEqual(["de", undefined]);
  });

  it("is the one that was heard, unless a word or two were in a chat", () => {
    const of = (text: string, before: readonly string[]) =>
      turnLanguage({ heardLanguage: "fr-CA", text, user }, asked(...before), locales).locale.language;
    expect(of("Valve numero sept ouverte", [ENGLISH])).toBe("fr");
    expect(of("Valve", [ENGLISH])).toBe("en");
    expect(of("Valve", [])).toBe("fr");
  });
});
