/** German. */
import { toCardinal, toOrdinal } from "n2words/de-DE";
import {
  type CalendarDate,
  type Case,
  type ClockTime,
  type Fraction,
  type Gender,
  mapNoun,
  type Noun,
  noun,
  type SpokenLanguage,
} from "../language.js";

const count = (digits: string | number): string => toCardinal(String(digits));

/** Before a noun "eins" becomes its article: "ein Meter", "nach einer Stunde". */
function cardinal(digits: string, gender: Gender, inCase: Case = "nominative"): string {
  const words = count(digits);
  if (words !== "eins") return words.replace(/eins$/, "ein");
  if (inCase === "dative") return gender === "f" ? "einer" : "einem";
  return gender === "f" ? "eine" : inCase === "accusative" && gender === "m" ? "einen" : "ein";
}

/** In the dative a plural ends in "n": "nach fünf Tagen". */
function governed(of: Noun, category: Intl.LDMLPluralRule, inCase: Case): string {
  if (category === "one") return of.one;
  return inCase === "dative" ? of.many.replace(/^(\p{L}*(?:Tag|Monat))e$/u, "$1en") : of.many;
}

/** Most units are the same for one and for several. */
function unit(one: string, many = one, gender: Gender = "m"): Noun {
  return noun(`${one}|${many}|${many}|${many}`, gender);
}

const PARTS: Readonly<Record<number, string>> = {
  2: "halb",
  3: "drittel",
  4: "viertel",
  5: "fünftel",
  6: "sechstel",
};

function partOf(under: number): string {
  return PARTS[under] ?? `${toOrdinal(under).replace(/te$/, "tel").replace(/ste$/, "stel")}`;
}

function fraction({ whole, over, under }: Fraction, of: Noun | undefined): string {
  const overWord = cardinal(String(over), "m");
  if (whole !== undefined) {
    const part = over === 1 && under === 2 ? "einhalb" : `${overWord} ${partOf(under)}`;
    const mixed =
      over === 1 && under === 2
        ? `${cardinal(whole, "m")}${part}`.replace(/^einein/, "einein")
        : `${count(whole)} ${part}`;
    return of === undefined ? mixed : `${mixed} ${of.other}`;
  }
  if (over === 1 && under === 2) {
    if (of === undefined) return "ein halb";
    const half = of.gender === "f" ? "eine halbe" : of.gender === "n" ? "ein halbes" : "ein halber";
    return `${half} ${of.one}`;
  }
  const words = `${overWord} ${partOf(under)}`;
  return of === undefined
    ? words.replace(/ (\p{L})/u, (_, first: string) => ` ${first.toUpperCase()}`)
    : `${words} ${of.one}`;
}

function clock({ hour, minute, second }: ClockTime): string {
  const minutes = minute === 0 ? "" : ` ${count(minute)}`;
  const seconds =
    second === undefined
      ? ""
      : ` und ${cardinal(String(second), "f")} ${second === 1 ? "Sekunde" : "Sekunden"}`;
  return `${cardinal(String(hour), "m")} Uhr${minutes}${seconds}`;
}

const MONTHS = "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split(
  " ",
);

/** Before 2000 the hundreds are counted: "neunzehnhundertneunundneunzig". */
function yearWords(year: string): string {
  const value = Number(year);
  if (value < 1100 || value >= 2000) return count(value);
  const rest = value % 100;
  return `${count(Math.floor(value / 100))}hundert${rest === 0 ? "" : count(rest)}`;
}

const OBLIQUE =
  /(?:^|\s)(?:am|vom|zum|bis|ab|dem|den|des|seit|beim|im|zwischen|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|jeden|jedem|diesem|diesen|ihrem|ihren)$/;

function date({ day, month, year }: CalendarDate, before: string): string {
  const ordinal = toOrdinal(day);
  const dayWord = OBLIQUE.test(before)
    ? `${ordinal}n`
    : /(?:^|\s)(?:der|die|das)$/.test(before)
      ? ordinal
      : `${ordinal}r`;
  return `${dayWord} ${MONTHS[month - 1]}${year === undefined ? "" : ` ${yearWords(year)}`}`;
}

/** "am 3. Tag": an article or a preposition tells an ordinal from the end of a sentence. */
function ordinal(digits: string, suffix: string, before: string): string | undefined {
  if (Number(digits) === 0) return undefined;
  const word = toOrdinal(digits);
  if (suffix !== ".") return word + suffix.replace(/^te|^ste/, "");
  if (OBLIQUE.test(before) || /(?:^|\s)(?:einer|einem|einen|zur|nach|jeder)$/.test(before)) return `${word}n`;
  if (/(?:^|\s)(?:der|die|das|jede)$/.test(before)) return word;
  return /(?:^|\s)(?:ein|jeder)$/.test(before) ? `${word}r` : undefined;
}

const EURO = { major: unit("Euro"), minor: unit("Cent") };
const DOLLAR = { major: unit("Dollar"), minor: unit("Cent") };

export const GERMAN: SpokenLanguage = {
  tag: "de",
  numbers: {
    groupMarks: ".'’",
    decimalMark: ",",
    decimalWords: { ",": "Komma", ".": "Punkt" },
    decimals: "digits",
    cardinal,
    count,
    fraction,
  },
  range: { opening: "", between: "bis", inCase: "nominative" },
  linkWords: "bis|und|oder",
  cases: [
    [/(?:^|\s)(?:nach|bei|mit|von|aus|seit|ab|zu|vor|innerhalb von|unter|über|in)$/u, "dative"],
    [/(?:^|\s)(?:um|für|ohne|auf|bis|bis zu|gegen|durch)$/u, "accusative"],
  ],
  units: {
    m: unit("Meter"),
    g: unit("Gramm", "Gramm", "n"),
    t: unit("Tonne", "Tonnen", "f"),
    l: unit("Liter"),
    ha: unit("Hektar"),
    s: unit("Sekunde", "Sekunden", "f"),
    min: unit("Minute", "Minuten", "f"),
    h: unit("Stunde", "Stunden", "f"),
    d: unit("Tag", "Tage"),
    Tg: unit("Tag", "Tage"),
    Wo: unit("Woche", "Wochen", "f"),
    Mon: unit("Monat", "Monate"),
    Hz: unit("Hertz"),
    N: unit("Newton"),
    Nm: unit("Newtonmeter"),
    Pa: unit("Pascal"),
    bar: unit("Bar"),
    psi: unit("Pfund pro Quadratzoll", "Pfund pro Quadratzoll", "n"),
    J: unit("Joule"),
    cal: unit("Kalorie", "Kalorien", "f"),
    W: unit("Watt"),
    Wh: unit("Wattstunde", "Wattstunden", "f"),
    VA: unit("Voltampere"),
    var: unit("Var"),
    PS: unit("PS"),
    V: unit("Volt"),
    A: unit("Ampere"),
    Ah: unit("Amperestunde", "Amperestunden", "f"),
    Ω: unit("Ohm"),
    F: unit("Farad"),
    H: unit("Henry"),
    B: unit("Byte"),
    bit: unit("Bit"),
    K: unit("Kelvin"),
    "°C": unit("Grad Celsius"),
    "°F": unit("Grad Fahrenheit"),
    "°": unit("Grad"),
    "%": unit("Prozent"),
    "‰": unit("Promille"),
    dB: unit("Dezibel"),
    "dB(A)": unit("Dezibel A"),
    lx: unit("Lux"),
    lm: unit("Lumen"),
    cd: unit("Candela"),
    ppm: unit("Teil pro Million", "Teile pro Million"),
    ppb: unit("Teil pro Milliarde", "Teile pro Milliarde"),
    rpm: unit("Umdrehung pro Minute", "Umdrehungen pro Minute", "f"),
    mol: unit("Mol"),
    Sv: unit("Sievert"),
    Bq: unit("Becquerel"),
    '"': unit("Zoll"),
    ft: unit("Fuß"),
    mph: unit("Meile pro Stunde", "Meilen pro Stunde", "f"),
    kn: unit("Knoten"),
    lb: unit("Pfund", "Pfund", "n"),
    lbs: unit("Pfund", "Pfund", "n"),
    gal: unit("Gallone", "Gallonen", "f"),
    Stk: unit("Stück", "Stück", "n"),
    "St.": unit("Stück", "Stück", "n"),
    VE: unit("Verpackungseinheit", "Verpackungseinheiten", "f"),
  },
  unitAliases: {
    Std: "h",
    Stdn: "h",
    std: "h",
    Min: "min",
    Sek: "s",
    sek: "s",
    sec: "s",
    "U/min": "rpm",
    "U/Min": "rpm",
    "1/min": "rpm",
    "min⁻¹": "rpm",
    "min-1": "rpm",
    qm: "m²",
    cbm: "m³",
    ccm: "cm³",
    lfm: "m",
    grad: "°",
    v: "V",
  },
  prefixes: {
    p: "Piko",
    n: "Nano",
    µ: "Mikro",
    m: "Milli",
    c: "Zenti",
    d: "Dezi",
    h: "Hekto",
    k: "Kilo",
    M: "Mega",
    G: "Giga",
    T: "Tera",
  },
  prefixed: (prefix, name) => prefix + name[0]!.toLowerCase() + name.slice(1),
  squared: (of) => mapNoun(of, (form) => `Quadrat${form[0]!.toLowerCase()}${form.slice(1)}`),
  cubed: (of) => mapNoun(of, (form) => `Kubik${form[0]!.toLowerCase()}${form.slice(1)}`),
  per: "pro",
  governed,
  scales: {
    Tausend: unit("Tausend", "Tausend", "n"),
    Tsd: unit("Tausend", "Tausend", "n"),
    Mio: unit("Million", "Millionen", "f"),
    Million: unit("Million", "Millionen", "f"),
    Millionen: unit("Million", "Millionen", "f"),
    Mrd: unit("Milliarde", "Milliarden", "f"),
    Milliarde: unit("Milliarde", "Milliarden", "f"),
    Milliarden: unit("Milliarde", "Milliarden", "f"),
  },
  currencies: {
    "€": EURO,
    EUR: EURO,
    Euro: EURO,
    $: DOLLAR,
    USD: { major: unit("US-Dollar"), minor: unit("Cent") },
    "£": { major: unit("Pfund", "Pfund", "n"), minor: unit("Penny", "Pence") },
    GBP: { major: unit("Pfund", "Pfund", "n"), minor: unit("Penny", "Pence") },
    CHF: { major: unit("Schweizer Franken"), minor: unit("Rappen") },
    PLN: { major: unit("Zloty"), minor: unit("Groschen") },
    zł: { major: unit("Zloty"), minor: unit("Groschen") },
    "₴": { major: unit("Hrywnja", "Hrywnja", "f"), minor: unit("Kopeke", "Kopeken", "f") },
    UAH: { major: unit("Hrywnja", "Hrywnja", "f"), minor: unit("Kopeke", "Kopeken", "f") },
    ct: { major: unit("Cent"), minor: undefined },
  },
  moneyAnd: "und",
  clock,
  clockRange: (from, to) => `${clock(from)} bis ${clock(to)}`,
  clockSuffix: "Uhr|h",
  date,
  months: [
    "Januar|Jänner|Jan\\.?",
    "Februar|Feb\\.?",
    "März|Mrz\\.?",
    "April|Apr\\.?",
    "Mai",
    "Juni|Jun\\.?",
    "Juli|Jul\\.?",
    "August|Aug\\.?",
    "September|Sept?\\.?",
    "Oktober|Okt\\.?",
    "November|Nov\\.?",
    "Dezember|Dez\\.?",
  ],
  slashDates: "day first",
  ordinalSuffix: "\\.(?= ?\\p{L})|(?:ten|te|ter|tes|sten|ste|ster)(?![\\p{L}\\p{N}])",
  ordinal,
  abbreviations: {
    "z. B.": "zum Beispiel",
    "d. h.": "das heißt",
    "u. a.": "unter anderem",
    "u. U.": "unter Umständen",
    "i. d. R.": "in der Regel",
    "ggf.": "gegebenenfalls",
    "bzw.": "beziehungsweise",
    "ca.": "circa",
    ca: "circa",
    "usw.": "und so weiter",
    "etc.": "et cetera",
    "evtl.": "eventuell",
    "inkl.": "inklusive",
    "exkl.": "exklusive",
    "zzgl.": "zuzüglich",
    "max.": "maximal",
    "min.": "mindestens",
    "mind.": "mindestens",
    "vgl.": "vergleiche",
    "s. o.": "siehe oben",
    "s. u.": "siehe unten",
    "s. S. ": "siehe Seite ",
    "S. ": "Seite ",
    "Nr.": "Nummer",
    "Nrn.": "Nummern",
    "Abs.": "Absatz",
    "Abb.": "Abbildung",
    "Abschn.": "Abschnitt",
    "Kap.": "Kapitel",
    "Tab.": "Tabelle",
    "Art.": "Artikel",
    "Anl.": "Anlage",
    "Bd.": "Band",
    "Dr.": "Doktor",
    "Prof.": "Professor",
    "Hr.": "Herr",
    "Fr.^": "Frau",
    "Dipl.-Ing.": "Diplomingenieur",
    "Ing.": "Ingenieur",
    "St.": "Sankt",
    "Str.": "Straße",
    "Tel.": "Telefon",
    "allg.": "allgemein",
    "bes.": "besonders",
    "bspw.": "beispielsweise",
    "einschl.": "einschließlich",
    "entspr.": "entsprechend",
    "gem.": "gemäß",
    "insb.": "insbesondere",
    "lt.": "laut",
    "o. Ä.": "oder Ähnliches",
    "o. g.": "oben genannt",
    "sog.": "sogenannt",
    "Std.": "Stunden",
    "Min.": "Minuten",
    "Sek.": "Sekunden",
    "Temp.": "Temperatur",
    "u. Ä.": "und Ähnliches",
    "v. a.": "vor allem",
    "zzt.": "zurzeit",
    "und/oder": "und oder",
    "i. O.": "in Ordnung",
    "n. i. O.": "nicht in Ordnung",
    "Mo.": "Montag",
    "Di.": "Dienstag",
    "Mi.": "Mittwoch",
    "Do.": "Donnerstag",
    "Sa.": "Samstag",
  },
  sentenceEnders: ["usw.", "etc.", "o. Ä.", "u. Ä.", "i. O.", "n. i. O."],
  signs: {
    minus: "minus",
    plus: "plus",
    plusOrMinus: "plus minus",
    times: "mal",
    by: "mal",
    dividedBy: "geteilt durch",
    equals: "gleich",
    notEqual: "ungleich",
    about: "etwa",
    atLeast: "mindestens",
    atMost: "höchstens",
    lessThan: "weniger als",
    moreThan: "mehr als",
    power: "hoch",
    squareRoot: "Wurzel aus",
    infinity: "unendlich",
    and: "und",
    or: "oder",
    at: "at",
    dot: "Punkt",
    point: "Punkt",
    dash: "Strich",
    slash: "Schrägstrich",
    ratio: "zu",
    number: "Nummer",
    section: "Paragraf",
    version: "Version",
    leadsTo: "dann",
    back: "zurück zu",
    percent: "Prozent",
    degrees: "Grad",
  },
  dialled:
    "ruf|rufe|rufen|rufen sie|anrufen|wähle|wählen|wählen sie|telefon|tel\\.?|telefonnummer|notruf|notrufnummer|durchwahl|nummer|rufnummer|fax|hotline|pin|code|seriennummer|passwort|kennwort",
  named:
    "abschnitt|abteilung|anlage|bereich|block|ebene|feld|gang|gebäude|gruppe|halle|kanal|klasse|linie|maschine|platz|position|pumpe|raum|regal|reihe|schicht|schrank|schritt|stufe|tabelle|tor|tür|typ|ventil|zimmer|zone|zeile",
  ratios:
    "verhältnis|mischung|mischungsverhältnis|gemischt|mischen|verdünnt|verdünnen|verdünnung|maßstab|übersetzung|lösung",
  isSingularBeforeNoun: false,
  chapters:
    "abschnitt|anhang|anlage|artikel|band|buch|gruppe|kapitel|kategorie|klasse|phase|schutzklasse|stufe|teil|titel|typ|zone",
  versions:
    "version|versionen|ver|release|firmware|software|abschnitt|abschnitten|kapitel|ziffer|absatz|rev|revision|punkt|stand|schritt|artikel|§",
  allDay: "vierundzwanzig sieben",
  vowels: "aeiouyäöü",
};
