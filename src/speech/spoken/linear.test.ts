import { holdsDoubling, repeating } from "../../../test/support/doubling.js";
import { speakableIn } from "./speakable-in.js";

for (const tag of ["en", "de", "es", "fr", "pl", "uk"])
  holdsDoubling(`speakableIn ${tag}`, (text) => speakableIn(text, tag), { charsMax: 8_000 });

/** What means something to a reader of numbers, units, addresses and paths. */
const SPOKEN = [
  "7",
  ".",
  "1.",
  "1,",
  "123 ",
  "1-",
  "1/",
  "1:",
  "[",
  "([{",
  "*a",
  "a1",
  "≥",
  "-",
  "5 mm ",
  "a@",
  "a.b",
  "a/b",
  " ",
  "e.g.",
  "+1 ",
  "½",
];

holdsDoubling("speakableIn en, of what it reads", (text) => speakableIn(text, "en"), {
  charsMax: 8_000,
  families: SPOKEN.map(repeating),
});
