/** Twice the text takes at most two and a half times as long, whatever the text: of the readers of words and figures. */
import { holdsDoubling } from "../../test/support/doubling.js";
import { quantitiesIn } from "./quantity/quantities.js";
import { unitIn } from "./quantity/unit-at.js";
import { tokenize } from "./tokens.js";

const TEXT = { charsMax: 16_000 };

holdsDoubling("tokenize", (text) => tokenize(text), TEXT);
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
holdsDoubling("unitIn", (text) => unitIn(text), TEXT);
