/** Forms of English questions. */
import { pattern } from "../lib/pattern.js";

/** Not "may I", of which the answer hangs on the circumstances. */
export const ASKS_OF_FACTS = /\b(?:how|what|which|where)\b/i;
export const CIRCUMSTANCE =
  /(?<=\p{L}\P{L})(?:(?:before|after|during|while)\b|when (?:i|we|you|they|he|she|somebody|someone|it)\b)/iu;

/** In "how do I treat a burn" the verb says no more than that something has to be done. */
export const DEALING = pattern("gi")`
  \bhow (?:do i|do we|do you|should i|should we|can i|to) (?:treat|handle|deal with|manage
  |react to|respond to|run|perform|conduct|carry out|go about)\b
`;

/** In "how long" the second word tells what kind of answer is wanted, not what it is about. */
export const HOW_MUCH = /\bhow (?:long|many|much|often|far|quickly|soon|late|early)\b/gi;

export const ACTION = /\bhow (?:to|(?:do|can|should|must|would) \p{L}+) (\p{L}+)/iu;

export const STEPS = pattern("i")`
  \bhow (?:do|to|can|should|must|would|are|is)\b|\bwhat (?:do|should|must|shall|can
  |would) (?:i|we|you|they|somebody) (?:do|have to do|need to do)\b|\bwhat (?:now|next
  |to do|happens|are the (?:first )?steps
  |(?:do|should|must) (?:i|we|you) (?:have to |need to )?know about)\b|\bthing to do\b|\b(?:steps|procedures?
  |checklists?|instructions?|process|walk me through|take me through)\b
`;

/** Asks what follows from a case. */
export const CONSEQUENCE = pattern("i")`
  \b(?:what (?:do|should|must|shall|can|would) (?:i|we|you|they) (?:have to |need to )?do (?:with|when|if|about)
  |steps (?:for|when|if|after))\b
`;

export const HAPPENING = /\bdo (?:when|if)\b/i;

export const ASKS = pattern("iu")`
  \?|\b(?:what|which|who|whom|whose|where|when|why|how)\b|^\P{L}*(?:is|are|am|was|were|do|does|did|has|have|can|could|may
  |must|should|shall|will|would|tell|show|give|list|name|read|explain|describe|steps?|procedures?)\b
  |\b(?:can|may|must|should|shall|do) (?:i|we|you|they|he|she|it)\b
`;

export const PAST = /(?<!\p{L})\p{L}{2,}(?<!e)ed(?!\p{L})/gu;

export const SUPPOSES =
  /\b(?:what|how)\b.{0,80}\b(?:if|when|happens|with)\b|^(?:if|when) \P{L}*(?:an?|the|my|our|some\p{L}+)\b/iu;

/** "What do I check", "what must it state", "which tools", "what are the rules", "who can stop it", "when is it always". */
export const LIST = pattern("iu")`
  \b(?:what|which)(?: \p{L}+){0,3}? (?:do|does|must|mustn't|should|shouldn't|shall|can|can't
  |cannot|may) |\b(?:what|which) (?:\p{L}+ ){0,3}\p{L}{2,}s\b|\bwhat goes\b
  |\bwho (?:can|may|has|is allowed)\b|\b(?:list|name) (?:all|the)\b
`;

export const NUMBERED = /(?<!\p{L})(\p{L}+) (\d{1,3})\b(?![.,:]\d| ?[%°])/gu;

/** Denied terms are marked; the words that deny them say no more. */
export const DENYING = /^(?:cannot|without)$|n['’]t$/;
