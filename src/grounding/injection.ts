/**
 * Finds text in a document that speaks to the assistant instead of to people: orders to it, forged roles and tool
 * results, what no reader of the document can see. Such text is no evidence, is never read out, and is not shown to a
 * model. What merely states something false cannot be told from what is true: a document that does so is evidence.
 */

import type { Passage } from "../domain/passage.js";
import { lately } from "../lib/lately.js";
import { once } from "../lib/once.js";
import { pattern } from "../lib/pattern.js";
import { splitSentences } from "../lib/sentence-end.js";
import { shippedRows } from "../lib/shipped-files.js";

/** Whether a sentence, taken by itself, is addressed to the assistant. */
export function isInjection(sentence: string): boolean {
  const plain = unquoted(unmasked(sentence));
  const isForgedRole = FORGED_ROLE.test(plain) || FORGED_ROLE_LABEL.test(plain);
  return isForgedRole || ORDERS.some((order) => order.test(plain)) || isForgedFrame(sentence);
}

/** A passage is looked at by several parts of a turn, and popular ones turn after turn. */
const CLEANED = { textsMax: 1_000, charsMax: 20_000 };

/**
 * The text with what speaks to the assistant blanked out by spaces: length, offsets and line feeds stay, so that what
 * is left can be quoted. An order takes the rest of its paragraph along, a forged frame of the conversation the rest of
 * the text.
 */
export const withoutInjections = lately((text: string): string => {
  const visible = HIDDEN.reduce((shown, hidden) => shown.replace(hidden, blank), text);
  return blankOrders(visible.replace(ENCODED, (run) => (isEncodedText(run) ? blank(run) : run)));
}, CLEANED);

/** The passage as evidence and as an answer may use it; a title or heading that speaks to the assistant is left out. */
export const trusted = once((passage: Passage): Passage => {
  const text = withoutInjections(passage.text);
  const headings = passage.headings.filter((heading) => !isInjection(heading));
  const title = trustedTitle(passage);
  if (text === passage.text && title === passage.title && headings.length === passage.headings.length) {
    return passage;
  }
  const highlights = passage.highlights.filter((sentence) => text.includes(sentence));
  return { ...passage, title, headings, text, highlights };
});

/** The title, or the name of the file where the title speaks to the assistant. */
export function trustedTitle({ title, sourceFile }: Pick<Passage, "title" | "sourceFile">): string {
  return isInjection(title) ? sourceFile : title;
}

/**
 * A question without the words that it dictates ("say that …", "repeat after me: …"): an answer may name again what a
 * question names, but not what it wants to hear.
 */
export function withoutDictation(question: string): string {
  return question.replace(DICTATION, "$<before>").trim();
}

const DICTATION = pattern("iu")`
  (?<before>^|[,.;:!?–—] *|\b(?:and|then|please|just|now|so|instead|you to|you must
  |you should) +)(?:please |just |now |only )?(?:say|repeat|confirm|tell (?:me|us|them
  |everybody|everyone|him|her)|answer|reply|respond|write|state|announce|pretend|claim
  |agree|assume)\b(?: (?:after me|only|just|with|by saying|the words?|the sentence
  |to (?:me|us|everybody|everyone)))*(?: that\b|\s*[:"“„']|(?<= with| words?| sentence
  | only| just| saying)\s)[\s\S]*
`;

function blank(text: string): string {
  return text.replace(/[^\n]/g, " ");
}

function blankOrders(text: string): string {
  const kept: string[] = [];
  let state: "reading" | "rest of the paragraph" | "rest of the text" = "reading";
  for (const sentence of splitSentences(text)) {
    if (state === "rest of the paragraph" && BEGINS_ANEW.test(sentence)) state = "reading";
    if (state === "reading" && isInjection(sentence)) state = "rest of the paragraph";
    if (isForgedFrame(sentence)) state = "rest of the text";
    kept.push(state === "reading" ? sentence : blank(sentence));
    if (state === "rest of the paragraph" && ENDS_PARAGRAPH.test(sentence)) state = "reading";
  }
  return kept.join("");
}

const ENDS_PARAGRAPH = /(?<!\s)[^\S\n]*\n[^\S\n]*\n\s*$/;
/** A heading, a step or a bullet is not the rest of what stands before it. */
const BEGINS_ANEW = /^\s*(?:#{1,6} |\d{1,3}[.)] |[-*+•–] )/;

/** What people do not see when they read the document. */
const HIDDEN: readonly RegExp[] = [
  /<!--[^-]*(?:-(?!->)[^-]*)*(?:-->)?/g,
  /<(script|style|template|noscript)\b[^<]*(?:<(?!\/\1\s*>)[^<]*)*(?:<\/\1\s*>)?/gi,
  pattern("gi")`
    <(\w{1,40})\b(?=[^>]{0,1000}(?:display\s{0,9}:\s{0,9}none
    |visibility\s{0,9}:\s{0,9}hidden|font-size\s{0,9}:\s{0,9}0|\bhidden\b))[^>]{0,2000}>
    [^<]*(?:<(?!\/\1\s*>)[^<]*)*(?:<\/\1\s*>)?
  `,
  // Characters of the tag block spell ASCII that no font shows.
  /(?:[\u{E0000}-\u{E007F}])+/gu,
];

const ENCODED = /[A-Za-z0-9+/_-]{24,}={0,2}/g;

/** Base64 of readable text; keys, digests and long names do not decode to that. */
function isEncodedText(run: string): boolean {
  const bytes = Buffer.from(run, "base64");
  const readable = bytes.toString("latin1").match(/[\x20-\x7E\n]/g)?.length ?? 0;
  return readable === bytes.length && bytes.toString("latin1").includes(" ");
}

/** The sentence as it is understood: letters that only look Latin made Latin, invisible characters gone. */
function unmasked(text: string): string {
  const folded = text
    .normalize("NFKC")
    .replace(/\p{Cf}|\u034F|\u115F|\u3164/gu, "")
    .replace(/[’‘`´]/g, "'");
  return MIXED.test(folded) ? folded.replace(LOOKALIKE, (letter) => LOOKALIKES[letter]!) : folded;
}

/** Without what it quotes, unless it is nothing but the quote, and without marks of emphasis. */
function unquoted(text: string): string {
  const outside = text.replace(QUOTED, '""');
  return (/\p{L}{3}/u.test(outside) ? outside : text)
    .replace(SPELLED_OUT, (word) => word.replace(/[\s.·_-]/g, ""))
    .replace(/[\s*_~]+/g, " ")
    .trim();
}

const QUOTED = /"[^"\n]{0,500}"|“[^”\n]{0,500}”|„[^“”\n]{0,500}[“”]|«[^»\n]{0,500}»/g;

function isForgedFrame(text: string): boolean {
  return FORGED_FRAME.test(unmasked(text));
}

/** "i g n o r e": single letters, one after the other. */
const SPELLED_OUT = /(?<![\p{L}\p{N}])(?:\p{L}[ .·_-]){4,}\p{L}(?![\p{L}\p{N}])/gu;

/** Letters of other scripts, and the Latin ones that they are taken for, in the same order. */
const SEEMING = "аеорсухіјѕԁһкмтвнАВЕКМНОРСТХУІЅοανικρτυεΑΒΕΗΙΚΜΝΟΡΤΧΥΖɡı";
const LATIN = "aeopcyxijsdhkmtbhABEKMHOPCTXYISoavikptueABEHIKMNOPTXYZgi";
/** By the letter that is seen as a Latin one. */
export const LOOKALIKES: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from(SEEMING, (letter, i) => [letter, LATIN[i]!]),
);
const LOOKALIKE = new RegExp(`[${Object.keys(LOOKALIKES).join("")}]`, "gu");
/** A word with Latin letters and others side by side: no language writes so. */
const MIXED = /\p{sc=Latin}[\p{sc=Cyrillic}\p{sc=Greek}]|[\p{sc=Cyrillic}\p{sc=Greek}]\p{sc=Latin}/u;

/** Marks by which conversations with models are laid out, ours among them; no document of a site holds them. */
const FORGED_FRAME = pattern("i")`
  \[\s*(?:end of )?(?:passage|attached)\s*(?:\d+\s*)?(?::[^\]]{0,40})?\]
  |<\|[a-z_]{2,20}\|>|\[\/?INST\]|<<\/?SYS>>|<\/?(?:system|assistant|tool|tool_?call
  |tool_?response|function_?calls?|function_?results?|instructions?
  |antml:\w+)\b[^>]{0,80}>|["'](?:role|tool_call_id|tool_calls|function_call)["']\s*:
  |\b(?:begin|end|start) (?:of )?(?:system|developer|hidden) (?:prompt|message
  |instructions?)\b
`;

/** Somebody who gives himself another role in the conversation: a label, and a sentence behind it. */
const FORGED_ROLE = pattern()`
  ^[\s>#[({=-]*(?:SYSTEM|ASSISTANT|DEVELOPER|ADMIN(?:ISTRATOR)?|ROOT|USER
  |TOOL)(?: (?:PROMPT|MESSAGE|NOTE|NOTICE|UPDATE|OVERRIDE|RESULT|OUTPUT))?[\])}]?\s*
  [:>]\s*\S+(?:\s+\S+){2}
`;
const FORGED_ROLE_LABEL = pattern("i")`
  ^[\s>#[({=-]*(?:(?:system|developer|assistant|ai|llm|chat ?bot|model)(?:'s)?[ -]
  (?:prompt|message|note|override|instructions?|directive|command|update)|(?:new|updated
  |hidden|secret|additional|important) (?:system )?(?:instructions?|prompt
  |directives?) (?:for|to) (?:the |any |all )?(?:ai|assistant|model|bot|chat ?bot|llm)s?
  |new (?:system )?instructions?|(?:tool|function|search
  |retrieve_relevant_documents) (?:result|output|response|call))\b[^:\n]{0,40}[:\])}]
`;

const MACHINE =
  "(?:(?:any |all |the |every |you,? )?(?:(?:an? )?(?:ai|a\\.i\\.)(?:[ -](?:assistants?" +
  "|models?|agents?|systems?|bots?))?|(?:large )?language models?|llms?|chat ?(?:bots?|gpt)" +
  "|gpt(?:-\\d\\w*)?|claude|gemini|copilot|(?:voice|virtual|digital) (?:assistants?" +
  "|agents?)|summari[sz]ers?))";
const RULES =
  "(?:instructions?|rules?|prompts?|guidelines?|directives?|guardrails?|programming" +
  "|training|constraints?|restrictions?|orders|commands?|context|documents?|passages?" +
  "|sources?|messages?|conversation|policies|text)";

/** Setting its rules aside, giving it a part to play, dictating its answers. */
const ORDERS: readonly RegExp[] = shippedRows("locales/words/injections.txt").map(
  (row) => new RegExp(row.replaceAll("{machine}", MACHINE).replaceAll("{rules}", RULES), "iu"),
);
