/** What a question denies is answered by what denies it, and what it supposes not by the opposite case. */
import { describe, expect, it } from "vitest";
import { passage } from "../../test/support/fake-retrieval.js";
import type { Passage } from "../domain/passage.js";
import { extractAnswer } from "./extractive.js";

const section = (heading: string, text: string): Passage =>
  passage(heading, text, { documentId: "Stable", title: "Stable", headings: [heading] });

const CARE = section(
  "Sick horses",
  "A coughing horse that eats is put to pasture. A coughing horse that does not eat is seen by the vet on extension 31.",
);
const CART = section(
  "Hitching the cart",
  "1. Lead the horse up.\n2. Close the buckles.\n3. Set off when the horse pulls.\n\n" +
    "If the horse does not pull after two calls, unhitch it and tell the foreman.",
);
const FEED = section(
  "Feed",
  "- Feed: Oats; Sugar: yes; Resting time: 2 hours\n- Feed: Hay; Sugar: no; Resting time: none\n" +
    "- Feed: Apples; Sugar: yes; Resting time: 1 hour",
);
const LAMP = section("Lamps", "If the lamp does not flash, stay outside and call extension 32.");

const said = async (question: string, ...passages: readonly Passage[]) => {
  const answer = await extractAnswer(question, undefined, passages, {});
  return answer.type === "answer" ? answer.sentences.join(" ") : answer.type;
};

describe("what a question denies", () => {
  it.each([
    ["What do I do with a coughing horse that does not eat?", CARE, "is seen by the vet on extension 31."],
    ["What do I do with a coughing horse that isn't eating?", CARE, "is seen by the vet on extension 31."],
    ["The horse did not pull two times, what now?", CART, "unhitch it and tell the foreman."],
    ["Which feed has no sugar?", FEED, "Feed: Hay; Sugar: no."],
    ["Which feed has no resting time?", FEED, "Feed: Hay; Resting time: none."],
    ["What do I do when the lamp does not flash?", LAMP, "call extension 32."],
  ])("is said by what denies it: %s", async (question, from, end) => {
    expect(await said(question, from)).toMatch(new RegExp(`${end.replaceAll(".", "\\.")}$`));
  });

  it("is said by nothing else", async () => {
    expect(await said("What do I do with a coughing horse that does not drink?", CARE)).toBe("none");
    expect(await said("The buckles did not close, what now?", CART)).toBe("none");
    expect(await said("Which feed has no salt?", FEED)).toBe("none");
  });
});

it("does not answer a case by its opposite", async () => {
  expect(await said("What do I do when the lamp flashes?", LAMP)).toBe("none");
  expect(await said("What do I do with a coughing horse that eats?", CARE)).toBe(
    "A coughing horse that eats is put to pasture.",
  );
});
