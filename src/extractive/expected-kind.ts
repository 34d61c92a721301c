/** The kind of answer that a question wants, and how a sentence shows that it is of this kind. */
import { pattern } from "../lib/pattern.js";
import { cardinalWords, NUMBER_WORDS } from "../words/number-words.js";
import { quantitiesIn } from "../words/quantity/quantities.js";
import type { Dimension } from "../words/quantity/units.js";
import { ASKS_OF_FORBIDDEN } from "../words/question-forms.js";

/** What a sentence has to show: words, or an amount of some dimension. */
export type Shown = Pick<RegExp, "test">;

function amountOf(...dimensions: readonly Dimension[]): Shown {
  return { test: (text) => quantitiesIn(text).some(({ dimension }) => dimensions.includes(dimension)) };
}

/** What a sentence has to show to answer `question`; `undefined` when any sentence may. */
export function expectedOf(question: string): Shown | undefined {
  return countOf(question) ?? colourOf(question) ?? kindOf(question)?.[1];
}

/**
 * The words of a question that a sentence of the kind asked says by its unit alone: "8 km/h" is a speed without the
 * word "speed". Empty where the kind has no such unit.
 */
export function saidByUnit(question: string): readonly string[] {
  if (colourOf(question) !== undefined) return ["colour"];
  const kind = countOf(question) === undefined ? kindOf(question) : undefined;
  return (kind?.[2] ?? []).filter((name) => new RegExp(`\\b${name}\\b`, "i").test(question));
}

/** What asks for it, what shows it, and of a quantity the words that its unit says as well. */
type Kind = readonly [asked: RegExp, shows: Shown, names?: readonly string[]];

function kindOf(question: string): Kind | undefined {
  return KINDS.find(([asked]) => asked.test(question));
}

/** "What colour is the plaster" wants the colour of the plaster, whatever else in the sentence has one. */
function colourOf(question: string): RegExp | undefined {
  const thing = COLOUR_ASKED.exec(question)?.[1];
  if (thing === undefined) return undefined;
  return new RegExp(
    `\\b(?:${COLOURS})(?: \\p{L}+)? ${thing}|${thing}\\p{L}{0,2} (?:is|are) (?:${COLOURS})\\b|\\bcolou?rs?: \\p{L}`,
    "iu",
  );
}

const COLOURS = "red|blue|green|yellow|orange|white|black|grey|gray|brown|pink|purple|violet|silver|gold";

/** With the last word of what has the colour. */
const COLOUR_ASKED = pattern("iu")`
  \b(?:what|which) colou?r (?:is|are|has|have|do|does) (?:\p{L}+ ){0,3}?(\p{L}+?)(?:e?s)?
  (?= (?:for|of|in|on|at|that|have|has)\b|\s*\?|\s*$)
`;

/** "How deep", with the word that tells what is measured. */
export const MEASURED =
  /\bhow (high|low|tall|deep|wide|thick|close|fast|hot|cold|warm|heavy|old|big|large|small|loud|strong)\b/i;

/** "How many swabs" wants a number of swabs, whatever other numbers the sentence has. */
function countOf(question: string): RegExp | undefined {
  const thing = /\bhow many (\p{L}+?)(?:e?s)?\b/iu.exec(question)?.[1];
  if (thing === undefined) return undefined;
  return new RegExp(`(?:\\p{N}|\\b(?:${COUNTS}))[^\\s-]{0,20}(?:[ -][^\\s-]{1,20}){0,2}[ -]${thing}`, "iu");
}

const COUNTS = `no|(?:${cardinalWords("en").join("|")})s?`;

/** A number of something; not the 3 of "door 3,". */
const QUANTITY = new RegExp(
  `[$£€] ?\\p{N}|\\p{N}(?: ?[%°$£€]|[ -]\\p{L})|\\b(?:half|none|all|both|(?:${COUNTS})(?= \\p{L}))\\b`,
  "iu",
);
const LENGTH = amountOf("length");
/** Degrees without a scale are an angle until somebody asks. */
const TEMPERATURE = amountOf("temperature", "angle");
/** "12 cans an hour". */
const RATE = /\p{N} \p{L}+ (?:an?|per|every) (?:second|minute|hour|day)\b/iu;
const DURATION = pattern("i")`
  \b(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|decades?|until|h|secs?|mins?
  |hrs?|wks?|yrs?)\b
`;

const HOURS = [...NUMBER_WORDS.en.small.keys()].slice(1, 13).join("|");
const HOUR = `\\d{1,2}:\\d\\d|\\d+ ?[ap]m|noon|midnight|day \\d+|at (?:${HOURS})`;
const DAY =
  "(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|september|october|november|december";

/**
 * Asks for a quantity by its name: "at which speed do I", "what is the highest speed". Not "what is the speed of",
 * which a sentence answers that says what it is the speed of.
 */
function named(names: string): string {
  return [
    `\\b(?:what|which) (?:\\p{L}+ )?(?:${names}) (?:do|does|may|must|should|can|shall|is|are|will|would)\\b`,
    `\\bwhat(?: is|'s) the (?:maximum|minimum|highest|lowest|top|greatest|largest|smallest) (?:${names})\\b`,
  ].join("|");
}

/** Forbids or limits something. */
export const forbids: Shown =
  /\b(?:never|not|no|nobody|nothing|none|cannot|only|forbidden|prohibited|banned)\b|n['’]t\b/i;

/** Kinds of question, quantities first. The first that fits counts. */
const KINDS: readonly Kind[] = [
  [ASKS_OF_FORBIDDEN, forbids],
  [
    new RegExp(`\\bhow fast (?:may|can|must|should|do|does|is|are)\\b|${named("speeds?")}`, "iu"),
    { test: (text) => RATE.test(text) || amountOf("speed", "frequency").test(text) },
    ["fast", "quick", "quickly", "speed", "maximum", "top", "limit"],
  ],
  [
    new RegExp(`\\bhow (?:hot|cold|warm)\\b|${named("temperatures?")}`, "iu"),
    TEMPERATURE,
    ["temperature", "hot", "warm", "cold"],
  ],
  // Not "how heavy is the truck": what it may carry is a mass as well.
  [
    new RegExp(`\\bhow heavy (?:an?|may|can|must|should)\\b|${named("loads?|weights?")}`, "iu"),
    amountOf("mass"),
    ["heavy", "load", "weight", "maximum"],
  ],
  [new RegExp(named("amounts?|sums?"), "iu"), amountOf("money", "volume", "mass"), ["amount", "sum"]],
  [
    /\b(?:what|which) (?:concentration|percentage|share)\b/iu,
    amountOf("ratio", "concentration", "mass/volume", "proportion"),
    ["concentration", "percentage", "share", "percent"],
  ],
  [/\b(?:what|which) voltage\b/i, /\d ?k?V\b|\d volts?\b/i, ["voltage"]],
  [new RegExp(named("pressures?"), "iu"), amountOf("pressure"), ["pressure"]],
  [
    pattern("iu")`
        \b(?:what|which) (?:\p{L}+ )?(?:number|extension)s? (?:do|should|must|can|shall|to|will
        |would)\b.{0,200}\b(?:call|dial|ring|phone|reach)\b
      `,
    /\b(?:call|dial|ring|phone|extension|number|on)s? (?:extension |number )?\+?\d{2,}/iu,
    ["number", "extension"],
  ],
  [
    new RegExp(`\\bhow (?:far|close|near)\\b|${named("distances?")}`, "iu"),
    LENGTH,
    ["far", "away", "distance", "close", "near"],
  ],
  [
    pattern("i")`
      \bhow much\b.{0,80}\b(?:cost|costs|earn|earns|pay|pays|paid|insured?|charged?|fine)\b
      |\bwhat(?: is|'s) the (?:price|cost|fee|fine)\b
    `,
    /[$£€] ?\p{N}|\p{N} ?(?:[$£€%]|(?:euros?|dollars?|pounds?|cents?|percent)\b)/iu,
  ],
  [
    /\bhow often\b/i,
    /\b(?:every|each|once|twice|hourly|daily|weekly|monthly|yearly|annually|times|always|never)\b/i,
  ],
  [
    /\bhow (?:long|soon|old)\b|\bwithin (?:what|which|how much) (?:time|period)\b/i,
    { test: (text) => DURATION.test(text) || LENGTH.test(text) },
  ],
  [/\bhow (?:hot|cold|warm)\b|\b(?:what|which) temperature\b/i, TEMPERATURE],
  [/\bhow heavy\b/i, amountOf("mass")],
  [
    /\bwhen (?:do|does|must|should|shall|may|can|will|would) (?:i|we|you|they)\b/i,
    new RegExp(
      `\\b(?:${HOUR}|${DAY}|when|whenever|before|after|until|if|unless|once|within|if|every|each|any|always|never|needs?|must|only)\\b`,
      "i",
    ),
  ],
  [
    /\bwhen (?:is|are|was|were|do|does|did|can|may|must|should|will|would|shall)\b|\b(?:what|which) (?:time|day|date|year)\b/i,
    new RegExp(
      `\\b(?:${HOUR}|${DAY}|[12]\\d{3}|before|after|until|when|within|as soon as|at the end|every|each|today|century)\\b`,
      "i",
    ),
    ["day", "time", "date", "year"],
  ],
  [
    /\bwhere\b/i,
    pattern("u")`
      \b(?:beside|behind|next to|near|under|above|along|inside|outside|between|opposite|left
      |right|hangs?|stands?|kept|stored|located|found)\b|\b(?:at|in|on) (?:the|an?|each|every
      |its?|\p{Lu})|\b(?:at|in) \p{L}+ \d|\bonly (?:at|in|on)\b|\b[Gg]o to\b
    `,
  ],
  [/\bhow (?:far|high|low|tall|deep|wide|thick|close)\b/i, LENGTH],
  [/\bhow much\b/i, QUANTITY],
  [MEASURED, QUANTITY],
  [
    pattern("iu")`
      \bwhat(?: is|'s| are| was) the (?:\p{L}+ ){0,3}(?:number|price|cost|limit|pressure
      |weight|height|length|width|depth|distance|speed|rate|value|amount|code|size|age
      |population|percentage)\b
    `,
    /\p{N}/u,
  ],
  [
    pattern("i")`
      (?<!\b(?:what|which|who|whom|where|when|why|how)\b.{0,40})\b(?:may|should|shall
      |must) (?:i|we|you|they|he|she|somebody|someone|anybody|anyone|people)\b|\b(?:ok|okay
      |allowed|safe|permitted|forbidden|all right) (?:to|if)\b|\b(?:is|are|am) .{1,40}\b
      (?:allowed|permitted|forbidden)\b
    `,
    pattern("i")`
      \b(?:never|not|no|nobody|nothing|none|only|always|must|may|can|cannot|could|should|shall
      |allowed|permitted|forbidden|unless|at most|at least|up to|except|needs?|required
      |welcome)\b|n't\b
    `,
  ],
];
