import { describe, expect, it } from "vitest";
import { locales } from "../../test/support/locales.js";
import type { Outcome } from "../domain/answer.js";
import { phrasesFor } from "./phrases.js";

const said = { source: "Lockout", text: "Wait 8 minutes." };

/** Outcomes of orders, which say what was ordered: they have no fixed words. */
type OfOrders = "proposed" | "verified" | "contradicted" | "unknown";

function wordings(language: string, persona: "default" | "onboarding" | "kiosk") {
  const locale = locales.of(language);
  const phrases = phrasesFor(persona, locale);
  const byOutcome: Readonly<Record<Exclude<Outcome, OfOrders>, readonly string[]>> = {
    answered: [phrases.says("Lockout"), phrases.fromAttached, phrases.saysOtherwise],
    partial: [
      phrases.restNotCovered,
      phrases.partOfProcedure("Lockout"),
      phrases.partOfList(3, 9),
      phrases.goOn,
      phrases.readingAloud("Lockout"),
      phrases.restIsLost,
      phrases.procedureRefused("Lockout"),
    ],
    not_in_documents: [phrases.notInDocuments, phrases.talk.nothingAttached, phrases.talk.notInAttached],
    not_offered: [locale.say("operate_not_offered"), locale.say("check_not_offered")],
    ambiguous: [phrases.whichOne("Lockout", "Alarm"), phrases.talk.nothingSaid],
    conflicting: [phrases.documentsDisagree(said, said), phrases.superseded("Lockout", "Alarm")],
    search_unavailable: [phrases.searchUnavailable],
  };
  return byOutcome;
}

describe.each(["default", "onboarding", "kiosk"] as const)("the phrases of %s", (persona) => {
  it.each(locales.languages)("tell the outcomes apart in %s", (language) => {
    const all = Object.values(wordings(language, persona)).flat();
    expect(new Set(all).size).toBe(all.length);
    expect(all.filter((text) => /%|undefined/.test(text))).toEqual([]);
  });

  it("are in each language's own words", () => {
    const all = locales.languages.flatMap((language) => Object.values(wordings(language, persona)).flat());
    expect(new Set(all).size).toBe(all.length);
  });
});

it("name no document at a kiosk, in any language", () => {
  for (const language of locales.languages) {
    const { superseded: _, partOfProcedure: __, ...phrases } = phrasesFor("kiosk", locales.of(language));
    const all = [
      phrases.readingAloud("Lockout"),
      phrases.procedureRefused("Lockout"),
      phrases.documentsDisagree(said, said),
      phrases.whichOne("Lockout", "Lockout"),
      phrases.says("Lockout"),
      phrases.talk.source("Lockout"),
    ];
    expect(all.filter((text) => text.includes("Lockout"))).toEqual([]);
  }
});
