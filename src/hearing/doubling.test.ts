/** Twice the text takes at most two and a half times as long, whatever the text. */
import { holdsDoubling } from "../../test/support/doubling.js";
import { soundOf } from "../words/sound.js";
import { mend } from "./mend.js";
import { VocabularyReader } from "./vocabulary.js";

const reader = new VocabularyReader();
reader.read("The parts washer and pump 2. The parts washer and pump 10.", "d", "text");
const vocabulary = reader.vocabulary();

holdsDoubling("soundOf", (text) => soundOf(text));
holdsDoubling("VocabularyReader", (text) => {
  const reading = new VocabularyReader();
  reading.read(text, "d", "text");
  reading.vocabulary();
});
holdsDoubling("mend", (text) => mend(text, [{ text: "two", probability: 0.1 }], vocabulary), {
  charsMax: 4_000,
});
