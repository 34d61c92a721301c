/** Ukrainian. Its inflection is in `uk-grammar.ts`. */
import { pattern } from "../../../lib/pattern.js";
import { mapNoun, type Noun, type SpokenLanguage } from "../language.js";
import { spokenWords } from "../words.js";
import {
  cardinal,
  clock,
  clockRange,
  count,
  date,
  decimal,
  fraction,
  governed,
  ordinal,
  unit,
  yearWords,
} from "./uk-grammar.js";

export const UKRAINIAN: SpokenLanguage = {
  ...spokenWords("uk", unit),
  tag: "uk",
  numbers: {
    groupMarks: "",
    decimalMark: ",",
    decimalWords: { ",": "кома", ".": "крапка" },
    decimals: "group",
    cardinal,
    count,
    decimal,
    fraction,
  },
  range: { opening: "від", between: "до", inCase: "genitive" },
  cases: [
    [
      pattern("u")`
        (?:^|\s)(?:від|до|з|із|зі|без|для|після|протягом|близько|біля|нижче|вище|менше|більше
        |понад рівень|впродовж|упродовж|відстані|висоти|глибини|довжини|температури|тиску)$
      `,
      "genitive",
    ],
    [/(?:^|\s)(?:при|по)$/u, "locative"],
    [/(?:^|\s)(?:на|за|через|в|у|понад|кожну|про)$/u, "accusative"],
  ],
  prefixed: (prefix, name) => prefix + name,
  squared: (of) => withAdjective(of, "квадратн"),
  cubed: (of) => withAdjective(of, "кубічн"),
  governed,
  clock,
  clockRange,
  date,
  yearWord: { written: "року|р", say: (year) => `${yearWords(year)} року` },
  ordinal,
};

/** "квадратний метр", "квадратні метри", "квадратних метрів", "квадратного метра". */
function withAdjective(of: Noun, stem: string): Noun {
  const [one, other, per] = of.gender === "f" ? ["а", "ої", "у"] : ["ий", "ого", "ий"];
  const endings: Readonly<Record<string, string>> = { one, few: "і", many: "их", other, per };
  return mapNoun(of, (form, which) => `${stem}${endings[which]} ${form}`);
}
