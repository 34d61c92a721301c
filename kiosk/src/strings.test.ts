import { describe, expect, it } from "vitest";
import { languageFor } from "./strings.js";

describe("the language of the page", () => {
  it.each([
    [["es"], "es"],
    [["es-MX", "en"], "es"],
    [["ES"], "es"],
    [[undefined, "pl-PL"], "pl"],
    [["ja", "de-AT", "en"], "de"],
    [["ja"], "en"],
    [[], "en"],
  ])("is for the wishes %j: %s", (wishes, language) => {
    expect(languageFor(wishes, ["de", "en", "es", "pl"])).toBe(language);
  });
});
