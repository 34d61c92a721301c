/**
 * Units of measurement as they are written and spoken: factor to the dimension's base unit, and the system that the
 * unit belongs to. A conversion within a system is exact; one between systems is rounded when people write it.
 * Factors: BIPM, "The International System of Units", 9th edition; NIST SP 811, appendix B.
 */
export type Dimension =
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
  | "frequency"
  | "force"
  | "torque"
  | "area"
  | "sound"
  | "data"
  | "ratio"
  | "times"
  | "angle"
  | "money"
  | "clock"
  | "date"
  | "count";

export interface Unit {
  readonly dimension: Dimension;
  /** Times this, plus `offset`, is the value in the base unit. */
  readonly factor: number;
  readonly offset?: number;
  readonly system: "metric" | "us" | "none";
  /** Of money: the currency. Amounts of two currencies are never the same. */
  readonly currency?: string;
  /** Of unit names that are words of other meanings too: only directly behind a number. */
  readonly name: string;
}

type Row = readonly [
  names: string,
  dimension: Dimension,
  factor: number,
  system?: Unit["system"],
  offset?: number,
];

const ROWS: readonly Row[] = [
  [
    "mm millimetre millimeter milímetro milimetro millimètre Millimeter milimetr міліметр мм",
    "length",
    0.001,
  ],
  ["cm centimetre centimeter centímetro centimètre Zentimeter centymetr сантиметр см", "length", 0.01],
  ["m metre meter metro mètre metr метр м", "length", 1],
  ["km kilometre kilometer kilómetro kilomètre kilometr кілометр км", "length", 1_000],
  ["µm μm micron micrometre micrometer", "length", 1e-6],
  ["in inch inches pulgada pouce Zoll", "length", 0.0254, "us"],
  ["ft foot feet pied Fuß stopa", "length", 0.3048, "us"],
  ["yd yard", "length", 0.9144, "us"],
  ["mi mile milla", "length", 1609.344, "us"],
  ["mg milligram milligramme miligramo", "mass", 1e-6],
  ["g gram gramme gramo Gramm грам г", "mass", 0.001],
  ["kg kilogram kilogramme kilo kilogramo Kilogramm кілограм кг", "mass", 1],
  ["t tonne tonelada Tonne tona тонна", "mass", 1_000],
  ["lb lbs pound libra livre Pfund funt", "mass", 0.45359237, "us"],
  ["oz ounce onza", "mass", 0.028349523125, "us"],
  ["°c ℃ celsius centigrade", "temperature", 1],
  ["°f ℉ fahrenheit", "temperature", 5 / 9, "us", -160 / 9],
  ["kelvin", "temperature", 1, "metric", -273.15],
  ["bar bars bares", "pressure", 100_000],
  ["mbar millibar", "pressure", 100],
  ["pa pascal", "pressure", 1],
  ["hpa hectopascal", "pressure", 100],
  ["kpa kilopascal", "pressure", 1_000],
  ["mpa megapascal", "pressure", 1_000_000],
  ["psi", "pressure", 6894.757293168, "us"],
  ["ml millilitre milliliter mililitro", "volume", 1e-6],
  ["cl centilitre centiliter", "volume", 1e-5],
  ["dl decilitre deciliter", "volume", 1e-4],
  ["l litre liter litro Liter litr літр л", "volume", 0.001],
  ["m³ m3", "volume", 1],
  ["gal gallon galón", "volume", 0.003785411784, "us"],
  ["qt quart", "volume", 0.000946352946, "us"],
  ["pint", "volume", 0.000473176473, "us"],
  ["l/min lpm", "flow", 0.001 / 60],
  ["l/h", "flow", 0.001 / 3_600],
  ["l/s", "flow", 0.001],
  ["m³/h m3/h", "flow", 1 / 3_600],
  ["gpm", "flow", 0.003785411784 / 60, "us"],
  ["ms millisecond milisegundo", "time", 0.001, "none"],
  ["s sec second segundo seconde Sekunde sekunda секунда секунд секунди с", "time", 1, "none"],
  ["min minute minuto Minute minuta minut хвилина хвилин хвилини хв", "time", 60, "none"],
  ["h hr hrs hour hora heure Stunde godzina godzin година годин години год", "time", 3_600, "none"],
  ["day día dia jour Tag Tage Tagen dzień dni день днів дні", "time", 86_400, "none"],
  ["week semana semaine Woche tydzień tygodni тиждень тижнів тижні", "time", 604_800, "none"],
  ["month mes meses mois Monat miesiąc miesięcy місяць місяців місяці", "time", 2_629_746, "none"],
  ["year año ans année Jahr Jahre Jahren rok lat рік років роки", "time", 31_556_952, "none"],
  ["decade década", "time", 315_569_520, "none"],
  ["century centuries siglo", "time", 3_155_695_200, "none"],
  ["km/h kmh kph", "speed", 1 / 3.6],
  ["m/s mps", "speed", 1],
  ["m/min", "speed", 1 / 60],
  ["mph", "speed", 0.44704, "us"],
  ["knot knots kn", "speed", 0.514444, "us"],
  ["w watt vatio", "power", 1],
  ["kw kilowatt", "power", 1_000],
  ["mw megawatt", "power", 1_000_000],
  ["hp horsepower", "power", 745.699872, "us"],
  ["kwh", "energy", 3_600_000],
  ["wh", "energy", 3_600],
  ["j joule", "energy", 1],
  ["kj kilojoule", "energy", 1_000],
  ["cal calorie", "energy", 4.184, "us"],
  ["kcal kilocalorie", "energy", 4_184, "us"],
  ["mv millivolt", "voltage", 0.001],
  ["v volt voltio", "voltage", 1],
  ["kv kilovolt", "voltage", 1_000],
  ["ma milliamp milliampere", "current", 0.001],
  ["a amp ampere amperio", "current", 1],
  ["hz hertz", "frequency", 1],
  ["khz kilohertz", "frequency", 1_000],
  ["mhz megahertz", "frequency", 1_000_000],
  ["ghz gigahertz", "frequency", 1e9],
  ["rpm", "frequency", 1 / 60],
  ["n newton", "force", 1],
  ["kn kilonewton", "force", 1_000],
  ["nm newton-metre", "torque", 1],
  ["m² m2 sqm", "area", 1],
  ["hectare ha", "area", 10_000],
  ["acre", "area", 4046.8564224, "us"],
  ["db decibel", "sound", 1, "none"],
  ["kb kilobyte", "data", 1e3, "none"],
  ["mb megabyte", "data", 1e6, "none"],
  ["gb gigabyte", "data", 1e9, "none"],
  ["tb terabyte", "data", 1e12, "none"],
  ["% percent pct porcentaje pourcent Prozent procent procenty відсоток відсотків", "ratio", 1, "none"],
  ["‰", "ratio", 0.1, "none"],
  ["ppm", "ratio", 0.0001, "none"],
  ["times time veces fois razy", "times", 1, "none"],
  ["° º degree degrees grado grados degré Grad stopień stopni градус градусів", "angle", 1, "none"],
];

const CURRENCIES: readonly (readonly [names: string, currency: string, factor: number])[] = [
  ["€ eur euro євро", "EUR", 1],
  ["$ usd dollar dólar buck", "USD", 1],
  ["£ gbp sterling quid", "GBP", 1],
  ["¥ jpy yen", "JPY", 1],
  ["chf franc franken", "CHF", 1],
  ["pln zł złoty złotych zloty", "PLN", 1],
  ["uah hryvnia гривня гривень", "UAH", 1],
  ["cent céntimo", "EUR", 0.01],
  ["pence penny", "GBP", 0.01],
];

/** Units whose symbols are case-sensitive, so that `mW` is not `MW`; spelled-out names are found in lower case. */
export const UNITS: ReadonlyMap<string, Unit> = buildUnits();

/** Names that may be glued to a number, as in `10mm`, in any case in which they are written. */
export const UNIT_NAMES: ReadonlySet<string> = new Set(
  [...UNITS.keys()]
    .flatMap((name) => [name, name.toUpperCase(), name[0]!.toUpperCase() + name.slice(1)])
    .concat(["kPa", "MPa", "hPa", "kW", "kWh", "kV", "kHz", "dB", "mA", "Nm", "mL", "kN", "Wh", "kJ"]),
);

function buildUnits(): Map<string, Unit> {
  const units = new Map<string, Unit>();
  for (const [names, dimension, factor, system = "metric", offset] of ROWS)
    addNames(units, names, { dimension, factor, system, ...(offset === undefined ? {} : { offset }) });
  for (const [names, currency, factor] of CURRENCIES)
    addNames(units, names, { dimension: "money", factor, system: "none", currency });
  return units;
}

/** Longer names have a plural with s; symbols have none. */
function addNames(units: Map<string, Unit>, names: string, unit: Omit<Unit, "name">): void {
  const list = names.split(" ");
  for (const name of list) {
    const lower = name.toLowerCase();
    const row = { ...unit, name: list[0]! };
    for (const form of lower.length > 2 ? [lower, `${lower}s`, `${lower}n`, `${lower}es`] : [lower])
      if (!units.has(form)) units.set(form, row);
  }
}
