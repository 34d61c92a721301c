/** The words for numbers, a table per language. `quantity/numerals.ts` reads them; everybody else asks these tables. */
import type { Language } from "./polarity.js";

export interface NumberWords {
  /** What nothing smaller follows: 0 to 19, and further where a language writes those in one word. */
  readonly small: ReadonlyMap<string, number>;
  readonly tens: ReadonlyMap<string, number>;
  /** 200 in one word. */
  readonly hundreds: ReadonlyMap<string, number>;
  /** What multiplies the number before it. */
  readonly multipliers: ReadonlyMap<string, number>;
  readonly ordinals: ReadonlyMap<string, number>;
  /** One word that is no whole number: "anderthalb". */
  readonly fractions: ReadonlyMap<string, number>;
  /** What adds a part to a number: "and a half". */
  readonly andParts: readonly (readonly [words: string, part: number])[];
  /** Words that are articles too, so that no number begins with them. */
  readonly articles: ReadonlySet<string>;
  /** What may stand inside a number, and behind what: "a hundred *and* two", "treinta *y* dos". */
  readonly joiner: readonly [word: string, behind: "tens" | "multiplier" | "nothing"];
  /** The decimal mark as it is said. */
  readonly point: string;
  /** Counts by twenties between 60 and 100: "soixante-dix", "quatre-vingt-onze". */
  readonly byTwenties: boolean;
}

/** Values from 0 on; several forms of one are separated by a bar. */
function counted(words: string, value: (i: number) => number = (i) => i): ReadonlyMap<string, number> {
  const rows = words
    .split(" ")
    .flatMap((forms, i) => forms.split("|").map((form) => [form, value(i)] as const));
  return new Map(rows.filter(([form]) => form !== ""));
}

const tensFrom = (first: number, words: string) => counted(words, (i) => first + 10 * i);
const hundredsFrom = (first: number, words: string) => counted(words, (i) => first + 100 * i);
const POWERS = [100, 1_000, 1e6, 1e9, 1e12, 12];
const powers = (words: string) => counted(words, (i) => POWERS[i]!);

const NONE = {
  hundreds: new Map<string, number>(),
  ordinals: new Map<string, number>(),
  fractions: new Map<string, number>(),
  andParts: [],
  articles: new Set<string>(),
  byTwenties: false,
};

const GERMAN_UNITS = "ein zwei drei vier fünf sechs sieben acht neun".split(" ");
const GERMAN_TENS = tensFrom(20, "zwanzig dreißig|dreissig vierzig fünfzig sechzig siebzig achtzig neunzig");

export const NUMBER_WORDS: Readonly<Record<Language, NumberWords>> = {
  en: {
    ...NONE,
    small: counted(
      "zero|nought|naught one two three four five six seven eight nine ten eleven twelve thirteen fourteen " +
        "fifteen sixteen seventeen eighteen nineteen",
    ),
    tens: tensFrom(20, "twenty thirty forty fifty sixty seventy eighty ninety"),
    multipliers: powers("hundred thousand million billion trillion dozen"),
    ordinals: counted(
      "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth",
      (i) => i + 1,
    ),
    andParts: [
      ["and a half", 1 / 2],
      ["and a quarter", 1 / 4],
    ],
    joiner: ["and", "multiplier"],
    point: "point",
  },
  de: {
    ...NONE,
    small: new Map([
      ...counted(
        "null eins zwei|zwo drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn " +
          "vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn",
      ),
      ...[...GERMAN_TENS].flatMap(([ten, value]) =>
        GERMAN_UNITS.map((unit, i) => [`${unit}und${ten}`, value + i + 1] as const),
      ),
    ]),
    tens: GERMAN_TENS,
    fractions: counted(
      "halbe|halben|halbes anderthalb|eineinhalb zweieinhalb dreieinhalb viereinhalb",
      (i) => i + 1 / 2,
    ),
    multipliers: powers("hundert|einhundert tausend|eintausend million|millionen milliarde|milliarden"),
    joiner: ["", "nothing"],
    point: "komma",
  },
  es: {
    ...NONE,
    small: counted(
      "cero uno|una|un dos tres cuatro cinco seis siete ocho nueve diez once doce trece " +
        "catorce quince dieciséis diecisiete dieciocho diecinueve veinte veintiuno|veintiún" +
        "|veintiuna veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete " +
        "veintiocho veintinueve",
    ),
    tens: tensFrom(30, "treinta cuarenta cincuenta sesenta setenta ochenta noventa"),
    hundreds: hundredsFrom(
      100,
      "cien|ciento doscientos|doscientas trescientos|trescientas cuatrocientos" +
        "|cuatrocientas quinientos|quinientas seiscientos|seiscientas setecientos" +
        "|setecientas ochocientos|ochocientas novecientos|novecientas",
    ),
    multipliers: powers("| mil millón|millones"),
    articles: new Set(["un", "una"]),
    fractions: counted("medio|media", () => 1 / 2),
    andParts: [
      ["y medio", 1 / 2],
      ["y media", 1 / 2],
    ],
    joiner: ["y", "tens"],
    point: "coma",
  },
  fr: {
    ...NONE,
    small: counted(
      "zéro un|une deux trois quatre cinq six sept huit neuf | onze douze treize quatorze quinze seize",
    ),
    tens: tensFrom(10, "dix vingt|vingts trente quarante cinquante soixante"),
    multipliers: powers("cent|cents mille million|millions milliard|milliards"),
    articles: new Set(["un", "une"]),
    fractions: counted("demi|demie", () => 1 / 2),
    andParts: [
      ["et demi", 1 / 2],
      ["et demie", 1 / 2],
    ],
    joiner: ["et", "tens"],
    point: "virgule",
    byTwenties: true,
  },
  pl: {
    ...NONE,
    small: counted(
      "zero jeden|jedna|jedno dwa|dwie|dwóch trzy|trzech cztery|czterech pięć|pięciu sześć" +
        "|sześciu siedem|siedmiu osiem|ośmiu dziewięć|dziewięciu dziesięć" +
        "|dziesięciu jedenaście dwanaście trzynaście czternaście piętnaście szesnaście " +
        "siedemnaście osiemnaście dziewiętnaście",
    ),
    tens: tensFrom(
      20,
      "dwadzieścia trzydzieści czterdzieści pięćdziesiąt sześćdziesiąt siedemdziesiąt osiemdziesiąt dziewięćdziesiąt",
    ),
    hundreds: hundredsFrom(
      100,
      "sto dwieście trzysta czterysta pięćset sześćset siedemset osiemset dziewięćset",
    ),
    fractions: counted("pół półtora|półtorej", (i) => i + 1 / 2),
    andParts: [["i pół", 1 / 2]],
    multipliers: powers("| tysiąc|tysiące|tysięcy milion|miliony|milionów"),
    joiner: ["", "nothing"],
    point: "przecinek",
  },
  uk: {
    ...NONE,
    small: counted(
      "нуль один|одна|одне два|дві|двох три|трьох чотири|чотирьох п'ять|п'яти шість|шести сім" +
        "|семи вісім|восьми дев'ять|дев'яти десять|десяти одинадцять дванадцять тринадцять " +
        "чотирнадцять п'ятнадцять шістнадцять сімнадцять вісімнадцять дев'ятнадцять",
    ),
    tens: tensFrom(20, "двадцять тридцять сорок п'ятдесят шістдесят сімдесят вісімдесят дев'яносто"),
    hundreds: hundredsFrom(100, "сто двісті триста чотириста п'ятсот шістсот сімсот вісімсот дев'ятсот"),
    fractions: counted("пів|половина півтора|півтори", (i) => i + 1 / 2),
    andParts: [["з половиною", 1 / 2]],
    multipliers: powers("| тисяча|тисячі|тисяч мільйон|мільйони|мільйонів"),
    joiner: ["", "nothing"],
    point: "кома",
  },
};

/** The part of German numbers below a hundred, and what multiplies one. */
const GERMAN_SMALL = new Map([
  ...[...NUMBER_WORDS.de.small, ...NUMBER_WORDS.de.tens].filter(([word]) => word !== "null"),
  ["ein", 1],
] as const);
const BELOW_HUNDRED = `(${[...GERMAN_SMALL.keys()].sort((a, b) => b.length - a.length).join("|")})`;
const BELOW_THOUSAND = `(?:${BELOW_HUNDRED}?hundert)?(?:und)?${BELOW_HUNDRED}?`;
const GERMAN_HUNDREDS = new RegExp(`^${BELOW_THOUSAND}$`);
const THOUSAND_WORD = "tausend";

/** The value of a German number that is one word: "zweihundertfünfzig"; undefined for what is in the tables. */
export function germanCompound(lower: string): number | undefined {
  if (!/hundert|tausend/.test(lower) || NUMBER_WORDS.de.multipliers.has(lower)) return undefined;
  const cut = lower.indexOf(THOUSAND_WORD);
  const below = germanHundreds(cut < 0 ? lower : lower.slice(cut + THOUSAND_WORD.length));
  const thousands = cut < 0 ? 0 : cut === 0 ? 1 : germanHundreds(lower.slice(0, cut));
  return below === undefined || thousands === undefined ? undefined : thousands * 1_000 + below;
}

function germanHundreds(lower: string): number | undefined {
  const parts = GERMAN_HUNDREDS.exec(lower);
  if (parts === null) return undefined;
  const [, hundreds = "ein", rest = ""] = parts;
  const above = lower.includes("hundert") ? GERMAN_SMALL.get(hundreds)! * 100 : 0;
  return above + (GERMAN_SMALL.get(rest) ?? 0);
}

/** The languages but English of which a word begins a number, or is one. */
export function foreignNumber(lower: string): readonly Language[] {
  return FOREIGN_NUMBERS.get(lower) ?? (germanCompound(lower) === undefined ? [] : ["de"]);
}

/** Which languages but English have a word that a number begins with, or is. */
const FOREIGN_NUMBERS: ReadonlyMap<string, readonly Language[]> = foreign();

function foreign(): Map<string, Language[]> {
  const found = new Map<string, Language[]>();
  for (const [language, words] of Object.entries(NUMBER_WORDS) as [Language, NumberWords][])
    for (const word of language === "en" ? [] : [...cardinalWords(language), ...words.fractions.keys()])
      if (!words.articles.has(word)) found.set(word, [...(found.get(word) ?? []), language]);
  return found;
}

/** The words of a language for numbers, ordinals left out: what a pattern or a list of words takes in. */
export function cardinalWords(language: Language): readonly string[] {
  const { small, tens, hundreds, multipliers } = NUMBER_WORDS[language];
  return [small, tens, hundreds, multipliers].flatMap((words) => [...words.keys()]);
}
