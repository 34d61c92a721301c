/** Polish. */
import { toCardinal, toOrdinal } from "n2words/pl-PL";
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

/** The forms of numerals that stand for all oblique cases but of "one" and of the nouns among them. */
const OBLIQUE: Readonly<Record<string, string>> = {
  zero: "zera",
  dwa: "dwóch",
  dwie: "dwóch",
  trzy: "trzech",
  cztery: "czterech",
  pięć: "pięciu",
  sześć: "sześciu",
  siedem: "siedmiu",
  osiem: "ośmiu",
  dziewięć: "dziewięciu",
  dziesięć: "dziesięciu",
  jedenaście: "jedenastu",
  dwanaście: "dwunastu",
  trzynaście: "trzynastu",
  czternaście: "czternastu",
  piętnaście: "piętnastu",
  szesnaście: "szesnastu",
  siedemnaście: "siedemnastu",
  osiemnaście: "osiemnastu",
  dziewiętnaście: "dziewiętnastu",
  dwadzieścia: "dwudziestu",
  trzydzieści: "trzydziestu",
  czterdzieści: "czterdziestu",
  pięćdziesiąt: "pięćdziesięciu",
  sześćdziesiąt: "sześćdziesięciu",
  siedemdziesiąt: "siedemdziesięciu",
  osiemdziesiąt: "osiemdziesięciu",
  dziewięćdziesiąt: "dziewięćdziesięciu",
  sto: "stu",
  dwieście: "dwustu",
  trzysta: "trzystu",
  czterysta: "czterystu",
  pięćset: "pięciuset",
  sześćset: "sześciuset",
  siedemset: "siedmiuset",
  osiemset: "ośmiuset",
  dziewięćset: "dziewięciuset",
  tysiąc: "tysiąca",
  tysiące: "tysięcy",
  milion: "miliona",
  miliony: "milionów",
  miliard: "miliarda",
  miliardy: "miliardów",
};

const ONE: Readonly<Record<Case, Readonly<Record<Gender, string>>>> = {
  nominative: { m: "jeden", f: "jedna", n: "jedno" },
  accusative: { m: "jeden", f: "jedną", n: "jedno" },
  genitive: { m: "jednego", f: "jednej", n: "jednego" },
  locative: { m: "jednym", f: "jednej", n: "jednym" },
  dative: { m: "jednemu", f: "jednej", n: "jednemu" },
};

/** In compounds "jeden" never changes; "dwa" does. */
function cardinal(digits: string, gender: Gender, inCase: Case): string {
  const plain = count(digits);
  if (plain === "jeden") return ONE[inCase][gender];
  const words = gender === "f" ? plain.replace(/(?<!\S)dwa$/, "dwie") : plain;
  if (inCase === "nominative" || inCase === "accusative") return words;
  return words
    .split(" ")
    .map((word) => OBLIQUE[word] ?? word)
    .join(" ");
}

/** Forms for 1, 2–4, 5 and more, and for decimals (the genitive singular). */
function unit(forms: string, gender: Gender = "m", per = forms.split("|")[0]!): Noun {
  return noun(forms, gender, gender === "f" ? accusative(per) : per);
}

function accusative(form: string): string {
  return form.replace(/^(\p{L}+)a(?= |$)/u, "$1ę");
}

/** A noun behind a number in an oblique case. */
function governed(of: Noun, category: Intl.LDMLPluralRule, inCase: Case): string {
  if (category === "other") return of.other;
  if (inCase === "accusative") return category === "one" ? of.per : category === "few" ? of.few : of.many;
  if (category === "one") return inCase === "genitive" ? of.other : of.one;
  if (inCase !== "locative") return of.many;
  const [first = "", ...rest] = of.few.split(" ");
  const stem = first.replace(/[ye]$/, "");
  return [`${stem}ach`, ...rest.map((word) => word.replace(/(?<=[nw])e$/, "ych"))].join(" ");
}

const PARTS: Readonly<Record<number, readonly [string, string]>> = {
  2: ["druga", "drugie"],
  3: ["trzecia", "trzecie"],
  4: ["czwarta", "czwarte"],
  5: ["piąta", "piąte"],
  6: ["szósta", "szóste"],
  8: ["ósma", "ósme"],
  16: ["szesnasta", "szesnaste"],
  32: ["trzydziesta druga", "trzydzieste drugie"],
  64: ["sześćdziesiąta czwarta", "sześćdziesiąte czwarte"],
};

function fraction({ whole, over, under }: Fraction, of: Noun | undefined): string {
  const [one, few] = PARTS[under]!;
  const isFew = over > 1 && over < 5;
  const many = few.replace(/e(?= |$)/g, "ych").replace(/(?<=[gc]i)ych/g, "ch");
  const isHalf = over === 1 && under === 2;
  if (whole === "1" && isHalf)
    return of === undefined ? "półtora" : `${of.gender === "f" ? "półtorej" : "półtora"} ${of.other}`;
  const part = isHalf
    ? "pół"
    : `${cardinal(String(over), "f", "nominative")} ${over === 1 ? one : isFew ? few : many}`;
  const words = whole === undefined ? part : `${cardinal(whole, of?.gender ?? "m", "nominative")} i ${part}`;
  return of === undefined ? words : `${words} ${of.other}`;
}

/** "czternasta", "czternastej": hours are ordinals. */
function hourWords(hour: number, inCase: "nominative" | "oblique"): string {
  if (hour === 0) return "zero";
  return toOrdinal(hour).replace(/[yi](?= |$)/g, (ending, at: number, all: string) => {
    const soft = ending === "i" && all[at - 1] !== "g" ? "i" : "";
    if (inCase === "nominative") return `${soft}a`;
    return ending === "i" ? "iej" : "ej";
  });
}

const HOUR_OBLIQUE = /(?:^|\s)(?:o|od|do|po|około|ok\.|przed|z)(?: godz\.?| godzin\p{L}+)?$/u;

function clock({ hour, minute, second }: ClockTime, before: string): string {
  return `${hourWords(hour, HOUR_OBLIQUE.test(before) ? "oblique" : "nominative")}${minutesWords(minute, second, hour)}`;
}

function minutesWords(minute: number, second: number | undefined, hour: number): string {
  const seconds = second === undefined ? "" : ` i ${counted(second, unit("sekunda|sekundy|sekund", "f"))}`;
  if (minute === 0) return (hour === 0 ? " zero zero" : "") + seconds;
  return ` ${minute < 10 ? "zero " : ""}${count(minute)}${seconds}`;
}

const RULES = new Intl.PluralRules("pl");

function counted(value: number, of: Noun): string {
  const which = RULES.select(value);
  return `${cardinal(String(value), of.gender, "nominative")} ${which === "one" ? of.one : which === "few" ? of.few : of.many}`;
}

const MONTHS =
  "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia".split(
    " ",
  );

function genitiveOrdinal(value: number): string {
  return toOrdinal(value)
    .replace(/y(?= |$)/g, "ego")
    .replace(/i(?= |$)/g, "iego");
}

/** Of a year only tens and ones are ordinals. */
function yearWords(year: string): string {
  const value = Number(year);
  const rest = value % 100;
  if (value === 2000) return "dwutysięcznego";
  if (rest === 0) return `${count(value)}`;
  const before = value - rest;
  return `${before === 0 ? "" : `${count(before)} `}${genitiveOrdinal(rest)}`;
}

function date({ day, month, year }: CalendarDate): string {
  return `${genitiveOrdinal(day)} ${MONTHS[month - 1]}${year === undefined ? "" : ` ${yearWords(year)} roku`}`;
}

/** "1-szy", "5-go": the ending tells gender and case. */
function ordinal(digits: string, suffix: string): string | undefined {
  if (Number(digits) === 0) return undefined;
  const word = toOrdinal(digits);
  const ending = suffix.replace(/^-/, "");
  if (/^(?:sza|ga|cia|ta|ma|a)$/.test(ending))
    return word
      .replace(/y(?= |$)/g, "a")
      .replace(/gi(?= |$)/g, "ga")
      .replace(/ci(?= |$)/g, "cia");
  if (/^(?:ego|go)$/.test(ending)) return genitiveOrdinal(Number(digits));
  if (/^(?:ej)$/.test(ending)) return word.replace(/y(?= |$)/g, "ej").replace(/i(?= |$)/g, "iej");
  return word;
}

const ZLOTY = { major: unit("złoty|złote|złotych|złotego"), minor: unit("grosz|grosze|groszy|grosza") };
const EURO = { major: unit("euro|euro|euro|euro", "n"), minor: unit("cent|centy|centów|centa") };
const DOLLAR = { major: unit("dolar|dolary|dolarów|dolara"), minor: unit("cent|centy|centów|centa") };
const POUND = { major: unit("funt|funty|funtów|funta"), minor: unit("pens|pensy|pensów|pensa") };
const FRANC = {
  major: unit("frank szwajcarski|franki szwajcarskie|franków szwajcarskich|franka szwajcarskiego"),
  minor: unit("centym|centymy|centymów|centyma"),
};
const HRYVNIA = {
  major: unit("hrywna|hrywny|hrywien|hrywny", "f"),
  minor: unit("kopiejka|kopiejki|kopiejek|kopiejki", "f"),
};
const THOUSAND = unit("tysiąc|tysiące|tysięcy|tysiąca");
const MILLION = unit("milion|miliony|milionów|miliona");
const BILLION = unit("miliard|miliardy|miliardów|miliarda");

export const POLISH: SpokenLanguage = {
  tag: "pl",
  numbers: {
    groupMarks: " ",
    decimalMark: ",",
    decimalWords: { ",": "przecinek", ".": "kropka" },
    decimals: "group",
    cardinal,
    count,
    fraction,
  },
  range: { opening: "od", between: "do", inCase: "genitive" },
  linkWords: "do|i|lub|oraz|albo|a",
  cases: [
    [
      /(?:^|\s)(?:od|do|poniżej|powyżej|około|ok\.?|z|ze|bez|dla|blisko|minimum z|wysokości|długości|głębokości|odległości|ciśnienia|temperatury|powierzchni|objętości|pojemności|mocy)$/u,
      "genitive",
    ],
    [/(?:^|\s)(?:przy|po)$/u, "locative"],
    [/(?:^|\s)(?:przez|na|za|w|o|ponad|co)$/u, "accusative"],
  ],
  units: {
    m: unit("metr|metry|metrów|metra"),
    g: unit("gram|gramy|gramów|grama"),
    t: unit("tona|tony|ton|tony", "f"),
    l: unit("litr|litry|litrów|litra"),
    ha: unit("hektar|hektary|hektarów|hektara"),
    s: unit("sekunda|sekundy|sekund|sekundy", "f"),
    min: unit("minuta|minuty|minut|minuty", "f"),
    h: unit("godzina|godziny|godzin|godziny", "f"),
    d: unit("dzień|dni|dni|dnia"),
    Hz: unit("herc|herce|herców|herca"),
    N: unit("niuton|niutony|niutonów|niutona"),
    Nm: unit("niutonometr|niutonometry|niutonometrów|niutonometra"),
    Pa: unit("paskal|paskale|paskali|paskala"),
    bar: unit("bar|bary|barów|bara"),
    psi: unit(
      "funt na cal kwadratowy|funty na cal kwadratowy|funtów na cal kwadratowy|funta na cal kwadratowy",
    ),
    J: unit("dżul|dżule|dżuli|dżula"),
    cal: unit("kaloria|kalorie|kalorii|kalorii", "f"),
    W: unit("wat|waty|watów|wata"),
    Wh: unit("watogodzina|watogodziny|watogodzin|watogodziny", "f"),
    VA: unit("woltoamper|woltoampery|woltoamperów|woltoampera"),
    var: unit("war|wary|warów|wara"),
    KM: unit("koń mechaniczny|konie mechaniczne|koni mechanicznych|konia mechanicznego"),
    V: unit("wolt|wolty|woltów|wolta"),
    A: unit("amper|ampery|amperów|ampera"),
    Ah: unit("amperogodzina|amperogodziny|amperogodzin|amperogodziny", "f"),
    Ω: unit("om|omy|omów|oma"),
    F: unit("farad|farady|faradów|farada"),
    H: unit("henr|henry|henrów|henra"),
    B: unit("bajt|bajty|bajtów|bajta"),
    bit: unit("bit|bity|bitów|bita"),
    K: unit("kelwin|kelwiny|kelwinów|kelwina"),
    "°C": unit("stopień Celsjusza|stopnie Celsjusza|stopni Celsjusza|stopnia Celsjusza"),
    "°F": unit("stopień Fahrenheita|stopnie Fahrenheita|stopni Fahrenheita|stopnia Fahrenheita"),
    "°": unit("stopień|stopnie|stopni|stopnia"),
    "%": unit("procent|procent|procent|procent"),
    "‰": unit("promil|promile|promili|promila"),
    dB: unit("decybel|decybele|decybeli|decybela"),
    "dB(A)": unit("decybel A|decybele A|decybeli A|decybela A"),
    lx: unit("luks|luksy|luksów|luksa"),
    lm: unit("lumen|lumeny|lumenów|lumena"),
    cd: unit("kandela|kandele|kandeli|kandeli", "f"),
    ppm: unit("część na milion|części na milion|części na milion|części na milion", "f"),
    ppb: unit("część na miliard|części na miliard|części na miliard|części na miliard", "f"),
    rpm: unit("obrót na minutę|obroty na minutę|obrotów na minutę|obrotu na minutę"),
    mol: unit("mol|mole|moli|mola"),
    Sv: unit("siwert|siwerty|siwertów|siwerta"),
    Bq: unit("bekerel|bekerele|bekereli|bekerela"),
    '"': unit("cal|cale|cali|cala"),
    cali: unit("cal|cale|cali|cala"),
    ft: unit("stopa|stopy|stóp|stopy", "f"),
    mph: unit("mila na godzinę|mile na godzinę|mil na godzinę|mili na godzinę", "f"),
    kn: unit("węzeł|węzły|węzłów|węzła"),
    lb: unit("funt|funty|funtów|funta"),
    lbs: unit("funt|funty|funtów|funta"),
    gal: unit("galon|galony|galonów|galona"),
    szt: unit("sztuka|sztuki|sztuk|sztuki", "f"),
    os: unit("osoba|osoby|osób|osoby", "f"),
  },
  unitAliases: {
    godz: "h",
    sek: "s",
    "obr/min": "rpm",
    "obr./min": "rpm",
    "obr./min.": "rpm",
    "l/godz": "l/h",
    "km/godz": "km/h",
    mb: "m",
  },
  prefixes: {
    p: "piko",
    n: "nano",
    µ: "mikro",
    m: "mili",
    c: "centy",
    d: "decy",
    h: "hekto",
    k: "kilo",
    M: "mega",
    G: "giga",
    T: "tera",
  },
  prefixed: (prefix, name) => prefix + name,
  squared: (of) => withAdjective(of, "kwadratow"),
  cubed: (of) => withAdjective(of, "sześcienn"),
  per: "na",
  governed,
  scales: {
    tys: THOUSAND,
    tysiąc: THOUSAND,
    tysiące: THOUSAND,
    tysięcy: THOUSAND,
    mln: MILLION,
    milion: MILLION,
    miliony: MILLION,
    milionów: MILLION,
    miliona: MILLION,
    mld: BILLION,
    miliard: BILLION,
    miliardy: BILLION,
    miliardów: BILLION,
    miliarda: BILLION,
  },
  currencies: {
    zł: ZLOTY,
    PLN: ZLOTY,
    gr: { major: unit("grosz|grosze|groszy|grosza"), minor: undefined },
    "€": EURO,
    EUR: EURO,
    $: DOLLAR,
    USD: {
      ...DOLLAR,
      major: unit("dolar amerykański|dolary amerykańskie|dolarów amerykańskich|dolara amerykańskiego"),
    },
    "£": POUND,
    GBP: POUND,
    CHF: FRANC,
    "₴": HRYVNIA,
    UAH: HRYVNIA,
  },
  moneyAnd: "",
  clock,
  clockRange: (from, to) =>
    `od ${hourWords(from.hour, "oblique")}${minutesWords(from.minute, from.second, from.hour)} do ${hourWords(to.hour, "oblique")}${minutesWords(to.minute, to.second, to.hour)}`,
  clockSuffix: "",
  date,
  yearWord: { written: "roku|r", say: (year) => `${yearWords(year)} roku` },
  months: [
    "stycznia|styczeń|stycz\\.|sty\\.",
    "lutego|luty|lut\\.",
    "marca|marzec|mar\\.",
    "kwietnia|kwiecień|kwiec\\.|kwi\\.",
    "maja|maj",
    "czerwca|czerwiec|czerw\\.|cze\\.",
    "lipca|lipiec|lip\\.",
    "sierpnia|sierpień|sierp\\.|sie\\.",
    "września|wrzesień|wrześ\\.|wrz\\.",
    "października|październik|paźdz\\.|paź\\.",
    "listopada|listopad|list\\.|lis\\.",
    "grudnia|grudzień|grudz\\.|gru\\.",
  ],
  slashDates: "day first",
  ordinalSuffix: "-(?:szy|gi|ci|ty|my|sza|ga|cia|ta|ma|go|ego|ej|y|a)(?![\\p{L}\\p{N}])",
  ordinal,
  abbreviations: {
    "np.": "na przykład",
    "tj.": "to jest",
    "tzn.": "to znaczy",
    "itd.": "i tak dalej",
    "itp.": "i tym podobne",
    "m.in.": "między innymi",
    "ok.": "około",
    "max.": "maksimum",
    "maks.": "maksimum",
    max: "maksimum",
    "min.": "minimum",
    wg: "według",
    "ww.": "wyżej wymieniony",
    "tzw.": "tak zwany",
    "tys.": "tysięcy",
    "nr ": "numer ",
    "Nr ": "numer ",
    "nr. ": "numer ",
    "str.": "strona",
    "s. ": "strona ",
    "rys.": "rysunek",
    "Rys.": "rysunek",
    "tab.": "tabela",
    "Tab.": "tabela",
    "pkt ": "punkt ",
    "pkt.": "punkt",
    "rozdz.": "rozdział",
    "art.": "artykuł",
    "ust.": "ustęp",
    "poz.": "pozycja",
    "zał.": "załącznik",
    "godz.": "godzina",
    "o godz.": "o godzinie",
    "po godz.": "po godzinie",
    "od godz.": "od godziny",
    "do godz.": "do godziny",
    "około godz.": "około godziny",
    "ok. godz.": "około godziny",
    "przed godz.": "przed godziną",
    "tel.": "telefon",
    "wew.": "wewnętrzny",
    "ul.": "ulica",
    "al.": "aleja",
    "pl.": "plac",
    "dr^": "doktor",
    "mgr^": "magister",
    "inż.": "inżynier",
    "prof.": "profesor",
    "p.o.": "pełniący obowiązki",
    "ppoż.": "przeciwpożarowy",
    bhp: "B H P",
    "temp.": "temperatura",
    "śr.": "średnica",
    "wys.": "wysokość",
    "szer.": "szerokość",
    "dł.": "długość",
    "gł.": "głębokość",
    "obj.": "objętość",
    "poj.": "pojemność",
    "szt.": "sztuk",
    "kat.": "kategoria",
    "zob.": "zobacz",
    "por.": "porównaj",
    "cd.": "ciąg dalszy",
    "cdn.": "ciąg dalszy nastąpi",
    "ds.": "do spraw",
    "pt.": "pod tytułem",
    "jw.": "jak wyżej",
    "br.": "bieżącego roku",
    "ub.": "ubiegły",
    "r.": "roku",
    "w.": "wiek",
    "i/lub": "i lub",
    "pon.": "poniedziałek",
    "wt.": "wtorek",
    "czw.": "czwartek",
    "sob.": "sobota",
    "niedz.": "niedziela",
    "św.": "święty",
    św: "święty",
    "im.": "imienia",
    "woj.": "województwo",
    "os.": "osób",
    "sek.": "sekund",
    "sp. z o.o.": "spółka z ograniczoną odpowiedzialnością",
    "S.A.": "spółka akcyjna",
    "n.p.m.": "nad poziomem morza",
  },
  sentenceEnders: ["itd.", "itp.", "br.", "r.", "jw.", "cdn.", "sp. z o.o.", "S.A.", "n.p.m."],
  signs: {
    minus: "minus",
    plus: "plus",
    plusOrMinus: "plus minus",
    times: "razy",
    by: "na",
    dividedBy: "podzielić przez",
    equals: "równa się",
    notEqual: "różne od",
    about: "około",
    atLeast: "co najmniej",
    atMost: "co najwyżej",
    lessThan: "mniej niż",
    moreThan: "więcej niż",
    squareRoot: "pierwiastek z",
    infinity: "nieskończoność",
    and: "i",
    or: "lub",
    at: "małpa",
    dot: "kropka",
    point: "kropka",
    dash: "myślnik",
    slash: "łamane przez",
    ratio: "do",
    number: "numer",
    section: "paragraf",
    version: "wersja",
    then: "następnie",
    back: "wróć do",
    percent: "procent",
    degrees: "stopni",
  },
  dialled:
    "dzwoń|dzwonić|zadzwoń|zadzwonić|wybierz|wybrać|telefon|telefonu|tel\\.?|numer|numeru|numerem|alarmowy|wewnętrzny|wew\\.?|fax|faks|kod|pin|seryjny|hasło|infolinia",
  named:
    "blok|bloku|brama|bramy|budynek|budynku|drzwi|faza|fazy|grupa|grupy|hala|hali|kanał|kanału|klasa|klasy|krok|kroku|linia|linii|magazyn|maszyna|maszyny|peron|piętro|poziom|pole|pompa|pompy|pokój|punkt|rampa|regał|regału|rząd|sala|sekcja|sekcji|stanowisko|stół|strefa|strefy|szafa|tabela|typ|zawór|zaworu|zmiana",
  ratios:
    "stosunek|stosunku|proporcja|proporcji|mieszanka|mieszać|mieszaj|rozcieńczyć|rozcieńczaj|rozcieńczenie|rozcieńczeniu|skala|skali|przełożenie|roztwór",
  isSingularBeforeNoun: false,
  chapters:
    "aneks|artykuł|część|dział|faza|grupa|kategoria|kategorii|klasa|klasy|księga|poziom|rozdział|rozdziału|stopień|stopnia|strefa|tom|typ|tytuł|załącznik|załącznika|zmiana",
  versions:
    "wersja|wersji|wersję|wer|oprogramowanie|firmware|sekcja|sekcji|rozdział|rozdziale|rozdziału|punkt|punkcie|pkt|artykuł|rew|rewizja|krok|§",
  allDay: "dwadzieścia cztery na siedem",
  vowels: "aeiouyąęó",
};

/** "metr kwadratowy", "metry kwadratowe", "metrów kwadratowych", "metra kwadratowego". */
function withAdjective(of: Noun, stem: string): Noun {
  const [one, other, per] = of.gender === "f" ? ["a", "ej", "ą"] : ["y", "ego", "y"];
  const endings: Readonly<Record<string, string>> = { one, few: "e", many: "ych", other, per };
  return mapNoun(of, (form, which) => `${form} ${stem}${endings[which]}`);
}
