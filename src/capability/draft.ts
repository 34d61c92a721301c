/** What a capability produces: a draft of the answer. The gate checks it before any of it is said. */
import type { Outcome } from "../domain/answer.js";
import type { Option, PendingProposal } from "../domain/dialogue.js";
import type { OperationStatement } from "../domain/operation.js";
import type { DocumentRule, Statement } from "../domain/reading.js";
import type { SourceRef } from "../domain/source-ref.js";
import type { TargetContext } from "../domain/target-context.js";
import type { ProposedEvent, ToolStep } from "../domain/turn.js";
import type { EvidenceEvent } from "../grounding/checker.js";

export type DraftEvent =
  | EvidenceEvent
  | { readonly type: "queries"; readonly queries: readonly string[] }
  /** What the answer is about, where that is not what the user said: in "say that again", the question before. */
  | { readonly type: "about"; readonly question: string }
  /** More of the writer's text: plain sentences, of which the gate finds the evidence. */
  | { readonly type: "text"; readonly text: string }
  /** A claim of the writer with the words that it quotes for it; `source` names a passage's chunk. */
  | { readonly type: "claim"; readonly text: string; readonly source: string; readonly quote: string }
  /** A sentence of ours, rendered from what it states of readings: these are compared as values. */
  | { readonly type: "statement"; readonly text: string; readonly says: readonly Statement[] }
  /** The same of what a document allows: it is compared with the words there. */
  | { readonly type: "statement"; readonly text: string; readonly rule: DocumentRule }
  /** The same of operations. */
  | { readonly type: "statement"; readonly text: string; readonly did: readonly OperationStatement[] }
  /** A system of the site was asked. */
  | ToolStep
  /** An operation waits for consent, or has got on. */
  | ProposedEvent
  | PhraseEvent
  /** The writer broke off: a sentence that is not finished is not to be said. */
  | { readonly type: "cut" }
  | DraftEnd;

/** A fixed phrase of ours: said as it is, since it claims nothing; or what was said before. */
export interface PhraseEvent {
  readonly type: "phrase";
  readonly text: string;
  /** Since when what it may rest on grows old, in Unix milliseconds. */
  readonly takenAtMs?: number;
  /** What it names that not everybody may know of. */
  readonly sources?: readonly SourceRef[];
}

/** A fixed phrase that comes behind all else of an answer. */
export type SaidLast = Pick<PhraseEvent, "text" | "sources">;

export interface DraftEnd {
  readonly type: "end";
  /** Whether the documents could be asked; `not_needed` for answers that rest on something else. */
  readonly searched: "found" | "partly" | "unavailable" | "not_needed";
  readonly degraded: boolean;
  /** What the capability knows better than the gate can tell from the text. */
  readonly outcome?: Outcome;
  /** It answers an emergency: what is said where nothing of the draft holds. */
  readonly emergency?: string;
  /** The draft asks something: what is asked in its place where that is not let through. */
  readonly asks?: string;
  /** Which resources the chat has dealt with by now; absent: as before. */
  readonly targets?: TargetContext;
  /** What waits for consent from now on, and until when (Unix milliseconds). */
  readonly opens?: Pick<PendingProposal, "operation" | "untilMs" | "isOvertaken"> | undefined;
  /** What does not wait any more. */
  readonly closes?: PendingProposal | undefined;
  /** Said last, whatever the answer came to. */
  readonly last?: readonly SaidLast[];
  /** What the user may choose from, where the draft asks back. */
  readonly options?: readonly Option[];
}

/** The end of what rests on no document. */
export const END = { type: "end", searched: "not_needed", degraded: false, outcome: "answered" } as const;
