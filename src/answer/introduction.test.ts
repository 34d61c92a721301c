import { expect, it } from "vitest";
import { passage } from "../../test/support/fake-retrieval.js";
import { gatedAnswer } from "../../test/support/gated.js";
import { english } from "../../test/support/locales.js";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import { SearchUnavailable } from "../retrieval/port.js";
import { createIntroduction } from "./introduction.js";
import type { SuggestionSet } from "./suggestions.js";

const door = passage("door", "Keep it shut.", { title: "Cold room" });
const introduction = english.say("introduction");

function introduced(suggested: SuggestionSet | Error, documents: number, things: readonly string[] = []) {
  const { access, documentId, title } = door;
  const outline = { documentId, title, headings: [], access };
  return gatedAnswer(
    createIntroduction({
      clock: new VirtualClock(),
      things: () => things.map((name) => ({ id: `plant/pump/${name}`, name })),
      retrieval: { contents: async () => [door], outline: async () => Array(documents).fill(outline) },
      suggestions: {
        suggest: async () => {
          if (suggested instanceof Error) throw suggested;
          return suggested;
        },
      },
    }),
    { question: "who are you?" },
  );
}

it("names what may be asked, and remembers the documents that it is from", async () => {
  const questions = ["How long may the door be open?", "Who calls the service?"];
  const answer = await introduced({ questions, documentIds: [door.documentId] }, 1);
  const text = `${introduction} ${english.say("introduction_examples")} ${questions.join(" ")}`;
  expect(answer).toMatchObject({ text, outcome: "answered", passages: [door] });
});

it("says that there is nothing to read, and no more than who it is where that is not known", async () => {
  const none = await introduced({ questions: [], documentIds: [] }, 0);
  expect(none.text).toBe(`${introduction} ${english.say("introduction_no_documents")}`);
  expect((await introduced({ questions: [], documentIds: [] }, 1)).text).toBe(introduction);
  expect((await introduced(new SearchUnavailable("down"), 1)).text).toBe(introduction);
});

it("names things of the site before what may be asked, five at the most", async () => {
  const questions = ["How long may the door be open?"];
  const suggested = { questions, documentIds: [door.documentId] };
  const examples = `${english.say("introduction_examples")} ${questions.join(" ")}`;
  const few = await introduced(suggested, 1, ["P1", "P2"]);
  expect(few.text).toBe(`${introduction} You can ask me how these are: P1, P2. ${examples}`);
  const many = await introduced(suggested, 1, ["P1", "P2", "P3", "P4", "P5", "P6", "P7"]);
  expect(many.text).toContain("P1, P2, P3, P4, P5, and 2 more.");
});
