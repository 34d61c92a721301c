/** Twice the text takes at most two and a half times as long, whatever the text: of questions, passages and models. */
import { FAMILIES, holdsDoubling } from "../../test/support/doubling.js";
import { passage } from "../../test/support/fake-retrieval.js";
import { ReasoningFilter, withoutReasoning } from "../llm/reasoning-text.js";
import { toolArguments, toolCallFault } from "../llm/tool-call.js";
import { unitsAloud } from "./answer-text.js";
import { expectedOf, saidByUnit } from "./expected-kind.js";
import { extractAnswer } from "./extractive.js";
import { isWarningText, passageUnits, unitTerms } from "./passage-units.js";
import { readQuestion } from "./question.js";
import { questionParts } from "./question-parts.js";
import { rowAloud, rowName } from "./table-row.js";
import { termsOf } from "./terms.js";

/** Characters of a question at the most, and of a passage. */
const QUESTION = { charsMax: 4_000 };
const PASSAGE = { charsMax: 16_000 };

const RULES = passage("rules", "Never open the valve. Call 112 when the alarm rings. The door stays shut.");

holdsDoubling("readQuestion", (text) => readQuestion(text), QUESTION);
holdsDoubling("readQuestion of a fact", (text) => readQuestion(`What is ${text} before I drive?`), QUESTION);
holdsDoubling("readQuestion after another", (text) => readQuestion("And that?", text), PASSAGE);
holdsDoubling("questionParts", (text) => questionParts(text), QUESTION);
holdsDoubling("expectedOf", (text) => expectedOf(`How many ${text}`), QUESTION);
holdsDoubling("expectedOf of a colour", (text) => expectedOf(`What colour is ${text}`), QUESTION);
holdsDoubling("saidByUnit", (text) => saidByUnit(text), QUESTION);
holdsDoubling("termsOf", (text) => termsOf(text));
holdsDoubling("passageUnits", (text) => passageUnits(passage("one", text)).map(unitTerms), PASSAGE);
holdsDoubling("unitsAloud", (text) => unitsAloud(passageUnits(passage("one", text))), PASSAGE);
holdsDoubling("rowName", (text) => rowName(text));
holdsDoubling("isWarningText", (text) => isWarningText(text));
holdsDoubling("withoutReasoning", (text) => withoutReasoning(`<think>${text}`));
holdsDoubling("ReasoningFilter", (text) => {
  const filter = new ReasoningFilter();
  for (const character of ` ${text}`) filter.take(character);
});
holdsDoubling(
  "ReasoningFilter before its text",
  (text) => {
    const filter = new ReasoningFilter();
    for (let i = 0; i < text.length; i++) filter.take(" ");
  },
  { families: FAMILIES.slice(0, 1) },
);
holdsDoubling("toolArguments", (text) => toolArguments({ id: "1", name: "x", arguments: `{"a":"${text}"}` }));
holdsDoubling("toolCallFault", (text) =>
  toolCallFault({ id: "1", name: "x", arguments: text }, [{ name: "x", description: "", parameters: {} }]),
);
holdsDoubling(
  "extractAnswer, by its question",
  (text) => extractAnswer(text, undefined, [RULES], {}),
  QUESTION,
);
holdsDoubling(
  "extractAnswer, by a passage",
  (text) => extractAnswer("How much oil does the press take?", undefined, [passage("one", text), RULES], {}),
  PASSAGE,
);
holdsDoubling(
  "extractAnswer, by both",
  (text) => extractAnswer(`How do I ${text}`, text, [passage("one", text), passage("two", text)], {}),
  QUESTION,
);
holdsDoubling("rowAloud", (text) => rowAloud(`Name: ${text}; Value: ${text}`, (name) => new Set([name])));
