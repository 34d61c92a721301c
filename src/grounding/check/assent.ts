/**
 * Assent is a claim: "Yes" and "You may" say what the question asks, as a statement. `undefined` where a sentence does
 * not assent, or the question asks for more than a yes or a no.
 */
import { pattern } from "../../lib/pattern.js";

export interface Assent {
  /** What it says yes to, or no; undefined where the question cannot be turned into a statement. */
  readonly statement: string | undefined;
  readonly denies: boolean;
  /** What is said besides. */
  readonly rest: string | undefined;
}

const WORDS =
  "yes|yeah|yep|yup|sure|certainly|absolutely|definitely|of course|indeed|correct" +
  "|exactly|right|true|ok|okay|fine|no problem|go ahead|that is right|that's right" +
  "|that is correct|that's correct|that is true|that's true|affirmative|no|nope|negative";
const YES = new RegExp(`^(?:(?:${WORDS})(?:\\s*[,.!:;–—-]+\\s*|\\s+(?=go ahead\\b)|$))+`, "iu");
const NO = /^(?:no|nope|negative)\b(?! (?:problem|one|person|\p{L}+ (?:may|is|are|must|can)\b))/iu;
/** What repeats the verb of the question alone. */
const REPEATS = pattern("iu")`
  ^(?:you (?:can|may|must|should|do)(?: (?:do|go ahead with) (?:that|it|so|this))?
  |(?:it|they|he|she|that|i|we) (?:can|may|must|should|does|do|is|are|will)|do (?:it|so|that)|go ahead
  |it is (?:safe|fine|ok|okay|allowed)|(?:that|it)(?: i|')s (?:right|fine|ok|okay|correct|safe|allowed|true))(?: not)?$
`;

/** How `text` assents to the question. */
export function assentOf(text: string, question: string): Assent | undefined {
  const words = text.trim().replace(/(?<![.!])[.!]+$/, "");
  const head = YES.exec(words)?.[0] ?? "";
  const rest = words.slice(head.length).trim();
  const repeats = REPEATS.test(rest);
  if (head === "" && !repeats) return undefined;
  const statement = statementOf(question);
  const denies = NO.test(words) || / not$/.test(rest);
  if (statement === undefined && rest !== "" && !repeats) return undefined;
  return { statement, denies, rest: rest === "" || repeats ? undefined : rest };
}

const SUBJECTS = /^(?:i|we)\b/i;
const AUXILIARY = "may|can|could|must|should|shall|will|is|are|was|were|has|have|need";
const AUXILIARY_WORD = new RegExp(`\\b(${AUXILIARY})\\b`, "i");
const SUBJECT =
  "i|we|you|they|he|she|it|there|(?:(?:the|a|an|my|our|any|all) )?[\\p{L}\\d-]+(?: of (?:the )?[\\p{L}\\d-]+)?";
const INVERTED = new RegExp(`^(?:and |so |but |then )?(${AUXILIARY}) (${SUBJECT}) (.+)$`, "iu");
const DO = /^(?:and |so |but |then )?(?:do|does|did) (.+)$/iu;
const TAGGED = /^(?:so )?(.+?),? (?:right|correct|ok|okay|yes|isn't it|don't i|is that right|true)$/iu;
const THAT =
  /^(?:is it (?:true|right|correct|the case|allowed)|are you sure|can you confirm|do you mean) that (.+)$/iu;

/** What a question of yes or no asks, as a statement, with what is said before it; undefined for other questions. */
export function statementOf(question: string): string | undefined {
  const sentences = question.trim().split(/(?<=[.!?])\s+/);
  const last = (sentences.at(-1) ?? "").replace(/(?<![?.!\s])[?.!\s]+$/, "").trim();
  const clause = last.split(/,\s*(?=(?:may|can|could|must|should|is|are|do|does|so)\b)/i).at(-1)!;
  const statement =
    THAT.exec(last)?.[1] ?? inverted(clause) ?? DO.exec(clause)?.[1] ?? TAGGED.exec(last)?.[1];
  return statement?.replace(SUBJECTS, "you").replace(/\b(?:so )?i\b/gi, "you");
}

function inverted(clause: string): string | undefined {
  const match = INVERTED.exec(clause);
  return match === null ? undefined : `${match[2]} ${match[1]!.toLowerCase()} ${match[3]}`;
}

/** The statement denied. */
export function denied(statement: string): string {
  return AUXILIARY_WORD.test(statement)
    ? statement.replace(AUXILIARY_WORD, "$1 not")
    : statement.replace(/^(you|they|we|\S+)\s/i, "$1 do not ");
}
