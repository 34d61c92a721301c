/** Forms of English questions. */
import { pattern } from "../lib/pattern.js";

/** Not "may I", of which the answer hangs on the circumstances. */
export const ASKS_OF_FACTS = /\b(?:how|what|which|where)\b/i;
export const CIRCUMSTANCE =
  /(?<=\p{L}\P{L})(?:(?:before|after|during|while)\b|when (?:i|we|you|they|he|she|somebody|someone|it)\b)/iu;

/** Not "what now", which asks about the value that is told. */
export const ASKS_OF_VALUE =
  /^when\b|\b(?:how|what|which|where|who|why)\b(?! (?:now|next|(?:do|should|must|shall) (?:i|we) do)\b)/i;

/** Around a number without a unit that is a value, and neither counts nor names: "is at 58, ok?", "reads 20.1". */
export const BEFORE_BARE_VALUE =
  /(?:\b(?:at|is|was|are|reads?|shows?|showing|says?|blowing)|'s) (?:minus |about )?$/i;
export const BEHIND_BARE_VALUE = /^\s*(?:[,.;?!]|$|(?:on|in|at|for|now|and|is|again)\b)/i;

/** What stands behind the name of what is measured: a verb, a place, or a part of it. */
export const BEHIND_NAME = pattern("i")`
  \b(?:is|are|was|has|have|reads?|shows?|showing|says?|at|in|on|of|for|with|weighs?|may|can|i)\b|['’]s\b
`;

/** Says that a value is read or asks whether it is right, and nothing of what it is of. */
export const READING = pattern("gi")`
  \b(?:reads?|reading|shows?|showing|says|fine|alright|normal|safe|okay|ok|right|enough|(?:carry|go|keep) (?:on|going)
  |still|too (?:hot|cold|warm|much|high|low|fast))\b
`;

/** In "# high", for "four metres high", the last word says no more than the unit. */
export const MARKED_AMOUNT = /#(?: (?:high|low|tall|deep|wide|thick|long|old|heavy|fast|away|off)\b)?/gi;

/** In "how do I treat a burn", "walk me through it" the verb says no more than that something has to be done. */
export const DEALING = pattern("gi")`
  \bhow (?:do i|do we|do you|should i|should we|can i|to) (?:treat|handle|deal with|manage
  |react to|respond to|run|perform|conduct|carry out|go about)\b
  |\b(?:walk|talk|guide|take|lead|coach|step|run) (?:me|us) (?:step by step )?through\b
`;

/** In "how long" the second word tells what kind of answer is wanted, not what it is about. */
export const HOW_MUCH = /\bhow (?:long|many|much|often|far|quickly|soon|late|early)\b/gi;

export const ACTION = /\bhow (?:to|(?:do|can|should|must|would) \p{L}+) (\p{L}+)/iu;

export const STEPS = pattern("iu")`
  \bhow (?:do|to|can|should|must|would|are|is)\b|\bwhat (?:do|should|must|shall|can
  |would) (?:i|we|you|they|somebody) (?:do|have to do|need to do)\b|\bwhat (?:now|next
  |to do|happens|are the (?:first )?steps
  |(?:do|should|must) (?:i|we|you) (?:have to |need to )?know about)\b|\bthing to do\b|\b(?:steps|procedures?
  |checklists?|instructions?|process|walk me through|take me through)\b
  |\b(?:right|best|proper|correct|safe) way to\b|\bhow\P{L}{0,3}$
`;

/** Asks for a person, a time or a place, or for what nobody asks who wants to know what to do. */
export const ASKS_OF_WHOM = /\b(?:who|whom|whose|when|where|why)\b/i;

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

/** Denied terms are marked; the words that deny them say no more. */
export const DENYING = /^(?:cannot|without)$|n['’]t$/;

const SUBJECT = "(?<subject>i|we|you|they|he|she|it|people|workers|employees|customers|visitors|drivers)";
const REST = "(?<rest>[^?]*[^?\\s])\\s*\\??$";

/** What a question takes for granted, and the sentence that says it. */
export const PRESUPPOSING: readonly (readonly [RegExp, string])[] = [
  // "Since the door may stay open for two hours, can I …?"
  [
    pattern("iu")`
      ^(?:so |but |and |well,? )?(?:since|because|given that|seeing that|considering that
      |now that|as) (?<premise>[^,?]+), *\p{L}+ [^?]*\?*$
    `,
    "$<premise>",
  ],
  // "Why don't we use water …?"
  [
    new RegExp(`^why (?:don't|do not|doesn't|does not|didn't|did not) ${SUBJECT} ${REST}`, "i"),
    "$<subject> do not $<rest>",
  ],
  [new RegExp(`^why (?:can't|cannot) ${SUBJECT} ${REST}`, "i"), "$<subject> cannot $<rest>"],
  [
    new RegExp(`^why (?<verb>must|should|may)(?:n't| not) ${SUBJECT} ${REST}`, "i"),
    "$<subject> $<verb> not $<rest>",
  ],
  // "Why do we use water …?"
  [new RegExp(`^why (?:do|does|did) ${SUBJECT} ${REST}`, "i"), "$<subject> $<rest>"],
  [
    new RegExp(`^why (?<verb>can|may|must|should|are|is|were|was) ${SUBJECT} ${REST}`, "i"),
    "$<subject> $<verb> $<rest>",
  ],
];

const ASKING =
  "(?:(?:at|by|for|from|in|into|of|on|to|under|above|below|within|with|up to) )?(?:what|which|who|whom|whose|when|where|why|how)\\b" +
  "|(?:may|can|do|does|is|are|should|must|will|shall) (?:i|we|you|they|he|she|it|there|the|my|our|an?|this|that)\\b";

/** A question of its own. */
export const BEGINS_QUESTION = new RegExp(`^(?:${ASKING})`, "i");

/** Between two questions in one turn. */
export const BETWEEN = new RegExp(`\\? (?:and )?(?=\\S)|[,;]? and (?:also )?(?=${ASKING})`, "i");

/** Names one thing, and says nothing about it. */
export const BARE = pattern("iu")`
  ^(?:which|what) \p{L}+ (?:do|should|must|can|may|shall|will|would) (?:i|we|you
  |they) \p{L}+\s*\??$|^how (?:long|much|often|far|many|big|high) (?:does|is|must|may
  |can) (?:it|this|that)(?: \p{L}+)?\s*\??$
`;

/** "What must I not do", "when can't we", "which am I not allowed to", "what is forbidden". */
export const ASKS_OF_FORBIDDEN = pattern("iu")`
      \b(?:what|which|when|where|who)\b.{0,40}\b(?:(?:must|may|should|shall|could)n['’]t|can['’]t|cannot
      |(?:must|may|should|shall|can|could)(?: (?:i|we|you|they|one|people))? (?:not|never)
      |(?:(?:am|are|is)(?: (?:i|we|you|they|one|people))? not|(?:are|is)n['’]t)
      (?: (?:i|we|you|they|one|people))? (?:to|allowed|permitted))\b
      |\bwhat (?:is|are) (?:forbidden|prohibited|banned)\b
    `;
