/** Twice the text takes at most two and a half times as long, whatever the text: of the readers of words and figures. */
import { holdsDoubling, repeating } from "../../test/support/doubling.js";
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
holdsDoubling("quantitiesIn of what it reads", (text) => quantitiesIn(text), {
  ...TEXT,
  families: ["tausend ", "100 ", "1 h ", "5x10^8 ", "mix 1 to ", "(mg/mL): 1 "].map(repeating),
});
holdsDoubling("asciiDigits", (text) => asciiDigits(text), TEXT);
holdsDoubling("germanCompound", (text) => germanCompound(`${text}x`), {
  ...TEXT,
  families: [repeating("hundert")],
});
holdsDoubling("unitIn", (text) => unitIn(text), TEXT);
