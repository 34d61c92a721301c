/** Amounts as protocols, workshops, kitchens, pharmacies and networks write them: what they say, and how they sound. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { checkSentence } from "../../src/grounding/check/check-sentence.js";
import { prepareEvidence } from "../../src/grounding/evidence.js";
import { speakableIn } from "../../src/speech/spoken/speakable-in.js";
import { quantitiesIn } from "../../src/words/quantity/quantities.js";
import { near } from "../../src/words/quantity/quantity.js";
import { unitIn } from "../../src/words/quantity/unit-at.js";
import { NO_UNIT } from "../../src/words/quantity/units.js";

/** A value and its unit, a range and its unit, or `1:10` of a ratio and `clock` of a time of day. */
const Read = z.union([
  z.tuple([z.number(), z.string()]),
  z.tuple([z.number(), z.number(), z.string()]),
  z.string(),
]);
const Row = z.object({
  language: z.enum(["en", "de", "es", "fr", "pl", "uk"]),
  written: z.string(),
  reads: z.array(Read).nullable(),
  spoken: z.string().nullable(),
});

const ROWS = readFileSync(new URL("./written-amounts.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => Row.parse(JSON.parse(line)));

describe("amounts as they are written", () => {
  it.each(ROWS.filter(({ reads }) => reads !== null))(
    "$language: $written is read",
    ({ written, reads, language }) => {
      const found = quantitiesIn(written, language).filter(({ use }) => use !== "idiom");
      expect(found.map(({ text }) => text)).toHaveLength(reads!.length);
      for (const [at, read] of reads!.entries()) {
        const quantity = found[at]!;
        if (typeof read === "string") {
          if (read === "clock") expect(quantity.dimension).toBe("clock");
          else expect([quantity.dimension, quantity.text.replaceAll(",", "")]).toEqual(["proportion", read]);
          continue;
        }
        const [low, high] = read.length === 2 ? [read[0], read[0]] : [read[0], read[1]];
        const name = String(read.at(-1));
        const unit = name === "" ? NO_UNIT : unitIn(name);
        expect(unit, name).toBeDefined();
        expect(quantity.dimension, name).toBe(unit!.dimension);
        const of = (value: number) => value * unit!.factor + unit!.offset;
        const said = `${quantity.text}: ${quantity.low} to ${quantity.high}, not ${of(low)} to ${of(high)}`;
        const allowed = Math.abs(of(high)) * 1e-6 + 1e-15;
        expect(near(quantity.low, of(low), allowed) && near(quantity.high, of(high), allowed), said).toBe(
          true,
        );
      }
    },
  );

  it.each(ROWS.filter(({ spoken }) => spoken !== null))(
    "$language: $written is spoken",
    ({ language, written, spoken }) => {
      expect(speakableIn(written, language)).toBe(spoken);
    },
  );
});

describe("an amount that is said, against how the document writes it", () => {
  it.each([
    ["en", "Store the enzyme at 4C.", "Store the enzyme at 4 °C.", true],
    ["en", "Store the enzyme at 4C.", "Store the enzyme at 8 °C.", false],
    ["en", "Add 5 uL of primer to the tube.", "Add 5 microlitres of primer to the tube.", true],
    ["en", "Add 5 µL of primer to the tube.", "Add 6 µL of primer to the tube.", false],
    ["en", "Plate 5x10^8 cells on the dish.", "Plate 5e8 cells on the dish.", true],
    ["en", "Plate 5x10^8 cells on the dish.", "Plate 5x10^6 cells on the dish.", false],
    ["en", "Dilute the antibody 1:10 in buffer.", "Dilute the antibody one to ten in buffer.", true],
    ["en", "Dilute the antibody 1:10 in buffer.", "Dilute the antibody 1:100 in buffer.", false],
    [
      "en",
      "Sample: Primer; Concentration (mg/mL): 100",
      "The concentration of the primer is 100 mg/mL.",
      true,
    ],
    [
      "en",
      "Sample: Primer; Concentration (mg/mL): 100",
      "The concentration of the primer is 100 µg/mL.",
      false,
    ],
    [
      "en",
      "5.2 Fault Reporting\nReport each fault to the foreman.",
      "Report each fault to the foreman.",
      true,
    ],
    ["en", "Set the pressure to 5 ± 0.2 bar.", "Set the pressure to 5 +/- 0.2 bar.", true],
    ["de", "Der Behälter fasst 12.500 Liter.", "Der Behälter fasst 12500 Liter.", true],
    ["de", "Der Behälter fasst 12.500 Liter.", "Der Behälter fasst 12,5 Liter.", false],
  ] as const)("%s: %s -> %s: %s", (_, text, said, isSupported) => {
    const evidence = prepareEvidence([{ type: "passage", source: "a", title: "", headings: [], text }]);
    const { verdict } = checkSentence(said, evidence, { question: "", said: [] });
    expect(verdict === "supported").toBe(isSupported);
  });
});
