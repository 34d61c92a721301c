import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Passage } from "../../domain/passage.js";
import { PROSE } from "../../domain/passage.js";
import { probabilityOf } from "../../lib/logistic.js";
import { answerability, MODEL } from "./answerability.js";
import { FEATURES, featuresOf } from "./features.js";

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
    expect(told).toBeGreaterThan(other + 0.3);
  });

  it("is as high where the passages tell in other words", () => {
    const told = answerability("When do I get my money back?", [REFUND, FORKS]);
    const other = answerability("When do I get my key back?", [REFUND, FORKS]);
    expect(told).toBeGreaterThan(other + 0.1);
  });

  it("is lower where all words are there and none of what was asked for", () => {
    const manual = passage("The tyres of the tractor are filled with air before a shift.", "Tractor");
    const figure = passage("The tyres of the tractor are filled with air to 24 PSI.", "Tractor");
    const asked = "How many PSI are the tyres of the tractor filled to?";
    expect(answerability(asked, [figure])).toBeGreaterThan(answerability(asked, [manual]) + 0.1);
  });

  it("counts what leads in to a list for its items", () => {
    const list = (lead: string) => passage(`${lead}\n\n- gloves\n- goggles`, "SiteFacts rules", []);
    const asked = "What must visitors wear?";
    expect(answerability(asked, [list("Visitors wear:")])).toBeGreaterThan(
      answerability(asked, [list("Spares are:")]),
    );
  });

  it("goes by the words alone in a language without vectors", () => {
    const german = passage("Die Rückzahlung erfolgt innerhalb von 14 Tagen.", "Rückgabe", ["Fristen"]);
    const told = answerability("Wann erfolgt die Rückzahlung?", [german]);
    expect(told).toBeGreaterThan(0.5);
    expect(told).toBeGreaterThan(answerability("Wann wird der Kessel geprüft?", [german]) + 0.3);
  });

  it("is nothing without passages, or without anything to look for", () => {
    expect(answerability("When is a refund paid?", [])).toBe(0);
    expect(answerability("?!", [REFUND])).toBe(0);
    expect(answerability("", [REFUND])).toBe(0);
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
          const probability = answerability(question, passages);
          expect(probability).toBeGreaterThanOrEqual(0);
          expect(probability).toBeLessThanOrEqual(1);
          expect((featuresOf(question, passages) ?? []).every(Number.isFinite)).toBe(true);
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
