/** Spanish. */
import { toCardinal, toOrdinal } from "n2words/es-ES";
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

/** The plural of everything but one. */
function unit(one: string, many = `${one}s`, gender: Gender = "m"): Noun {
  return { ...noun(`${one}|${many}|${many}|${many}`, gender), per: one };
}

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

const MONTHS =
  "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split(" ");

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

const EURO = { major: unit("euro"), minor: unit("céntimo") };
const DOLLAR = { major: unit("dólar", "dólares"), minor: unit("centavo") };
const PESO = { major: unit("peso"), minor: unit("centavo") };

export const SPANISH: SpokenLanguage = {
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
  linkWords: "a|y|o|hasta",
  cases: [],
  units: {
    m: unit("metro"),
    g: unit("gramo"),
    t: unit("tonelada", "toneladas", "f"),
    l: unit("litro"),
    ha: unit("hectárea", "hectáreas", "f"),
    s: unit("segundo"),
    seg: unit("segundo"),
    min: unit("minuto"),
    h: unit("hora", "horas", "f"),
    hrs: unit("hora", "horas", "f"),
    d: unit("día"),
    Hz: unit("hercio"),
    N: unit("newton", "newtons"),
    Nm: unit("newton metro", "newtons metro"),
    Pa: unit("pascal", "pascales"),
    bar: unit("bar", "bares"),
    psi: unit("libra por pulgada cuadrada", "libras por pulgada cuadrada", "f"),
    J: unit("julio"),
    cal: unit("caloría", "calorías", "f"),
    W: unit("vatio"),
    Wh: unit("vatio hora", "vatios hora"),
    VA: unit("voltiamperio"),
    var: unit("var", "vares"),
    CV: unit("caballo de vapor", "caballos de vapor"),
    HP: unit("caballo de fuerza", "caballos de fuerza"),
    hp: unit("caballo de fuerza", "caballos de fuerza"),
    V: unit("voltio"),
    A: unit("amperio"),
    Ah: unit("amperio hora", "amperios hora"),
    Ω: unit("ohmio"),
    F: unit("faradio"),
    H: unit("henrio"),
    B: unit("byte"),
    bit: unit("bit"),
    K: unit("kelvin", "kelvin"),
    "°C": unit("grado Celsius", "grados Celsius"),
    "°F": unit("grado Fahrenheit", "grados Fahrenheit"),
    "°": unit("grado"),
    "%": unit("por ciento", "por ciento"),
    "‰": unit("por mil", "por mil"),
    dB: unit("decibelio"),
    "dB(A)": unit("decibelio A", "decibelios A"),
    lx: unit("lux", "lux"),
    lm: unit("lumen", "lúmenes"),
    cd: unit("candela", "candelas", "f"),
    ppm: unit("parte por millón", "partes por millón", "f"),
    ppb: unit("parte por mil millones", "partes por mil millones", "f"),
    rpm: unit("revolución por minuto", "revoluciones por minuto", "f"),
    mol: unit("mol", "moles"),
    Sv: unit("sievert"),
    Bq: unit("becquerel", "becquereles"),
    '"': unit("pulgada", "pulgadas", "f"),
    pulg: unit("pulgada", "pulgadas", "f"),
    ft: unit("pie"),
    mph: unit("milla por hora", "millas por hora", "f"),
    kn: unit("nudo"),
    lb: unit("libra", "libras", "f"),
    lbs: unit("libra", "libras", "f"),
    gal: unit("galón", "galones"),
    ud: unit("unidad", "unidades", "f"),
    uds: unit("unidad", "unidades", "f"),
  },
  unitAliases: { "r.p.m.": "rpm", "rev/min": "rpm", Min: "min", hr: "h", "km/hr": "km/h", cc: "cm³" },
  prefixes: {
    p: "pico",
    n: "nano",
    µ: "micro",
    m: "mili",
    c: "centi",
    d: "deci",
    h: "hecto",
    k: "kilo",
    M: "mega",
    G: "giga",
    T: "tera",
  },
  prefixed: (prefix, name) =>
    name.startsWith("metro")
      ? prefix.replace(/[io]$/, (vowel) => (vowel === "i" ? "í" : "ó")) + name
      : prefix + name.replace(/^r/, "rr"),
  squared: (of) => withAdjective(of, "cuadrad"),
  cubed: (of) => withAdjective(of, "cúbic"),
  per: "por",
  ofMillions: (name) => `de ${name}`,
  scales: {
    mil: unit("mil", "mil"),
    millón: unit("millón", "millones"),
    millones: unit("millón", "millones"),
    billón: unit("billón", "billones"),
    billones: unit("billón", "billones"),
  },
  currencies: {
    "€": EURO,
    EUR: EURO,
    $: DOLLAR,
    US$: { major: unit("dólar estadounidense", "dólares estadounidenses"), minor: unit("centavo") },
    USD: { major: unit("dólar estadounidense", "dólares estadounidenses"), minor: unit("centavo") },
    MXN: { major: unit("peso mexicano", "pesos mexicanos"), minor: unit("centavo") },
    COP: PESO,
    "£": { major: unit("libra", "libras", "f"), minor: unit("penique") },
    GBP: { major: unit("libra esterlina", "libras esterlinas", "f"), minor: unit("penique") },
    CHF: { major: unit("franco suizo", "francos suizos"), minor: unit("céntimo") },
    PLN: { major: unit("esloti", "eslotis"), minor: unit("grosz", "groszy") },
    zł: { major: unit("esloti", "eslotis"), minor: unit("grosz", "groszy") },
    "₴": { major: unit("grivna", "grivnas", "f"), minor: unit("kopek", "kopeks") },
    UAH: { major: unit("grivna", "grivnas", "f"), minor: unit("kopek", "kopeks") },
  },
  moneyAnd: "con",
  clock,
  clockRange: (from, to) => `${clock(from).replace(/ horas?$/, "")} a ${clock(to)}`,
  clockSuffix: "horas|hrs\\.?|h\\.?",
  date,
  months: [
    "enero|ene\\.?",
    "febrero|feb\\.?",
    "marzo",
    "abril|abr\\.?",
    "mayo",
    "junio|jun\\.?",
    "julio|jul\\.?",
    "agosto|ago\\.?",
    "septiembre|setiembre|sept?\\.?",
    "octubre|oct\\.?",
    "noviembre|nov\\.?",
    "diciembre|dic\\.?",
  ],
  slashDates: "day first",
  ordinalSuffix:
    "(?:\\.?[ºª]s?|\\.(?:er|[oa])(?![\\p{L}\\p{N}])|(?:er|ro|ra|do|da|to|ta|mo|ma|vo|va|no|na)s?(?![\\p{L}\\p{N}]))",
  ordinal,
  abbreviations: {
    "p. ej.": "por ejemplo",
    "p.e.": "por ejemplo",
    "ej.": "ejemplo",
    "etc.": "etcétera",
    "aprox.": "aproximadamente",
    "máx.": "máximo",
    "mín.": "mínimo",
    "max.": "máximo",
    "min.": "mínimo",
    "es decir": "es decir",
    "i.e.": "es decir",
    "n.º ": "número ",
    "n.º": "número ",
    "nº ": "número ",
    nº: "número ",
    "n° ": "número ",
    "n°": "número ",
    "N.º ": "número ",
    "Nº ": "número ",
    Nº: "número ",
    "N° ": "número ",
    "N°": "número ",
    "núm.": "número",
    "No. ": "número ",
    "pág.": "página",
    "págs.": "páginas",
    "cap.": "capítulo",
    "art.": "artículo",
    "fig.": "figura",
    "vol.": "volumen",
    "ref.": "referencia",
    "tel.": "teléfono",
    "tfno.": "teléfono",
    "temp.": "temperatura",
    "cant.": "cantidad",
    "incl.": "incluido",
    "Sr.": "Señor",
    "Sra.": "Señora",
    "Srta.": "Señorita",
    "Dr.": "Doctor",
    "Dra.": "Doctora",
    "Ing.": "Ingeniero",
    "Lic.": "Licenciado",
    "Prof.": "Profesor",
    "Ud.": "usted",
    "Uds.": "ustedes",
    "Vd.": "usted",
    "Avda.": "Avenida",
    "Av.": "Avenida",
    "C/": "calle",
    "dpto.": "departamento",
    "depto.": "departamento",
    "EE. UU.": "Estados Unidos",
    "vs.": "contra",
    "a. m.": "de la mañana",
    "p. m.": "de la tarde",
    "y/o": "y o",
    "s/n": "sin número",
    "c/u": "cada uno",
    "cf.": "véase",
    "v. gr.": "verbigracia",
    "sig.": "siguiente",
    "ppal.": "principal",
    "izq.": "izquierda",
    "dcha.": "derecha",
    "rev.": "revisión",
    "equiv.": "equivalente",
    "prov.": "provincia",
  },
  sentenceEnders: ["etc.", "Ud.", "Uds.", "EE. UU.", "a. m.", "p. m.", "máx.", "mín."],
  signs: {
    minus: "menos",
    plus: "más",
    plusOrMinus: "más menos",
    times: "veces",
    by: "por",
    dividedBy: "dividido entre",
    equals: "igual a",
    notEqual: "distinto de",
    about: "aproximadamente",
    atLeast: "al menos",
    atMost: "como máximo",
    lessThan: "menos de",
    moreThan: "más de",
    power: "elevado a",
    squareRoot: "raíz de",
    infinity: "infinito",
    and: "y",
    or: "o",
    at: "arroba",
    dot: "punto",
    point: "punto",
    dash: "guion",
    slash: "barra",
    ratio: "a",
    number: "número",
    section: "sección",
    version: "versión",
    leadsTo: "luego",
    back: "volver a",
    percent: "por ciento",
    degrees: "grados",
  },
  dialled:
    "llame|llame al|llamar|llama|llamar al|marque|marque el|marcar|marca|teléfono|tel\\.?|tfno\\.?|número|emergencias|emergencia|extensión|ext\\.?|fax|código|clave|pin|serie|contraseña",
  named:
    "andén|área|armario|bloque|bomba|canal|clase|columna|edificio|escalón|estación|fase|fila|grupo|línea|máquina|mesa|nave|nivel|pasillo|paso|planta|puerta|punto|puesto|sala|sección|tabla|tipo|unidad|válvula|zona",
  ratios:
    "proporción|proporciones|relación|mezcla|mezclar|mezcle|dilución|diluir|diluya|diluido|escala|solución",
  isSingularBeforeNoun: false,
  chapters:
    "anexo|apéndice|artículo|categoría|capítulo|clase|fase|grado|grupo|libro|nivel|parte|sección|tipo|título|tomo|volumen|zona",
  versions:
    "versión|versiones|ver|software|firmware|sección|secciones|apartado|capítulo|artículo|punto|rev|revisión|paso|§",
  allDay: "veinticuatro siete",
  vowels: "aeiouyáéíóúü",
};

function withAdjective(of: Noun, stem: string): Noun {
  const ending = of.gender === "f" ? "a" : "o";
  return mapNoun(of, (form, which) =>
    which === "one" || which === "per" ? `${form} ${stem}${ending}` : `${form} ${stem}${ending}s`,
  );
}
