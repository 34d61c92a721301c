/** What a sentence is in an answer: something claimed, an instruction, a question back, a refusal, or just words. */

import { pattern } from "../../lib/pattern.js";
import { wordSet } from "../../lib/word-set.js";
import { listMarkerEnd } from "../../words/quantity/quantities.js";
import { REFUSALS_ELSEWHERE } from "../../words/refusals.js";
import { WARNING } from "../../words/warnings.js";
import type { Sentence } from "../sentence/sentence.js";
import type { SentenceRole } from "./check.js";

const LEADING =
  /^(?:then|next|now|finally|first|second|third|lastly|after that|afterwards|please|also|always|and|to begin|once done)$/;

/** The role by the sentence's own form; what it rests on may make a step of a claim. */
export function roleOf(sentence: Sentence): SentenceRole {
  const { text } = sentence;
  if (WARNING.test(text)) return "warning";
  if (isFiller(sentence)) return "filler";
  if (isRefusal(text)) return "refusal";
  if (/\?["'”’)\s]*$/.test(text)) return "question";
  if (isProhibition(sentence)) return "warning";
  return isInstruction(sentence) ? "step" : "claim";
}

/** "Never …", "Do not …". */
function isProhibition({ tokens }: Sentence): boolean {
  const [first, second] = [tokens[0]?.lower, tokens[1]?.lower];
  return first === "never" || first === "don't" || (first === "do" && second === "not");
}

/** Numbered, or a verb of action where a subject would stand. */
function isInstruction({ tokens, infos }: Sentence): boolean {
  let at = listMarkerEnd(tokens);
  if (at > 0) return true;
  while (at < tokens.length && (LEADING.test(tokens[at]!.lower) || tokens[at]!.text === ",")) at += 1;
  const next = tokens[at + 1]?.lower;
  if (infos[at]?.action !== true || next === undefined) return false;
  return !/^(?:is|are|was|were|has|have|can|may|must|should|will)$/.test(next);
}

/** Nothing in it says anything: no content word, no figure, nothing to do ("Go back.", "Put it on."). */
function isFiller(sentence: Sentence): boolean {
  const { terms, quantities, codes, denials, text } = sentence;
  if (quantities.some(({ use }) => use !== "idiom" && use !== "order") || codes.length > 0) return false;
  if (terms.size === 0 && isInstruction(sentence)) return false;
  if (denials.length > 0 || text.trim().endsWith("?") || BROKEN_OFF.test(text)) return false;
  return (
    [...terms].every((term) => EMPTY_TERMS.has(term)) &&
    !/\b(?:you (?:can|may|must|should|have to)|it is|it's|yes|no)\b/i.test(text)
  );
}

/** Begins as a sentence does, and does not end as one. */
const BROKEN_OFF = /^[\s*>-]*(?:(?:i|it|they|you|we|he|she|what|which|there)\b[^.!?…:]*|text:?\s*)$/i;

const EMPTY_TERMS = wordSet(
  "hello hi thank thanks welcom glad happi help question ask answer cours great absolut " +
    "certainli sorri apolog moment summari short brief here understand understood found hope",
);

/** The speaker does not know, cannot say, or says that the documents do not say. */
const REFUSALS: readonly RegExp[] = [
  pattern("i")`
    \b(?:i|we) (?:do not|don't|cannot|can't|could not|couldn't|am not able to|have no
    |am unable to|did not|didn't) (?:\w+ ){0,2}?(?:have|know|find|answer|say|tell|see
    |confirm|information|help|sure|record|give)\b
  `,
  /\b(?:i|we) (?:have|found) (?:no|nothing)\b/i,
  /\bi(?:'m| am) (?:not sure|not certain|unable)\b/i,
  pattern("i")`
    \b(?:the |your |these |those |any |our )?(?:documents?|documentation|handbooks?|manuals?
    |passages?|sources?|sheets?|texts?|excerpts?|procedures?) (?:\w+ ){0,3}?(?:do not|don't
    |does not|doesn't|did not|didn't|never) (?:\w+ )?(?:say|mention|state|tell|contain|cover
    |specify|include|give|describe|provide|explain|answer|address|list|indicate|name)\b
  `,
  pattern("i")`
    \b(?:is|are|was|were)(?: not|n't) (?:\w+ )?(?:mentioned|stated|covered|specified
    |in the (?:documents?|handbook|passages?|manual|sources?))\b
  `,
  /\b(?:there is|there's) (?:no|nothing)(?: \w+){0,2} (?:in|about|information|mention)\b/i,
  /\bnothing (?:about|in the (?:documents?|handbook|passages?))\b/i,
  ...REFUSALS_ELSEWHERE,
];

function isRefusal(text: string): boolean {
  return REFUSALS.some((pattern) => pattern.test(text));
}

/** What a refusal says beside refusing: "…, but 30 minutes is usual". */
export function claimBeside(text: string): string | undefined {
  const pattern = REFUSALS.find((one) => one.test(text));
  const match = pattern?.exec(text);
  if (match === null || match === undefined) return undefined;
  const behind = TURN.exec(text.slice(match.index + match[0].length));
  const before = text.slice(0, match.index);
  const rest = behind?.[1]?.trim() ?? "";
  if (rest !== "" && !isRefusal(rest) && wordCount(rest) >= CLAIM_WORDS_MIN && !REFERRAL.test(rest))
    return rest;
  const ahead =
    /^(.*?)[,;–—]\s*(?:but|although|though|even though|and|however)\s*$/isu.exec(before)?.[1] ?? "";
  return wordCount(ahead) >= CLAIM_WORDS_MIN && !isRefusal(ahead) ? ahead : undefined;
}

/** Where a sentence goes on to something else. */
const TURN = pattern("isu")`
  (?:[,;:–—]\s*|(?<![,;:–—\s])\s+)(?:but|however|although|though|so|usually|normally
  |typically|generally|still|nevertheless|in general|yet)\b,?(.+)
`;

/** "so please ask your supervisor": sends the user to people, claims nothing. */
const REFERRAL = pattern("i")`
  ^(?:please |you (?:should|can|could|may) |i(?:'d| would) (?:suggest|recommend) )?
  (?:that you )?(?:ask|asking|check|checking|contact|consult|speak|talk|see)\b
`;

const CLAIM_WORDS_MIN = 3;

function wordCount(text: string): number {
  return text.match(/[\p{L}\d]+/gu)?.length ?? 0;
}
