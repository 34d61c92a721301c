/** Phrases of two or three words that mean one: "put on" is "wear", "at once" is "immediately". */

import { grouped } from "../../lib/grouped.js";
import { AUXILIARIES } from "../../words/function-words.js";
import { SYNONYMS } from "../../words/rows.js";
import type { Token } from "../../words/tokens.js";
import { lookUp, type WordInfo } from "./lexicon.js";

/** Stem of the first word to the phrases that begin with it, as words and the term that they stand for. */
const phrases = grouped(
  SYNONYMS.flatMap((row) => {
    const [head, ...others] = row.split(" ");
    const joined = others.filter((word) => word.includes("-"));
    return joined.map((phrase) => ({ words: phrase.split("-"), info: lookUp(head!) }));
  }),
  ({ words: [first] }) => lookUp(first!).stem,
);

/** The words with phrases put together: the first word stands for all, the others say nothing. */
export function joinPhrases(tokens: readonly Token[]): WordInfo[] {
  const infos = tokens.map(({ lower }) => lookUp(lower));
  for (let at = 0; at < tokens.length; at++) {
    if (isTurnOnOrOff(tokens, at)) infos[at] = SWITCH;
    if (isLeftBehind(tokens, at)) infos[at] = LEAVE;
    if (isPermitHeld(tokens, at)) infos[at] = PERMIT;
    const found = phraseAt(tokens, infos, at);
    if (found === undefined) continue;
    infos[at] = found.info;
    for (const token of found.rest) infos[token] = NOTHING;
  }
  return infos;
}

/** The phrase that begins at a token, and the tokens of its other words: "take off", "takes the mask off". */
function phraseAt(tokens: readonly Token[], infos: readonly WordInfo[], at: number) {
  for (const { words, info } of phrases.get(infos[at]!.stem) ?? []) {
    const [, ...others] = words;
    const isNext = others.every((word, i) => tokens[at + 1 + i]?.lower === word);
    if (isNext) return { info, rest: others.map((_, i) => at + 1 + i) };
    const apart = PARTICLES.has(others.join(" ")) ? particleBehind(tokens, at, others[0]!) : undefined;
    if (apart !== undefined) return { info, rest: [apart] };
  }
  return undefined;
}

/** Words that may stand behind the object of their verb. */
const PARTICLES: ReadonlySet<string> = new Set(["away", "back", "off", "out", "up"]);

/** Where the particle of a verb ends the phrase of its object: "take the mask off". */
function particleBehind(tokens: readonly Token[], at: number, particle: string): number | undefined {
  for (let i = at + 2; i <= at + PARTICLE_DISTANCE_MAX; i++) {
    const between = tokens[i - 1];
    if (between?.kind !== "word" || AUXILIARIES.has(between.lower)) return undefined;
    if (tokens[i]?.lower === particle && tokens[i + 1]?.kind !== "word") return i;
  }
  return undefined;
}

/** "turn the lights on": "switch", and "on" keeps its own sense. */
function isTurnOnOrOff(tokens: readonly Token[], at: number): boolean {
  const { lower } = tokens[at]!;
  if (lower === "shut" && tokens[at + 1]?.lower === "off") return true;
  if (!lower.startsWith("turn")) return false;
  for (let i = at + 1; i <= at + PARTICLE_DISTANCE_MAX && tokens[i]?.kind === "word"; i++) {
    const isEnd = i === at + 1 || tokens[i + 1]?.kind !== "word";
    if (tokens[i]!.lower === "off" || (tokens[i]!.lower === "on" && isEnd)) return true;
  }
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
  return !PERMITTING.test(tokens[at - 1]?.lower ?? "");
}

const PERMITTING = /^(?:to|will|must|may|can|should|not|does|do|they|we|you|rules|which|that)$/;

const PERMIT: WordInfo = { ...lookUp("permit"), term: "permit", poles: [], modality: undefined };
const LEAVE = lookUp("leave");
const PARTICLE_DISTANCE_MAX = 4;
const SWITCH = lookUp("switch");
const NOTHING: WordInfo = { ...lookUp("the"), poles: [] };
