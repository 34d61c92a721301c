/** What somebody asks to have done to things of a site, as values: a frozen proposal, consent to it, and what came of it. */
import type { Reading, ReadingValue } from "./reading.js";
import type { User } from "./user.js";

/** Things that one proposal may name; each is said. */
export const CALLS_MAX = 5;

/** How long a proposal can be consented to, from when its readback was heard to its end, in milliseconds. */
export const CONSENT_MS_MAX = 120_000;

/** What consent takes: a yes; a yes with a word; a yes of the asker and of a second person. */
export const CONSENT_LEVELS = ["plain", "challenge", "second_person"] as const;
export type ConsentLevel = (typeof CONSENT_LEVELS)[number];

/** One call of one tool on one thing. Nothing of it changes once it is proposed. */
export interface OperationCall {
  /** Id of the resource, which is called `name` when it is said. */
  readonly target: string;
  readonly name: string;
  /** As `{site}.{tool}`. */
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The number that was asked for, as it is said back; it stands in `args`. */
  readonly value?: { readonly number: number; readonly unit?: string | undefined } | undefined;
  /** What the signal of its postcondition read when it was proposed. */
  readonly before: Pick<Reading, "value" | "unit">;
  /** What a reading of this tool (`{site}.{tool}`) shows once it took effect, and within what time. */
  readonly postcondition: {
    readonly tool: string;
    readonly signal: string;
    readonly equals: ReadingValue;
    readonly windowMs: number;
  };
}

/** A call before it is known how its target is. */
export type CallPlan = Omit<OperationCall, "before">;

/** What is to be done, frozen: consent is to this and to nothing else. `askedOf` wanted it, and is asked. */
export interface Proposal {
  /** Unique among all operations, such as `op-4f0c…`. */
  readonly id: string;
  /** How a second person calls it: "request seven". Unique among those that wait in a network. */
  readonly number: number;
  /** What people say for it, as the settings have it: `restart`. */
  readonly action: string;
  /** In the order in which they are done; at most `CALLS_MAX`, each target once. */
  readonly calls: readonly [OperationCall, ...OperationCall[]];
  readonly level: ConsentLevel;
  /** The word that consent has to have; absent where `level` asks for none. */
  readonly challenge?: string | undefined;
  readonly askedOf: User;
  /** BCP 47 tag of the language that it is read back in. */
  readonly language: string;
  /** Everything is done but the calls. */
  readonly dryRun: boolean;
}

/** How a person said something to a proposal. Times are monotonic, in milliseconds. */
export interface Reply {
  readonly by: User;
  /** When the button was pressed, or the message came in. */
  readonly pressedMs: number;
  /** What was said, as it was understood. */
  readonly words: string;
  readonly via: "voice" | "text" | "http";
  /** A recogniser that the settings mark as rough understood it: good for plain consent only. */
  readonly isRough: boolean;
  /** Whether it came over a connection that may carry consent to what disrupts. */
  readonly isTrusted: boolean;
}

export type ReplyVerdict = "approved" | "denied" | "unclear";

/** Why a proposal is over without being done. */
export type VoidReason =
  | "denied"
  | "stopped"
  | "expired"
  | "missed"
  | "state_changed"
  | "unreadable"
  | "not_heard"
  | "restarted"
  | "not_recorded"
  | "withdrawn";

/** Why nobody is told what came of an operation: in time, among so many, or since it is not for its asker any more. */
export type GivenUp = "too_late" | "too_many" | "not_permitted";

/** What one call came to; `verified` and `contradicted` are read, `unknown` is everything else. */
export const CALL_OUTCOMES = ["verified", "contradicted", "unknown", "failed", "skipped", "dry_run"] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

export const NOT_COUNTED = [
  "unclear",
  "readback_not_heard",
  "pressed_too_early",
  "not_asked_of_you",
  "same_person",
  "rough_recogniser",
  "not_trusted",
] as const;
export type NotCounted = (typeof NOT_COUNTED)[number];

/** What came of a proposal that was handed in. */
export type Proposed =
  | { readonly type: "waiting"; readonly operation: OperationView }
  | { readonly type: "refused"; readonly why: "too_many" | "not_recorded" }
  | { readonly type: "busy"; readonly with: OperationView };

/** What came of a reply. `accepted`: it is being done. */
export type ReplyResult =
  | { readonly type: "accepted" }
  | { readonly type: "needs_second_person"; readonly number: number }
  | { readonly type: "ended"; readonly reason: VoidReason }
  /** It did not count, and may be given once more. */
  | { readonly type: "not_counted"; readonly why: NotCounted; readonly missesLeft: number }
  | { readonly type: "unknown_operation" };

/** What became of one call, by the ids of operation and resource: as it is said, and as its operation tells, which are compared. */
export interface OperationStatement {
  readonly operation: string;
  readonly target: string;
  readonly action: string;
  readonly outcome: CallOutcome | VoidReason;
}

/** What came of the call itself. `refused`: it was not made; `failed`: its tool says so; `lost`: nobody knows whether it ran. */
export type CallReply =
  | { readonly type: "ok" }
  | { readonly type: "refused" | "failed" | "lost"; readonly message: string };

/** One operation as it is now. */
export interface OperationView {
  readonly proposal: Proposal;
  readonly readback: string;
  readonly phase: "waiting" | "waiting_second" | "executing" | "verifying" | "ended";
  /** Unix milliseconds from which on it cannot be consented to. */
  readonly untilMs: number;
  /** Of each call, in order; undefined: not yet. */
  readonly outcomes: readonly (CallOutcome | undefined)[];
  /** What was read of each call's postcondition last. */
  readonly after: readonly (Reading | undefined)[];
  /** Why it was not done. */
  readonly reason?: VoidReason | undefined;
  /** Who consented, in order. */
  readonly by: readonly User[];
}

/** Whether somebody's consent is waited for. */
export function isWaiting({ phase }: OperationView): boolean {
  return phase === "waiting" || phase === "waiting_second";
}
