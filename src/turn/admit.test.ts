import { describe, expect, it } from "vitest";
import { lengthFailure, MESSAGE_CHARS_MAX, MESSAGE_TOKENS_MAX, MESSAGE_WORDS_MAX } from "./admit.js";

describe("the length of a message", () => {
  it.each([
    ["tokens", "word ".repeat(MESSAGE_TOKENS_MAX)],
    ["words without blanks", "漢".repeat(MESSAGE_WORDS_MAX)],
    ["characters", "x".repeat(MESSAGE_CHARS_MAX)],
  ])("may come to the limit in %s", (_, text) => expect(lengthFailure(text)).toBeUndefined());

  it.each([
    ["tokens", "word ".repeat(MESSAGE_TOKENS_MAX + 1), "The message has 251 tokens and the limit is 250."],
    ["words", "漢".repeat(MESSAGE_WORDS_MAX + 1), "The message has 1001 words and the limit is 1000."],
    ["words between symbols", "5°".repeat(1_500), "The message has 1500 words and the limit is 1000."],
    ["characters", "x".repeat(4_001), "The message has 4001 characters and the limit is 4000."],
  ])("is told where there are too many %s", (_, text, told) => {
    expect(lengthFailure(text)).toMatchObject({
      code: "message_too_long",
      message: `${told} Send a shorter one.`,
    });
  });
});
