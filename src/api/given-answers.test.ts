/** What is kept of the answers that were given: for whom, how long, and how much. */
import { describe, expect, it } from "vitest";
import { answerOf } from "../../test/support/evaluation.js";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import { workFor } from "../lib/origin.js";
import {
  GIVEN_ANSWER_CHARS_MAX,
  GIVEN_CHARS_MAX,
  GIVEN_MAX,
  GIVEN_MS_MAX,
  GivenAnswers,
} from "./given-answers.js";

const ANN = { user: { network: "acme", username: "ann" }, groups: ["night"], features: [] } as const;
const TEXT = "The canteen is on the second floor.\n\nIt seats 120 people.";

const SOURCES = [
  { type: "document", id: "canteen" },
  { type: "resource", id: "fridge-2" },
] as const;

function given(clock = new VirtualClock()) {
  const answers = new GivenAnswers(clock);
  const keep = (told: string, name?: string, identity = ANN) => {
    const named =
      name === undefined ? undefined : { name, conversation: [{ role: "user", text: "?" }] as const };
    answers.keep(identity, { answer: answerOf(told), told, sources: SOURCES, named });
  };
  return { answers, clock, keep };
}

describe("an answer that comes back", () => {
  it("is known however its pieces were put together, with all that had a part in it", () => {
    const { answers, keep } = given();
    keep(TEXT);
    for (const sent of [TEXT, ` ${TEXT}\n`, TEXT.replace("\n\n", " "), TEXT.replace("\n\n", "")])
      expect(answers.recognise(ANN, sent)).toMatchObject({ text: TEXT, sources: SOURCES });
    expect(answers.recognise(ANN, TEXT.replace("120", "12"))).toBeUndefined();
  });

  it("is known to nobody who may read otherwise", () => {
    const { answers, keep } = given();
    keep(TEXT, "r1");
    const others = [
      { ...ANN, user: { ...ANN.user, username: "bob" } },
      { ...ANN, user: { ...ANN.user, network: "globex" } },
      { ...ANN, groups: [] },
      { ...ANN, groups: ["night", "managers"] },
      { ...ANN, features: ["kiosk"] },
    ];
    for (const other of others) {
      expect(answers.recognise(other, TEXT)).toBeUndefined();
      expect(answers.conversation(other, "r1")).toBeUndefined();
    }
    expect(answers.recognise({ ...ANN, features: ["beta"] }, TEXT)).toBeDefined();
  });

  it("is known by its name, with what had been said, where it got one", () => {
    const { answers, keep } = given();
    keep(TEXT, "r1");
    expect(answers.conversation(ANN, "r1")).toEqual([
      { role: "user", text: "?" },
      { role: "assistant", text: TEXT },
    ]);
    expect(answers.conversation(ANN, "r2")).toBeUndefined();
    // A text is no name, and a name no text.
    expect(answers.recognise(ANN, "r1")).toBeUndefined();
  });
});

describe("what is kept", () => {
  it("is forgotten when it did not come back for a long time", async () => {
    const { answers, clock, keep } = given();
    keep(TEXT);
    await clock.advance(GIVEN_MS_MAX);
    expect(answers.recognise(ANN, TEXT)).toBeDefined();
    await clock.advance(GIVEN_MS_MAX);
    expect(answers.recognise(ANN, TEXT)).toBeDefined();
    await clock.advance(GIVEN_MS_MAX + 1);
    expect(answers.recognise(ANN, TEXT)).toBeUndefined();
  });

  it("is bounded in number, and who has most gives way", () => {
    const { answers, keep } = given();
    workFor(["relay one", "", ""], () => keep(TEXT));
    workFor(["relay two", "", ""], () => {
      for (let i = 0; i <= GIVEN_MAX; i++) keep(`Answer ${i}.`);
    });
    const known = Array.from({ length: GIVEN_MAX + 1 }, (_, i) => answers.recognise(ANN, `Answer ${i}.`));
    expect(known.filter((entry) => entry !== undefined)).toHaveLength(GIVEN_MAX - 1);
    expect(known.slice(0, 2)).toEqual([undefined, undefined]);
    expect(answers.recognise(ANN, TEXT)).toBeDefined();
  });

  it("is bounded in characters, all together and each", () => {
    const { answers, keep } = given();
    const long = (i: number) => `${i} ${"x".repeat(40_000)}`;
    const count = Math.ceil(GIVEN_CHARS_MAX / 40_000);
    for (let i = 0; i < count; i++) keep(long(i));
    expect(answers.recognise(ANN, long(0))).toBeUndefined();
    expect(answers.recognise(ANN, long(count - 1))).toBeDefined();
    const { answers: others, keep: keepOther } = given();
    keepOther(TEXT, "r1");
    others.keep(ANN, {
      answer: answerOf(TEXT),
      told: TEXT,
      sources: [],
      named: { name: "r2", conversation: [{ role: "user", text: "x".repeat(GIVEN_ANSWER_CHARS_MAX) }] },
    });
    expect(others.conversation(ANN, "r2")).toBeUndefined();
  });

  it("outlives an older answer in the same words", async () => {
    const { answers, clock, keep } = given();
    keep(TEXT, "r1");
    await clock.advance(GIVEN_MS_MAX);
    keep(TEXT, "r2");
    await clock.advance(1);
    keep("Another.");
    expect(answers.conversation(ANN, "r1")).toBeUndefined();
    expect(answers.recognise(ANN, TEXT)).toBeDefined();
    expect(answers.conversation(ANN, "r2")).toBeDefined();
  });
});
