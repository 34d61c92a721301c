/**
 * Names exchanged within one text: both are known, but the evidence has another one in that place. The sentence is laid
 * beside the sentence of the evidence word by word; what stands between the same neighbours is the same thing.
 */
import type { EvidencePart, EvidenceSentence, PreparedEvidence } from "../evidence.js";
import { matchTokens } from "../sentence/match-tokens.js";
import type { Name } from "../sentence/names.js";
import type { Sentence } from "../sentence/sentence.js";
import { contradiction, type Finding, gap } from "./finding.js";

export function checkNameSlots(
  claim: Sentence,
  window: readonly EvidenceSentence[],
  evidence: PreparedEvidence,
): Finding[] {
  const part = evidence.parts[window[0]!.part]!;
  const names = namesOf(claim, part);
  if (names.length === 0) return [];
  const said = new Set(claim.tokens.map(({ lower }) => plain(lower)));
  const laid = window.map((sentence): Laid => ({ sentence, match: matchTokens(claim, sentence) }));
  for (const name of names) {
    const slots = laid.map(({ sentence, match }) => slotOf(name, claim, sentence, match));
    const meant = Math.max(...slots.map((slot) => (slot.type === "same" ? slot.anchors : 0)));
    for (const [at, slot] of slots.entries()) {
      if (slot.type !== "open" || slot.anchors < meant * OUTWEIGHS || slot.anchors < ANCHORS_MIN) continue;
      if (slots.some((other) => other.anchors > slot.anchors)) continue;
      const { sentence } = laid[at]!;
      const finding =
        otherName(name, slot, said, sentence, evidence) ?? notMeant(name, slot, sentence, evidence);
      if (finding !== undefined) return [finding];
    }
  }
  return [];
}

/** How many times as many neighbours the place must share in which another stands as that in which the name stands. */
const OUTWEIGHS = 1.5;

interface Laid {
  readonly sentence: EvidenceSentence;
  readonly match: Int16Array;
}

/** Where a name of the claim would stand in the evidence: tokens `from` to `to`, the last excluded. */
type Slot =
  | { readonly type: "same" | "none"; readonly anchors: number }
  | { readonly type: "open"; readonly anchors: number; readonly from: number; readonly to: number };

/** Tokens between a name and the next word that both have, and between those two in the evidence. */
const GAP_TOKENS_MAX = 3;
const SLOT_TOKENS_MAX = 9;
/** Content words near the name that both must have, and how far from it they may stand. */
const ANCHORS_MIN = 2;
const ANCHOR_TOKENS_MAX = 7;

function slotOf(name: Name, claim: Sentence, sentence: Sentence, match: Int16Array): Slot {
  const end = name.token + name.words.length;
  const anchors = anchorsNear(name.token, end, claim, match);
  const none = { type: "none", anchors } as const;
  const met = match.subarray(name.token, end).filter((at) => at >= 0).length;
  if (met * 2 > name.words.length || (met > 0 && name.words.length <= 2)) return { type: "same", anchors };
  let [left, right] = [name.token - 1, end];
  while (left >= 0 && match[left]! < 0) left -= 1;
  while (right < claim.tokens.length && match[right]! < 0) right += 1;
  const [hasLeft, hasRight] = [left >= 0, right < claim.tokens.length];
  if (hasLeft ? name.token - left > GAP_TOKENS_MAX : name.token > 2) return none;
  if (hasRight ? right - end >= GAP_TOKENS_MAX : claim.tokens.length - end > 2) return none;
  const to = hasRight ? match[right]! : Math.min(sentence.tokens.length, match[left]! + 1 + SLOT_TOKENS_MAX);
  const from = hasLeft ? match[left]! + 1 : Math.max(0, to - SLOT_TOKENS_MAX);
  const isElsewhere = sentence.tokens.some(({ lower }) => name.words.includes(plain(lower)));
  if (isElsewhere && !isTight(name.token - left, right - end, hasLeft, to - from)) return none;
  return to - from > SLOT_TOKENS_MAX ? none : { type: "open", anchors, from, to };
}

/** Nothing but the name between the neighbours: then it does not matter that the sentence has it elsewhere. */
function isTight(before: number, behind: number, hasLeft: boolean, width: number): boolean {
  return width <= TIGHT_TOKENS_MAX && behind <= 1 && (hasLeft ? before === 1 : before <= 2);
}

const TIGHT_TOKENS_MAX = 4;

function anchorsNear(from: number, to: number, { words }: Sentence, match: Int16Array): number {
  return words.filter(
    ({ token, info }) =>
      info.weight === "content" &&
      match[token]! >= 0 &&
      (token < from || token >= to) &&
      token >= from - ANCHOR_TOKENS_MAX &&
      token < to + ANCHOR_TOKENS_MAX,
  ).length;
}

/** The names, and a single word that begins the sentence where the text uses it as a name. */
function namesOf(sentence: Sentence, { nameWords }: EvidencePart): readonly Name[] {
  const { names, tokens } = sentence;
  const first = tokens[0];
  if (first?.kind !== "word" || !/^\p{Lu}/u.test(first.text) || names[0]?.token === 0) return names;
  const word = plain(first.lower);
  return nameWords.has(word) ? [{ words: [word], text: first.text, token: 0 }, ...names] : names;
}

function otherName(
  name: Name,
  { from, to }: { readonly from: number; readonly to: number },
  said: ReadonlySet<string>,
  sentence: EvidenceSentence,
  evidence: PreparedEvidence,
): Finding | undefined {
  if (pronounIn(sentence, from, to) >= 0) return undefined;
  const other = namesOf(sentence, evidence.parts[sentence.part]!).find(
    ({ token, words, text }) =>
      token >= from &&
      token + words.length <= to &&
      (isBeside(sentence, from, token) || isBeside(sentence, token + words.length, to)) &&
      !isBracketed(sentence, token) &&
      !words.every((word) => said.has(word)) &&
      !words.some((word) => name.words.includes(word)) &&
      !isShortFor(name, words, text),
  );
  return other === undefined
    ? undefined
    : contradiction("other_subject", `says this of "${name.text}", the source of "${other.text}"`);
}

/** At the most a word or two between the name and what both sentences have there. */
function isBeside({ tokens }: Sentence, from: number, to: number): boolean {
  return to - from <= BESIDE_TOKENS_MAX && tokens.slice(from, to).every(({ kind }) => kind !== "stop");
}

const BESIDE_TOKENS_MAX = 2;

/** "(CA)" says what stands before it once more. */
function isBracketed({ tokens }: Sentence, at: number): boolean {
  return tokens[at - 1]?.text === "(";
}

/** "MLS" and "Major League Soccer", either way. */
function isShortFor(name: Name, words: readonly string[], text: string): boolean {
  const letters = (parts: readonly string[]) => parts.map((part) => part[0]).join("");
  return letters(name.words) === text.toLowerCase() || letters(words) === name.text.toLowerCase();
}

const PRONOUNS: ReadonlySet<string> = new Set("he she it his her its him".split(" "));
/** Sentences before a pronoun in which what it means may be named. */
const ANTECEDENT_SENTENCES = 3;

/** The source has a pronoun there, and the name stands neither before it nor in the title. */
function notMeant(
  name: Name,
  { from, to }: { readonly from: number; readonly to: number },
  sentence: EvidenceSentence,
  { parts }: PreparedEvidence,
): Finding | undefined {
  const pronoun = pronounIn(sentence, from, to);
  if (pronoun < 0) return undefined;
  const part = parts[sentence.part]!;
  const at = part.sentences.indexOf(sentence);
  const before = part.sentences.slice(Math.max(0, at - ANTECEDENT_SENTENCES), at);
  const isNamed =
    name.words.some((word) => part.aroundWords.has(word)) ||
    [...before, sentence].some(({ tokens }) => tokens.some(({ lower }) => name.words.includes(plain(lower))));
  if (isNamed) return undefined;
  const { text } = sentence.tokens[pronoun]!;
  return gap("other_subject", `says this of "${name.text}", whom the source does not mean by "${text}"`);
}

function pronounIn({ tokens }: Sentence, from: number, to: number): number {
  return tokens.findIndex(({ lower }, at) => at >= from && at < to && PRONOUNS.has(lower));
}

function plain(lower: string): string {
  return lower.replace(/'s?$/, "");
}
