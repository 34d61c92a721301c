/** Phrases of two or three words that mean one: "put on" is "wear", "at once" is "immediately". */

import { SYNONYMS } from "../../words/rows.js";
import type { Token } from "../../words/tokens.js";
import { lookUp, type WordInfo } from "./lexicon.js";

/** First word to the phrases that begin with it, as words and the term that they stand for. */
const phrases = build();

function build(): Map<string, { words: readonly string[]; info: WordInfo }[]> {
  const found = new Map<string, { words: readonly string[]; info: WordInfo }[]>();
  for (const row of SYNONYMS) {
    const [head, ...others] = row.split(" ");
    for (const phrase of others.filter((word) => word.includes("-"))) {
      const words = phrase.split("-");
      const list = found.get(words[0]!) ?? [];
      found.set(words[0]!, [...list, { words, info: lookUp(head!) }]);
    }
  }
  return found;
}

/** The words with phrases put together: the first word stands for all, the others say nothing. */
export function joinPhrases(tokens: readonly Token[], infos: WordInfo[]): WordInfo[] {
  for (let at = 0; at < tokens.length; at++) {
    if (isTurnOnOrOff(tokens, at)) infos[at] = SWITCH;
    if (isLeftBehind(tokens, at)) infos[at] = LEAVE;
    if (isPermitHeld(tokens, at)) infos[at] = PERMIT;
    const phrase = phrases
      .get(tokens[at]!.lower)
      ?.find(({ words }) => words.every((word, i) => tokens[at + i]?.lower === word));
    if (phrase === undefined) continue;
    infos[at] = phrase.info;
    for (let i = 1; i < phrase.words.length; i++) infos[at + i] = NOTHING;
    at += phrase.words.length - 1;
  }
  return infos;
}

/** "turn the lights on": "switch", and "on" keeps its own sense. */
function isTurnOnOrOff(tokens: readonly Token[], at: number): boolean {
  const { lower } = tokens[at]!;
  if (lower === "shut" && tokens[at + 1]?.lower === "off") return true;
  if (!lower.startsWith("turn")) return false;
  for (let i = at + 1; i <= at + PARTICLE_DISTANCE_MAX && tokens[i]?.kind === "word"; i++)
    if (
      tokens[i]!.lower === "off" ||
      (tokens[i]!.lower === "on" && (i === at + 1 || tokens[i + 1]?.kind !== "word"))
    )
      return true;
  return false;
}

/** "is left", "have left", but not "on the left". */
function isLeftBehind(tokens: readonly Token[], at: number): boolean {
  if (tokens[at]!.lower !== "left") return false;
  return [1, 2].some((i) =>
    /^(?:is|are|was|were|be|been|being|has|have|had|he|she|they|who|that)$/.test(tokens[at - i]?.lower ?? ""),
  );
}

/** A permit is a paper; to permit is to allow. */
function isPermitHeld(tokens: readonly Token[], at: number): boolean {
  const { lower } = tokens[at]!;
  if (lower !== "permit" && lower !== "permits") return false;
  return (
    at === 0 ||
    !/^(?:to|will|must|may|can|should|not|does|do|they|we|you|rules|which|that)$/.test(tokens[at - 1]!.lower)
  );
}

const PERMIT: WordInfo = { ...lookUp("permit"), term: "permit", poles: [], modality: undefined };
const LEAVE = lookUp("leave");
const PARTICLE_DISTANCE_MAX = 4;
const SWITCH = lookUp("switch");
const NOTHING: WordInfo = { ...lookUp("the"), poles: [] };
