import { holdsDoubling } from "../../test/support/doubling.js";
import { analyze, findTerms } from "./english-analyzer.js";
import { parseForgivingJson } from "./forgiving-json.js";
import { redactor, redactShapes } from "./secrets.js";
import { splitSentences } from "./sentence-end.js";
import { countTokens, cutToTokens } from "./tokens.js";

holdsDoubling("analyze", analyze);
holdsDoubling("findTerms", (text) => findTerms(text, new Set(["valv", "5"])));
holdsDoubling("splitSentences", splitSentences);
holdsDoubling("splitSentences behind marks of a list", (text) =>
  splitSentences(">".repeat(text.length) + text + "\n".repeat(text.length)),
);
holdsDoubling("countTokens", countTokens);
holdsDoubling("cutToTokens", (text) => cutToTokens(text, 500));
holdsDoubling("redactShapes", redactShapes);
holdsDoubling("redactor", redactor(["a secret of some length"]));
holdsDoubling("parseForgivingJson", (text) =>
  parseForgivingJson(JSON.stringify({ text }).replace(/\\n/g, "\n")),
);
