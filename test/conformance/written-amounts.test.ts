/** Amounts as protocols, workshops, kitchens, pharmacies and networks write them: what they say, and how they sound. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
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
