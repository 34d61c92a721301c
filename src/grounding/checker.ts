/**
 * A checker judges the sentences of a draft by one kind of evidence: passages, readings of a site. The gate knows no
 * kind: it hands every sentence to every checker and joins what they say (`judge.ts`). A further kind of evidence takes
 * one more checker in `turn/checkers.ts`. All work is done in steps, of which the gate counts the time.
 */
import type { Evidence, Reason, Uncertainty, Verdict, Verified } from "../domain/answer.js";
import type { OperationStatement } from "../domain/operation.js";
import type { Passage } from "../domain/passage.js";
import type { DocumentRule, Reading, Statement } from "../domain/reading.js";
import type { Steps } from "../lib/steps.js";
import type { SentenceContext, SentenceRole } from "./check/check.js";
import type { EvidenceText } from "./evidence.js";
import type { ToolReading } from "./readings/facts.js";

export interface Checker {
  /** Takes in what sentences may rest on. Every checker sees every event, and leaves alone what is none of its own. */
  add(event: EvidenceEvent): Steps<void>;
  /** Judges a sentence; undefined where its evidence has no part in what the sentence says. */
  check(sentence: DraftedSentence, context: SentenceContext): Steps<Judgement | undefined>;
  /** The draft is over: what becomes of the sentences that waited, and how well the evidence fits the question. */
  conclude(draft: DraftSoFar): Steps<Conclusion>;
}

/** The events of a draft that tell what its sentences may rest on. */
export type EvidenceEvent =
  /** Documents that the answer may rest on, all of which the user may read now. */
  | { readonly type: "passages"; readonly passages: readonly Passage[] }
  /**
   * What else it may rest on, such as what the caller attached. `introducedBy` is said once, before the first sentence
   * that rests on it and on no document.
   */
  | { readonly type: "evidence"; readonly texts: readonly EvidenceText[]; readonly introducedBy?: string }
  /** What was read from the systems of a site; ages count up to this event. `values`: the same as values, for statements. */
  | {
      readonly type: "readings";
      readonly tools: readonly ToolReading[];
      readonly values?: readonly Reading[];
    }
  /** What became of operations; a later one of the same operation and target is how it is now. */
  | { readonly type: "operations"; readonly facts: readonly OperationStatement[] };

export interface DraftedSentence {
  /** Without marks, as it is spoken. */
  readonly text: string;
  /** The words of a source that its writer quotes for it. */
  readonly quote?: { readonly source: string; readonly words: string };
  /** What it states of readings, where it was rendered from that: no other checker has a part in it. */
  readonly says?: readonly Statement[];
  /** The same of operations. */
  readonly did?: readonly OperationStatement[];
  /** What it says that a document allows, where it was rendered from that. */
  readonly rule?: DocumentRule;
  /** The language of the source, where it is a sentence of one in another language than the answer's. */
  readonly foreign?: string;
}

/** What one checker, or all of them together, say of a sentence. */
export interface Judgement {
  readonly role: SentenceRole;
  readonly verdict: Verdict;
  /** Best first. */
  readonly evidence: readonly Evidence[];
  /** Why the verdict is not "supported". */
  readonly reasons: readonly Reason[];
  /** How likely the evidence says what the sentence says, 0–1. */
  readonly confidence: number;
  /** It is not said before the draft is over, and nothing behind it is: `conclude` decides. */
  readonly waits?: boolean;
  /** What is said right before it. */
  readonly before?: readonly Remark[];
  /** What is said in its place, though it is borne out. */
  readonly instead?: Remark;
  /** The sentences of its source that are judged in its place, since the two cannot be compared. */
  readonly original?: Original;
  /** What a document allows, where it says that. */
  readonly rule?: DocumentRule;
  /** It says what is so at this moment, and is said with that where it is no older. */
  readonly isLive?: boolean;
  /** What stays uncertain if it is not said. */
  readonly doubt?: Doubt;
}

/** Words of ours, or of a document that its writer left out: said as they are. */
export interface Remark {
  readonly text: string;
  /** Remarks that bear the same name are said once in an answer. */
  readonly once?: string;
  /** It qualifies the whole answer, of which this stays uncertain. */
  readonly doubt?: Doubt;
}

export type Doubt = Pick<Uncertainty, "reason" | "suggestion">;

export interface Original {
  readonly source: string;
  /** Whole sentences, in their order. */
  readonly sentences: readonly string[];
  readonly language: string;
}

/** A sentence of a draft as the gate keeps it. */
export interface CheckedSentence {
  /** As it was written. */
  readonly text: string;
  /** Another one once the second reader has denied the sentence. */
  judgement: Judgement;
  /** The word of the second reader, where it was asked and has answered, or had no time to. */
  verified?: Verified;
  /** Whose judgement it is. */
  readonly by: Checker | undefined;
  said: boolean;
  /** When it was said, in Unix milliseconds. */
  saidAtMs?: number;
  /** The words about its age that it was said with: they hold at that moment only. */
  dated?: string;
}

export interface DraftSoFar {
  readonly question: string;
  /** Everything that claims something, in order, by whichever checker it was judged. */
  readonly judged: readonly CheckedSentence[];
  /** Of these, what waited, borne out or not. */
  readonly held: readonly CheckedSentence[];
  /** What was judged in place of claims. */
  readonly replacing: readonly Original[];
  /** The writer said as well that it does not know. */
  readonly refused: boolean;
}

export interface Conclusion {
  /** What may be said now of the sentences that waited on this checker's word, in order, with remarks among them. */
  readonly parts: readonly (CheckedSentence | Remark)[];
  /** Something was kept back that belongs to the answer, and a remark says so. */
  readonly withheld: boolean;
  /** How likely the evidence holds what was asked for, 0–1; undefined: there is none. */
  readonly relevance: number | undefined;
}

/** Whether a sentence tells somebody what to do, or what not to do. */
export function isInstruction({ role }: { readonly role: SentenceRole }): boolean {
  return role === "step" || role === "warning";
}

export function isSentence(part: CheckedSentence | Remark): part is CheckedSentence {
  return "judgement" in part;
}
