import { describe, expect, it } from "vitest";
import type { UnansweredQuestion } from "../store/unanswered-log.js";
import { unansweredTopics } from "./unanswered-topics.js";

const asked = (...questions: string[]): UnansweredQuestion[] =>
  questions.map((question, atMs) => ({ network: "acme", question, outcome: "not_in_documents", atMs }));
const counts = async (...questions: string[]) =>
  (await unansweredTopics(asked(...questions))).map(({ question, count }) => [question, count]);

describe("topics that were asked in vain", () => {
  it("are one for the same question in other words, by the wording that is usual", async () => {
    expect(
      await counts(
        "What is the wifi password of the canteen?",
        "wifi password canteen",
        "When is the next bus?",
        "canteen's WiFi passwords?",
        "What is the wifi password of the canteen?",
      ),
    ).toEqual([
      ["What is the wifi password of the canteen?", 4],
      ["When is the next bus?", 1],
    ]);
  });

  it.each([
    ["How do I lock out press 4?", "How do I lock out press 5?"],
    [
      "What does error E27 on the big old wrapping machine mean?",
      "What does error E28 on the big old wrapping machine mean?",
    ],
    ["Who is the shift lead?", "Who repairs the forklift?"],
    ["Can you help me?", "When is lunch?"],
  ])("are two for %s and %s", async (one, other) => {
    expect(await counts(one, other)).toHaveLength(2);
  });

  it.each([
    ["Wo ist der Verbandskasten?", "wo ist der verbandskasten"],
    ["Де аптечка?", "де аптечка"],
    ["?", "!"],
  ])("are one in any writing, and without words: %s", async (one, other) => {
    expect(await counts(one, other)).toEqual([[other, 2]]);
  });

  it("tell when one was asked last, and with which outcome; of equals the latest comes first", async () => {
    const rows = asked("Where is the key?", "Which way is out?", "where is the key");
    const [first] = await unansweredTopics([rows[0]!, rows[1]!, { ...rows[2]!, outcome: "partial" }]);
    expect(first).toEqual({ question: "where is the key", count: 2, lastAskedMs: 2, outcome: "partial" });
    const equal = await unansweredTopics(rows.slice(0, 2));
    expect(equal.map(({ question }) => question)).toEqual(["Which way is out?", "Where is the key?"]);
  });

  it("are found among many: what a question is compared with is bounded", async () => {
    const many = Array.from({ length: 5_000 }, (_, n) => `Where is the tool of bench number ${n}?`);
    const [first] = await unansweredTopics(asked(...many, many[4_990]!));
    expect(first).toMatchObject({ question: many[4_990], count: 2 });
  });
});
