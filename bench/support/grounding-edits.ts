/** Edits that make a gold sentence wrong, each one small; the same sentence gets the same edit in every run. */
import { type GoldSentence, hash } from "./grounding-gold.js";

export type EditKind =
  | "number changed"
  | "unit changed"
  | "not inserted"
  | "not removed"
  | "antonym swapped"
  | "entity of the passage"
  | "entity of another"
  | "sentence of another";

export type Edit = (sentence: GoldSentence, all: readonly GoldSentence[]) => string | undefined;

/** Each gives the edited sentence, or `undefined` where there is nothing to edit. */
export const EDITS: Readonly<Record<EditKind, Edit>> = {
  "number changed": ({ text }) =>
    replaceOne(text, /(?<![\w.,:-])\d{1,3}(?:,\d{3})+|(?<![\w.,:-])\d+(?:\.\d+)?(?![\w:-])/g, otherNumber),
  "unit changed": ({ text }) => replaceOne(text, UNIT, otherUnit),
  "not inserted": ({ text }) =>
    /\b(?:not|never|no|none|n't)\b/i.test(text)
      ? undefined
      : replaceOne(text, AUXILIARY, (verb) => `${verb} not`),
  "not removed": ({ text }) => replaceOne(text, /\b(?:not|never) /g, () => ""),
  "antonym swapped": ({ text }) =>
    replaceOne(text, ANTONYM, (word) => withCaseOf(word, ANTONYMS.get(word.toLowerCase())!)),
  "entity of the passage": (sentence) => swapName(sentence, namesIn(sentence.passage.text)),
  "entity of another": (sentence, all) =>
    swapName(sentence, namesIn(pick(all, `${sentence.text}e`).passage.text)),
  "sentence of another": (sentence, all) => {
    const other = pick(all, `${sentence.text}s`);
    return other.passage.id === sentence.passage.id ? undefined : other.text;
  },
};

/** Pairs of the benchmark's own; the peer for antonyms knows exactly these. */
export const ANTONYM_PAIRS: readonly (readonly [string, string])[] = (
  "first last,before after,above below,over under,north south,east west,northern southern,eastern western,left right," +
  "increase decrease,increased decreased,high low,higher lower,highest lowest,large small,larger smaller,largest smallest," +
  "long short,longer shorter,longest shortest,early late,earlier later,old new,older younger,old young,open closed,opened closed," +
  "male female,men women,man woman,father mother,son daughter,brother sister,husband wife,king queen,boy girl," +
  "more less,most least,many few,all some,always never,best worst,better worse,strong weak,positive negative,internal external," +
  "inner outer,upper lower,front back,inside outside,public private,permanent temporary,active inactive,major minor," +
  "beginning end,began ended,begins ends,start end,won lost,wins loses,victory defeat,birth death,born died,success failure," +
  "true false,hot cold,warm cool,wet dry,light heavy,fast slow,rich poor,summer winter,day night,morning evening,up down"
)
  .split(",")
  .map((pair) => pair.split(" ") as [string, string]);

const ANTONYMS: ReadonlyMap<string, string> = new Map(
  ANTONYM_PAIRS.flatMap(([a, b]): [string, string][] => [
    [b, a],
    [a, b],
  ]),
);
const ANTONYM = new RegExp(`\\b(?:${[...ANTONYMS.keys()].join("|")})\\b`, "gi");
const AUXILIARY =
  /\b(?:is|are|was|were|can|could|will|would|should|may|might|must|has|have|had)\b(?! (?:not|been not)\b)/g;

const UNIT_SETS: readonly (readonly string[])[] = [
  ["seconds", "minutes", "hours", "days", "weeks", "months", "years"],
  ["millimetres", "centimetres", "metres", "kilometres"],
  ["meters", "kilometers", "feet", "miles"],
  ["m", "km", "mm"],
  ["ft", "mi", "yd"],
  ["kg", "g", "t"],
  ["°C", "°F"],
  ["million", "billion", "thousand"],
  ["mph", "km/h"],
];
const UNIT = new RegExp(
  `(?<=\\d[  ]?-?)(?:${UNIT_SETS.flat()
    .sort((a, b) => b.length - a.length)
    .join("|")})(?![\\w/])`,
  "g",
);

function otherUnit(unit: string): string {
  const set = UNIT_SETS.find((names) => names.includes(unit))!;
  const others = set.filter((name) => name !== unit);
  return others[hash(unit) % others.length]!;
}

function otherNumber(number: string, seed: number): string {
  const plain = number.replaceAll(",", "");
  const decimals = plain.includes(".") ? plain.length - plain.indexOf(".") - 1 : 0;
  const value = Number(plain);
  const isYear = decimals === 0 && value >= 1000 && value <= 2100 && !number.includes(",");
  const step = isYear
    ? 1 + (seed % 20)
    : Math.max(10 ** -decimals, Math.round(value * (0.1 + (seed % 7) / 10)));
  const changed = seed % 2 === 0 || value <= step ? value + step : value - step;
  const text = changed.toFixed(decimals);
  return number.includes(",") ? Number(text).toLocaleString("en-US") : text;
}

/** Replaces one match, chosen by the sentence itself. */
function replaceOne(
  text: string,
  pattern: RegExp,
  change: (match: string, seed: number) => string,
): string | undefined {
  const seed = hash(text);
  const matches = [...text.matchAll(pattern)];
  const match = matches[seed % Math.max(1, matches.length)];
  if (match === undefined) return undefined;
  const edited =
    text.slice(0, match.index) + change(match[0], seed) + text.slice(match.index + match[0].length);
  return edited === text ? undefined : edited;
}

function withCaseOf(word: string, other: string): string {
  return /^[A-Z]/.test(word) ? other[0]!.toUpperCase() + other.slice(1) : other;
}

/** Two capitalised words or more, not at the beginning of a sentence. */
const NAME = /(?<=[a-z,;] )[A-Z][a-z]+(?: [A-Z][a-z]+)+/g;

function namesIn(text: string): string[] {
  return [...new Set([...text.matchAll(NAME)].map(([name]) => name))];
}

function swapName({ text }: GoldSentence, others: readonly string[]): string | undefined {
  const own = text.match(/[A-Z][a-z]+(?: [A-Z][a-z]+)+/g) ?? [];
  const strangers = others.filter((name) => !name.split(" ").some((word) => text.includes(word)));
  const [old, fresh] = [
    own[hash(text) % Math.max(1, own.length)],
    strangers[hash(`${text}n`) % Math.max(1, strangers.length)],
  ];
  return old === undefined || fresh === undefined ? undefined : text.replace(old, fresh);
}

function pick(all: readonly GoldSentence[], seed: string): GoldSentence {
  return all[hash(seed) % all.length]!;
}
