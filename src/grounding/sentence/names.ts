/** Names: words with a capital that do not owe it to the beginning of a sentence, and acronyms. */

import type { Token } from "../../words/tokens.js";
import type { WordInfo } from "./lexicon.js";

export interface Name {
  /** The words in lower case. */
  readonly words: readonly string[];
  readonly text: string;
  readonly token: number;
}

/** Runs of words with a capital, from token `from`. A single word at the beginning is left out unless an acronym. */
export function findNames(
  tokens: readonly Token[],
  infos: readonly WordInfo[],
  from: number,
  taken: ReadonlySet<number>,
): Name[] {
  const names: Name[] = [];
  for (let at = from; at < tokens.length; at++) {
    if (taken.has(at) || !isNameWord(tokens, infos, at, from)) continue;
    let end = at + 1;
    while (
      end < tokens.length &&
      !taken.has(end) &&
      isNameWord(tokens, infos, end, from) &&
      tokens[end]!.start - tokens[end - 1]!.end <= 1
    )
      end += 1;
    const words = tokens.slice(at, end);
    names.push({
      words: words.map(({ lower }) => lower.replace(/'s$/, "")),
      text: words.map(({ text }) => text).join(" "),
      token: at,
    });
    at = end - 1;
  }
  return names;
}

function isNameWord(tokens: readonly Token[], infos: readonly WordInfo[], at: number, from: number): boolean {
  const token = tokens[at]!;
  if (token.kind !== "word" || !/^\p{Lu}/u.test(token.text)) return false;
  const isAcronym = token.text.length >= 2 && token.text === token.text.toUpperCase();
  if (isAcronym) return !SHOUTED.has(token.lower);
  if (beginsSentence(tokens, at, from)) {
    // "Billy Flynn plays": a capital behind says that the first is part of a name.
    const next = tokens[at + 1];
    return (
      infos[at]!.weight === "content" &&
      !infos[at]!.action &&
      next?.kind === "word" &&
      /^\p{Lu}\p{Ll}/u.test(next.text)
    );
  }
  return infos[at]!.weight !== "function" && !COMMON.has(token.lower);
}

const SHOUTED: ReadonlySet<string> = new Set(
  "i a not never no must stop warning danger caution do and or ok".split(" "),
);
const COMMON: ReadonlySet<string> = new Set(
  "i warning danger caution note important attention mr mrs ms dr sir".split(" "),
);

function beginsSentence(tokens: readonly Token[], at: number, from: number): boolean {
  const before = tokens[at - 1];
  return (
    at <= from ||
    before === undefined ||
    (before.kind === "stop" && before.text !== "," && before.text !== "(")
  );
}
