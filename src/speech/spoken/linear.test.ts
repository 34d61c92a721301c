import { holdsDoubling } from "../../../test/support/doubling.js";
import { speakableIn } from "./speakable-in.js";

for (const tag of ["en", "de", "es", "fr", "pl", "uk"])
  holdsDoubling(`speakableIn ${tag}`, (text) => speakableIn(text, tag), { charsMax: 8_000 });
