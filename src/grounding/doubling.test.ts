/** The functions of text that the checks are made of: twice the text takes at most two and a half times as long. */
import { holdsDoubling } from "../../test/support/doubling.js";
import { gently, WorkBudget } from "../lib/steps.js";
import { answerability } from "./answerability/answerability.js";
import { checkInSteps } from "./check/check-sentence.js";
import { checkText } from "./check/check-text.js";
import { prepareEvidence } from "./evidence.js";
import { languageOf } from "./language.js";
import { leaningOf } from "./leaning.js";
import { checkReadings } from "./readings/readings.js";

const PASSAGE = "Open the valve. The pump runs at 5 mg, 12 V and 3 A for Anna Berg.";
const evidence = prepareEvidence([{ type: "passage", source: "a", text: PASSAGE }]);
const plenty = () => new WorkBudget(Number.POSITIVE_INFINITY);
/** Within one sentence, which is bounded, words are compared in pairs: what is held is how work grows beyond it. */
const long = (text: string) => `${text} ${text} ${text} ${text}`;
/** Four times this is as long as a text of the doors may be. */
const charsMax = 4_000;

/** What was prepared before is remembered: each is another. */
let prepared = 0;
holdsDoubling(
  "preparing evidence",
  (text) => {
    prepared += 1;
    prepareEvidence([
      {
        type: "passage",
        source: "a",
        title: String(prepared),
        text: `${long(text)} ${long(text)} ${long(text)}`,
      },
    ]);
  },
  { charsMax },
);
holdsDoubling(
  "checking a sentence",
  (text) => gently(checkInSteps(long(text), evidence, { question: long(text), said: [text] }), plenty()),
  { charsMax },
);
holdsDoubling(
  "checking a text",
  (text) => checkText(long(text), [{ type: "passage", source: "a", text: PASSAGE }], text, plenty()),
  { charsMax },
);
holdsDoubling(
  "checking a text against readings",
  (text) =>
    checkReadings(
      long(text),
      {
        tools: [{ tool: "t", result: { name: "nginx", status: "running" }, ageMs: 0 }],
        user: text,
        nowMs: () => 0,
      },
      plenty(),
    ),
  { charsMax },
);
holdsDoubling("telling a language", languageOf);
holdsDoubling(
  "telling whether passages answer",
  (text) => answerability(long(text), [passageOf(long(text))]),
  { charsMax },
);

function passageOf(text: string) {
  return {
    chunkId: "c",
    documentId: "d",
    title: "t",
    sourceFile: "t.md",
    headings: [],
    text,
    score: 1,
    highlights: [],
    supersedes: [],
  } as never;
}
holdsDoubling("what leans on the question before", leaningOf, { charsMax });
