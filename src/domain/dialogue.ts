/**
 * What a chat has open between two turns, as one value that can be written down: what was said, and what waits for a
 * word of the user. A turn takes it and returns the next one. Pure.
 */
import type { SourceRef } from "./source-ref.js";
import type { TargetContext } from "./target-context.js";
import type { HistoryEntry } from "./turn.js";

/** Lines that a chat remembers; the oldest make room. */
export const HISTORY_ENTRIES_MAX = 20;

/** Things that wait at once; the oldest make room. */
export const PENDING_MAX = 8;

/** Options of one question. */
export const OPTIONS_MAX = 8;

/** How long a question back can be answered, in milliseconds. */
export const QUESTION_MS_MAX = 120_000;

export interface Dialogue {
  /** Oldest first. */
  readonly history: readonly HistoryEntry[];
  /** The newest last: it has the first claim on what the user says. */
  readonly pending: readonly Pending[];
  /** Which resources of a site were dealt with; absent: none. */
  readonly targets?: TargetContext | undefined;
}

export const NOTHING_OPEN: Dialogue = { history: [], pending: [] };

/** What waits for the user. */
export type Pending = PendingQuestion | PendingProposal;

/** What all that waits has in common. */
interface Waiting {
  /** Id of the turn that opened it. */
  readonly turn: string;
  /** Monotonic milliseconds from which on it does not count: setting the clock closes nothing, and opens nothing. */
  readonly untilMs: number;
  /** What had a part in it: it is nothing to whoever may not read all of that. */
  readonly sources: readonly SourceRef[];
}

/** A question back. */
export interface PendingQuestion extends Waiting {
  readonly type: "question";
  /** What the user had asked, and the name of the route that it took. */
  readonly asked: string;
  readonly route: string;
  /** The question back, as it was said. */
  readonly words: string;
  readonly options: readonly Option[];
}

/** Something that is done once it is consented to; the operation knows all else of it. */
export interface PendingProposal extends Waiting {
  readonly type: "proposal";
  /** Id of the operation. */
  readonly operation: string;
  /** Something else was said to the user since they heard it last. */
  readonly isOvertaken?: boolean | undefined;
}

/** One of the things that were offered. */
export interface Option {
  /** As it was offered; empty where only a yes can choose it. */
  readonly words: string;
  readonly means: Meaning;
}

export type Meaning =
  /** The question, on the route of this name. */
  | { readonly type: "route"; readonly route: string }
  /** The question, of this document alone, or of the section that this chunk of it stands in. */
  | {
      readonly type: "document";
      readonly documentId: string;
      readonly title: string;
      readonly chunkId?: string | undefined;
    }
  /** The question, of this resource alone. */
  | { readonly type: "resource"; readonly id: string }
  /** This question in place of the first one. */
  | { readonly type: "question"; readonly question: string }
  /** The same question, of the document that was chosen: its answer goes on behind so many parts, which were said. */
  | { readonly type: "rest"; readonly said: number; readonly chosen?: ChosenDocument | undefined }
  /** This question, which is what was said: it takes its own route. */
  | { readonly type: "said"; readonly question: string };

/** The one document that the user chose, where several were offered. */
export interface ChosenDocument {
  readonly documentId: string;
  /** A chunk of the one section that was offered, if it was. */
  readonly chunkId?: string | undefined;
  /** What was asked before several were offered: the question of the request has the document's name as well. */
  readonly asked: string;
}

/** What one turn did to the dialogue. */
export interface DialogueChange {
  readonly lines: readonly HistoryEntry[];
  /** What was answered, refused or cancelled. */
  readonly closed?: Pending | undefined;
  readonly opened?: Pending | undefined;
  /** Which resources were dealt with by now; absent: as before. */
  readonly targets?: TargetContext | undefined;
  /** Whether the user went on to another subject: questions that were not answered are dropped. */
  readonly isNewSubject: boolean;
}

/** The dialogue after a turn. A new question takes the place of an older one. */
export function afterTurn(
  { history, pending, targets: before }: Dialogue,
  { closed, isNewSubject, lines, opened, targets = before }: DialogueChange,
  nowMs: number,
): Dialogue {
  const isDropped = (one: Pending) =>
    one === closed ||
    (one.type === "question"
      ? isNewSubject || opened?.type === "question"
      : opened?.type === "proposal" && opened.operation === one.operation);
  const left = pending
    .filter((one) => isOpen(one, nowMs) && !isDropped(one))
    .map((one) => (one.type === "proposal" ? { ...one, isOvertaken: true } : one));
  return {
    history: [...history, ...lines].slice(-HISTORY_ENTRIES_MAX),
    pending: [...left, ...(opened === undefined ? [] : [opened])].slice(-PENDING_MAX),
    ...(targets === undefined ? {} : { targets: { ...targets, turn: targets.turn + 1 } }),
  };
}

export function isOpen({ untilMs }: Pending, nowMs: number): boolean {
  return nowMs < untilMs;
}

/** The question with the words that make it complete: "How do I start the washer Starting the parts washer". */
export function completed(question: string, words: string): string {
  return `${question.replace(/(?<![\s?.!])[\s?.!]+$/, "")} ${words.trim()}`;
}
