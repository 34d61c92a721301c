import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FRACTION_SIGNS } from "../../words/quantity/written-number.js";
import { speakableIn } from "./speakable-in.js";

const LANGUAGES = ["en", "es", "fr", "de", "pl", "uk"] as const;

/** What is written, and what a native speaker says. */
function casesOf(language: string): readonly (readonly [written: string, spoken: string])[] {
  return JSON.parse(readFileSync(new URL(`cases/${language}.json`, import.meta.url), "utf8"));
}

describe.each(LANGUAGES)("what is said in %s", (language) => {
  const cases = casesOf(language);

  it("is written down in at least 150 different cases", () => {
    expect(new Set(cases.map(([written]) => written)).size).toBeGreaterThanOrEqual(150);
  });

  it.each(cases)("%s → %s", (written, spoken) => {
    expect(speakableIn(written, language)).toBe(spoken);
    expect(speakableIn(spoken, language)).toBe(spoken);
  });
});

it.each(LANGUAGES)("every fraction in one sign is said in %s", (language) => {
  for (const sign of FRACTION_SIGNS)
    for (const written of [sign, `2${sign}`, `${sign} m`])
      expect(speakableIn(written, language), written).toMatch(/^[\p{L} '-]+$/u);
});

/** Whatever may stand in a document: numbers, marks, units, words, and all of it in the wrong place. */
const piece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(..."0123456789") },
  { weight: 2, arbitrary: fc.constantFrom(" ", " ", ".", ",", ":", "-", "–", "/", "\u00a0") },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ..."+−±×x*°%‰€$£₴§#№&@<>≤≥~≈=→…()[]{}|_`'\"^\\!?;½¾²³µΩ",
      "°C",
      " mm",
      "kg",
      " V",
      " A",
      " h",
      " zł",
      " грн",
      " хв",
      " Uhr",
      " p.m.",
      "http://",
      "www.",
      ".com",
      ".pdf",
      "\n",
      "# ",
      "- ",
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "a",
      "E",
      "UN",
      "not",
      "valve",
      "Gate",
      "am",
      "bis",
      "od",
      "до",
      "крок",
      "max.",
      "etc.",
      "No.",
      "nr",
      "IV",
      "call",
      "version",
      "June",
      "mai",
      "st",
      "th",
      "é",
      "і",
    ),
  },
);
const text = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(""));
const language = fc.constantFrom(...LANGUAGES);

describe("what is said of any text", () => {
  it("is the same said again", () => {
    fc.assert(
      fc.property(text, language, (written, tag) => {
        const once = speakableIn(written, tag);
        expect(speakableIn(once, tag)).toBe(once);
      }),
      { numRuns: 3_000 },
    );
  });

  it("holds no markup and no sign that a voice might skip", () => {
    fc.assert(
      fc.property(
        fc.oneof(text, fc.string({ unit: "grapheme", maxLength: 60 })),
        language,
        (written, tag) => {
          expect(speakableIn(written, tag)).not.toMatch(/[*`|~_<>[\]{}\\^#@&%°€$£₴§→≥≤±×÷=≈/+−½¾²³№]/);
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it("keeps digits only in whole numbers that stand alone", () => {
    fc.assert(
      fc.property(text, language, (written, tag) => {
        const spoken = speakableIn(written, tag).replace(/\b\d+-\p{Ll}+|\b\d{1,3}0s\b/gu, "");
        expect(spoken).not.toMatch(/\p{L}\d|\d\p{L}|\d[.,:'’–-]\d/u);
      }),
      { numRuns: 3_000 },
    );
  });

  it("tells every digit: another digit is other words", () => {
    const number = fc
      .array(fc.constantFrom(..."0123456789", ..."0123456789", ".", ",", " ", "-", "–", "/", ":"), {
        minLength: 1,
        maxLength: 12,
      })
      .map((characters) => characters.join(""));
    const around = fc.constantFrom(
      ["", ""],
      ["", " mm"],
      ["", " °C"],
      ["$", ""],
      ["E-", ""],
      ["call ", ""],
      ["v", ""],
    );
    fc.assert(
      fc.property(
        number,
        around,
        language,
        fc.nat(),
        fc.nat(9),
        (digits, [before, after], tag, at, digit) => {
          const places = [...digits.matchAll(/\d/g)].map(({ index }) => index);
          fc.pre(places.length > 0);
          const place = places[at % places.length]!;
          fc.pre(digits[place] !== String(digit));
          const other = digits.slice(0, place) + digit + digits.slice(place + 1);
          expect(speakableIn(before + digits + after, tag)).not.toBe(
            speakableIn(before + other + after, tag),
          );
        },
      ),
      { numRuns: 5_000 },
    );
  });

  it("drops no word", () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (written) => {
        const spoken = speakableIn(written.map((each) => each.replaceAll("not", "")).join(" not "), "en");
        expect(spoken.match(/(?<![\p{L}])not(?![\p{L}])/gu)?.length ?? 0).toBeGreaterThanOrEqual(
          written.length - 1,
        );
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("a language that we do not speak", () => {
  it("loses its markup only", () => {
    expect(speakableIn("**Fechar** a válvula a 8 °C", "pt")).toBe("Fechar a válvula a 8 °C");
  });

  it("is known by its tag whatever the region", () => {
    expect(speakableIn("8 °C", "de-AT")).toBe("acht Grad Celsius");
    expect(speakableIn("8 °C", "EN_us")).toBe("eight degrees Celsius");
  });
});
