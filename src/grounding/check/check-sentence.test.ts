import { expect, it } from "vitest";
import { prepareEvidence } from "../evidence.js";
import { checkSentence } from "./check-sentence.js";

const evidence = prepareEvidence([
  {
    type: "passage",
    source: "burns",
    title: "First aid for burns",
    text: "1. Take the person away from the heat.\n2. Cool the burn under running lukewarm water for 20 minutes. About 20 °C is right.",
  },
]);
const context = { question: "How long do I cool a burn?", said: [] };

it("supports a sentence with the words of the source that it rests on", () => {
  const check = checkSentence("Cool it under running water for 20 minutes.", evidence, context);
  expect(check).toMatchObject({ role: "step", verdict: "supported", reasons: [] });
  expect(check.evidence[0]).toMatchObject({
    source: "burns",
    step: 2,
    value: "Cool the burn under running lukewarm water for 20 minutes.",
  });
});

const table = prepareEvidence([
  {
    type: "passage",
    source: "paints",
    title: "Paints",
    text: "- Paint: Chalk; Lead: yes; Dryer: no; Resin: no\n- Paint: Lime; Lead: no; Dryer: yes; Resin: none",
  },
]);

it.each([
  ["Paint: Chalk; Lead: yes.", "supported"],
  ["Paint: Chalk; Lead: no.", "contradicted"],
  ["Paint: Chalk; Dryer: no.", "supported"],
  ["Paint: Lime; Dryer: no.", "contradicted"],
  ["Paint: Lime; Lead: no.", "supported"],
  ["Paint: Lime; Resin: none.", "supported"],
  ["Lime has no lead.", "supported"],
  ["Chalk has no lead.", "contradicted"],
])("takes a cell that says no for a denial of its name: %s", (said, verdict) => {
  expect(checkSentence(said, table, context).verdict).toBe(verdict);
});

it("contradicts another number", () => {
  const check = checkSentence("Cool it under running water for 10 minutes.", evidence, context);
  expect(check).toMatchObject({ verdict: "contradicted", reasons: [{ code: "number_differs" }] });
});
