/** Whether the names, codes and kinds of things in a sentence are those of the evidence. */
import type { EvidenceSentence, PreparedEvidence } from "../evidence.js";
import { namesWith } from "../evidence-index.js";
import { PAIRS_MAX } from "../limits.js";
import type { Name } from "../sentence/names.js";
import type { Sentence } from "../sentence/sentence.js";
import { contradiction, type Finding, gap, tooManyPairs } from "./finding.js";
import { nearness } from "./nearness.js";

export interface NameSources {
  readonly window: readonly EvidenceSentence[];
  readonly evidence: PreparedEvidence;
  readonly question: Sentence;
}

export function checkNames(claim: Sentence, sources: NameSources): Finding[] {
  return [
    ...unknownCodes(claim, sources),
    ...unknownNames(claim, sources),
    ...inventedSource(claim, sources),
  ];
}

function unknownCodes(claim: Sentence, { evidence, question, window }: NameSources): Finding[] {
  const asked = new Set(question.codes.map(({ key }) => key));
  return claim.codes.flatMap(({ key, text, token }) => {
    if (window.some(({ codes }) => codes.some((code) => code.key === key))) return [];
    const rival = window
      .flatMap(({ codes }) => codes)
      .find((code) => shape(code.key) === shape(key) && !claim.codes.some((own) => own.key === code.key));
    if (rival !== undefined)
      return [contradiction("identifier_unknown", `says "${text}", the source says "${rival.text}"`)];
    if (evidence.codes.has(key) || evidence.words.has(key) || asked.has(key)) return [];
    return isSpokenOtherwise(claim, token, evidence)
      ? []
      : [gap("identifier_unknown", `says "${text}", which the sources do not`)];
  });
}

/** Letters and digits as kinds: `P-101` and `V-3` are alike. */
function shape(key: string): string {
  return key.replace(/\p{L}+/gu, "x").replace(/\d+/g, "0");
}

/** "M 8" for "M8". */
function isSpokenOtherwise(claim: Sentence, token: number, evidence: PreparedEvidence): boolean {
  const parts = claim.tokens[token]!.lower.match(/\p{L}+|\d+/gu) ?? [];
  return parts.length > 1 && parts.every((part) => evidence.words.has(part));
}

function unknownNames(claim: Sentence, { evidence, question, window }: NameSources): Finding[] {
  if (pairsOf(claim, window) > PAIRS_MAX) return [tooManyPairs()];
  const asked = new Set(question.tokens.map(({ lower }) => lower.replace(/'s?$/, "")));
  const said = new Set(claim.tokens.map(({ lower }) => lower.replace(/'s$/, "")));
  const findings: Finding[] = [];
  for (const name of claim.names) {
    const unknown = name.words.filter(
      (word) =>
        !isCodeLetter(word, name.token, claim, evidence) &&
        !evidence.words.has(word) &&
        !asked.has(word) &&
        !isForm(word, claim, window),
    );
    if (unknown.length > 0) {
      findings.push(gap("name_unknown", `names "${name.text}", which the sources do not`));
      continue;
    }
    const rival = rivalOf(name, claim, { evidence, window }, asked, said);
    if (rival !== undefined)
      findings.push(contradiction("other_subject", `says this of "${name.text}", the source of "${rival}"`));
  }
  return findings;
}

/** How often a name of the sentence is compared with a name, or with a word of its own, in the window. */
function pairsOf({ names, words }: Sentence, window: readonly EvidenceSentence[]): number {
  if (names.length === 0) return 0;
  const terms = new Set(words.map(({ term }) => term));
  let places = 0;
  for (const sentence of window)
    places += sentence.names.length + sentence.words.filter(({ term }) => terms.has(term)).length;
  return names.length * places;
}

/** "room B 12" of "room B12" */
function isCodeLetter(
  word: string,
  token: number,
  { tokens }: Sentence,
  { codes }: PreparedEvidence,
): boolean {
  return word.length <= 2 && codes.has(`${word}${tokens[token + 1]?.lower}`);
}

/** "Canadian" of "Canada": the same stem as a word of the window. */
function isForm(word: string, claim: Sentence, window: readonly EvidenceSentence[]): boolean {
  const found = claim.words.find(({ token }) => claim.tokens[token]!.lower.replace(/'s$/, "") === word);
  return found !== undefined && window.some(({ words }) => words.some(({ term }) => term === found.term));
}

/** How near to the same words another name must stand, to be the one that belongs there. */
const RIVAL_NEAR_MIN = 0.6;
/** How much nearer than the name itself, wherever else the window has it. */
const RIVAL_OUTWEIGHS = 1.4;

/** The name in the evidence of which the window says what the sentence says of another. */
function rivalOf(
  name: Name,
  claim: Sentence,
  { window, evidence }: Omit<NameSources, "question">,
  asked: ReadonlySet<string>,
  said: ReadonlySet<string>,
): string | undefined {
  const { around } = evidence.parts[window[0]!.part]!;
  const words = claim.words.filter(
    ({ token }) => token >= name.token && token < name.token + name.words.length,
  );
  if (words.some(({ term }) => around.has(term)) || name.words.some((word) => asked.has(word)))
    return undefined;
  const terms = new Set(words.map(({ term }) => term));
  let own = 0;
  let rival: { text: string; near: number } | undefined;
  for (const sentence of window) {
    for (const { term, token } of sentence.words)
      if (terms.has(term))
        own = Math.max(own, nearness(claim, name.token, sentence, token, name.words.length));
    if (sentence !== window[0] && own === 0) continue;
    for (const other of sentence.names) {
      if (other.words.some((word) => said.has(word))) continue;
      if (isOneName(name, other, evidence)) continue;
      const near = nearness(claim, name.token, sentence, other.token, name.words.length);
      if (rival === undefined || near > rival.near) rival = { text: other.text, near };
    }
  }
  if (rival === undefined || rival.near < RIVAL_NEAR_MIN) return undefined;
  return rival.near > own * RIVAL_OUTWEIGHS + (own > 0 ? 0.3 : 0) ? rival.text : undefined;
}

/** "Sarah" and "Newlin", where the text has "Sarah Newlin". */
function isOneName(name: Name, other: Name, evidence: PreparedEvidence): boolean {
  const both = [...name.words, ...other.words];
  return namesWith(both[0]!, evidence).some(({ words }) => both.every((word) => words.includes(word)));
}

/** "According to the manufacturer": who is said to have said it must be somebody whom the sources name. */
function inventedSource(claim: Sentence, { evidence, window }: NameSources): Finding[] {
  const { tokens, infos, words } = claim;
  const at = tokens.findIndex(({ lower }, i) => lower === "according" && tokens[i + 1]?.lower === "to");
  const under =
    tokens[0]?.lower === "under" || tokens[0]?.lower === "per" || tokens[0]?.lower === "by" ? 0 : -1;
  const from = at >= 0 ? at + 2 : under + 1;
  if (at < 0 && (under < 0 || !tokens.some(({ text }) => text === ","))) return [];
  const { around } = evidence.parts[window[0]!.part]!;
  for (let i = from; i < tokens.length && tokens[i]!.kind !== "stop"; i++) {
    if (infos[i]!.weight !== "content" || !words.some(({ token }) => token === i)) continue;
    const { term } = infos[i]!;
    if (!evidence.byTerm.has(term) && !around.has(term) && !evidence.words.has(tokens[i]!.lower))
      return [gap("name_unknown", `names "${tokens[i]!.text}" as its source, which the sources do not`)];
  }
  return [];
}
