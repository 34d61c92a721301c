/** Source code of every kind is read in time that grows with it, whatever is opened and never closed. */
import { holdsDoubling, repeating } from "../../../test/support/doubling.js";
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
].map(repeating);

for (const name of ["a.ts", "a.py", "a.yaml", "a.xml", "a.sh"])
  holdsDoubling(`parseCode of ${name}`, (text) => parseCode(name, text), {
    families: OPENED,
    charsMax: 16_000,
  });
