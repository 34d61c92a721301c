/**
 * Units of measurement as they are written and spoken in six languages, each with its factor to the base unit of its
 * dimension. Prefixes, powers and endings follow rules instead of rows. Factors: BIPM, "The International System of
 * Units", 9th edition; NIST SP 811, appendix B.
 */
import { shippedEntries } from "../../lib/shipped-files.js";
import { wordSet } from "../../lib/word-set.js";

type Base =
  | "length"
  | "mass"
  | "temperature"
  | "pressure"
  | "volume"
  | "flow"
  | "time"
  | "speed"
  | "power"
  | "energy"
  | "voltage"
  | "current"
  | "charge"
  | "resistance"
  | "apparent power"
  | "frequency"
  | "force"
  | "torque"
  | "area"
  | "sound"
  | "light"
  | "dose"
  | "data"
  | "ratio"
  | "times"
  | "acceleration"
  | "concentration"
  | "activity"
  | "proportion"
  | "angle"
  | "money"
  | "clock"
  | "date"
  | "count";

/** One of them, or one by another that has no name of its own: "mass/time". */
export type Dimension = Base | `${string}/${string}`;

export interface Unit {
  readonly dimension: Dimension;
  /** A value times this, plus `offset`, is the value in the base unit. */
  readonly factor: number;
  readonly offset: number;
  /** How it is told from other units of its dimension: its first symbol; of money the currency. */
  readonly name: string;
  /** How much more the symbol stands for where it is read in powers of 1,024: tools write "GB" for both. Else 1. */
  readonly binary: number;
}

/** Of numbers that count. */
export const NO_UNIT: Unit = { dimension: "count", factor: 1, offset: 0, name: "", binary: 1 };

type Row = readonly [
  symbols: string,
  names: string,
  dimension: Dimension,
  factor: number,
  /** Prefixes in use. Where two differ only in case, "mw" without a capital means the larger, but of amps and volts. */
  prefixes?: string,
  offset?: number,
];

/** Blanks inside a name are written as underscores. */
const ROWS: readonly Row[] = [
  ["m м", "metre meter metro mètre metr метр", "length", 1, "m c k µ n d"],
  ["µ", "micron", "length", 1e-6],
  ["in", "inch pulgada pouce Zoll", "length", 0.0254],
  ["ft", "foot feet pied Fuß stopa", "length", 0.3048],
  ["yd", "yard", "length", 0.9144],
  ["mi", "mile milla", "length", 1609.344],
  ["nmi", "nautical_mile", "length", 1852],
  ["mil thou", "", "length", 2.54e-5],
  ["g г", "gram gramme gramo Gramm грам", "mass", 0.001, "k m µ n"],
  ["kg", "kilo", "mass", 1],
  ["t т", "tonne ton tonelada Tonne tona тонна тонн", "mass", 1_000],
  ["lb lbs", "pound libra livre Pfund funt", "mass", 0.45359237],
  ["oz", "ounce onza", "mass", 0.028349523125],
  ["°C ℃", "celsius centigrade centígrado", "temperature", 1],
  ["°F ℉", "fahrenheit", "temperature", 5 / 9, "", -160 / 9],
  ["K", "kelvin", "temperature", 1, "", -273.15],
  ["bar barg бар", "bar бар", "pressure", 100_000, "m"],
  ["Pa Па", "pascal паскаль", "pressure", 1, "M k h m G"],
  ["psi psig", "", "pressure", 6894.757293168],
  ["atm", "atmosphere", "pressure", 101_325],
  ["mmHg torr", "", "pressure", 133.322387415],
  ["inHg", "", "pressure", 3386.388640341],
  ["inH2O", "", "pressure", 249.08891],
  ["l L л", "litre liter litro litr літр", "volume", 0.001, "m c d h µ n"],
  ["cc", "", "volume", 1e-6],
  ["gal", "gallon galón", "volume", 0.003785411784],
  ["qt", "quart", "volume", 0.000946352946],
  ["pt", "pint", "volume", 0.000473176473],
  ["fl_oz", "fluid_ounce", "volume", 2.95735295625e-5],
  ["cup", "", "volume", 0.0002365882365],
  ["tbsp", "tablespoon", "volume", 1.478676478125e-5],
  ["tsp", "teaspoon", "volume", 4.92892159375e-6],
  ["bbl", "barrel", "volume", 0.158987294928],
  ["lpm", "", "flow", 0.001 / 60],
  ["m3h", "", "flow", 1 / 3_600],
  ["gpm", "", "flow", 0.003785411784 / 60],
  ["cfm", "", "flow", 0.3048 ** 3 / 60],
  ["s sec с", "second segundo seconde Sekunde sekunda sekund секунда секунд", "time", 1, "m µ n"],
  ["min хв", "minute minuto Minute minuta minut хвилина хвилин", "time", 60],
  ["h hr год", "hour hora heure Stunde godzina godzin година годин", "time", 3_600],
  ["d", "day día dia jour Tag dzień dni день днів дні", "time", 86_400],
  ["", "week semana semaine Woche tydzień tygodni тиждень тижнів тижні", "time", 604_800],
  ["", "month mes mois Monat miesiąc miesięcy місяць місяців місяці", "time", 2_629_746],
  ["", "year año ans année Jahr rok lat рік років роки", "time", 31_556_952],
  ["", "decade década", "time", 315_569_520],
  ["", "century centurie siglo", "time", 3_155_695_200],
  ["kmh kph", "", "speed", 1 / 3.6],
  ["mps", "", "speed", 1],
  ["mph", "", "speed", 0.44704],
  ["fpm", "", "speed", 0.3048 / 60],
  ["kn kt", "knot", "speed", 1852 / 3_600],
  ["W Вт", "watt vatio wat ват", "power", 1, "k M m G"],
  ["hp", "horsepower", "power", 745.699871582],
  ["PS", "", "power", 735.49875],
  ["Wh", "", "energy", 3_600, "k M G"],
  ["J Дж", "joule", "energy", 1, "k M G m"],
  ["cal", "calorie", "energy", 4.184, "k"],
  ["BTU", "", "energy", 1055.05585262],
  ["V В", "volt voltio wolt вольт", "voltage", 1, "m k µ"],
  ["A А", "amp ampere amperio ampère amper ампер", "current", 1, "m k µ"],
  ["Ah", "ampere_hour amp_hour", "charge", 1, "m k"],
  ["Ω ohm", "ohm", "resistance", 1, "k M m"],
  ["VA", "", "apparent power", 1, "k M"],
  ["Hz Гц", "hertz herc герц", "frequency", 1, "M k G m"],
  ["rpm", "", "frequency", 1 / 60],
  ["N Н", "newton ньютон", "force", 1, "k M m"],
  ["lbf", "", "force", 4.4482216152605],
  ["kgf kp", "", "force", 9.80665],
  ["Nm", "", "torque", 1, "k m c"],
  ["sqm", "", "area", 1],
  ["ha", "hectare hektar гектар", "area", 10_000],
  ["", "acre", "area", 4046.8564224],
  ["dB", "decibel", "sound", 1],
  ["lx", "lux", "light", 1],
  ["Sv", "sievert", "dose", 1, "m µ"],
  ["%", "percent pct porcentaje pourcent Prozent procent procenty відсоток відсотків", "ratio", 1],
  ["‰", "permille Promille", "ratio", 0.1],
  ["ppm", "", "ratio", 1e-4],
  ["ppb", "", "ratio", 1e-7],
  ["x", "time veces fois razy mal раз рази разів", "times", 1],
  ["° º", "degree grado degré Grad stopień stopni градус", "angle", 1],
  ["x_g ×_g xg", "", "acceleration", 9.80665],
  ["mM", "millimolar", "concentration", 1],
  ["µM", "micromolar", "concentration", 0.001],
  ["nM", "nanomolar", "concentration", 1e-6],
  ["IU", "international_unit", "activity", 1],
  ["rad", "radian", "angle", 180 / Math.PI],
  ["arcmin", "arcminute", "angle", 1 / 60],
  ["arcsec", "arcsecond", "angle", 1 / 3_600],
  ["B", "byte", "data", 1],
  ["bit", "", "data", 1 / 8, "k M G"],
  ["bps", "", "data/time", 1 / 8, "k M G"],
  ["€ EUR", "euro євро", "money", 1],
  ["$ USD", "dollar dólar buck", "money", 1],
  ["£ GBP", "sterling quid", "money", 1],
  ["¥ JPY", "yen", "money", 1],
  ["CHF", "franc franken", "money", 1],
  ["PLN zł", "złoty złotych zloty", "money", 1],
  ["UAH", "hryvnia гривня гривень", "money", 1],
];

/** Parts of a currency: amounts of two currencies are never the same. */
const PARTS: readonly (readonly [names: string, of: string])[] = [
  ["cent céntimo", "€"],
  ["pence penny", "£"],
];

/** Symbol in Latin and Cyrillic letters, factor, and how names begin with it. */
const PREFIXES: readonly (readonly [latin: string, cyrillic: string, factor: number, names: string])[] = [
  ["G", "Г", 1e9, "giga гіга"],
  ["M", "М", 1e6, "mega мега"],
  ["k", "к", 1_000, "kilo kiló кіло"],
  ["h", "г", 100, "hecto hekto гекто"],
  ["d", "д", 0.1, "deci décí decy деци"],
  ["c", "с", 0.01, "centi centí centy санти"],
  ["m", "м", 0.001, "milli mili milí мілі"],
  ["n", "н", 1e-9, "nano нано"],
  ["µ", "мк", 1e-6, "micro micró mikro мікро"],
];

/** How names of larger and smaller units begin: "mega". */
export const PREFIX_NAMES: ReadonlySet<string> = new Set(
  PREFIXES.flatMap(([, , , names]) => names.split(" ")),
);

const DATA_LETTERS = [..."kMGTP"];
const DATA_NAMES = "kilo kibi mega mebi giga gibi tera tebi peta pebi".split(" ");
const [THOUSAND, KIBI] = [1_000, 1_024];

/** By symbol as it is written, so that `mW` is not `MW`. */
const SYMBOLS = new Map<string, Unit>();
/** By symbol or name in lower case. */
const NAMES = new Map<string, Unit>();

/** Other ways to write a symbol; the voice knows them as well. */
const ALIASES = shippedEntries("locales/words/unit-aliases.txt");

build();

/**
 * The unit of this symbol or name, in any of its forms: `kPa`, `KPA`, "kilopascals", `mm²`, "Millimetern". A name may
 * hold one blank ("fluid ounces"). Undefined when there is none.
 */
export function unitNamed(written: string): Unit | undefined {
  // Amps and kelvins have a capital: "a" and "k" are words and thousands.
  if (/^[ak]$/.test(written)) return undefined;
  const sign = written.replace("\u03bc", "µ");
  const lower = sign.toLowerCase();
  const known = SYMBOLS.get(sign) ?? SYMBOLS.get(ALIASES[sign] ?? "");
  return known ?? NAMES.get(lower) ?? inflected(lower) ?? powered(sign);
}

const ENDINGS = wordSet("es en s n e y a u ów om и а і ів у ах");
/** Letters that stand before an ending: "ms" is no plural. */
const STEM_CHARS_MIN = 3;

function inflected(lower: string): Unit | undefined {
  for (let cut = lower.length - 1; cut >= Math.max(STEM_CHARS_MIN, lower.length - 2); cut--) {
    const unit = ENDINGS.has(lower.slice(cut)) ? NAMES.get(lower.slice(0, cut)) : undefined;
    if (unit !== undefined) return unit;
  }
  return undefined;
}

/** `mm²`, `ft3`: a length squared or cubed. */
function powered(written: string): Unit | undefined {
  const [, base, power] = /^(\p{L}{1,3})([23²³])$/u.exec(written) ?? [];
  const unit = base === undefined ? undefined : unitNamed(base);
  return unit === undefined ? undefined : toPower(unit, power === "2" || power === "²" ? 2 : 3);
}

/** The square or the cube of a length. */
export function toPower(unit: Unit, power: 2 | 3): Unit | undefined {
  if (unit.dimension !== "length") return undefined;
  const dimension = power === 2 ? "area" : "volume";
  return { ...unit, dimension, factor: unit.factor ** power, name: `${unit.name}${power === 2 ? "²" : "³"}` };
}

function build(): void {
  for (const row of ROWS) addRow(row);
  for (const [names, of] of PARTS)
    for (const name of names.split(" ")) add(NAMES, name, { ...SYMBOLS.get(of)!, factor: 0.01 });
  for (const [i, letter] of DATA_LETTERS.entries()) {
    const [decimal, binary] = [THOUSAND ** (i + 1), KIBI ** (i + 1)];
    const [large, largeBinary] = [`${letter}B`, `${letter}iB`];
    const unit = { ...SYMBOLS.get("B")!, factor: decimal, name: large, binary: binary / decimal };
    const exact = { ...unit, factor: binary, name: largeBinary, binary: 1 };
    for (const name of [large, `${DATA_NAMES[2 * i]}byte`]) addBoth(name, unit);
    for (const name of [largeBinary, `${letter}i`, `${DATA_NAMES[2 * i + 1]}byte`]) addBoth(name, exact);
  }
}

function addRow([symbols, names, dimension, factor, prefixes = "", offset = 0]: Row): void {
  const [own, named] = [split(symbols), split(names)];
  const unit = { dimension, factor, offset, name: own[0] ?? named[0]!, binary: 1 };
  for (const name of [...own, ...named]) addBoth(name, unit);
  for (const [latin, cyrillic, times, words] of PREFIXES) {
    if (!split(prefixes).includes(latin)) continue;
    const larger = { ...unit, factor: factor * times, name: `${latin}${unit.name}` };
    for (const symbol of own) addBoth(`${isCyrillic(symbol) ? cyrillic : latin}${symbol}`, larger);
    for (const name of named) for (const word of split(words)) addBoth(`${word}${name}`, larger);
  }
}

function isCyrillic(symbol: string): boolean {
  return /^\p{Script=Cyrillic}/u.test(symbol);
}

function addBoth(name: string, unit: Unit): void {
  add(SYMBOLS, name, unit);
  add(NAMES, name.toLowerCase(), unit);
}

/** The first of a name stays. */
function add(units: Map<string, Unit>, name: string, unit: Unit): void {
  if (!units.has(name)) units.set(name, unit);
}

function split(words: string): readonly string[] {
  return words === "" ? [] : words.split(" ").map((word) => word.replaceAll("_", " "));
}
