/**
 * What an answer is made of once it is checked: claims with the evidence that each rests on, what stays uncertain, and
 * how sure we are. Speech and screen are two renderings of this one value.
 */
import type { Passage } from "./passage.js";
import type { DocumentRule } from "./reading.js";

/** Where evidence comes from: a document, a snapshot of a site, the result of a tool, or what the user said. */
export type EvidenceType = "passage" | "system_state" | "tool_output" | "user_input";

export interface Evidence {
  readonly type: EvidenceType;
  /** The chunk's id for a passage; the field, tool or attachment otherwise, such as `state.hostname`. */
  readonly source: string;
  /** The words or the value that the claim rests on, exactly as the source has them. */
  readonly value: string;
  /** Age of a reading when the sentence was said, or, where nothing was said, checked. */
  readonly ageMs?: number | undefined;
  /** When it was read, in Unix milliseconds: by this its age is told when the sentence is said again. */
  readonly takenAtMs?: number | undefined;
}

/** What the evidence says of a claim. */
export type Verdict = "supported" | "contradicted" | "unsupported";

/** Why a claim does not hold, or why it is doubtful. */
export type ReasonCode =
  | "number_differs"
  | "unit_differs"
  | "number_unknown"
  | "identifier_unknown"
  | "name_unknown"
  | "negation_differs"
  | "modality_differs"
  | "comparator_differs"
  | "condition_differs"
  | "opposite_state"
  | "roles_swapped"
  | "words_not_found"
  /** A word that the source does not have in that place. */
  | "added"
  | "quote_not_found"
  | "quote_differs"
  | "other_language"
  | "stale"
  /** Longer, or more of it, than is checked; or the time for checking was over. */
  | "not_checked"
  | "readings_disagree"
  /** Something that was done, or will be, of which no operation tells. */
  | "not_done"
  | "other_subject"
  /** The second reader says that the source does not say this. */
  | "denied";

export interface Reason {
  readonly code: ReasonCode;
  /** For a person who audits the answer, such as `says 30 minutes, the passage says 45 minutes`. */
  readonly text: string;
}

/** One sentence of an answer and what came of checking it. */
export interface Claim {
  readonly text: string;
  readonly verdict: Verdict;
  /** Best first; empty when nothing speaks for or against it. */
  readonly evidence: readonly Evidence[];
  readonly reasons: readonly Reason[];
  /** How likely the verdict "supported" is right, 0–1, calibrated on data. */
  readonly confidence: number;
}

/** What the second reader said of a sentence: that its source says it, that it does not, or nothing in time. */
export type Verified = "yes" | "no" | "not_in_time";

/** A claim that is part of an answer: whether it was let through to the user. */
export interface AnswerClaim extends Claim {
  readonly said: boolean;
  /** Absent where no second reader was asked. */
  readonly verified?: Verified | undefined;
  /** What it says that a document allows: it is said again as that. */
  readonly rule?: DocumentRule | undefined;
  /** The words about the age of its readings that it was said with: they were true then. */
  readonly dated?: string | undefined;
}

export type UncertaintyReason =
  | "no_data"
  | "not_offered"
  | "search_unavailable"
  | "superseded_revision"
  | "conflicting_documents"
  | "inference"
  | "unverified_number"
  | "ambiguous_question"
  | "stale_reading"
  | "conflicting_readings";

export interface Uncertainty {
  /** What is uncertain: a sentence, or the question. */
  readonly claim: string;
  readonly reason: UncertaintyReason;
  /** 0–1. */
  readonly confidence: number;
  /** How to find out, for a person: names a document only where the user may read it. */
  readonly suggestion: string;
}

/**
 * How an answered turn can end. Each has its own spoken form; a failure to answer is a `TurnFailure` instead. `states`:
 * the answer states something other than that there is none, or that the question is not clear. `isGap`: better
 * documents would mend it.
 */
export const OUTCOMES = {
  answered: { states: true, isGap: false },
  partial: { states: true, isGap: true },
  not_in_documents: { states: false, isGap: true },
  /** An order or a check: nothing here can carry it out, and the documents say nothing of it. */
  not_offered: { states: false, isGap: false },
  ambiguous: { states: false, isGap: false },
  conflicting: { states: true, isGap: true },
  search_unavailable: { states: false, isGap: false },
  /** What would be done was read back, and waits for the user's consent. */
  proposed: { states: true, isGap: false },
  /** It was done, and a reading taken afterwards shows so. */
  verified: { states: true, isGap: false },
  /** It was sent to be done, and a reading taken afterwards shows that it was not. */
  contradicted: { states: true, isGap: false },
  /** It was sent to be done, and nothing tells whether it was. */
  unknown: { states: true, isGap: false },
} as const satisfies Readonly<Record<string, { readonly states: boolean; readonly isGap: boolean }>>;

export type Outcome = keyof typeof OUTCOMES;

/** Which layer of the router decided. */
export type RouteLayer = "declared" | "rule" | "classifier" | "model" | "default";

export interface RouteDecision {
  /** Name of the route, as configured. */
  readonly route: string;
  readonly layer: RouteLayer;
  /** 0–1. */
  readonly confidence: number;
}

/** A whole answer, as the chat keeps it and as every door reports it. */
export interface Answer {
  readonly outcome: Outcome;
  readonly route: RouteDecision;
  /** For a screen. */
  readonly text: string;
  /** For a voice: the same sentences as they are pronounced. */
  readonly spoken: string;
  readonly queries: readonly string[];
  readonly passages: readonly Passage[];
  readonly claims: readonly AnswerClaim[];
  readonly uncertainties: readonly Uncertainty[];
  /** 0–1: how likely all that was said is right, and is what was asked for. */
  readonly confidence: number;
  /** Not the way it should be: a passage read aloud for want of a model, an answer that broke off. */
  readonly degraded: boolean;
}
