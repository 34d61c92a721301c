/**
 * Questions made of what documents are called and of their headings, without a model. A topic stands before its question
 * ("Kleiner Austritt: Was muss ich tun?") where it would have to be inflected behind it; English headings that are a
 * task or a situation are put as one would say them. Whether the documents answer is found out elsewhere. Pure.
 */

import { isInjection } from "../grounding/injection.js";
import { pattern } from "../lib/pattern.js";
import { pause } from "../lib/pause.js";
import type { Locale } from "../locale/locale.js";
import type { DocumentOutline } from "../retrieval/port.js";
import { LABEL_CHARS_MAX } from "./search.js";

/** A question that may be suggested. */
export interface SuggestionCandidate {
  readonly text: string;
  /** What a model would search for, where the documents are in another language than the question. */
  readonly query: string;
  /** Asks what is to be done: only steps answer it. */
  readonly asksForSteps: boolean;
  /** Documents whose words are in it, of which one has to be the one that answers. */
  readonly documentIds: readonly string[];
}

/** Characters of a suggestion as it is best, and at the most. */
export const QUESTION_CHARS_GOOD = 60;
export const QUESTION_CHARS_MAX = 120;

/**
 * Candidates in the order in which they are to be tried: the best of each document before a second one of any.
 * `ofDocuments` is the language of the documents.
 */
export async function candidatesOf(
  outlines: readonly DocumentOutline[],
  locale: Locale,
  ofDocuments: Locale,
): Promise<readonly SuggestionCandidate[]> {
  const all: (readonly SuggestionCandidate[])[] = [];
  for (const outline of outlines) all.push(await candidatesIn(outline, locale, ofDocuments));
  const count = Math.max(0, ...all.map(({ length }) => length));
  return Array.from({ length: count }, (_, i) => all.flatMap((one) => one.slice(i, i + 1))).flat();
}

async function candidatesIn(
  { documentId, title, headings }: DocumentOutline,
  locale: Locale,
  ofDocuments: Locale,
): Promise<readonly SuggestionCandidate[]> {
  if (!isUsable(title)) return [];
  const known = new Set(wordsOf(title));
  const questions: Question[] = [];
  for (const label of headings) {
    await pause();
    const heading = withoutNumber(label);
    // A heading that says nothing beside its title, or nothing without what stands below it, is no topic.
    const isTopic = /\s/.test(heading) && wordsOf(heading).some((word) => !known.has(word));
    if (isUsable(label) && isTopic) questions.push(...questionsAbout(heading, locale, ofDocuments));
  }
  const all = [...questions, ...questionsAbout(withoutNumber(title), locale, ofDocuments)];
  const isShort = ({ text }: Question) => text.length <= QUESTION_CHARS_GOOD;
  return [...all.filter(isShort), ...all.filter((one) => !isShort(one))]
    .filter(({ text }) => text.length <= QUESTION_CHARS_MAX)
    .map((question) => ({ ...question, documentIds: [documentId] }));
}

/** A title or a heading that a question can be made of. */
function isUsable(label: string): boolean {
  return label.length <= LABEL_CHARS_MAX && !isInjection(label);
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

type Question = Omit<SuggestionCandidate, "documentIds">;

function questionsAbout(topic: string, locale: Locale, ofDocuments: Locale): readonly Question[] {
  if (/^\P{L}*\p{L}.*[?？]$/u.test(topic)) return [{ text: topic, query: topic, asksForSteps: false }];
  const isEnglish = /^en\b/.test(locale.language) && /^en\b/.test(ofDocuments.language);
  const asSaid = isEnglish ? spokenInEnglish(topic) : undefined;
  if (asSaid !== undefined) return [{ text: asSaid, query: asSaid, asksForSteps: false }];
  if (SAYS_LITTLE.test(topic) || !/\p{L}{2}/u.test(topic)) return [];
  const values = { topic: isEnglish ? lowerInitial(topic) : topic };
  return (["suggested.what_to_do", "suggested.what_to_know"] as const).map((key) => ({
    text: locale.say(key, values),
    query: ofDocuments.say(key, values),
    asksForSteps: key === "suggested.what_to_do",
  }));
}

/** Begins in the middle ("With the key out"), or is about the document: nothing by itself. */
const SAYS_LITTLE = pattern("i")`
  ^(?:with|without|on|at|in|inside|outside|for|by|under|over|from|of|to|and|or|last|first
  |next|other|table of contents|revision history|about)\b|\bthis\b
`;

/** The heading on one line, without "3.1 ", "B) " or "Chapter 4: ", and without a mark at its end. */
function withoutNumber(heading: string): string {
  return heading
    .replace(/\s+/gu, " ")
    .trim()
    .replace(NUMBER, "")
    .replace(/(?<![\s:.;,–—-])[\s:.;,–—-]+$/u, "");
}

const NUMBER =
  /^(?:(?:chapter|section|part|annex|appendix) (?:\d+(?:\.\d+)*|[A-Z])[.):]? |\d+(?:\.\d+)*[.):]? |[A-Z][.)] )(?=\P{L}*\p{L})/iu;

/** A heading that is a task or a situation as one would ask about it; nothing where it is neither. */
function spokenInEnglish(heading: string): string | undefined {
  const said = lowerInitial(heading)
    .replace(/\byour\b/gi, "my")
    .replace(/\byou are\b/gi, "I am")
    .replace(/\byou\b/gi, "I");
  const form = AS_ASKED.find(([asked]) => asked.test(said));
  return form && upperFirst(said.replace(...form));
}

/** Headings as one says them, and the questions that they come to. The last ones begin with an order. */
const AS_ASKED: readonly (readonly [RegExp, string])[] = [
  [/^(how|when|where) to (.+)$/i, "$1 do I $2?"],
  [/^(?:what happens|who (?:may|can|must|is|has)|what (?:is|are))\b.*$/i, "$&?"],
  [/^(?:what to do )?(when|if|before|after|during|while) (.+)$/i, "what do I do $1 $2?"],
  [
    pattern("i")`
      ^(?:replace|remove|install|connect|disconnect|assemble|adjust|apply|open|close|clean
      |lock|unlock|fill|empty|refill|load|unload|prepare|find|get|use|wear|handle|carry|lift
      |move|store|dispose|report|call|ask|book|request|return|cancel|create|make|write|choose
      |enter|reset|restart|start|stop|switch|turn|operate|drive|climb|check|inspect|test
      |measure|calibrate|count) (?:a|an|the|your|my|for|off|on|out|up|in|to|of)\b.*$
    `,
    "how do I $&?",
  ],
];

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** With a small initial, unless the first word is an abbreviation or a code. */
function lowerInitial(text: string): string {
  const [first = ""] = text.split(/\s/);
  const isCode = /^\P{Lu}*\p{Lu}.*[\p{Lu}\d]|^\P{L}*\p{Lu}$/u.test(first);
  return isCode ? text : text.charAt(0).toLowerCase() + text.slice(1);
}
