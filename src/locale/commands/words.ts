/**
 * What somebody said as words that templates are compared with, the way a speech recognizer writes it: lower case, no
 * punctuation, no accents, contractions written out. Each word knows where it stands in what was said.
 */

export interface CommandWord {
  /** Normalized. A number keeps its decimals: "4.2". */
  readonly text: string;
  /** UTF-16 offsets in the message. */
  readonly start: number;
  readonly end: number;
}

/** Characters that are looked at; what a turn is for is said by then. */
const CHARS_MAX = 600;

/** So many times as long a token and its words may be once letters and their marks are apart: some come to eighteen. */
const NORMALIZED_LONGER_MAX = 2;

const TOKEN = /[-−](?=\d)|[\p{L}\p{M}\p{N}'’‘ʼ`]+(?:[.,]\d+)*|[^\s\p{P}\p{Z}\p{C}]|[%‰]/gu;

const APOSTROPHE = /['’‘ʼ`]/;

/** The words of the first `charsMax` characters. */
export function wordsOf(message: string, charsMax = CHARS_MAX): readonly CommandWord[] {
  const words: CommandWord[] = [];
  const normalizedMax = NORMALIZED_LONGER_MAX * charsMax;
  let chars = 0;
  for (const { 0: token, index } of message.slice(0, charsMax).matchAll(TOKEN)) {
    if (SIGN.test(token) && index > 0 && message[index - 1] !== " ") continue;
    const texts = normalized(token, normalizedMax)
      .split(" ")
      .filter((text) => text !== "");
    const pieces = APOSTROPHE.test(token) ? [...token.matchAll(/[^'’‘ʼ`]+/g)] : [];
    for (const [i, text] of texts.entries()) {
      chars += text.length + 1;
      if (chars > normalizedMax) return words;
      // "l'éclairage" is two words with places of their own; "what's" is one place for two words.
      const { 0: written, index: at } = pieces.length === texts.length ? pieces[i]! : { 0: token, index: 0 };
      words.push({ text, start: index + at, end: index + at + written.length });
    }
  }
  return words;
}

/** The same as plain text for what knows no numbers: letters and digits alone. */
export function plainText(words: readonly CommandWord[]): string {
  return words
    .map(({ text }) => text.replace(/[^\p{L}\p{N}]+/gu, " ").trim())
    .filter((text) => text !== "")
    .join(" ");
}

const CONTRACTIONS: readonly (readonly [RegExp, string])[] = [
  [/^(can|do|does|did|is|are|was|were|should|could|would|must|has|have|had)n'?t$/, "$1 not"],
  [/^won'?t$/, "will not"],
  [/^(?:cannot|cant)$/, "can not"],
  [/^(what|where|who|how|when|that|there|here|it|he|she)'s$/, "$1 is"],
  [/^(what|where|who|how|that|there)s$/, "$1 is"],
  [/^(i|you|we|they)'(?:re|m)$/, "$1 are"],
  [/^(i|you|we|they)'ve$/, "$1 have"],
  [/^(i|you|we|they|it|that)'(?:ll|d)$/, "$1 will"],
  [/^gonna$/, "going to"],
  [/^wanna$/, "want to"],
  [/^gotta$/, "have to"],
  [/^gimme$/, "give me"],
  [/^lemme$/, "let me"],
];

/** Most words are none: one look tells, instead of one for each. */
const CONTRACTED = new RegExp(CONTRACTIONS.map(([pattern]) => pattern.source).join("|"));

const DECIMAL = /^\d+(?:[.,]\d+)+$/;
const SIGN = /^[-−]$/;

/** The words of one token, a space between them; "" for a sign that is not spoken. */
function normalized(token: string, charsMax: number): string {
  if (DECIMAL.test(token)) return token.replaceAll(",", ".");
  let text = token
    .normalize("NFKD")
    .slice(0, charsMax)
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[\u2018\u2019\u02bc`]/g, "'");
  if (SIGN.test(text)) return "minus";
  if (text === "%") return "percent";
  if (CONTRACTED.test(text))
    for (const [pattern, written] of CONTRACTIONS) text = text.replace(pattern, written);
  return text.replace(/[^\p{L}\p{N}°]+/gu, " ").trim();
}
