/** Source code of every kind is read in time that grows with it, whatever is opened and never closed. */
import { holdsDoubling } from "../../../test/support/doubling.js";
import { parseCode } from "./parse-code.js";

/** What opens something in one language or another. */
const OPENED = [
  "{",
  "(",
  '"',
  "'",
  "`",
  "/",
  "/*",
  "<<A\n",
  "#",
  "if ",
  "a b ",
  "\n",
  "<a ",
  "begin ",
  "@a(",
  "x: ",
  "[a]\n",
  "a = (b, ",
].map((unit) => ({
  name: JSON.stringify(unit),
  text: (chars: number) => unit.repeat(Math.ceil(chars / unit.length)).slice(0, chars),
}));

for (const name of ["a.ts", "a.py", "a.yaml", "a.xml", "a.sh"])
  holdsDoubling(`parseCode of ${name}`, (text) => parseCode(name, text), {
    families: OPENED,
    charsMax: 16_000,
  });
