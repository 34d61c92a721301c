/** Whether a sentence shows the kind of thing that a question asks for: a person, a time, a number, a place. */
import { pattern } from "../../lib/pattern.js";
import { cardinalWords } from "../../words/number-words.js";

/** 1 when it does, -1 when it does not, 0 when the question asks for no such kind. */
export function showsKind(question: string, sentence: string, definesTitle: boolean): -1 | 0 | 1 {
  const kind = KINDS.find(([asked]) => asked.test(question));
  if (kind === undefined) return 0;
  return kind[1](sentence, wordsOf(question), definesTitle) ? 1 : -1;
}

type Shows = (sentence: string, asked: ReadonlySet<string>, definesTitle: boolean) => boolean;

/** The first that fits counts. */
const KINDS: readonly (readonly [RegExp, Shows])[] = [
  [/\bwhos?e?\b/i, namesSomebodyElse],
  [/\bwhen\b|\bwhat (?:year|date|day|time)\b/i, (sentence) => TIME.test(sentence)],
  [
    /\bhow (?:many|much|long|old|far|tall|big|often|high|deep|hot|cold)\b/i,
    (sentence) => NUMBER.test(sentence),
  ],
  [/\bwhere\b/i, (sentence, asked) => PLACE.test(sentence) || namesSomebodyElse(sentence, asked)],
  [
    /\bwhat (?:is|are)\b|\bmean(?:s|ing)?\b|\bdefin(?:e|ition)\b/i,
    (sentence, _, definesTitle) => definesTitle || /\b(?:is|are|refers|means)\b/.test(sentence),
  ],
];

const TIME = pattern()`
  \b(?:1\d{3}|20\d\d|January|February|March|April|May|June|July|August|September|October
  |November|December|century|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|\d{1,2}:\d\d
  |noon|midnight|before|after|until|every|daily|weekly)\b
`;
const NUMBER = new RegExp(`\\d|\\b(?:${cardinalWords("en").join("|")}|once|twice|every)\\b`, "i");
const PLACE = /\b(?:in|at|near|along|beside|behind|under|next to) (?:the|an?|each|\p{Lu})/u;

/** A name within the sentence: words with capital letters, one after the other. */
const NAME = /(?<=\S )\p{Lu}[\p{L}\p{N}.'-]+(?: (?:of |de |the )?\p{Lu}[\p{L}\p{N}.'-]+)*/gu;

/** A name that the question does not have already. */
function namesSomebodyElse(sentence: string, asked: ReadonlySet<string>): boolean {
  return [...sentence.matchAll(NAME)].some(([name]) => [...wordsOf(name)].some((word) => !asked.has(word)));
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}
