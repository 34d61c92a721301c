/** Ukrainian. */
import { toCardinal, toOrdinal } from "n2words/uk-UA";
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

/** The library writes a Latin "i" for the Cyrillic one, which voices trip over. */
const cyrillic = (words: string) => words.replaceAll("i", "і");
const count = (digits: string | number): string =>
  cyrillic(toCardinal(String(digits))).replace(/^одна (?=тисяча)/, "");
const ordinalOf = (digits: string | number): string => cyrillic(toOrdinal(String(digits)));

/** The genitive of numerals, which serves for the locative too. */
const GENITIVE: Readonly<Record<string, string>> = {
  нуль: "нуля",
  один: "одного",
  одна: "однієї",
  одне: "одного",
  два: "двох",
  дві: "двох",
  три: "трьох",
  чотири: "чотирьох",
  шість: "шести",
  сім: "семи",
  вісім: "восьми",
  сорок: "сорока",
  "дев'яносто": "дев'яноста",
  сто: "ста",
  двісті: "двохсот",
  триста: "трьохсот",
  чотириста: "чотирьохсот",
  "п'ятсот": "п'ятисот",
  шістсот: "шестисот",
  сімсот: "семисот",
  вісімсот: "восьмисот",
  "дев'ятсот": "дев'ятисот",
  тисяча: "тисячі",
  тисячі: "тисяч",
  мільйон: "мільйона",
  мільйони: "мільйонів",
  мільярд: "мільярда",
  мільярди: "мільярдів",
  ціла: "цілої",
  десята: "десятої",
  сота: "сотої",
  тисячна: "тисячної",
};

function inGenitive(words: string): string {
  return words
    .split(" ")
    .map((word) => GENITIVE[word] ?? word.replace(/(?<=ят|цят)ь$|(?<=десят)$/u, "и"))
    .join(" ");
}

/** "одна тонна", "дві тонни", "двадцять одне євро". */
function cardinal(digits: string, gender: Gender, inCase: Case): string {
  const plain = count(digits);
  const gendered =
    gender === "f"
      ? plain.replace(/один$/, "одна").replace(/два$/, "дві")
      : gender === "n"
        ? plain.replace(/один$/, "одне")
        : plain;
  if (inCase === "accusative") return gendered.replace(/одна$/, "одну");
  return inCase === "nominative" ? gendered : inGenitive(gendered);
}

const PLACES: Readonly<Record<number, readonly [string, string]>> = {
  1: ["десята", "десятих"],
  2: ["сота", "сотих"],
  3: ["тисячна", "тисячних"],
};

/** "дві цілих п'ять десятих". */
function decimal(whole: string, decimals: string, inCase: Case): string | undefined {
  const place = PLACES[decimals.length];
  if (place === undefined) return undefined;
  const part = String(Number(decimals));
  const words = `${cardinal(whole, "f", "nominative")} ${endsInOne(whole) ? "ціла" : "цілих"} ${cardinal(part, "f", "nominative")} ${endsInOne(part) ? place[0] : place[1]}`;
  return inCase === "genitive" || inCase === "locative" ? inGenitive(words) : words;
}

function endsInOne(digits: string): boolean {
  return /1$/.test(digits) && !/11$/.test(digits);
}

/** Forms for 1, 2–4, 5 and more, and for decimals (the genitive singular). */
function unit(forms: string, gender: Gender = "m", per = forms.split("|")[0]!): Noun {
  return noun(forms, gender, gender === "f" ? accusative(per) : per);
}

function accusative(form: string): string {
  return form.replace(/^(\p{L}+)а(?= |$)/u, "$1у").replace(/^(\p{L}+)я(?= |$)/u, "$1ю");
}

/** A noun behind a number in an oblique case. */
function governed(of: Noun, category: Intl.LDMLPluralRule, inCase: Case): string {
  if (category === "other") return of.other;
  if (inCase === "accusative") return category === "one" ? of.per : category === "few" ? of.few : of.many;
  if (category === "one") return inCase === "genitive" ? of.other : of.one;
  if (inCase !== "locative") return of.many;
  let isNounSeen = false;
  return of.few
    .split(" ")
    .map((word) => {
      if (isNounSeen) return word;
      if (/(?:ні|ві|ські)$/.test(word) && of.few.includes(" ")) return `${word.slice(0, -1)}их`;
      isNounSeen = true;
      return /ні$/.test(word) ? word.replace(/і$/, "ях") : word.replace(/[иі]$/, "ах");
    })
    .join(" ");
}

const PARTS: Readonly<Record<number, readonly [string, string]>> = {
  2: ["друга", "других"],
  3: ["третя", "третіх"],
  4: ["четверта", "четвертих"],
  5: ["п'ята", "п'ятих"],
  6: ["шоста", "шостих"],
  8: ["восьма", "восьмих"],
  16: ["шістнадцята", "шістнадцятих"],
  32: ["тридцять друга", "тридцять других"],
  64: ["шістдесят четверта", "шістдесят четвертих"],
};

function fraction({ whole, over, under }: Fraction, of: Noun | undefined): string {
  const [one, many] = PARTS[under]!;
  const isHalf = over === 1 && under === 2;
  const quarters = under === 4 ? (over === 1 ? "чверть" : `${count(over)} чверті`) : undefined;
  const part = quarters ?? `${cardinal(String(over), "f", "nominative")} ${over === 1 ? one : many}`;
  if (whole === undefined) {
    if (of === undefined) return isHalf ? "половина" : part;
    return `${isHalf ? "пів" : part} ${of.other}`;
  }
  if (whole === "1" && isHalf)
    return of === undefined ? "півтора" : `${of.gender === "f" ? "півтори" : "півтора"} ${of.other}`;
  const wholeWords = cardinal(whole, of?.gender ?? "m", "nominative");
  const words = isHalf ? `${wholeWords} з половиною` : `${wholeWords} і ${part}`;
  if (of === undefined) return words;
  return `${words} ${isHalf ? form(Number(whole), of) : of.other}`;
}

const RULES = new Intl.PluralRules("uk");

function form(value: number, of: Noun): string {
  const which = RULES.select(value);
  return which === "one" ? of.one : which === "few" ? of.few : of.many;
}

type HourCase = "nominative" | "genitive" | "locative";
const HOUR_ENDINGS: Readonly<Record<HourCase, readonly [hard: string, soft: string]>> = {
  nominative: ["а", "я"],
  genitive: ["ої", "ьої"],
  locative: ["ій", "ій"],
};

/** "чотирнадцята", "о чотирнадцятій", "до чотирнадцятої": hours are ordinals. */
function hourWords(hour: number, inCase: HourCase): string {
  if (hour === 0) return "нуль";
  const [hard, soft] = HOUR_ENDINGS[inCase];
  return ordinalOf(hour).replace(/ий$/, hard).replace(/ій$/, soft);
}

function clock(time: ClockTime, before: string): string {
  const inCase = /(?:^|\s)(?:о|об)$/.test(before)
    ? "locative"
    : /(?:^|\s)(?:з|із|зі|від|до|після|біля|близько)$/.test(before)
      ? "genitive"
      : "nominative";
  return timeWords(time, inCase);
}

function timeWords({ hour, minute, second }: ClockTime, inCase: HourCase): string {
  const minutes =
    minute === 0 ? (hour === 0 ? " нуль нуль" : "") : ` ${minute < 10 ? "нуль " : ""}${count(minute)}`;
  const seconds =
    second === undefined
      ? ""
      : ` і ${cardinal(String(second), "f", "nominative")} ${form(second, unit("секунда|секунди|секунд", "f"))}`;
  return `${hourWords(hour, inCase)}${minutes}${seconds}`;
}

const MONTHS = "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня".split(
  " ",
);

function genitiveOrdinal(value: number): string {
  return ordinalOf(value).replace(/ий$/, "ого").replace(/ій$/, "ього");
}

/** Of a year only the last word is an ordinal. */
function yearWords(year: string): string {
  const value = Number(year);
  const rest = value % 100;
  if (value === 2000) return "двотисячного";
  if (rest === 0) return count(value);
  const before = value - rest;
  return `${before === 0 ? "" : `${count(before)} `}${genitiveOrdinal(rest)}`;
}

function date({ day, month, year }: CalendarDate): string {
  return `${genitiveOrdinal(day)} ${MONTHS[month - 1]}${year === undefined ? "" : ` ${yearWords(year)} року`}`;
}

/** "1-й", "2-га", "5-го": the letters behind tell gender and case. */
function ordinal(digits: string, suffix: string): string | undefined {
  if (Number(digits) === 0) return undefined;
  const word = ordinalOf(digits);
  const isSoft = word.endsWith("ій");
  const stem = word.slice(0, -2);
  const ending = suffix.replace(/^[-–]/, "");
  if (/(?:а|я)$/.test(ending)) return stem + (isSoft ? "я" : "а");
  if (/(?:е|є)$/.test(ending)) return stem + (isSoft ? "є" : "е");
  if (ending.endsWith("го")) return stem + (isSoft ? "ього" : "ого");
  if (ending.endsWith("му")) return stem + (isSoft ? "ьому" : "ому");
  if (/(?:ої|ї)$/.test(ending)) return stem + (isSoft ? "ьої" : "ої");
  if (ending.endsWith("у") || ending.endsWith("ю")) return stem + (isSoft ? "ю" : "у");
  if (ending.endsWith("х")) return stem + (isSoft ? "іх" : "их");
  if (ending === "ій") return `${stem}ій`;
  if (ending === "і") return `${stem}і`;
  return word;
}

const HRYVNIA = {
  major: unit("гривня|гривні|гривень|гривні", "f"),
  minor: unit("копійка|копійки|копійок|копійки", "f"),
};
const EURO = { major: unit("євро|євро|євро|євро", "n"), minor: unit("цент|центи|центів|цента") };
const DOLLAR = { major: unit("долар|долари|доларів|долара"), minor: unit("цент|центи|центів|цента") };
const POUND = { major: unit("фунт|фунти|фунтів|фунта"), minor: unit("пенс|пенси|пенсів|пенса") };
const ZLOTY = { major: unit("злотий|злоті|злотих|злотого"), minor: unit("грош|гроші|грошів|гроша") };
const THOUSAND = unit("тисяча|тисячі|тисяч|тисячі", "f");
const MILLION = unit("мільйон|мільйони|мільйонів|мільйона");
const BILLION = unit("мільярд|мільярди|мільярдів|мільярда");

export const UKRAINIAN: SpokenLanguage = {
  tag: "uk",
  numbers: {
    groupMarks: " ",
    decimalMark: ",",
    decimalWords: { ",": "кома", ".": "крапка" },
    decimals: "group",
    cardinal,
    count,
    decimal,
    fraction,
  },
  range: { opening: "від", between: "до", inCase: "genitive" },
  linkWords: "до|і|й|та|або",
  cases: [
    [
      /(?:^|\s)(?:від|до|з|із|зі|без|для|після|протягом|близько|біля|нижче|вище|менше|більше|понад рівень|впродовж|упродовж|відстані|висоти|глибини|довжини|температури|тиску)$/u,
      "genitive",
    ],
    [/(?:^|\s)(?:при|по)$/u, "locative"],
    [/(?:^|\s)(?:на|за|через|в|у|понад|кожну|про)$/u, "accusative"],
  ],
  units: {
    m: unit("метр|метри|метрів|метра"),
    g: unit("грам|грами|грамів|грама"),
    t: unit("тонна|тонни|тонн|тонни", "f"),
    l: unit("літр|літри|літрів|літра"),
    ha: unit("гектар|гектари|гектарів|гектара"),
    s: unit("секунда|секунди|секунд|секунди", "f"),
    min: unit("хвилина|хвилини|хвилин|хвилини", "f"),
    h: unit("година|години|годин|години", "f"),
    d: unit("доба|доби|діб|доби", "f"),
    Hz: unit("герц|герци|герців|герца"),
    N: unit("ньютон|ньютони|ньютонів|ньютона"),
    Nm: unit("ньютон-метр|ньютон-метри|ньютон-метрів|ньютон-метра"),
    Pa: unit("паскаль|паскалі|паскалів|паскаля"),
    bar: unit("бар|бари|барів|бара"),
    psi: unit(
      "фунт на квадратний дюйм|фунти на квадратний дюйм|фунтів на квадратний дюйм|фунта на квадратний дюйм",
    ),
    J: unit("джоуль|джоулі|джоулів|джоуля"),
    cal: unit("калорія|калорії|калорій|калорії", "f"),
    W: unit("ват|вати|ватів|вата"),
    Wh: unit("ват-година|ват-години|ват-годин|ват-години", "f"),
    VA: unit("вольт-ампер|вольт-ампери|вольт-амперів|вольт-ампера"),
    var: unit("вар|вари|варів|вара"),
    V: unit("вольт|вольти|вольтів|вольта"),
    A: unit("ампер|ампери|амперів|ампера"),
    Ah: unit("ампер-година|ампер-години|ампер-годин|ампер-години", "f"),
    Ω: unit("ом|оми|омів|ома"),
    F: unit("фарад|фаради|фарадів|фарада"),
    H: unit("генрі|генрі|генрі|генрі"),
    B: unit("байт|байти|байтів|байта"),
    bit: unit("біт|біти|бітів|біта"),
    K: unit("кельвін|кельвіни|кельвінів|кельвіна"),
    "°C": unit("градус Цельсія|градуси Цельсія|градусів Цельсія|градуса Цельсія"),
    "°F": unit("градус Фаренгейта|градуси Фаренгейта|градусів Фаренгейта|градуса Фаренгейта"),
    "°": unit("градус|градуси|градусів|градуса"),
    "%": unit("відсоток|відсотки|відсотків|відсотка"),
    "‰": unit("проміле|проміле|проміле|проміле", "n"),
    dB: unit("децибел|децибели|децибелів|децибела"),
    "dB(A)": unit("децибел А|децибели А|децибелів А|децибела А"),
    lx: unit("люкс|люкси|люксів|люкса"),
    lm: unit("люмен|люмени|люменів|люмена"),
    cd: unit("кандела|кандели|кандел|кандели", "f"),
    ppm: unit("частина на мільйон|частини на мільйон|частин на мільйон|частини на мільйон", "f"),
    ppb: unit("частина на мільярд|частини на мільярд|частин на мільярд|частини на мільярд", "f"),
    rpm: unit("оберт на хвилину|оберти на хвилину|обертів на хвилину|оберта на хвилину"),
    mol: unit("моль|молі|молів|моля"),
    Sv: unit("зіверт|зіверти|зівертів|зіверта"),
    Bq: unit("бекерель|бекерелі|бекерелів|бекереля"),
    '"': unit("дюйм|дюйми|дюймів|дюйма"),
    ft: unit("фут|фути|футів|фута"),
    mph: unit("миля на годину|милі на годину|миль на годину|милі на годину", "f"),
    kn: unit("вузол|вузли|вузлів|вузла"),
    lb: unit("фунт|фунти|фунтів|фунта"),
    lbs: unit("фунт|фунти|фунтів|фунта"),
    gal: unit("галон|галони|галонів|галона"),
    шт: unit("штука|штуки|штук|штуки", "f"),
    "к.с.": unit("кінська сила|кінські сили|кінських сил|кінської сили", "f"),
  },
  localSymbols: {
    prefixes: { мк: "µ", м: "m", с: "c", д: "d", г: "h", к: "k", М: "M", Г: "G", н: "n", Т: "T" },
    units: {
      м: "m",
      г: "g",
      т: "t",
      л: "l",
      га: "ha",
      с: "s",
      Гц: "Hz",
      Н: "N",
      Па: "Pa",
      бар: "bar",
      Дж: "J",
      кал: "cal",
      Вт: "W",
      Вт·год: "Wh",
      "Вт⋅год": "Wh",
      В: "V",
      А: "A",
      А·год: "Ah",
      Н·м: "Nm",
      Нм: "Nm",
      Ом: "Ω",
      Б: "B",
      біт: "bit",
      дБ: "dB",
      лк: "lx",
      лм: "lm",
      моль: "mol",
      Зв: "Sv",
      Бк: "Bq",
      ВА: "VA",
    },
  },
  unitAliases: {
    сек: "s",
    хв: "min",
    год: "h",
    "км/год": "km/h",
    "об/хв": "rpm",
    "об./хв": "rpm",
    "об./хв.": "rpm",
    "°С": "°C",
    "° С": "°C",
    ºС: "°C",
    "дБ(А)": "dB(A)",
    дБА: "dB(A)",
    дюйм: '"',
    кВтг: "kWh",
    "кВт-год": "kWh",
    "млн⁻¹": "ppm",
    м2: "m²",
    м3: "m³",
    "кв.м": "m²",
    "кв. м": "m²",
    "куб.м": "m³",
    "куб. м": "m³",
    К: "K",
    доб: "d",
  },
  prefixes: {
    p: "піко",
    n: "нано",
    µ: "мікро",
    m: "мілі",
    c: "санти",
    d: "деци",
    h: "гекто",
    k: "кіло",
    M: "мега",
    G: "гіга",
    T: "тера",
  },
  prefixed: (prefix, name) => prefix + name,
  squared: (of) => withAdjective(of, "квадратн"),
  cubed: (of) => withAdjective(of, "кубічн"),
  per: "на",
  governed,
  scales: {
    тис: THOUSAND,
    тисяча: THOUSAND,
    тисячі: THOUSAND,
    тисяч: THOUSAND,
    млн: MILLION,
    мільйон: MILLION,
    мільйони: MILLION,
    мільйонів: MILLION,
    мільйона: MILLION,
    млрд: BILLION,
    мільярд: BILLION,
    мільярди: BILLION,
    мільярдів: BILLION,
    мільярда: BILLION,
  },
  currencies: {
    "₴": HRYVNIA,
    грн: HRYVNIA,
    UAH: HRYVNIA,
    коп: { major: HRYVNIA.minor, minor: undefined },
    "€": EURO,
    EUR: EURO,
    євро: EURO,
    $: DOLLAR,
    USD: { ...DOLLAR, major: unit("долар США|долари США|доларів США|долара США") },
    "£": POUND,
    GBP: POUND,
    zł: ZLOTY,
    PLN: ZLOTY,
    CHF: {
      major: unit("швейцарський франк|швейцарські франки|швейцарських франків|швейцарського франка"),
      minor: unit("сантим|сантими|сантимів|сантима"),
    },
  },
  moneyAnd: "",
  clock,
  clockRange: (from, to, before) =>
    `${/(?:^|\s)(?:з|із|зі|від)$/.test(before) ? "" : "з "}${timeWords(from, "genitive")} до ${timeWords(to, "genitive")}`,
  clockSuffix: "год\\.?|години|годині",
  date,
  yearWord: { written: "року|р", say: (year) => `${yearWords(year)} року` },
  months: [
    "січня|січень|січ\\.",
    "лютого|лютий|лют\\.",
    "березня|березень|берез\\.",
    "квітня|квітень|квіт\\.",
    "травня|травень|трав\\.",
    "червня|червень|черв\\.",
    "липня|липень|лип\\.",
    "серпня|серпень|серп\\.",
    "вересня|вересень|верес\\.",
    "жовтня|жовтень|жовт\\.",
    "листопада|листопад|лист\\.",
    "грудня|грудень|груд\\.",
  ],
  slashDates: "day first",
  ordinalSuffix:
    "[-–](?:й|ий|ій|го|ого|му|ому|а|я|ша|га|тя|та|ма|е|є|ше|ге|тє|те|ї|ої|у|ю|гу|шу|ту|х|их|і)(?![\\p{L}\\p{N}])",
  ordinal,
  abbreviations: {
    "напр.": "наприклад",
    "т. д.": "так далі",
    "т. ін.": "таке інше",
    "т. п.": "тому подібне",
    "т. зв.": "так званий",
    "т. т.": "того типу",
    "ін.": "інше",
    "прибл.": "приблизно",
    "макс.": "максимум",
    "мін.": "мінімум",
    "бл.": "близько",
    "див.": "дивіться",
    "пор.": "порівняйте",
    "рис.": "рисунок",
    "Рис.": "рисунок",
    "мал.": "малюнок",
    "табл.": "таблиця",
    "розд.": "розділ",
    "гл.": "глава",
    "ст. ": "стаття ",
    "стор.": "сторінка",
    "с. ": "сторінка ",
    "п. ": "пункт ",
    "пп. ": "пункти ",
    "ч. ": "частина ",
    "дод.": "додаток",
    "вул.": "вулиця",
    "просп.": "проспект",
    "буд.": "будинок",
    "кв.": "квартира",
    "кімн.": "кімната",
    "тел.": "телефон",
    "моб.": "мобільний",
    "м.^": "місто",
    "обл.": "область",
    "р-н": "район",
    "ім.": "імені",
    "р. ": "рік ",
    "р.": "року",
    "рр.": "років",
    "ст.": "століття",
    "н. е.": "нашої ери",
    "др.": "друге",
    "проф.": "професор",
    "інж.": "інженер",
    "д-р": "доктор",
    "темп.": "температура",
    "шт.": "штук",
    "од.": "одиниць",
    "год.": "годин",
    "хв.": "хвилин",
    "сек.": "секунд",
    "тис.": "тисяч",
    "та/або": "та або",
    "і/або": "і або",
    "й/або": "й або",
    "з/п": "за порядком",
    "відп.": "відповідальний",
    "кат.": "категорія",
    "серт.": "сертифікат",
    "пн.": "понеділок",
    "вт.": "вівторок",
    "ср.": "середа",
    "чт.": "четвер",
    "пт.": "п'ятниця",
    "сб.": "субота",
    "нд.": "неділя",
    "зокр.": "зокрема",
    "вкл.": "включно",
    "внутр.": "внутрішній",
  },
  sentenceEnders: [
    "т. д.",
    "т. ін.",
    "т. п.",
    "ін.",
    "р.",
    "рр.",
    "ст.",
    "н. е.",
    "шт.",
    "год.",
    "хв.",
    "сек.",
  ],
  signs: {
    minus: "мінус",
    plus: "плюс",
    plusOrMinus: "плюс-мінус",
    times: "помножити на",
    by: "на",
    dividedBy: "поділити на",
    equals: "дорівнює",
    notEqual: "не дорівнює",
    about: "приблизно",
    atLeast: "щонайменше",
    atMost: "щонайбільше",
    lessThan: "менше ніж",
    moreThan: "більше ніж",
    squareRoot: "корінь із",
    infinity: "нескінченність",
    and: "і",
    or: "або",
    at: "равлик",
    dot: "крапка",
    point: "крапка",
    dash: "дефіс",
    slash: "дріб",
    ratio: "до",
    number: "номер",
    section: "параграф",
    version: "версія",
    then: "далі",
    back: "назад до",
    percent: "відсотків",
    degrees: "градусів",
  },
  dialled:
    "телефонуйте|зателефонуйте|телефонувати|дзвоніть|дзвонити|подзвоніть|наберіть|набрати|викличте|телефон|телефону|телефоном|тел\\.?|номер|номером|номеру|додатковий|внутрішній|внутр\\.?|факс|код|пін|пін-код|серійний|пароль",
  named:
    "блок|бокс|брама|будівля|ворота|група|двері|дільниця|зала|зміна|зона|зони|канал|кімната|клапан|клас|класу|корпус|крок|кроку|лінія|лінії|машина|насос|насоса|пост|приміщення|пункт|рівень|ряд|секція|секції|стелаж|стіл|таблиця|тип|фаза|цех|шафа|щит",
  ratios:
    "співвідношення|співвідношенні|пропорція|пропорції|суміш|змішати|змішуйте|розбавити|розбавте|розведення|розведенні|масштаб|масштабі|розчин",
  isSingularBeforeNoun: false,
  chapters:
    "глава|глави|група|групи|додаток|додатка|додатку|етап|зона|категорія|категорії|клас|класу|книга|розділ|розділу|рівень|стадія|ступінь|тип|том|фаза|частина|частини",
  versions:
    "версія|версії|версію|вер|прошивка|розділ|розділі|розділу|пункт|пункту|пункті|глава|ревізія|крок|стаття|статті|§",
  allDay: "двадцять чотири на сім",
  vowels: "аеєиіїоуюяaeiouy",
};

/** "квадратний метр", "квадратні метри", "квадратних метрів", "квадратного метра". */
function withAdjective(of: Noun, stem: string): Noun {
  const [one, other, per] = of.gender === "f" ? ["а", "ої", "у"] : ["ий", "ого", "ий"];
  const endings: Readonly<Record<string, string>> = { one, few: "і", many: "их", other, per };
  return mapNoun(of, (form, which) => `${stem}${endings[which]} ${form}`);
}
