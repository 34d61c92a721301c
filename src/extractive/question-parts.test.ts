import { describe, expect, it } from "vitest";
import { questionParts } from "./question-parts.js";

describe("questionParts", () => {
  it.each([
    [
      "How long do I cool a burn, and who won the football match yesterday?",
      ["How long do I cool a burn", "who won the football match yesterday?"],
    ],
    [
      "Where is the eyewash? And at which pressure does it run?",
      ["Where is the eyewash", "at which pressure does it run?"],
    ],
    ["Who signs the permit and may I start without it?", ["Who signs the permit", "may I start without it?"]],
    [
      "What is the limit, what does the sign say; and also how fast is the crane?",
      ["What is the limit, what does the sign say", "how fast is the crane?"],
    ],
  ])("takes %j apart", (question, parts) => {
    expect(questionParts(question)).toEqual(parts);
  });

  it.each([
    "How long do I cool a burn?",
    "How do I stop and restart the line?",
    "Who signs, and when?",
    "Bread and butter: where is it kept?",
    "A chemical got into my eye, how long do I rinse?",
    "The alarm sounds and what do I do now?",
    "What is a? What is b c? What is d e? What is f g?",
    "",
  ])("leaves %j whole", (question) => {
    expect(questionParts(question)).toEqual([question]);
  });
});
