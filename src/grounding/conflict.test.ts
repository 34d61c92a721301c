import { describe, expect, it } from "vitest";
import { atOnce } from "../lib/steps.js";
import { checkSentence } from "./check/check-sentence.js";
import { conflictInSteps } from "./conflict.js";
import { type EvidenceText, prepareEvidence } from "./evidence.js";

function passage(source: string, text: string, more: Partial<EvidenceText> = {}): EvidenceText {
  return {
    type: "passage",
    source,
    title: "Lockout of the packing line",
    headings: ["Locking out"],
    text,
    ...more,
  };
}

function sourcesIn(sentence: string, ...texts: readonly EvidenceText[]) {
  const evidence = prepareEvidence(texts);
  const check = checkSentence(sentence, evidence, { question: "How do I lock out?", said: [] });
  expect(check.verdict).toBe("supported");
  return atOnce(conflictInSteps(sentence, check, evidence))?.map(({ source }) => source);
}

const NEW = passage(
  "new",
  "7. Hang your tag on the lock.\n8. Wait 8 minutes for the drives and the flywheel to run down.",
);
const OLD = passage("old", "6. Hang your tag on the lock.\n7. Wait 3 minutes for the drives to run down.");

describe("documents that disagree", () => {
  it("names both passages, that of the sentence first", () => {
    expect(sourcesIn("Wait 8 minutes for the drives to run down.", NEW, OLD)).toEqual(["new", "old"]);
    expect(sourcesIn("Wait 3 minutes for the drives to run down.", NEW, OLD)).toEqual(["old", "new"]);
  });

  it("puts the one that replaces the other first, whichever the sentence rests on", () => {
    const newer = passage("new", NEW.text, { supersedes: ["2025-09"] });
    for (const sentence of [
      "Wait 8 minutes for the drives to run down.",
      "Wait 3 minutes for the drives to run down.",
    ])
      expect(sourcesIn(sentence, newer, OLD)).toEqual(["new", "old"]);
  });

  it("finds the opposite as well as another number", () => {
    const yes = passage("a", "Radios may be taken into the solvent store.", {
      title: "Radio use",
      headings: [],
    });
    const no = passage("b", "Radios may not be taken into the solvent store.", {
      title: "Use of radios",
      headings: [],
    });
    expect(sourcesIn("Radios may be taken into the solvent store.", yes, no)).toEqual(["a", "b"]);
  });
});

describe("documents that do not", () => {
  it("has none where both say the same, in other units too", () => {
    const same = passage("same", "Wait 480 seconds for the drives and the flywheel to run down.");
    expect(sourcesIn("Wait 8 minutes for the drives to run down.", NEW, same)).toBeUndefined();
    expect(sourcesIn("Hang your tag on the lock.", NEW, OLD)).toBeUndefined();
  });

  it("has none where the other speaks of something else", () => {
    const trucks = passage("trucks", "Wait 3 minutes for the battery to cool down.", {
      title: "Forklift",
      headings: ["Charging"],
    });
    expect(sourcesIn("Wait 8 minutes for the drives to run down.", NEW, trucks)).toBeUndefined();
  });

  it("has none between sections of one document", () => {
    const other = passage("other", "Wait 3 minutes for the drives to run down.", { headings: ["Cleaning"] });
    expect(sourcesIn("Wait 8 minutes for the drives to run down.", NEW, other)).toBeUndefined();
  });
});
