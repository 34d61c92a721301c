/** Targets of what is said: words of six languages, sentences, clauses. */

import { splitSentences } from "../../../src/lib/sentence-end.js";
import { clauseEnd, firstClauseEnd } from "../../../src/speech/clause.js";
import { SentenceSplitter } from "../../../src/speech/sentences.js";
import { speakableIn } from "../../../src/speech/spoken/speakable-in.js";
import { must, type Target } from "../target.js";

const LANGUAGES = ["en", "de", "es", "fr", "pl", "uk"];

/** "1e300" is a long word; nothing is longer than digit by digit with room to spare. */
const SPOKEN_PER_CHAR_MAX = 80;

export const speakable: Target = {
  name: "speakable",
  seeds: [
    "Tighten M12x1.75 to 45 Nm ±5 %, at -40 °C to +85 °C, on 2026-11-22 at 10:45.",
    'Call +49 30 1234-567 or mail a.b@plant.example; see §4.2, Fig. IV, 1/2" pipe, €1.000,50, v1.2.3, 192.168.0.1.',
    "| A | B |\n|---|---|\n| 1,5 kg | 3rd |\n\n**Nr. 5** z.B. 3 × 4 = 12 m³/h",
  ],
  words: [
    "5 mg",
    "1.000,5",
    "½",
    '3/4"',
    "10:45",
    "2026-11-22",
    "22.11.2026",
    "1st",
    "XIV",
    "Nr.",
    "z.B.",
    "Mr.",
    "€5",
    "$1.50",
    "°C",
    "m/s²",
    "kWh",
    "km/h",
    "±",
    "≤",
    "×",
    "v1.2",
    "192.168.0.1",
    "0800 123 456",
    "a@b.example",
    "https://x.example/a",
    "AB-12",
    "50 Hz",
    "No. 5",
    "20–30",
    "5'",
    "#7",
    "&",
    "1e9",
    "00:00",
    "24:00",
    "10am",
    "o'clock",
  ], // prettier-ignore
  charsMax: 300,
  check(input) {
    for (const language of LANGUAGES) {
      const said = speakableIn(input, language);
      must(!/[\n\r]/.test(said), `${language}: several lines`);
      must(said.length <= 200 + input.length * SPOKEN_PER_CHAR_MAX, `${language}: ${said.length} characters`);
      must(
        !/undefined|NaN|\[object/.test(said) || /undefined|NaN|object/i.test(input),
        `${language}: ${said}`,
      );
    }
  },
};

export const sentences: Target = {
  name: "sentences",
  seeds: [
    "Wait 3.5 minutes. Mr. Smith, e.g. from Plant No. 4, says: “Stop.” Then go on…\n\n1. One\n2. Two\n- three",
    "消火器の使い方。 Zażółć gęślą? Mail a.b@c.example, or see www.x.example. Done!",
  ],
  words: [
    "e.g. ",
    "Dr. ",
    "No. 4",
    "3.5",
    "...",
    "?!",
    "。",
    "\n\n",
    "\n- ",
    "\n1. ",
    "www.a.example",
    ".)",
    "”",
    " — ",
    "; ",
  ],
  charsMax: 900,
  check(input) {
    must(splitSentences(input).join("") === input, "the sentences together are another text");
    const splitter = new SentenceSplitter(120);
    const pieces: string[] = [];
    for (let at = 0; at < input.length; at += 7) pieces.push(...splitter.push(input.slice(at, at + 7)));
    pieces.push(...splitter.flush());
    must(pieces.join("") === input, "the pieces together are another text");
    must(
      pieces.every((piece) => piece !== "" && piece.length <= 120),
      "a piece is empty or too long",
    );
    for (const end of [firstClauseEnd(input), clauseEnd(input)])
      must(end === undefined || (end > 0 && end <= input.length), `a clause ends at ${end}`);
  },
};
