/** Polish. Its inflection is in `pl-grammar.ts`. */
import { pattern } from "../../../lib/pattern.js";
import { mapNoun, type Noun, type SpokenLanguage } from "../language.js";
import { spokenWords } from "../words.js";
import {
  cardinal,
  clock,
  clockRange,
  count,
  date,
  fraction,
  governed,
  ordinal,
  unit,
  yearWords,
} from "./pl-grammar.js";

export const POLISH: SpokenLanguage = {
  ...spokenWords("pl", unit),
  tag: "pl",
  numbers: {
    groupMarks: "",
    decimalMark: ",",
    decimalWords: { ",": "przecinek", ".": "kropka" },
    decimals: "group",
    cardinal,
    count,
    fraction,
  },
  range: { opening: "od", between: "do", inCase: "genitive" },
  cases: [
    [
      pattern("u")`
        (?:^|\s)(?:od|do|poniżej|powyżej|około|ok\.?|z|ze|bez|dla|blisko|minimum z|wysokości
        |długości|głębokości|odległości|ciśnienia|temperatury|powierzchni|objętości|pojemności
        |mocy)$
      `,
      "genitive",
    ],
    [/(?:^|\s)(?:przy|po)$/u, "locative"],
    [/(?:^|\s)(?:przez|na|za|w|o|ponad|co)$/u, "accusative"],
  ],
  prefixed: (prefix, name) => prefix + name,
  squared: (of) => withAdjective(of, "kwadratow"),
  cubed: (of) => withAdjective(of, "sześcienn"),
  governed,
  clock,
  clockRange,
  date,
  yearWord: { written: "roku|r", say: (year) => `${yearWords(year)} roku` },
  ordinal,
};

/** "metr kwadratowy", "metry kwadratowe", "metrów kwadratowych", "metra kwadratowego". */
function withAdjective(of: Noun, stem: string): Noun {
  const [one, other, per] = of.gender === "f" ? ["a", "ej", "ą"] : ["y", "ego", "y"];
  const endings: Readonly<Record<string, string>> = { one, few: "e", many: "ych", other, per };
  return mapNoun(of, (form, which) => `${form} ${stem}${endings[which]}`);
}
