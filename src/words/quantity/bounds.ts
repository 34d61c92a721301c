/** Whether an amount is exact or open to one side: "at least", "no more than", "up to", "or less". */

import type { Token } from "../tokens.js";
import type { Bound } from "./quantity.js";

/** Words that may stand between "more than" and its number, and are looked over. */
const WORDS_BEFORE_MAX = 4;
const WORDS_BEHIND_MAX = 3;
/** Tokens of the name of a cell. */
const NAME_TOKENS_MAX = 12;

/** The bound of the amount in tokens `at` to `next`. Of two, the one nearer to the number counts. */
export function boundOf(tokens: readonly Token[], at: number, next: number): Bound {
  const before = wordsBefore(tokens, at);
  if (before !== "" && ANY_BEFORE.test(before))
    for (const [pattern, bound] of BEFORE) if (pattern.test(before)) return bound;
  const behind = wordsBehind(tokens, next);
  if (behind !== "" && ANY_BEHIND.test(behind))
    for (const [pattern, bound] of BEHIND) if (pattern.test(behind)) return bound;
  return tokens[at - 1]?.text === ":" ? boundOfName(tokens, at - 1) : "exact";
}

/** Of a cell or a label, by its name: "Hold at (°C, min.): 70", "Max. time: 3". */
function boundOfName(tokens: readonly Token[], end: number): Bound {
  for (let i = end - 1; i >= Math.max(0, end - NAME_TOKENS_MAX) && !/^[;:|]$/.test(tokens[i]!.text); i--) {
    const { lower } = tokens[i]!;
    // "Time (min)" counts minutes.
    const isMinutes = tokens[i - 1]?.text === "(" || !/^(?:\.|\p{L})/u.test(tokens[i + 1]!.text);
    if (lower === "minimum" || (lower === "min" && !isMinutes)) return "at_least";
    if (lower === "maximum" || lower === "max") return "at_most";
  }
  return "exact";
}

function wordsBefore(tokens: readonly Token[], at: number): string {
  let from = at;
  while (from > Math.max(0, at - WORDS_BEFORE_MAX) && !isBreak(tokens[from - 1]!)) from -= 1;
  let words = "";
  for (let i = from; i < at; i++) words += `${tokens[i]!.lower} `;
  return words;
}

function wordsBehind(tokens: readonly Token[], next: number): string {
  let words = "";
  for (let i = next; i < Math.min(tokens.length, next + WORDS_BEHIND_MAX); i++) {
    if (isBreak(tokens[i]!)) break;
    words += ` ${tokens[i]!.lower}`;
  }
  return words;
}

function isBreak({ kind, text }: Token): boolean {
  return kind === "stop" && text !== "," && text !== "(";
}

const oneOf = (words: string) => `(?:${words.split(" ").join("|")})`;
const LONGER = oneOf(
  "more longer greater higher larger bigger older deeper heavier taller further farther later wider thicker warmer " +
    "hotter faster stronger louder",
);
const SHORTER = oneOf(
  "less fewer shorter lower smaller younger lighter earlier sooner narrower thinner colder cooler slower weaker nearer " +
    "closer",
);
const NO = "(?:no|not|never)";

/** In this order: what is denied comes before what is said. */
const BEFORE: readonly (readonly [RegExp, Bound])[] = [
  [new RegExp(`\\b${NO} (?:\\w+ )?${LONGER} than (?:\\w+ )?$`), "at_most"],
  [new RegExp(`\\b${NO} (?:\\w+ )?${SHORTER} than (?:\\w+ )?$`), "at_least"],
  [/\b(?:not|never|n't|cannot) (?:\w+ )?(?:exceed|over|above|beyond|surpass) (?:the )?$/, "at_most"],
  [/\b(?:not|never|n't|cannot) (?:\w+ )?(?:below|under|drop below|fall below) (?:the )?$/, "at_least"],
  [new RegExp(`\\b${LONGER} (?:\\w+ )?than (?:\\w+ )?$`), "more_than"],
  [new RegExp(`\\b${SHORTER} (?:\\w+ )?than (?:\\w+ )?$`), "less_than"],
  [/\bat (?:the )?(?:least|minimum)(?: of)?(?: \w+)? $/, "at_least"],
  [/\bat (?:the )?(?:most|maximum)(?: of)?(?: \w+)? $/, "at_most"],
  [/\bat the latest $/, "at_most"],
  [/\b(?:minimum|min)(?: of| is)? $/, "at_least"],
  [/\b(?:maximum|max|limit)(?: of| is)? $/, "at_most"],
  [/\b(?:up to|as much as|as many as|as long as)(?: the)? $/, "at_most"],
  [/\b(?:above|over|beyond|exceeds?|exceeding|past|upwards of)(?: the| ph)? $/, "more_than"],
  [/\b(?:below|under|beneath)(?: the| ph)? $/, "less_than"],
  [/\bwithin(?: the)?(?: next| first)? $/, "at_most"],
  [/\b(?:about|around|approximately|roughly|nearly|almost|some|circa|approx)(?: \.)? $/, "about"],
  [/≥ $/, "at_least"],
  [/≤ $/, "at_most"],
  [/> $/, "more_than"],
  [/< $/, "less_than"],
  [
    /(?:al menos|como mínimo|por lo menos|au moins|mindestens|wenigstens|co najmniej|przynajmniej|щонайменше|не менше) $/,
    "at_least",
  ],
  [
    /(?:como máximo|hasta|au plus|jusqu'à|höchstens|bis zu|maximal|co najwyżej|do|maksymalnie|щонайбільше|не більше) $/,
    "at_most",
  ],
  [/(?:más de|plus de|mehr als|über|więcej niż|ponad|понад|більше) $/, "more_than"],
  [/(?:menos de|moins de|weniger als|unter|mniej niż|poniżej|менше) $/, "less_than"],
];

const BEHIND: readonly (readonly [RegExp, Bound])[] = [
  [new RegExp(`^ or (?:${LONGER}|above|over|up|upwards)\\b`), "at_least"],
  [new RegExp(`^ or (?:${SHORTER}|below|under|down)\\b`), "at_most"],
  [/^ and (?:above|over|up|more|older)\b/, "at_least"],
  [/^ and (?:below|under|less|younger)\b/, "at_most"],
  [/^,? at (?:the )?(?:least|minimum)\b/, "at_least"],
  [/^,? at (?:the )?(?:most|maximum|latest)\b/, "at_most"],
  [/^ (?:minimum|min)\b/, "at_least"],
  [/^ (?:maximum|max)\b/, "at_most"],
];

/** Most amounts have no bound: one look tells. */
const ANY_BEFORE = anyOf(BEFORE);
const ANY_BEHIND = anyOf(BEHIND);

function anyOf(rows: readonly (readonly [RegExp, Bound])[]): RegExp {
  return new RegExp(rows.map(([{ source }]) => source).join("|"));
}
