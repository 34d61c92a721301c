/** Whether a sentence is whole: small models break off. */

import { wordSet } from "../../lib/word-set.js";
import { listMarkerEnd } from "../../words/quantity/quantities.js";
import type { EvidenceSentence } from "../evidence.js";
import type { Sentence } from "../sentence/sentence.js";
import { type Finding, gap } from "./finding.js";

export function checkWhole(claim: Sentence, window: readonly EvidenceSentence[]): Finding[] {
  const whole = window.find((sentence) => breaksOff(claim, sentence));
  return whole === undefined ? [] : [gap("words_not_found", `breaks off "${whole.text}"`)];
}

const SENTENCE_END = /[.!?…:;。！？]["'”’)\]*]*\s*$/u;

/** Word for word the beginning of a sentence that goes on with what the verb needs: "Do not clean up | a large spill". */
function breaksOff(claim: Sentence, sentence: Sentence): boolean {
  if (SENTENCE_END.test(claim.text)) return false;
  const own = claim.tokens.slice(listMarkerEnd(claim.tokens));
  const next = sentence.tokens[own.length];
  if (own.length === 0 || next === undefined || next.kind === "stop" || MAY_FOLLOW.has(next.lower))
    return false;
  return own.every(({ lower }, at) => sentence.tokens[at]?.lower === lower);
}

/** Words before which a sentence may end. */
const MAY_FOLLOW = wordSet(
  "and or but in on at by for from with to into over under before after until when if because so while unless as than of",
);
