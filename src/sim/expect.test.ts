import { describe, expect, it, test } from "vitest";
import { Exchange, type ExchangeResult } from "./exchange.js";
import { type SpeechRecognition, unmet } from "./expect.js";
import type { StepExpectation } from "./scenario.js";
import type { SentCommand } from "./trace.js";

interface Made {
  readonly outcome?: ExchangeResult;
  readonly command?: SentCommand;
  readonly firstSoundMs?: number;
  readonly understood?: string;
  readonly cutOff?: boolean;
}

function problems(
  expected: StepExpectation,
  made: Made,
  recognition: SpeechRecognition = "required",
): string[] {
  const { command = "ai_message", ...seen } = made;
  const step = {
    action: { type: "ask", text: "?" },
    when: { type: "after", delayMs: 0 },
    answer: "voice",
    expect: expected,
  } as const;
  return unmet(Object.assign(new Exchange("ann", "r1", command, step, 1_000), seen), recognition);
}

const voice = (text = ""): ExchangeResult => ({ type: "voice", text, atMs: 9_000 });
const error = (code: string): ExchangeResult => ({ type: "error", code, error: "why", atMs: 1_500 });

describe("an expectation", () => {
  test.each<[string, StepExpectation, Made, string[]]>([
    ["of voice is met by it", { outcome: ["voice"] }, { outcome: voice() }, []],
    ["of an answer is met by voice", { outcome: ["answer"] }, { outcome: voice() }, []],
    [
      "of text is not met by voice",
      { outcome: ["text"] },
      { outcome: voice() },
      ["voice came, expected text"],
    ],
    [
      "of an answer is not met by a part of it",
      { outcome: ["answer"] },
      { outcome: { ...voice(), type: "interrupted" } as ExchangeResult },
      ["interrupted came, expected answer"],
    ],
    [
      "of an error is met by its code",
      { error: ["chat_busy", "timeout"] },
      { outcome: error("timeout") },
      [],
    ],
    [
      "of an error is not met by another",
      { error: ["chat_busy"] },
      { outcome: error("timeout") },
      ["error timeout (why) came, expected chat_busy"],
    ],
    [
      "of an error is not met by an answer",
      { error: ["chat_busy"] },
      { outcome: voice() },
      ["voice came, expected error"],
    ],
    [
      "of an answer or an error is met by the answer",
      { outcome: ["answer", "error"], error: ["timeout"] },
      { outcome: voice() },
      [],
    ],
    ["of anything is not met by nothing", {}, {}, ["no outcome"]],
    ["of a cancel is met by silence", { outcome: ["done"] }, { command: "cancel" }, []],
    [
      "that there is nothing to cancel is not",
      { error: ["not_found"] },
      { command: "cancel" },
      ["done came, expected error"],
    ],
    ["does not count where the connection broke", { outcome: ["voice"] }, { cutOff: true }, []],
    [
      "of a first sound",
      { first_sound: 700 },
      { outcome: voice(), firstSoundMs: 1_701 },
      ["first sound after 701 ms, expected within 700 ms"],
    ],
    ["of a first sound in time", { first_sound: 700 }, { outcome: voice(), firstSoundMs: 1_700 }, []],
    [
      "of an end",
      { finished: 7_999 },
      { outcome: voice() },
      ["finished after 8000 ms, expected within 7999 ms"],
    ],
    [
      "of words",
      { says: ["20 minutes | twenty minutes", "never"] },
      { outcome: voice("Twenty\nminutes.") },
      ['does not say “never” but "Twenty\\nminutes."'],
    ],
    [
      "of whole words",
      { says: ["2"] },
      { outcome: voice("12 of them, or 2,500.") },
      ['does not say “2” but "12 of them, or 2,500."'],
    ],
    [
      "of words with marks in them",
      { says: ["9:00", "8 km/h"] },
      { outcome: voice("From 9:00, at 8 km/h.") },
      [],
    ],
    [
      "that words do not come",
      { says_not: ["six-digit"] },
      { outcome: voice("A six-digit code.") },
      ['says “six-digit”: "A six-digit code."'],
    ],
    [
      "of what was understood",
      { understood: ["burn"] },
      { outcome: voice(), understood: "a fern" },
      ['understood "a fern", not “burn”'],
    ],
  ])("%s", (_what, expected, made, found) => {
    expect(problems(expected, made)).toEqual(found);
  });

  it("of any of several tells the one that came closest", () => {
    const either: StepExpectation = { any_of: [{ outcome: ["text"], says: ["a"] }, { outcome: ["error"] }] };
    expect(problems(either, { outcome: error("timeout") })).toEqual([]);
    expect(problems(either, { outcome: voice("b") })).toEqual([
      "none of 2 alternatives: voice came, expected error",
    ]);
  });
});

describe("where speech recognition is optional", () => {
  const spoken = { command: "message" } as const;

  it("a spoken question may fail for the lack of it, and for nothing else", () => {
    const wanted: StepExpectation = { outcome: ["voice"] };
    const lacking = { ...spoken, outcome: error("transcription_unavailable") };
    expect(problems(wanted, lacking, "optional")).toEqual([]);
    expect(problems(wanted, lacking, "required")).toHaveLength(1);
    expect(problems(wanted, { ...spoken, outcome: error("timeout") }, "optional")).toHaveLength(1);
    expect(problems(wanted, { outcome: error("transcription_unavailable") }, "optional")).toHaveLength(1);
  });

  it("what a spoken question was taken for is not held against anybody", () => {
    const made = { ...spoken, outcome: voice("Never."), understood: "x" };
    expect(problems({ says: ["yes"], understood: ["y"] }, made, "optional")).toEqual([]);
    expect(problems({ says: ["yes"] }, { outcome: voice("Never.") }, "optional")).toHaveLength(1);
  });
});
