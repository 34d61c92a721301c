/**
 * What an answer claims: its sentences taken apart into clauses that can be checked one by one, with what is said about
 * them (an inference, something that the user said, the source that is named). Questions, offers, instructions and
 * admissions of not knowing claim nothing.
 */
import { pattern } from "../../lib/pattern.js";
import { SENTENCE_CHARS_MAX } from "../limits.js";
import { stateOf } from "./vocabulary.js";

export interface ClaimStatement {
  /** As the answer has it. */
  readonly text: string;
  /** What is to be checked: without "yes," and without the words of the marks below. */
  readonly content: string;
  /** Said to be an inference: "I believe", "probably". */
  readonly isInference: boolean;
  /** Said of what was, or of what will be. */
  readonly tense: "present" | "past" | "future";
  /** What the user is said to have said, or to have asked. */
  readonly attribution: "none" | "said" | "asked";
  /** The source that is named: "the linux_containers tool shows". */
  readonly citedSource: string | undefined;
}

/** What a sentence claims, in order. `user`: what was asked, to which it may be no more than a yes or a no. */
export function claimsIn(raw: string, user: string): readonly ClaimStatement[] {
  if (raw.length > SENTENCE_CHARS_MAX) return [plainStatement(raw.trim())];
  const sentence = plain(raw);
  const word = YES_OR_NO.exec(sentence)?.[1];
  if (word !== undefined) {
    const asked = questionAsStatement(user, !/^no/i.test(word));
    return asked === undefined ? [] : [statementOf(sentence, asked)];
  }
  if (ADMITS.test(sentence) || isNoClaim(sentence)) return [];
  const clauses = clausesOf(sentence).filter((clause) => !isNoClaim(clause));
  return clauses.map((clause) => statementOf(clause, clause));
}

/** The sentence where it says that something is not known. */
export function admissionIn(raw: string): string | undefined {
  const sentence = raw.length > SENTENCE_CHARS_MAX ? "" : plain(raw);
  return ADMITS.test(sentence) ? sentence : undefined;
}

/** A text as it stands. */
export function plainStatement(text: string): ClaimStatement {
  const plain = {
    isInference: false,
    tense: "present",
    attribution: "none",
    citedSource: undefined,
  } as const;
  return { text, content: text, ...plain };
}

/** Without marks of layout. */
function plain(raw: string): string {
  return raw
    .replace(/\*\*|__|`/g, "")
    .replace(/^\s*(?:#{1,6}|[-*•>]|\d{1,2}[.)])\s+/, "")
    .replace(/\s+/g, " ")
    .trim();
}

const YES_OR_NO =
  /^(yes|yeah|yep|correct|right|no|nope)(?:,? (?:it|they|he|she|that) (?:is|are|does|do|has|have)(?: not|n't)?)?[.!]*$/i;

const COPULAS = "is|are|was|were|has|have|does|do|did|can|will";
const ASKED_WHETHER = new RegExp(`(?:^|[.!?,:]\\s)(${COPULAS})(?:n't)? ([^.!?\\n]{1,300})\\?`, "i");
const LEANS = new RegExp(`^(?:${COPULAS}|runs|listens|uses)\\b`, "i");

/** "Is nginx running?" with yes says that nginx is running. */
function questionAsStatement(user: string, isYes: boolean): string | undefined {
  const [, verb = "", rest = ""] = ASKED_WHETHER.exec(user) ?? [];
  if (rest === "") return undefined;
  // Subject first: the words up to the first state word or the last word.
  const words = rest.split(" ");
  const cut = words.findIndex(
    (word, i) => i > 0 && (stateOf(word) !== undefined || /^(?:in|on|at|a|an|the)$/i.test(word)),
  );
  const at = cut < 0 ? words.length - 1 : cut;
  return `${words.slice(0, at).join(" ")} ${verb.toLowerCase()}${isYes ? "" : " not"} ${words.slice(at).join(" ")}`;
}

const ADMITS = pattern("i")`
  \b(?:(?:I|we)(?: do not|(?:'|’)?m| am| have| can ?not| could not|(?: do| ca| could
  | have)n['’]t| would| will)? ?(?:not )?(?:know|sure|certain|tell|find
  |have (?:any |enough )?(?:information|data|readings?|access|evidence)|no (?:information
  |data|way|reading|evidence)|need to (?:check|look|verify|confirm)|verify|confirm
  |determine|see (?:any )?(?:information|data))|(?:is|are|remains?) (?:unknown|unclear)
  |no (?:data|information|reading)s? (?:is |are )?(?:available|about|on|for)
  |not enough (?:data|information))\b
`;

/** A question, an offer, an instruction, a condition, a courtesy. */
function isNoClaim(text: string): boolean {
  return /\?["')\]]*$/.test(text) || NO_CLAIM.some((rule) => rule.test(text)) || !hasPredicate(text);
}

const NO_CLAIM: readonly RegExp[] = [
  /^(?:if|unless|whether|suppose|should you|in case|when(?:ever)? you)\b/i,
  pattern("i")`
    ^(?:please |then |next,? |first,? |now |just |you (?:can|could|may|might|should|must
    |need to|will need to|have to|want to|may want to) (?!see\b|know\b|be\b|tell\b|notice\b)
    |(?:I|we)(?: can|(?:'|’)ll| will| could| would| may| am going to
    |(?:'|’)m going to) |let me |let['’]?s |let us |to (?!be\b)\w+ )
  `,
  pattern("i")`
    ^(?:please )?(?:check|run|try|use|restart|see|look|verify|make sure|ensure|type|enter
    |execute|consider|wait|note that you|remember to|feel free|ask|tell me|start the
    |start it|stop the|stop it|do not|don['’]t|never|always)\b
  `,
  /^(?:would|could|can|do|did|does|shall|is|are|was|will|which|what|who|where|when|why|how)\b.*\?/i,
  pattern("i")`
    ^(?:hello|hi|hey|good (?:morning|afternoon|evening)|thanks|thank you|sure|okay|ok
    |of course|certainly|great|sorry|you['’]re welcome|here(?: is|['’]s| are) (?:what|the|a
    |an|your))\b[^.]{0,40}$
  `,
];

/** Something that can be true or false needs a verb, a state, or a label with a value behind it. */
function hasPredicate(text: string): boolean {
  return (
    VERB.test(text) ||
    /(?<!\w)[a-z]{3,}ed(?!\w)/i.test(text) ||
    /\p{L}.{0,40}[:=]\s*\S/u.test(text) ||
    text.split(/\W+/).some((word) => stateOf(word) !== undefined) ||
    /\d/.test(text)
  );
}

/** Verbs that a predicate begins with. */
export const PREDICATES =
  "is|are|was|were|be|been|isn['’]t|aren['’]t|wasn['’]t|weren['’]t|has|have|had|hasn['’]t" +
  "|haven['’]t|does|doesn['’]t|do|don['’]t|did|didn['’]t|runs?|listens?|uses?|shows?" +
  "|remains?|stays?|exists?|stopped|failed|crashed|started|died|will|won['’]t|cannot" +
  "|can['’]t|can|works?|contains?|exceeds?|reads?|stands|equals?|consumes?";
const VERBS =
  `${PREDICATES}|says?|reports?|went|came|lacks?|holds?|hosts?|said|mentioned|told|asked` +
  "|restarted|installed|seems?|appears?|looks?|[a-z]+(?:['’]s|['’]re) (?=\\w)|takes?|needs?" +
  "|belongs?|owns?|serves?|measures?";
const VERB = new RegExp(`(?<![\\w-])(?:${VERBS})(?![\\w-])`, "i");

const CLAUSE_BREAK = pattern("i")`
  (?:(?<!\s)\s+)?;\s+|(?:,|(?<!\s))\s+(?:but|while|whereas|although|though|however|because
  |since(?= (?:the|it|you|we|I|that)\b)|so that|which means(?: that)?|so)\s+
  |(?<!\s)\s+[–—]\s+
`;

/** Clauses that can be true or false on their own. */
function clausesOf(sentence: string): readonly string[] {
  return sentence
    .split(CLAUSE_BREAK)
    .flatMap(joinedClauses)
    .filter((part) => /\p{L}/u.test(part));
}

/** Cut at "and" and at commas, where what follows has a verb of its own. */
function joinedClauses(text: string): readonly string[] {
  // Each piece is followed by what joins it to the next.
  const pieces = text.split(/(,\s+and\s+|,\s+|(?<!\s)\s+and\s+)/i);
  const clauses: string[] = [];
  let [open = ""] = pieces;
  for (let i = 2; i < pieces.length; i += 2) {
    const [join, piece] = [pieces[i - 1]!, pieces[i]!];
    if (isClause(open) && isClause(piece)) {
      clauses.push(open);
      open = withSubject(piece, open);
    } else open += join + piece;
  }
  return [...clauses, open];
}

function isClause(text: string): boolean {
  return VERB.test(text) && !/^(?:as|like|according to|based on)\b/i.test(text);
}

/** "… and is enabled" leans on the subject before it. */
function withSubject(clause: string, before: string): string {
  if (!LEANS.test(clause)) return clause;
  const subject = before.split(VERB)[0]?.trim() ?? "";
  return subject === "" ? clause : `${subject} ${clause}`;
}

function statementOf(text: string, clause: string): ClaimStatement {
  const { content: cited, source } = withoutCitation(clause.replace(OPENING, ""));
  const [said, asked] = [SAID.exec(cited), ASKED.exec(cited)];
  const content = cited.slice((said ?? asked)?.[0].length ?? 0);
  const stripped = INFERENCE.reduce((rest, [mark, by]) => rest.replace(mark, by), content);
  const isPast = /\b(?:was|were|had been|used to)\b/i.test(stripped);
  return {
    text: text.trim(),
    content: stripped.replace(/\s+/g, " ").trim(),
    isInference: INFERENCE.some(([mark]) => mark.test(content)),
    tense: /\b(?:will|going to|shall)\b/i.test(stripped) ? "future" : isPast ? "past" : "present",
    attribution: said !== null ? "said" : asked !== null ? "asked" : "none",
    citedSource: source,
  };
}

const OPENING = pattern("i")`
  ^(?:yes|no|yeah|okay|ok|sure|well|also|and|but|so|then|currently|right now|now
  |at the moment|good news|in short)[,:]\s+
`;

const SAID = pattern("i")`
  ^(?:as |like |since |because )?you(?:['’]ve| have)?(?: just| already| also)? (?:said
  |mentioned|told me|told us|stated|reported|wrote|noted|indicated|explained|confirmed
  |pointed out)(?: earlier| before)?(?: that)?,?\s+|^according to you,?\s+
  |^(?:from|based on|going by) (?:what you (?:said|told me|wrote)|your (?:message|words))
  ,?\s+
`;
const ASKED =
  /^you(?:['’]ve| have)?(?: just)? (?:asked|wanted to know|were asking)(?: me)?(?: about| whether| if| for| how| what| to)?,?\s+/i;

/** Marks of an inference, and what the sentence says without them. */
const INFERENCE: readonly (readonly [RegExp, string])[] = [
  [
    /\b(?:I|we) (?:(?:would|do) )?(?:believe|think|assume|guess|suspect|suppose|infer|expect|presume)(?: that)?\s+/i,
    "",
  ],
  [
    /\b(?:it|this|that) (?:seems|appears|looks|suggests|implies|indicates)(?: like| as if| as though| that)?\s+/i,
    "",
  ],
  [/\b(?:seems?|appears?|looks|is likely|are likely|is supposed|are supposed) to (?:be\b|have\b)/i, "is"],
  [/\b(?:might|may|could|should|must|would) (not )?(?:still |well )?be\b/i, "is $1"],
  [/,?\b(?:but )?I(?:['’]m| am) not (?:certain|sure)\b[\s\S]*/i, ""],
  [
    pattern("i")`
      \b(?:probably|likely|presumably|apparently|perhaps|maybe|possibly|seemingly|supposedly
      |in all likelihood|most likely|my guess is(?: that)?|I['’]d guess)\b,?\s*
    `,
    "",
  ],
];

const CITATION = pattern("i")`
  ^(?:according to|based on|as per|per|from|going by) ((?:the )?(?!,)\S+
  (?: (?!,)\S+){0,5}? ?)(?: (?:tool|output|reading|result)s?)?,\s+
  |^(?:the )?([a-z\d-]*_[\w-]+)(?: tool)?(?: output| result)? (?:shows?|says?|reports?
  |tells?(?: us)?|indicates?|confirms?|returned)(?: that)?,?\s+|^(?:the )?(system state
  |snapshot) (?:shows?|says?|reports?)(?: that)?,?\s+
`;

function withoutCitation(text: string): { readonly content: string; readonly source: string | undefined } {
  const found = SAID.test(text) ? null : CITATION.exec(text);
  if (found === null) return { content: text, source: undefined };
  const named = (found[1] ?? found[2] ?? found[3] ?? "").replace(/^the /i, "").trim();
  return { content: text.slice(found[0].length), source: named === "" ? undefined : named };
}
