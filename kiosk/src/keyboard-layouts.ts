/**
 * The keys of the on-screen keyboard, by language: as on a telephone, narrow enough for one, with the letters of the
 * language without a second layer. A row is what simple-keyboard takes: keys with a space between.
 */

const DIGITS = "1 2 3 4 5 6 7 8 9 0";
const BELOW = "{hide} , {space} - . ? {enter}";

const QWERTY = ["q w e r t y u i o p", "a s d f g h j k l", "{shift} z x c v b n m ' {bksp}"];

/** Rows of letters. */
const LETTERS: Readonly<Record<string, readonly string[]>> = {
  en: QWERTY,
  de: ["q w e r t z u i o p ü", "a s d f g h j k l ö ä", "{shift} y x c v b n m ß {bksp}"],
  es: ["á é í ó ú ü ¿ ¡", "q w e r t y u i o p", "a s d f g h j k l ñ", "{shift} z x c v b n m {bksp}"],
  fr: ["é è ê à â ç ù û î ô", "a z e r t y u i o p", "q s d f g h j k l m", "{shift} w x c v b n ' {bksp}"],
  pl: ["ą ć ę ł ń ó ś ź ż", ...QWERTY],
  uk: ["й ц у к е н г ш щ з х ї", "ф і в а п р о л д ж є ґ", "{shift} я ч с м и т ь б ю ' {bksp}"],
};

/** Languages without keys of their own get those of English. */
export function layoutFor(language: string): { readonly default: string[]; readonly shift: string[] } {
  const letters = LETTERS[language] ?? QWERTY;
  const rows = (spelt: (row: string) => string) => [DIGITS, ...letters.map(spelt), BELOW];
  return { default: rows((row) => row), shift: rows((row) => capitals(row, language)) };
}

function capitals(row: string, language: string): string {
  const keys = row.split(" ");
  // What has no capital of its own stays as it is.
  const capital = (key: string) => (key === "ß" ? "ẞ" : key.toLocaleUpperCase(language));
  return keys.map((key) => (key.startsWith("{") ? key : capital(key))).join(" ");
}
