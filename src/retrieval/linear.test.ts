import { holdsDoubling } from "../../test/support/doubling.js";
import { highlights } from "./embedded/highlights.js";
import { bandsOf, comparedText, sameText, saysTheSame } from "./near-duplicates.js";
import { queryTerms, tellingWords } from "./query-terms.js";
import { compareRevisions, titleKey } from "./revision.js";

/** Longer than any question or passage that is admitted. */
const charsMax = 24_000;

holdsDoubling("queryTerms", queryTerms, { charsMax });
holdsDoubling("tellingWords", tellingWords, { charsMax });
const WEIGHTS = new Map([
  ["valv", 1],
  ["5", 1],
]);
holdsDoubling("highlights", (text) => highlights(text, WEIGHTS), { charsMax });
holdsDoubling("bandsOf", bandsOf, { charsMax });
holdsDoubling("saysTheSame", (text) => saysTheSame(text, `${text} not`), { charsMax });
holdsDoubling("sameText", (text) => sameText(comparedText(text), comparedText(`${text}.`)), { charsMax });
holdsDoubling("compareRevisions", (text) => compareRevisions(text, `${text}1`), { charsMax });
holdsDoubling("titleKey", titleKey, { charsMax });
