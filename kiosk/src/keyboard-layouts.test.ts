import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { layoutFor } from "./keyboard-layouts.js";

/** A key is at least 24 points wide on a screen of 390: WCAG 2.2, 2.5.8. */
const KEYS_MAX = 12;

describe.each(["en", "de", "es", "fr", "pl", "uk"])("the keys of %s", (language) => {
  const layout = layoutFor(language);
  const keys = (name: "default" | "shift") => layout[name].flatMap((row) => row.split(" "));

  it("write every letter of the language, small and capital", () => {
    const texts = readFileSync(new URL(`../../locales/${language}.json`, import.meta.url), "utf8");
    // The editor's page has a keyboard of its own, and names its keys.
    const letters = Object.entries(JSON.parse(texts) as Record<string, string>)
      .flatMap(([name, text]) => (name.startsWith("editor.") ? [] : text))
      .join("")
      .replace(/%\w+%/g, "")
      .match(/\p{L}/gu)!;
    const written = new Set([...keys("default"), ...keys("shift")]);
    expect([...new Set(letters)].filter((letter) => !written.has(letter))).toEqual([]);
  });

  it("fit a telephone, each once", () => {
    for (const name of ["default", "shift"] as const) {
      expect(Math.max(...layout[name].map((row) => row.split(" ").length))).toBeLessThanOrEqual(KEYS_MAX);
      expect(new Set(keys(name)).size).toBe(keys(name).length);
      expect(keys(name)).toEqual(
        expect.arrayContaining(["{bksp}", "{enter}", "{hide}", "{shift}", "{space}", "?"]),
      );
    }
  });
});
