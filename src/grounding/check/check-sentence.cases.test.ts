import { describe, expect, it } from "vitest";
import { readCases, type SentenceCase } from "../cases.test-util.js";
import { prepareEvidence } from "../evidence.js";
import { checkSentence } from "./check-sentence.js";

function verdictOf({ passage, question, sentence }: SentenceCase) {
  const { verdict, reasons } = checkSentence(sentence, prepareEvidence([passage]), { question, said: [] });
  return { verdict, reasons };
}

describe.each([
  "cases-plant.txt",
  "cases-shop.txt",
  "cases-mixed.txt",
  "cases-later.txt",
  "cases-frames.txt",
])("%s", (file) => {
  const cases = readCases(file);

  it.each(cases.filter(({ gap }) => !gap).map((one) => [one.expected, one.sentence, one] as const))(
    "%s: %s",
    (expected, _, one) => {
      const { verdict, reasons } = verdictOf(one);
      if (expected === "not supported")
        expect({ verdict, reasons }).not.toMatchObject({ verdict: "supported" });
      else expect({ verdict, reasons }).toMatchObject({ verdict: expected });
      expect(reasons.length === 0).toBe(verdict === "supported");
    },
  );

  it.fails.each(cases.filter(({ gap }) => gap).map((one) => [one.sentence, one] as const))(
    "known to get through or to be held back: %s",
    (_, one) => {
      const isSupported = verdictOf(one).verdict === "supported";
      expect(isSupported).toBe(one.expected === "supported");
    },
  );
});
