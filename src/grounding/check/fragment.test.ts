import { describe, expect, it } from "vitest";
import { prepareEvidence } from "../evidence.js";
import { checkSentence } from "./check-sentence.js";

const evidence = prepareEvidence([
  {
    type: "passage",
    source: "p",
    title: "Refund policy",
    headings: ["Refunds"],
    text:
      "Goods are taken back within 30 days with the receipt. The small truck lifts 1,600 kg. " +
      "Call the control room on extension 333. Cool a burn for 20 minutes.",
  },
]);
const verdict = (question: string, answer: string) =>
  checkSentence(answer, evidence, { question, said: [] }).verdict;

describe("an answer that is a measure alone", () => {
  it.each([
    ["How long do I cool a burn?", "20 minutes."],
    ["Which extension does the control room have?", "Extension 333."],
    ["How much does the small truck lift?", "1,600 kg."],
    ["Within how many days are goods taken back with the receipt?", "30 days."],
  ])("%s %s", (question, answer) => {
    expect(verdict(question, answer)).toBe("supported");
  });

  it.each([
    ["How many days do customers have to return a gift card?", "30 days."],
    ["How much does the big forklift lift?", "1,600 kg."],
    ["How long do I rinse chemicals from the eye?", "20 minutes."],
  ])("%s not %s", (question, answer) => {
    expect(verdict(question, answer)).not.toBe("supported");
  });

  it("is not asked of whole sentences", () => {
    expect(verdict("What about gift cards?", "Goods are taken back within 30 days with the receipt.")).toBe(
      "supported",
    );
  });
});
