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
 * For each document its candidates, the best first; documents without any are left out. `ofDocuments` is the language
 * of the documents.
 */
export async function candidatesOf(
  outlines: readonly DocumentOutline[],
  locale: Locale,
  ofDocuments: Locale,
): Promise<readonly (readonly SuggestionCandidate[])[]> {
  const all: (readonly SuggestionCandidate[])[] = [];
  for (const outline of outlines) {
    const candidates = await candidatesIn(outline, locale, ofDocuments);
    if (candidates.length > 0) all.push(candidates);
  }
  return all;
}

async function candidatesIn(
  { documentId, title, headings }: DocumentOutline,
  locale: Locale,
  ofDocuments: Locale,
): Promise<SuggestionCandidate[]> {
  if (!isUsable(title)) return [];
  const name = withoutNumber(title);
  const fitting: Question[] = [];
  for (const topic of [...headings, title]) {
    await pause();
    if (!isUsable(topic)) continue;
    const questions = questionsAbout(withoutNumber(topic), name, locale, ofDocuments);
    fitting.push(...questions.filter(({ text }) => text.length <= QUESTION_CHARS_MAX));
  }
  return [
    ...fitting.filter(({ text }) => text.length <= QUESTION_CHARS_GOOD),
    ...fitting.filter(({ text }) => text.length > QUESTION_CHARS_GOOD),
  ].map((question) => ({ ...question, documentIds: [documentId] }));
}

/** A title or a heading that a question can be made of. */
function isUsable(label: string): boolean {
  return label.length <= LABEL_CHARS_MAX && !isInjection(label);
}

type Question = Omit<SuggestionCandidate, "documentIds">;

function questionsAbout(
  heading: string,
  title: string,
  locale: Locale,
  ofDocuments: Locale,
): readonly Question[] {
  if (/^\P{L}*\p{L}.*[?？]$/u.test(heading)) return [{ text: heading, query: heading, asksForSteps: false }];
  if (GENERIC.test(heading) || /\bthis\b/i.test(heading) || !/\p{L}{2}/u.test(heading)) return [];
  const isTitle = saysNothingNew(heading, title);
  const isEnglish = /^en\b/.test(locale.language) && /^en\b/.test(ofDocuments.language);
  const asSaid = isEnglish ? spokenInEnglish(heading, isTitle ? "" : title) : undefined;
  if (asSaid !== undefined) return [{ text: asSaid, query: asSaid, asksForSteps: false }];
  const isClear = !isTitle && /\s/.test(heading) && !LEANS_ON_TITLE.test(heading);
  const named = isTitle ? title : isClear ? heading : `${title}, ${lowerFirst(heading, ofDocuments)}`;
  const topic = isEnglish ? lowerInitial(named) : named;
  return (["suggested.what_to_do", "suggested.what_to_know"] as const).map((key) => ({
    text: locale.say(key, { topic }),
    query: ofDocuments.say(key, { topic }),
    asksForSteps: key === "suggested.what_to_do",
  }));
}

/** Whether a heading only repeats the title or words of it. */
function saysNothingNew(heading: string, title: string): boolean {
  const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const known = new Set(wordsOf(title));
  return wordsOf(heading).every((word) => known.has(word));
}

/** Begins in the middle: "With the key out" says nothing by itself. */
const LEANS_ON_TITLE =
  /^(?:with|without|on|at|in|inside|outside|for|by|under|over|from|of|to|and|or|after|before|during|last|first|next|other)\b/i;

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

/** Says nothing of what stands below it. */
const GENERIC = pattern("i")`
  ^(?:introduction|overview|general|scope|contents|table of contents|notes?|purpose
  |summary|references|definitions|index|appendix|annex|foreword|about this document
  |revision history|other|miscellaneous)$
`;

/** A heading that is a task or a situation as one would ask about it; nothing where it is neither. */
function spokenInEnglish(heading: string, title: string): string | undefined {
  const to = /^(how|when|where) to (.+)$/i.exec(heading);
  if (to !== null) return `${upperFirst(to[1]!.toLowerCase())} do I ${asSaidByOneself(to[2]!)}?`;
  if (/^(?:what happens|who (?:may|can|must|is|has)|what (?:is|are))\b/i.test(heading)) return `${heading}?`;
  const when = /^(?:what to do )?(when|if) (.+)$/i.exec(heading);
  if (when !== null) return `What do I do ${when[1]!.toLowerCase()} ${asSaidByOneself(when[2]!)}?`;
  const time = /^(before|after|during|while) (.+)$/i.exec(heading);
  if (time !== null) {
    const question = `what do I do ${time[1]!.toLowerCase()} ${asSaidByOneself(time[2]!)}?`;
    return title === "" ? upperFirst(question) : `${title}: ${question}`;
  }
  if (/^(?:you|somebody|someone) /i.test(heading)) return `What do I do when ${asSaidByOneself(heading)}?`;
  if (TASK.test(heading)) return `How do I ${lowerInitial(heading)}?`;
  return undefined;
}

/** "you discover a fire" as the one who discovers it says it. */
function asSaidByOneself(text: string): string {
  return lowerInitial(text)
    .replace(/\byour\b/gi, "my")
    .replace(/\byou are\b/gi, "I am")
    .replace(/\byou\b/gi, "I");
}

/** Verbs that headings of instructions begin with, where they are orders and not names of things. */
const TASK = pattern("i")`
  ^(?:replace|remove|install|connect|disconnect|assemble|adjust|apply|open|close|clean
  |lock|unlock|fill|empty|refill|load|unload|prepare|find|get|use|wear|handle|carry|lift
  |move|store|dispose|report|call|ask|book|request|return|cancel|create|make|write|choose
  |enter|reset|restart|start|stop|switch|turn|operate|drive|climb|check|inspect|test
  |measure|calibrate|count) (?:a|an|the|your|my|for|off|on|out|up|in|to|of)\b
`;

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** German writes things with a capital. */
function lowerFirst(text: string, { language }: Locale): string {
  return /^de\b/.test(language) ? text : lowerInitial(text);
}

/** With a small initial, unless the first word is an abbreviation or a code. */
function lowerInitial(text: string): string {
  const [first = ""] = text.split(/\s/);
  const isCode = /^\P{Lu}*\p{Lu}.*[\p{Lu}\d]|^\P{L}*\p{Lu}$/u.test(first);
  return isCode ? text : text.charAt(0).toLowerCase() + text.slice(1);
}
