/** French. */
import { toCardinal, toOrdinal } from "n2words/fr-FR";
import {
  type CalendarDate,
  type ClockTime,
  type Fraction,
  type Gender,
  mapNoun,
  type Noun,
  noun,
  type SpokenLanguage,
} from "../language.js";

const count = (digits: string | number): string => toCardinal(String(digits));

/** Before a feminine noun "un" becomes "une". */
function cardinal(digits: string, gender: Gender): string {
  return gender === "f" ? count(digits).replace(/un$/, "une") : count(digits);
}

/** The plural of everything from two on. */
function unit(one: string, many = `${one}s`, gender: Gender = "m"): Noun {
  return { ...noun(`${one}|${many}|${many}|${many}`, gender), per: one };
}

function de(name: string): string {
  return /^[aeiouhéœ]/i.test(name) ? `d'${name}` : `de ${name}`;
}

const PARTS: Readonly<Record<number, string>> = { 2: "demi", 3: "tiers", 4: "quart" };

function fraction({ whole, over, under }: Fraction, of: Noun | undefined): string {
  const part = PARTS[under] ?? toOrdinal(under);
  const words = `${count(over)} ${part}${over > 1 && !part.endsWith("s") ? "s" : ""}`;
  if (whole === undefined) {
    if (of === undefined) return words;
    if (under !== 2) return `${words} ${de(of.one)}`;
    return of.gender === "f" ? `une demi-${of.one}` : `un demi-${of.one}`;
  }
  const counted =
    of === undefined ? count(whole) : `${cardinal(whole, of.gender)} ${Number(whole) < 2 ? of.one : of.many}`;
  return over === 1 && under === 2
    ? `${counted} et ${of?.gender === "f" ? "demie" : "demi"}`
    : `${counted} et ${words}`;
}

function clock({ hour, minute, second }: ClockTime): string {
  const minutes = minute === 0 ? "" : ` ${cardinal(String(minute), "f")}`;
  const seconds =
    second === undefined ? "" : ` et ${cardinal(String(second), "f")} ${second < 2 ? "seconde" : "secondes"}`;
  return `${cardinal(String(hour), "f")} ${hour < 2 ? "heure" : "heures"}${minutes}${seconds}`;
}

const MONTHS = "janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split(
  " ",
);

function date({ day, month, year }: CalendarDate): string {
  return `${day === 1 ? "premier" : count(day)} ${MONTHS[month - 1]}${year === undefined ? "" : ` ${count(String(Number(year)))}`}`;
}

function ordinal(digits: string, suffix: string): string | undefined {
  const value = Number(digits);
  if (value === 0) return undefined;
  const plural = suffix.endsWith("s") ? "s" : "";
  if (value === 1) return (/^(?:re|ère)/.test(suffix) ? "première" : "premier") + plural;
  if (value === 2 && /^n?de?s?$/.test(suffix)) return (suffix.includes("de") ? "seconde" : "second") + plural;
  return toOrdinal(value) + plural;
}

const EURO = { major: unit("euro"), minor: unit("centime") };
const DOLLAR = { major: unit("dollar"), minor: unit("cent") };

export const FRENCH: SpokenLanguage = {
  tag: "fr",
  numbers: {
    groupMarks: "'’",
    decimalMark: ",",
    decimalWords: { ",": "virgule", ".": "point" },
    decimals: "group",
    cardinal,
    count,
    fraction,
  },
  range: { opening: "", between: "à", inCase: "nominative" },
  linkWords: "à|et|ou",
  cases: [],
  units: {
    m: unit("mètre"),
    g: unit("gramme"),
    t: unit("tonne", "tonnes", "f"),
    l: unit("litre"),
    ha: unit("hectare"),
    s: unit("seconde", "secondes", "f"),
    sec: unit("seconde", "secondes", "f"),
    min: unit("minute", "minutes", "f"),
    mn: unit("minute", "minutes", "f"),
    h: unit("heure", "heures", "f"),
    j: unit("jour"),
    Hz: unit("hertz", "hertz"),
    N: unit("newton"),
    Nm: unit("newton-mètre", "newtons-mètres"),
    Pa: unit("pascal"),
    bar: unit("bar"),
    psi: unit("livre par pouce carré", "livres par pouce carré", "f"),
    J: unit("joule"),
    cal: unit("calorie", "calories", "f"),
    W: unit("watt"),
    Wh: unit("wattheure"),
    VA: unit("voltampère"),
    var: unit("var"),
    ch: unit("cheval", "chevaux"),
    V: unit("volt"),
    A: unit("ampère"),
    Ah: unit("ampère-heure", "ampères-heures"),
    Ω: unit("ohm"),
    F: unit("farad"),
    H: unit("henry"),
    B: unit("octet"),
    o: unit("octet"),
    Mo: unit("mégaoctet"),
    Go: unit("gigaoctet"),
    ko: unit("kilooctet"),
    bit: unit("bit"),
    K: unit("kelvin"),
    "°C": unit("degré Celsius", "degrés Celsius"),
    "°F": unit("degré Fahrenheit", "degrés Fahrenheit"),
    "°": unit("degré"),
    "%": unit("pour cent", "pour cent"),
    "‰": unit("pour mille", "pour mille"),
    dB: unit("décibel"),
    "dB(A)": unit("décibel A", "décibels A"),
    lx: unit("lux", "lux"),
    lm: unit("lumen"),
    cd: unit("candela", "candelas", "f"),
    ppm: unit("partie par million", "parties par million", "f"),
    ppb: unit("partie par milliard", "parties par milliard", "f"),
    rpm: unit("tour par minute", "tours par minute"),
    mol: unit("mole", "moles", "f"),
    Sv: unit("sievert"),
    Bq: unit("becquerel"),
    '"': unit("pouce"),
    po: unit("pouce"),
    pi: unit("pied"),
    ft: unit("pied"),
    mph: unit("mille par heure", "milles par heure"),
    kn: unit("nœud"),
    lb: unit("livre", "livres", "f"),
    lbs: unit("livre", "livres", "f"),
    gal: unit("gallon"),
  },
  unitAliases: { "tr/min": "rpm", "tr/mn": "rpm", "t/min": "rpm", Min: "min", H: "h" },
  prefixes: {
    p: "pico",
    n: "nano",
    µ: "micro",
    m: "milli",
    c: "centi",
    d: "déci",
    h: "hecto",
    k: "kilo",
    M: "méga",
    G: "giga",
    T: "téra",
  },
  prefixed: (prefix, name) => prefix + name,
  squared: (of) =>
    mapNoun(
      of,
      (form, which) => `${form} ${of.gender === "f" ? "carrée" : "carré"}${isPlural(which) ? "s" : ""}`,
    ),
  cubed: (of) => mapNoun(of, (form, which) => `${form} cube${isPlural(which) ? "s" : ""}`),
  per: "par",
  ofMillions: de,
  scales: {
    millier: unit("millier"),
    milliers: unit("millier"),
    million: unit("million"),
    millions: unit("million"),
    milliard: unit("milliard"),
    milliards: unit("milliard"),
    Md: unit("milliard"),
  },
  currencies: {
    "€": EURO,
    EUR: EURO,
    $: DOLLAR,
    USD: { major: unit("dollar américain", "dollars américains"), minor: unit("cent") },
    CAD: { major: unit("dollar canadien", "dollars canadiens"), minor: unit("cent") },
    "£": { major: unit("livre", "livres", "f"), minor: unit("penny", "pence") },
    GBP: { major: unit("livre sterling", "livres sterling", "f"), minor: unit("penny", "pence") },
    CHF: { major: unit("franc suisse", "francs suisses"), minor: unit("centime") },
    PLN: { major: unit("zloty"), minor: unit("grosz", "groszy") },
    zł: { major: unit("zloty"), minor: unit("grosz", "groszy") },
    "₴": { major: unit("hryvnia", "hryvnias", "f"), minor: unit("kopeck") },
    UAH: { major: unit("hryvnia", "hryvnias", "f"), minor: unit("kopeck") },
  },
  moneyAnd: "et",
  clock,
  clockRange: (from, to) => `${clock(from)} à ${clock(to)}`,
  clockSuffix: "",
  date,
  months: [
    "janvier|janv\\.?",
    "février|févr?\\.?",
    "mars",
    "avril|avr\\.?",
    "mai",
    "juin",
    "juillet|juil\\.?",
    "août",
    "septembre|sept\\.?",
    "octobre|oct\\.?",
    "novembre|nov\\.?",
    "décembre|déc\\.?",
  ],
  slashDates: "day first",
  ordinalSuffix: "(?:ers?|ères?|res?|èmes?|emes?|es?|nde?s?|ᵉ)(?![\\p{L}\\p{N}])",
  ordinal,
  abbreviations: {
    "p. ex.": "par exemple",
    "par ex.": "par exemple",
    "ex. ": "exemple ",
    "c.-à-d.": "c'est-à-dire",
    "c.à.d.": "c'est-à-dire",
    cad: "c'est-à-dire",
    "etc.": "et cetera",
    "env.": "environ",
    "max.": "maximum",
    "min.": "minimum",
    "mini.": "minimum",
    "maxi.": "maximum",
    "moy.": "moyenne",
    "approx.": "approximativement",
    "n° ": "numéro ",
    "n°": "numéro ",
    "nº ": "numéro ",
    nº: "numéro ",
    "no. ": "numéro ",
    "N° ": "numéro ",
    "N°": "numéro ",
    "n.b.": "nota bene",
    "N.B.": "nota bene",
    NB: "nota bene",
    "p. ": "page ",
    "pp. ": "pages ",
    "chap.": "chapitre",
    "art.": "article",
    "fig.": "figure",
    "Fig.": "figure",
    "vol.": "volume",
    "réf.": "référence",
    qté: "quantité",
    "tél.": "téléphone",
    "tel.": "téléphone",
    "temp.": "température",
    "M.^": "Monsieur",
    Mme: "Madame",
    "Mme.": "Madame",
    Mlle: "Mademoiselle",
    "MM.^": "Messieurs",
    Dr: "Docteur",
    "Dr.": "Docteur",
    "Pr^": "Professeur",
    "St^": "Saint",
    "Ste^": "Sainte",
    "bd^": "boulevard",
    "av.^": "avenue",
    "cf.": "voir",
    "i.e.": "c'est-à-dire",
    "vs.": "contre",
    vs: "contre",
    "resp.": "respectivement",
    "éq.": "équipe",
    "éd.": "édition",
    "s.v.p.": "s'il vous plaît",
    svp: "s'il vous plaît",
    "et/ou": "et ou",
  },
  sentenceEnders: ["etc.", "max.", "min.", "s.v.p."],
  signs: {
    minus: "moins",
    plus: "plus",
    plusOrMinus: "plus ou moins",
    times: "fois",
    by: "par",
    dividedBy: "divisé par",
    equals: "égale",
    notEqual: "différent de",
    about: "environ",
    atLeast: "au moins",
    atMost: "au plus",
    lessThan: "moins de",
    moreThan: "plus de",
    power: "puissance",
    squareRoot: "racine de",
    infinity: "infini",
    and: "et",
    or: "ou",
    at: "arobase",
    dot: "point",
    point: "point",
    dash: "tiret",
    slash: "barre oblique",
    ratio: "pour",
    number: "numéro",
    section: "paragraphe",
    version: "version",
    leadsTo: "puis",
    back: "retour à",
    percent: "pour cent",
    degrees: "degrés",
  },
  dialled:
    "appelez|appeler|appelle|composez|composer|faites|téléphone|tél\\.?|téléphonez|numéro|poste|fax|code|pin|mot de passe|urgences|urgence|série|standard",
  named:
    "allée|armoire|atelier|bâtiment|bloc|canal|classe|colonne|étage|étape|groupe|hall|ligne|local|machine|niveau|phase|pompe|porte|poste|quai|rangée|salle|section|table|tableau|type|unité|vanne|zone",
  ratios:
    "rapport|proportion|proportions|mélange|mélanger|mélangez|dilution|diluer|diluez|dilué|échelle|ratio|solution",
  isSingularBeforeNoun: false,
  chapters:
    "annexe|appendice|article|catégorie|chapitre|classe|groupe|livre|niveau|partie|phase|section|titre|tome|type|volume|zone",
  versions:
    "version|versions|ver|logiciel|firmware|section|sections|chapitre|article|paragraphe|point|rév|révision|étape|§",
  allDay: "vingt-quatre heures sur vingt-quatre, sept jours sur sept",
  vowels: "aeiouyéèêëàâîïôùûœ",
};

function isPlural(which: keyof Noun): boolean {
  return which === "few" || which === "many" || which === "other";
}
