/**
 * What the caller attached to a question: cut to size, in the order in which it counts (the selection, the open text,
 * then the documents that are found, then what the platform knows), shown to the model as data, and evidence of its
 * own kind. It is here only when the question refers to it: the router decides that.
 */

import type { DraftEvent } from "../capability/draft.js";
import type { ForeignText } from "../domain/foreign-text.js";
import { type Passage, passageOf } from "../domain/passage.js";
import type { AttachedContext } from "../domain/turn.js";
import { once } from "../lib/once.js";
import { cutToTokens } from "../lib/tokens.js";
import type { Prompts } from "../llm/prompts.js";
import { dataSentences } from "./data-sentences.js";

/** Tokens of each kind at the most. */
export const SELECTED_TOKENS_MAX = 500;
export const EDITOR_TOKENS_MAX = 1_000;
const EXTRA_TOKENS_MAX = 600;
const USER_INFO_TOKENS_MAX = 100;

/** A "word" may be as long as a file: no more than so many characters to a token. */
const CHARS_PER_TOKEN_MAX = 12;

/** What each kind is to the model, and whether documents that were found count for less than it. */
const KINDS = {
  "attached.selected_text": { kind: "the text that the user has selected", rank: "before documents" },
  "attached.editor_content": { kind: "the text that the user has open", rank: "before documents" },
  "attached.extra_context": { kind: "data of the user's platform", rank: "behind documents" },
  "attached.user_info": { kind: "who the user is to the platform", rank: "behind documents" },
} as const;

type Rank = (typeof KINDS)[Attachment["source"]]["rank"];

export interface Attachment {
  readonly source: keyof typeof KINDS;
  readonly text: string;
  /** When it was read, in Unix milliseconds, where it grows old. */
  readonly takenAtMs?: number;
}

/** What there is, cut to size, what counts most first. JSON becomes sentences, one for each value. */
export function attachments(context: AttachedContext | undefined): readonly Attachment[] {
  return context === undefined ? [] : attachmentsIn(context);
}

const attachmentsIn = once((context: AttachedContext): readonly Attachment[] => {
  const { selectedText = "", editorContent = "", extraContext = "", readAtMs, userInfo = {} } = context;
  const read = readAtMs === undefined ? {} : { takenAtMs: readAtMs };
  const data = cutToSize(asSentences(extraContext), EXTRA_TOKENS_MAX);
  const user = cutToSize(asSentences(JSON.stringify(userInfo)), USER_INFO_TOKENS_MAX);
  const all: readonly Attachment[] = [
    { source: "attached.selected_text", text: cutToSize(selectedText, SELECTED_TOKENS_MAX) },
    { source: "attached.editor_content", text: cutToSize(editorContent, EDITOR_TOKENS_MAX) },
    { source: "attached.extra_context", text: data, ...read },
    { source: "attached.user_info", text: user },
  ];
  return all.filter(({ text }) => text.trim() !== "");
});

/** Lets what is attached count as evidence. `introducedBy` tells the user that it comes from no document. */
export function attachedEvidence(given: readonly Attachment[], introducedBy?: string): DraftEvent {
  const texts = given.map((one) => ({ type: "user_input" as const, ...one }));
  return { type: "evidence", texts, ...(introducedBy === undefined ? {} : { introducedBy }) };
}

/** The attachments as the model sees them, each between marks that it cannot forge; empty when there are none. */
export function attachedText(given: readonly Attachment[], rank: Rank | "all", prompts: Prompts): string {
  return given
    .filter(({ source }) => rank === "all" || KINDS[source].rank === rank)
    .map(({ source, text }) =>
      prompts.render("attached", { kind: KINDS[source].kind, text: withoutMarks(text) }),
    )
    .join("\n\n");
}

/** The message with what it refers to: the attachments that count for more than documents, a note, the question. */
export function questionWithAttached(
  question: string,
  context: AttachedContext | undefined,
  rank: Rank | "all",
  prompts: Prompts,
): string {
  const shown = attachedText(attachments(context), rank, prompts);
  if (shown === "") return question;
  return `${shown}\n\n${prompts.render("attached-note")}\n\n${question}`;
}

/** What of a message with attachments, and with a question, somebody else has written. */
export function foreignIn(context: AttachedContext | undefined, question = ""): readonly ForeignText[] {
  const attached = attachments(context).map(({ text }) => ({ what: "attached_text", text }) as const);
  return [...attached, { what: "question", text: question }];
}

/** Attachments in the form in which sentences are found in documents: for answers without a model. */
export function asPassages(given: readonly Attachment[], network = ""): readonly Passage[] {
  const access = { network, visibility: "restricted", allowedUsers: [], allowedGroups: [] } as const;
  return given.map(({ source, text }, position) =>
    passageOf({ chunkId: source, documentId: source, position, text, access }),
  );
}

function asSentences(text: string): string {
  return dataSentences(text)?.join("\n") ?? text;
}

/** Cut at the end of a line where one is near, else between words: what is no whole word is left out. */
function cutToSize(text: string, tokensMax: number): string {
  const room = text.slice(0, tokensMax * CHARS_PER_TOKEN_MAX);
  const lastBlank = Math.max(...[" ", "\n", "\t"].map((blank) => room.lastIndexOf(blank)));
  const cut = cutToTokens(room === text ? text : room.slice(0, lastBlank + 1), tokensMax);
  if (cut.length === text.length) return text;
  const lineEnd = cut.lastIndexOf("\n");
  return lineEnd > cut.length / 2 ? cut.slice(0, lineEnd) : cut.trimEnd();
}

/** Marks like those that stand around passages and attachments become ordinary brackets. */
function withoutMarks(text: string): string {
  return text.replace(/\[(\s*(?:end of\s+)?(?:passage|attached)\b[^\]\n]{0,80})\]/gi, "($1)");
}
