/** Numbers with signs and units in English words, for a voice: "8 °C" is "8 degrees Celsius". */

/** The same text with units, ranges and comparison signs written out; whatever else stands there stays. */
export function englishUnits(text: string): string {
  let spoken = text;
  for (const [sign, words] of SIGNS) spoken = spoken.replace(sign, words);
  return spoken.replace(MEASURE, (_, number: string, unit: string) => {
    const [one, many] = UNITS.get(unit)!;
    return `${number} ${Number(number.replace(",", ".")) === 1 ? one : many}`;
  });
}

/** Unit as it is written, then one and several of them in words. */
const UNITS: ReadonlyMap<string, readonly [one: string, many: string]> = new Map([
  ["°C", ["degree Celsius", "degrees Celsius"]],
  ["°F", ["degree Fahrenheit", "degrees Fahrenheit"]],
  ["°", ["degree", "degrees"]],
  ["%", ["percent", "percent"]],
  ["‰", ["per mille", "per mille"]],
  ["µm", ["micrometre", "micrometres"]],
  ["mm", ["millimetre", "millimetres"]],
  ["cm", ["centimetre", "centimetres"]],
  ["m", ["metre", "metres"]],
  ["km", ["kilometre", "kilometres"]],
  ["m²", ["square metre", "square metres"]],
  ["m2", ["square metre", "square metres"]],
  ["m³", ["cubic metre", "cubic metres"]],
  ["m3", ["cubic metre", "cubic metres"]],
  ["mg", ["milligram", "milligrams"]],
  ["g", ["gram", "grams"]],
  ["kg", ["kilogram", "kilograms"]],
  ["t", ["tonne", "tonnes"]],
  ["lb", ["pound", "pounds"]],
  ["lbs", ["pound", "pounds"]],
  ["oz", ["ounce", "ounces"]],
  ["ft", ["foot", "feet"]],
  ["ml", ["millilitre", "millilitres"]],
  ["mL", ["millilitre", "millilitres"]],
  ["cl", ["centilitre", "centilitres"]],
  ["l", ["litre", "litres"]],
  ["L", ["litre", "litres"]],
  ["ms", ["millisecond", "milliseconds"]],
  ["s", ["second", "seconds"]],
  ["sec", ["second", "seconds"]],
  ["min", ["minute", "minutes"]],
  ["h", ["hour", "hours"]],
  ["hr", ["hour", "hours"]],
  ["hrs", ["hour", "hours"]],
  ["km/h", ["kilometre per hour", "kilometres per hour"]],
  ["mph", ["mile per hour", "miles per hour"]],
  ["m/s", ["metre per second", "metres per second"]],
  ["l/min", ["litre per minute", "litres per minute"]],
  ["rpm", ["revolution per minute", "revolutions per minute"]],
  ["bar", ["bar", "bar"]],
  ["mbar", ["millibar", "millibar"]],
  ["psi", ["pound per square inch", "pounds per square inch"]],
  ["Pa", ["pascal", "pascals"]],
  ["kPa", ["kilopascal", "kilopascals"]],
  ["MPa", ["megapascal", "megapascals"]],
  ["N", ["newton", "newtons"]],
  ["Nm", ["newton metre", "newton metres"]],
  ["N·m", ["newton metre", "newton metres"]],
  ["kN", ["kilonewton", "kilonewtons"]],
  ["mV", ["millivolt", "millivolts"]],
  ["V", ["volt", "volts"]],
  ["kV", ["kilovolt", "kilovolts"]],
  ["mA", ["milliampere", "milliamperes"]],
  ["A", ["ampere", "amperes"]],
  ["W", ["watt", "watts"]],
  ["kW", ["kilowatt", "kilowatts"]],
  ["MW", ["megawatt", "megawatts"]],
  ["kWh", ["kilowatt hour", "kilowatt hours"]],
  ["Ω", ["ohm", "ohms"]],
  ["Hz", ["hertz", "hertz"]],
  ["kHz", ["kilohertz", "kilohertz"]],
  ["MHz", ["megahertz", "megahertz"]],
  ["GHz", ["gigahertz", "gigahertz"]],
  ["dB", ["decibel", "decibels"]],
  ["dB(A)", ["decibel A", "decibels A"]],
  ["lx", ["lux", "lux"]],
  ["ppm", ["part per million", "parts per million"]],
  ["mg/l", ["milligram per litre", "milligrams per litre"]],
  ["g/l", ["gram per litre", "grams per litre"]],
  ["€", ["euro", "euros"]],
  ["EUR", ["euro", "euros"]],
  ["GB", ["gigabyte", "gigabytes"]],
  ["MB", ["megabyte", "megabytes"]],
]);

/** In order: each sees what those before it left. A range is put into words before the units behind it are. */
const SIGNS: readonly (readonly [RegExp, string])[] = [
  [/(?<=\d\s?)[–—](?=\s?\d)/g, " to "],
  [/(?<=\d)-(?=\d+(?:[.,]\d+)?\s*(?:°|%|[a-zµ]{1,4}\b))(?<![\p{L}\d]-\d*-|\d-\d+-)(?<!\p{L}\S*-)/gu, " to "],
  [/(?<![\p{L}\p{N}.])[−-](?=\d+(?:[.,]\d+)?\s*°)/gu, "minus "],
  [/±\s*/g, "plus or minus "],
  [/[≥⩾]\s*/g, "at least "],
  [/[≤⩽]\s*/g, "at most "],
  [/(?<=^|\s)>\s*(?=\d)/g, "more than "],
  [/(?<=^|\s)<\s*(?=\d)/g, "less than "],
  [/(?<=\d\s?)×(?=\s?\d)/g, " by "],
  [/€\s*(\d+(?:[.,]\d+)?)/g, "$1 €"],
  [/£\s*(\d+(?:[.,]\d+)?)/g, "$1 pounds"],
  [/\$\s*(\d+(?:[.,]\d+)?)/g, "$1 dollars"],
  [/º(?=\s?[CF]\b)/g, "°"],
  [/°\s+(?=[CF]\b)/g, "°"],
  [/ {2,}/g, " "],
];

/** A number behind one of these is a name: "gate 7 A" is no current. */
const NAMED =
  "(?:[Aa]isle|[Aa]rea|[Bb]ay|[Bb]uilding|[Cc]hannel|[Cc]lass|[Dd]ock|[Dd]oor|[Ff]igure|[Gg]ate|[Gg]roup|[Hh]all|[Ll]evel|[Ll]ine|[Pp]oint|[Rr]oom|[Rr]ow|[Ss]ection|[Ss]tep|[Tt]able|[Tt]ype|[Uu]nit|[Zz]one)";

/** A number with its unit; the longest unit that fits, and no word that only begins like one. */
const MEASURE = new RegExp(
  `(?<![\\p{L}\\p{N}_-])(?<!\\b${NAMED}\\s)(\\d+(?:[.,]\\d+)?)\\s?(${[...UNITS.keys()]
    .sort((a, b) => b.length - a.length)
    .map((unit) => unit.replace(/[()/]/g, "\\$&"))
    .join("|")})(?![\\p{L}\\p{N}_/²³(])`,
  "gu",
);
