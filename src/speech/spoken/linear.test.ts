import { holdsDoubling } from "../../../test/support/doubling.js";
import { speakableIn } from "./speakable-in.js";

for (const tag of ["en", "de", "es", "fr", "pl", "uk"])
  holdsDoubling(`speakableIn ${tag}`, (text) => speakableIn(text, tag), { charsMax: 8_000 });

/** What means something to a reader of numbers, units, addresses and paths. */
const SPOKEN = [
  ["digits", "7"],
  ["dots", "."],
  ["numbers with dots", "1."],
  ["numbers with commas", "1,"],
  ["groups of three", "123 "],
  ["hyphened numbers", "1-"],
  ["slashed numbers", "1/"],
  ["times", "1:"],
  ["brackets", "["],
  ["nested brackets", "([{"],
  ["stars", "*a"],
  ["letters and digits", "a1"],
  ["signs", "≥"],
  ["minus signs", "-"],
  ["units", "5 mm "],
  ["mailboxes", "a@"],
  ["hosts", "a.b"],
  ["paths", "a/b"],
  ["spaces", " "],
  ["abbreviations", "e.g."],
  ["telephones", "+1 "],
  ["fractions", "½"],
] as const;
const spoken = SPOKEN.map(([name, unit]) => ({
  name,
  text: (chars: number) => unit.repeat(Math.ceil(chars / unit.length)).slice(0, chars),
}));

holdsDoubling("speakableIn en, of what it reads", (text) => speakableIn(text, "en"), {
  charsMax: 8_000,
  families: spoken,
});
