/** How a number may be written (digits of any script, fractions in one sign, powers of ten), and the plain form of it. */

/** `^-7`, `⁻⁷`. */
const RAISED = "\\^[+−-]?\\d{1,3}|[⁺⁻]?[⁰¹²³⁴-⁹]{1,3}";
const ENDS = "(?![\\p{L}\\p{N}])";

/** The source of a pattern for what multiplies the number before it: ` x 10^8`, `×10⁸`, `e8`; `1E5` may be a name. */
export const TIMES_TEN = `(?: ?[x×·*] ?10(?<raised>${RAISED})|(?<exponent>(?:e[+−-]?|E[+−-])\\d{1,3}))${ENDS}`;

const OF_NUMBER = new RegExp(TIMES_TEN, "uy");
const OF_TEN = new RegExp(`(?:${RAISED})${ENDS}`, "uy");

/** The number written in `text` from `start` to `end`, with the power of ten behind: in ASCII digits, and as `5e8`. */
export function numberWithPower(text: string, start: number, end: number): { plain: string; end: number } {
  const plain = asciiDigits(text.slice(start, end));
  const pattern = plain === "10" && /[\^⁺⁻⁰¹²³⁴-⁹]/.test(text[end] ?? "") ? OF_TEN : OF_NUMBER;
  pattern.lastIndex = end;
  const power = pattern.exec(text);
  if (power === null) return { plain, end };
  const { exponent, raised = exponent ?? power[0] } = power.groups ?? {};
  const times = pattern === OF_TEN ? "1" : plain;
  return { plain: `${times}e${exponentOf(raised)}`, end: end + power[0].length };
}

/** The exponent as an integer is written: `^-7`, `⁻⁷`, `e-7`. */
export function exponentOf(raised: string): string {
  const digits = raised.replace(/[⁰¹²³⁴-⁹]/g, (digit) => String(SUPERSCRIPTS.indexOf(digit)));
  return (/[⁻−-]/.test(digits) ? "-" : "") + digits.replace(/\D/g, "");
}

/** Each at the place of its value. */
export const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** Every decimal digit, whatever its script, as the ASCII digit of its value; all else stays. */
export function asciiDigits(text: string): string {
  return text.replace(/(?!\d)\p{Nd}/gu, (digit) => String(digitValue(digit)));
}

/** Unicode puts the digits of a script in one row of ten that begins at a code point ending in 0 or 6. */
function digitValue(digit: string): number {
  const [code, plain] = [digit.codePointAt(0)!, digit.normalize("NFKC")];
  if (/^\d$/.test(plain)) return Number(plain);
  const row = code & ~0xf;
  return code - (/\p{Nd}/u.test(String.fromCodePoint(row)) ? row : row + 6);
}

/** Fractions in one sign, as Unicode has them: "½" is 1 of 2. */
export const FRACTION_SIGNS = "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞";

/** The two numbers of a fraction in one sign; undefined for any other text. */
export function fractionOf(sign: string): readonly [over: number, under: number] | undefined {
  if (sign === "" || !FRACTION_SIGNS.includes(sign)) return undefined;
  const [over, under] = sign.normalize("NFKC").split("⁄").map(Number);
  return [over!, under!];
}
