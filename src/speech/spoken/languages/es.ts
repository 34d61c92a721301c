/** Spanish. */
import { toCardinal, toOrdinal } from "n2words/es-ES";
import {
  type CalendarDate,
  type ClockTime,
  type Fraction,
  type Gender,
  mapNoun,
  type Noun,
  nounInS,
  type SpokenLanguage,
} from "../language.js";
import { spokenWords } from "../words.js";

/** Before "mil" and "millones" the numeral is shortened, which the library leaves out, with an accent of "dieciséis". */
function count(digits: string | number): string {
  return toCardinal(String(digits))
    .replace("dieciseis", "dieciséis")
    .replace(/veintiuno(?= mil)/g, "veintiún")
    .replace(/\buno(?= mil)/g, "un");
}

/** "un metro", "veintiún metros", "una tonelada", "doscientas toneladas". */
function cardinal(digits: string, gender: Gender): string {
  const words = count(digits);
  if (gender !== "f") return words.replace(/veintiuno$/, "veintiún").replace(/\buno$/, "un");
  const millions = /^(.*millón|.*millones)\s?/.exec(words)?.[0] ?? "";
  const feminine = words
    .slice(millions.length)
    .replace(/cientos\b/g, "cientas")
    .replace(/quinientos\b/g, "quinientas")
    .replace(/uno$/, "una");
  return millions + feminine;
}

const WORDS = spokenWords("es", nounInS);

const PARTS: Readonly<Record<number, string>> = {
  2: "medio",
  3: "tercio",
  4: "cuarto",
  5: "quinto",
  6: "sexto",
  8: "octavo",
  16: "dieciseisavo",
  32: "treintaidosavo",
  64: "sesentaicuatroavo",
};

function fraction({ whole, over, under }: Fraction, of: Noun | undefined): string {
  const words = `${cardinal(String(over), "m")} ${PARTS[under] ?? toOrdinal(under)}${over > 1 ? "s" : ""}`;
  const half = of?.gender === "f" ? "media" : "medio";
  const isHalf = over === 1 && under === 2;
  if (whole === undefined) {
    if (of === undefined) return words;
    return isHalf ? `${half} ${of.one}` : `${words} de ${of.one}`;
  }
  const counted =
    of === undefined ? count(whole) : `${cardinal(whole, of.gender)} ${whole === "1" ? of.one : of.many}`;
  return `${counted} y ${isHalf ? half : words}`;
}

function clock({ hour, minute, second, half }: ClockTime): string {
  const hours = cardinal(String(hour), "f");
  const halfWords =
    half === undefined
      ? ""
      : half === "am"
        ? " de la mañana"
        : hour >= 8 && hour < 12
          ? " de la noche"
          : " de la tarde";
  const minutes = minute === 0 ? "" : minute < 10 ? ` cero ${count(minute)}` : ` ${count(minute)}`;
  const onTheHour =
    minute === 0 && half === undefined && second === undefined ? (hour === 1 ? " hora" : " horas") : "";
  const seconds =
    second === undefined
      ? ""
      : ` y ${count(second).replace(/uno$/, "un")} ${second === 1 ? "segundo" : "segundos"}`;
  return `${hours}${minutes}${onTheHour}${seconds}${halfWords}`;
}

const MONTHS = WORDS.months.map((names) => names.split("|")[0]!);

function date({ day, month, year }: CalendarDate): string {
  return `${count(day)} de ${MONTHS[month - 1]}${year === undefined ? "" : ` de ${count(String(Number(year)))}`}`;
}

function ordinal(digits: string, suffix: string): string | undefined {
  if (Number(digits) === 0) return undefined;
  const word = toOrdinal(digits);
  const clean = suffix.replace(".", "").toLowerCase();
  if (clean === "er") return word.replace(/o$/, "");
  const plural = clean.endsWith("s") ? "s" : "";
  return (/^(?:ª|a|ra|da|ta|na|va|ma)/.test(clean) ? word.replace(/o(?= |$)/g, "a") : word) + plural;
}

export const SPANISH: SpokenLanguage = {
  ...WORDS,
  tag: "es",
  numbers: {
    groupMarks: ".",
    decimalMark: ",",
    decimalWords: { ",": "coma", ".": "punto" },
    decimals: "group",
    cardinal,
    count,
    fraction,
  },
  range: { opening: "", between: "a", inCase: "nominative" },
  cases: [],
  prefixed: (prefix, name) =>
    name.startsWith("metro")
      ? prefix.replace(/[io]$/, (vowel) => (vowel === "i" ? "í" : "ó")) + name
      : prefix + name.replace(/^r/, "rr"),
  squared: (of) => withAdjective(of, "cuadrad"),
  cubed: (of) => withAdjective(of, "cúbic"),
  ofMillions: (name) => `de ${name}`,
  clock,
  clockRange: (from, to) => `${clock(from).replace(/ horas?$/, "")} a ${clock(to)}`,
  date,
  ordinal,
};

function withAdjective(of: Noun, stem: string): Noun {
  const ending = of.gender === "f" ? "a" : "o";
  return mapNoun(of, (form, which) =>
    which === "one" || which === "per" ? `${form} ${stem}${ending}` : `${form} ${stem}${ending}s`,
  );
}
