/** Twice the text takes at most two and a half times as long, whatever the text: what data sets and answers hold. */

import { holdsDoubling } from "../../test/support/doubling.js";
import { passage } from "../../test/support/fake-retrieval.js";
import { PROSE } from "../domain/passage.js";
import type { KnowledgeDocument } from "../retrieval/writer.js";
import { sectionsOf } from "./draft/sections.js";
import { contextPrecisionDeterministic } from "./metrics/deterministic.js";
import { isNamed, quoteIsFound } from "./metrics/evidence.js";
import { DataSetProblem, readJsonLines } from "./read-data-set.js";
import { holdsWording } from "./wording.js";

holdsDoubling("holdsWording", (text) => holdsWording(`${text} at 5 m`, "a"), { charsMax: 16_000 });
holdsDoubling("quoteIsFound", (text) => quoteIsFound([{ headings: [], text }], `${text} b`), {
  charsMax: 8_000,
});
holdsDoubling("sectionsOf", (text) => sectionsOf([documentOf(text)]), { charsMax: 8_000 });
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

function documentOf(text: string): KnowledgeDocument {
  return {
    documentId: "a",
    path: "a.md",
    sourceFile: "a.md",
    title: "a",
    contentHash: "",
    usesDefaultVisibility: true,
    access: { visibility: "network", allowedUsers: [], allowedGroups: [] },
    chunks: [
      { chunkId: "a", headings: [], kind: PROSE, text: `${text}\n- ${text}: 5 m\nIt is 5 m long ${text}.` },
    ],
  };
}
