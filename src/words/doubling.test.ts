/** Twice the text takes at most two and a half times as long, whatever the text: of the readers of words and figures. */
import { holdsDoubling } from "../../test/support/doubling.js";
import { germanCompound } from "./number-words.js";
import { quantitiesIn } from "./quantity/quantities.js";
import { unitIn } from "./quantity/unit-at.js";
import { asciiDigits } from "./quantity/written-number.js";
import { asksForRule } from "./questions.js";
import { tokenize } from "./tokens.js";

const TEXT = { charsMax: 16_000 };

holdsDoubling("tokenize", (text) => tokenize(text), TEXT);
holdsDoubling("asksForRule", (text) => asksForRule(text), TEXT);
holdsDoubling("quantitiesIn", (text) => quantitiesIn(text), TEXT);
holdsDoubling(
  "quantitiesIn of number words",
  (text) => quantitiesIn("tausend ".repeat(text.length / 8)),
  TEXT,
);
holdsDoubling(
  "quantitiesIn of groups of digits",
  (text) => quantitiesIn("100 ".repeat(text.length / 4)),
  TEXT,
);
holdsDoubling("quantitiesIn of hours", (text) => quantitiesIn("1 h ".repeat(text.length / 4)), TEXT);
holdsDoubling("quantitiesIn of powers", (text) => quantitiesIn("5x10^8 ".repeat(text.length / 7)), TEXT);
holdsDoubling("quantitiesIn of ratios", (text) => quantitiesIn("mix 1 to ".repeat(text.length / 9)), TEXT);
holdsDoubling(
  "quantitiesIn of headers",
  (text) => quantitiesIn("(mg/mL): 1 ".repeat(text.length / 11)),
  TEXT,
);
holdsDoubling("asciiDigits", (text) => asciiDigits(text), TEXT);
holdsDoubling("germanCompound", (text) => germanCompound(`${"hundert".repeat(text.length / 7)}x`), TEXT);
holdsDoubling("unitIn", (text) => unitIn(text), TEXT);
