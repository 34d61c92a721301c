import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Passage } from "../../domain/passage.js";
import { PROSE } from "../../domain/passage.js";
import { probabilityOf } from "../../lib/logistic.js";
import { answerability } from "./answerability.js";
import { FEATURES, featuresOf } from "./features.js";
import { showsKind } from "./kind.js";
import { MODEL } from "./model.js";

function passage(
  text: string,
  title = "Forklift pre-check",
  headings: readonly string[] = ["Before a shift"],
): Passage {
  return {
    chunkId: text,
    documentId: title,
    title,
    supersedes: [],
    sourceFile: `${title}.md`,
    headings,
    position: 0,
    kind: PROSE,
    text,
    highlights: [],
    score: 1,
    access: { network: "plant", visibility: "network", allowedUsers: [], allowedGroups: [] },
    alsoIn: [],
  };
}

const FORKS = passage(
  "The forks are lowered to the floor when the truck is parked. The horn is tried before each shift.",
);
const REFUND = passage("A refund is paid within 14 days of the return.", "Refund policy", ["Time limits"]);

describe("answerability", () => {
  it("is higher where the passages tell than where they do not", () => {
    const told = answerability("When is a refund paid?", [REFUND, FORKS]);
    const other = answerability("When is the boiler inspected?", [REFUND, FORKS]);
    expect(told.probability).toBeGreaterThan(other.probability + 0.3);
    expect(told.missing).toEqual([]);
    expect(other.missing).toEqual(expect.arrayContaining(["boiler", "inspected"]));
  });

  it("names what is missing as the question writes it, the most telling first", () => {
    const { missing } = answerability("Are Refunds paid in Kryptonite this year?", [REFUND]);
    expect(missing[0]).toBe("Kryptonite");
    expect(missing).toContain("year");
  });

  it("is nothing without passages, or without anything to look for", () => {
    expect(answerability("When is a refund paid?", [])).toEqual({ probability: 0, missing: [] });
    expect(answerability("?!", [REFUND])).toEqual({ probability: 0, missing: [] });
    expect(answerability("", [REFUND])).toEqual({ probability: 0, missing: [] });
  });

  it("does not depend on the order of the passages", () => {
    const question = "Where are the forks when the truck is parked?";
    expect(answerability(question, [FORKS, REFUND])).toEqual(answerability(question, [REFUND, FORKS]));
  });

  it("is a probability of finite features for any text", () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.array(fc.string(), { maxLength: 4 }),
        fc.string(),
        (question, texts, title) => {
          const passages = texts.map((text) => passage(text, title, []));
          const { probability } = answerability(question, passages);
          expect(probability).toBeGreaterThanOrEqual(0);
          expect(probability).toBeLessThanOrEqual(1);
          for (const value of featuresOf(question, passages)?.features ?? [])
            expect(value).toBeTypeOf("number");
          expect((featuresOf(question, passages)?.features ?? []).every(Number.isFinite)).toBe(true);
        },
      ),
    );
  });
});

describe("the model", () => {
  it("has a finite weight for each feature", () => {
    expect(MODEL.features).toMatchObject(FEATURES.map((feature) => ({ feature })));
    for (const { deviation, mean, weight } of MODEL.features) {
      expect(deviation).toBeGreaterThan(0);
      expect(Number.isFinite(mean) && Number.isFinite(weight)).toBe(true);
    }
  });

  it("is a logistic function of standardized values", () => {
    const model = { bias: 1, features: [{ mean: 2, deviation: 4, weight: 0.5 }] };
    expect(probabilityOf([6], model)).toBeCloseTo(1 / (1 + Math.exp(-1.5)));
  });
});

describe("showsKind", () => {
  it.each([
    ["Who wrote it?", "The book was written by Jane Austen.", 1],
    ["Who is Jane Austen?", "The book was written by Jane Austen.", -1],
    ["When was it built?", "It was built in 1912.", 1],
    ["When was it built?", "It was built of wood.", -1],
    ["How many swabs are taken?", "Take three swabs.", 1],
    ["How many swabs are taken?", "Take swabs from the belt.", -1],
    ["Where is the eyewash?", "It hangs beside the door.", 1],
    ["Where is the eyewash?", "It is rinsed weekly.", -1],
    ["Why is it rinsed?", "It is rinsed weekly.", 0],
  ] as const)("%s %s: %d", (question, sentence, expected) => {
    expect(showsKind(question, sentence, false)).toBe(expected);
  });
});
