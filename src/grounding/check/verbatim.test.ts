import { describe, expect, it } from "vitest";
import { prepareEvidence } from "../evidence.js";
import { checkSentence } from "./check-sentence.js";
import { verbatimIn } from "./verbatim.js";

const text = `> **Danger:** Never enter alone.

1. Raise the mast to 2 metres and lower it again. It must not drop by itself.
2. Do not go back in unless the supervisor agrees.
`;
const evidence = prepareEvidence([{ type: "passage", source: "p", text }]);
const found = (claim: string) => verbatimIn(claim, evidence)?.map(({ step }) => step);

describe("words of the document itself", () => {
  it.each([
    ["Step 1: Raise the mast to 2 metres and lower it again. It must not drop by itself.", [1, 1]],
    ["It must not drop by itself.", [1]],
    ["2. Do not go back in unless the supervisor agrees.", [2]],
    ["Danger: Never enter alone.", [undefined]],
  ])("%s", (claim, steps) => {
    expect(found(claim)).toEqual(steps);
    expect(checkSentence(claim, evidence, { question: "?", said: [] }).verdict).toBe("supported");
  });

  it.each([
    "Do not go back in.",
    "Raise the mast to 2 metres.",
    "Raise the mast to 20 metres and lower it again.",
    "Raise the mast to 2.5 metres and lower it again.",
    "Go back in unless the supervisor agrees.",
    "It must not drop by itself. Do not go back in.",
    "",
  ])("are not: %s", (claim) => {
    expect(found(claim)).toBeUndefined();
  });
});
