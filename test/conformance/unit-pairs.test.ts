/** Sixty pairs of figures, written before there was one reader of them: on every path, in both directions. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { quantitiesIn } from "../../src/words/quantity/quantities.js";
import { compareAmounts } from "../../src/words/quantity/quantity.js";
import { misses } from "../support/unit-paths.js";

const Pair = z.object({ id: z.string(), a: z.string(), b: z.string(), same: z.boolean(), why: z.string() });

const PAIRS = readFileSync(new URL("./unit-pairs.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => Pair.parse(JSON.parse(line)));

describe("unit pairs", () => {
  it.each(PAIRS)("$id: $a, $b: $same", ({ a, b, same, why }) => {
    const [said, known] = [quantitiesIn(a), quantitiesIn(b)].map(([first]) => first!);
    // Of two dimensions a reading tells nothing; what matters is that it does not bear the figure out.
    const isOther = !same && compareAmounts(said!, known!) === "other";
    const expected = same ? "same" : isOther ? "not the same" : "different";
    const found = misses({ subject: "setting", said: a, known: b }, expected);
    expect(found, why).toEqual([]);
  });
});
