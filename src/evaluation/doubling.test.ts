/** Twice the text takes at most two and a half times as long, whatever the text: what data sets and answers hold. */
import { holdsDoubling } from "../../test/support/doubling.js";
import { passage } from "../../test/support/fake-retrieval.js";
import { contextPrecisionDeterministic } from "./metrics/deterministic.js";
import { isNamed } from "./metrics/evidence.js";
import { DataSetProblem, readJsonLines } from "./read-data-set.js";
import { holdsWording } from "./wording.js";

holdsDoubling("holdsWording", (text) => holdsWording(`${text} at 5 m`, "a"), { charsMax: 16_000 });
holdsDoubling("isNamed", (text) => isNamed(`${text}.md`, "rules"));
holdsDoubling(
  "contextPrecisionDeterministic",
  (text) =>
    contextPrecisionDeterministic([passage("one", "Stop it.")], {
      mustSay: [],
      mustNotSay: [],
      groundTruth: text,
    }),
  { charsMax: 8_000 },
);
holdsDoubling("readJsonLines", (text) => {
  try {
    return readJsonLines(`{"question": "a"}\n${text}\n{"question":${JSON.stringify(text)}}`, {
      rowsMax: 10_000,
    });
  } catch (error) {
    if (error instanceof DataSetProblem) return error;
    throw error;
  }
});
