/** Signs between words and numbers: ≥, ±, &, @, #, §, →, a slash; and what no voice says. */
import { pattern } from "../../lib/pattern.js";
import type { Sign, SpokenLanguage } from "./language.js";
import { matchAt, type Reader, type SpokenSpan } from "./reader.js";

const BEFORE: readonly (readonly [RegExp, Sign])[] = [
  [/[≥⩾]|>=|=>(?= ?\d)/uy, "atLeast"],
  [/[≤⩽]|<=(?= ?[\d−-])/uy, "atMost"],
  [/[→⇒➔➜]|[-=]+>/uy, "leadsTo"],
  [/[←⇐]|<-+(?!\d)/uy, "back"],
  [/≠|!=/uy, "notEqual"],
  [/<(?= ?[\d−$€£-])/uy, "lessThan"],
  [/>(?= ?[\d−$€£-])/uy, "moreThan"],
  [/[≈≅∼]|~(?= ?\d)/uy, "about"],
  [/±|\+\/[-−]/uy, "plusOrMinus"],
  [/={1,2}/uy, "equals"],
  [/√/uy, "squareRoot"],
  [/∞/uy, "infinity"],
  [/&/uy, "and"],
  [/@/uy, "at"],
  [/(?:#|№)(?= ?[\p{L}\p{N}])/uy, "number"],
  [/§{1,2}/uy, "section"],
  [/[×✕]|(?<=\d ?)\*(?= ?\d)/uy, "times"],
  [/÷/uy, "dividedBy"],
  [/%/uy, "percent"],
  [/[°º]/uy, "degrees"],
  [/\+/uy, "plus"],
  [/−/uy, "minus"],
];

/** What is neither said nor heard. */
const SILENT = pattern("uy")`
  [*\x60|~_^<>\\[\]{}#™®©•·◦▪●■□◆✓✔✗✘☐☑†‡¶¤¦¬¯¨´¸\u200b-\u200f\u2028-\u202e\u2060\ufeff
  \u00ad\ufffd\p{Cc}]|\p{Extended_Pictographic}|[\p{S}\p{No}]|\ufe0f|\p{Co}|\p{Cs}
`;
const RATIO = /(?<=\d):(?=\d)/uy;

export function signReader({ signs, currencies }: SpokenLanguage): Reader {
  return (text, at): SpokenSpan | undefined => {
    for (const [pattern, sign] of BEFORE) {
      const match = matchAt(pattern, text, at);
      if (match !== undefined) return { words: ` ${signs[sign]} `, end: at + match[0].length };
    }
    const money = currencies[text[at]!];
    if (money !== undefined) return { words: ` ${money.major.many} `, end: at + 1 };
    if (matchAt(RATIO, text, at) !== undefined) return { words: ` ${signs.ratio} `, end: at + 1 };
    if (text[at] === "/") return { words: slash(text, at, signs), end: at + 1 };
    return matchAt(SILENT, text, at) === undefined
      ? undefined
      : { words: " ", end: at + (text.codePointAt(at)! > 0xffff ? 2 : 1) };
  };
}

/** Between words a slash is an "or", unless the words say "and" or "or" themselves. */
function slash(text: string, at: number, signs: SpokenLanguage["signs"]): string {
  const [before, after] = [text.slice(Math.max(0, at - 12), at), text.slice(at + 1, at + 12)];
  if (/\d\s?$/.test(before) && /^\s?\d/.test(after)) return ` ${signs.slash} `;
  const beside = [before.trimEnd().split(" ").at(-1)!, after.trimStart().split(" ")[0]!];
  const isJoined = beside.some((word) => [signs.and, signs.or].includes(word.toLowerCase()));
  const isBetween = /[\p{L}\p{N})]$/u.test(before) && /^[\p{L}\p{N}(]/u.test(after);
  const isSpaced = /[\p{L}\p{N})]\s$/u.test(before) && /^\s[\p{L}\p{N}(]/u.test(after);
  const isNames = /\p{Lu}{2}$/u.test(before) && /^\p{Lu}{2}/u.test(after);
  if (isJoined || isNames || !(isBetween || isSpaced)) return " ";
  return ` ${signs.or} `;
}
