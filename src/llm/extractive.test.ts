import { describe, expect, it } from "vitest";
import type { Passage } from "../domain/passage.js";
import { bestPassageAloud, extractAnswer, PROCEDURE_CHARS_MAX } from "./extractive.js";

function passage(title: string, text: string, more: Partial<Passage> = {}): Passage {
  return {
    chunkId: `${title}#${text.length}`,
    documentId: title,
    title,
    headings: [],
    text,
    highlights: [],
    score: 1,
    access: { network: "plant", visibility: "network", allowedUsers: [], allowedGroups: [] },
    ...more,
  };
}

const COMPRESSOR = passage(
  "Compressor shutdown",
  "Warning: compressed air can injure. Wear eye protection.\n\n" +
    "1. Press the red stop button and wait for the motor to stand still.\n" +
    "2. Close the outlet valve V-102.\n" +
    "3. Bleed the tank for two minutes. Watch the gauge.\n" +
    "4. Lock the main switch.",
  { headings: ["Shutting down"] },
);
const FORKLIFT = passage(
  "Forklift checks",
  "Charge the forklift battery at the end of each shift. It takes about eight hours. " +
    "Never charge a battery that is cracked or leaking. Tyre pressure is 6.5 bar.",
);
const REFUNDS = passage(
  "Refund policy",
  "Customers may return unopened goods within 30 days. Opened food cannot be returned. A refund is paid the way the customer paid.",
);
const ALL = [COMPRESSOR, FORKLIFT, REFUNDS];

const answer = (
  question: string,
  passages: readonly Passage[] = ALL,
  sentencesMax?: number,
  prior?: string,
) => {
  const result = extractAnswer(question, prior, passages, sentencesMax === undefined ? {} : { sentencesMax });
  return result.type === "answer" ? result.sentences : undefined;
};

describe("extractAnswer", () => {
  it("answers in the document's own words", () => {
    expect(answer("What is the tyre pressure of the forklift?")).toEqual(["Tyre pressure is 6.5 bar."]);
    expect(answer("Can opened food be returned?")).toContain("Opened food cannot be returned.");
  });

  it("names the passage that it used", () => {
    const result = extractAnswer("What is the tyre pressure?", undefined, ALL, {});
    expect(result).toMatchObject({ type: "answer", passages: [FORKLIFT], complete: true });
  });

  it.each([
    "What is the wifi password?",
    "Who won the world cup?",
    "How long is the warranty of the forklift?",
    "What is the pressure of valve V-305?",
    "How do I shut down the boiler?",
    "Hello there",
    "What do I do?",
    "",
  ])("refuses %j", (question) => {
    expect(answer(question)).toBeUndefined();
    expect(answer(question, [])).toBeUndefined();
  });

  it("reads a procedure from its first step to its last, with its warning first", () => {
    expect(answer("How do I shut down the compressor and bleed the tank?")).toEqual([
      "Warning: compressed air can injure.",
      "1. Press the red stop button and wait for the motor to stand still.",
      "2. Close the outlet valve V-102.",
      "3. Bleed the tank for two minutes. Watch the gauge.",
      "4. Lock the main switch.",
    ]);
  });

  it("puts a procedure together from the passages that it is spread over", () => {
    const [first, second] = COMPRESSOR.text.split("\n2. ") as [string, string];
    const parts = [
      { ...COMPRESSOR, chunkId: "b", text: `2. ${second}` },
      FORKLIFT,
      { ...COMPRESSOR, chunkId: "a", text: first },
    ];
    const question = "What are the steps to shut down the compressor and bleed the tank?";
    expect(answer(question, parts)).toEqual(answer(question));
    const result = extractAnswer(question, undefined, [parts[0]!, FORKLIFT], {});
    expect(result).toMatchObject({ type: "answer", complete: false });
  });

  it("tells when a procedure is too long to be read whole", () => {
    const steps = Array.from(
      { length: 40 },
      (_, i) => `${i + 1}. Turn the compressor valve number ${i + 1} to the left.`,
    );
    const long = passage("Compressor valves", steps.join("\n"));
    const result = extractAnswer("How do I turn the compressor valves?", undefined, [long], {});
    expect(result).toMatchObject({ type: "answer", complete: false });
    const sentences = result.type === "answer" ? result.sentences : [];
    expect(sentences).toEqual(steps.slice(0, sentences.length));
    expect(sentences.join(" ").length).toBeLessThanOrEqual(PROCEDURE_CHARS_MAX);
  });

  it("says a warning that stands beside the answer before it", () => {
    expect(answer("How long does it take to charge the forklift battery?")?.[0]).toMatch(
      /^Never charge a battery/,
    );
  });

  it("gives a kiosk one sentence", () => {
    expect(answer("How do I shut down the compressor and bleed the tank?", ALL, 1)).toHaveLength(1);
    expect(answer("Can opened food be returned?", ALL, 1)).toEqual(["Opened food cannot be returned."]);
  });

  it("understands a question that leans on the one before", () => {
    expect(answer("And how long does that take?")).toBeUndefined();
    expect(answer("And how long does it take?", ALL, 3, "When do I charge the forklift battery?")).toContain(
      "It takes about eight hours.",
    );
  });
});

describe("bestPassageAloud", () => {
  it("reads the passage as it stands, in whole sentences", () => {
    expect(bestPassageAloud(REFUNDS)).toBe(REFUNDS.text);
    const long = passage("Long", "This sentence has a few words. ".repeat(100));
    const aloud = bestPassageAloud(long);
    expect(aloud.length).toBeLessThanOrEqual(PROCEDURE_CHARS_MAX);
    expect(aloud.endsWith("words.")).toBe(true);
  });
});
