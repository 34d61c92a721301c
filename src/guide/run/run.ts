/**
 * A run of a guide as one value that can be written down: where it is, what it waits for there, what was recorded, and the
 * way back. Events come in with their time and their author; the stepper (`stepper.ts`) makes the next run of them.
 */
import type { TextKey, ValuesOf } from "../../locale/catalogue.js";

/** Earlier places that a run can go back to; in a loop without end the oldest are forgotten. */
export const WAY_BACK_MAX = 500;
/** Entries of a run's record; a run that has so many is ended, and the end is its last entry. */
export const LOG_MAX = 5_000;
/** UTF-16 units of a note, of a reason and of a value that is said. */
export const SAID_CHARS_MAX = 2_000;
/** What was not understood in a row before the run is paused. */
export const MISSES_MAX = 3;

/** Where a run is. */
export type RunPlace =
  | { readonly type: "intake"; readonly field: string }
  | { readonly type: "step"; readonly id: string };

/** What has to be said first at the place where a run is; absent: what the step itself asks for. */
export type Asks =
  /** Digits from the machine's label, before the act. */
  | { readonly type: "check_digit" }
  /** Whether what was heard is right. */
  | { readonly type: "readback"; readonly value: string | number }
  /** Whether a critical step was really done in so short a time. */
  | { readonly type: "too_fast" }
  /** What the step's own verification asks. `to`: where it leads on then; absent: to what follows. */
  | { readonly type: "verification"; readonly to?: string | undefined }
  /** Why it is left out. */
  | { readonly type: "reason"; readonly left: Omission; readonly before: Asks | undefined }
  /** A person, since the site could not be read. */
  | { readonly type: "person" }
  /** What the site reads, or what came of an operation: these come by themselves. */
  | { readonly type: "reading" | "operation" }
  /** Nobody knows what came of an operation: it is never tried again. */
  | { readonly type: "unknown_outcome" }
  /** Whether the run is to end here. */
  | { readonly type: "quit"; readonly before: Asks | undefined };

export type Omission = "skipped" | "does_not_apply";

export type Values = Readonly<Record<string, string | number>>;

/** A place with all that counts there: going back restores it. */
export interface Position {
  readonly place: RunPlace;
  readonly values: Values;
  /** Steps that were done, as far as they may not be passed otherwise: hold points and critical steps. */
  readonly passed: readonly string[];
}

export interface GuideRun extends Position {
  /** Id and version of the guide: a run stays with the version that it began with. */
  readonly guide: string;
  readonly version: number;
  /** Who works. */
  readonly user: string;
  readonly status: "running" | "paused" | "done" | "quit";
  readonly asks: Asks | undefined;
  /** Since when, in Unix milliseconds, the run is at its place, without the time for which it was paused. */
  readonly sinceMs: number;
  /** When who works had heard to its end what is asked of them now; absent: they have not. */
  readonly heardMs?: number | undefined;
  /** Since when it is paused; absent: it is not. */
  readonly pausedMs?: number | undefined;
  /** What was not understood in a row, and values out of range at this step. */
  readonly misses: number;
  readonly outOfRange: number;
  /** The newest last. */
  readonly wayBack: readonly Position[];
  readonly log: readonly RunEntry[];
}

/** What a record tells, each with its name for people. */
export const ENTRY_NAMES = {
  started: "Started",
  arrived: "Came to it",
  done: "Done",
  done_fast: "Done faster than it can be",
  verified: "Confirmed",
  answered: "Answered",
  recorded: "Recorded",
  out_of_range: "Out of range",
  read: "Read by the system",
  not_read: "Could not be read",
  operated: "Operated",
  already: "Was already so",
  not_operated: "Not operated",
  seconded: "Confirmed by a second person",
  failed: "Failed",
  note: "Note",
  back: "Went back",
  jumped: "Went on to",
  handed_over: "Handed over to",
  paused: "Paused",
  resumed: "Resumed",
  help: "Called for help",
  finished: "Finished",
  quit: "Ended early",
  skipped: "Skipped",
  does_not_apply: "Does not apply",
} as const;
export type LogWhat = keyof typeof ENTRY_NAMES;

/** Of these, those that tell of a step that was not done as it should be. */
export const FAILURES: ReadonlySet<LogWhat> = new Set<LogWhat>([
  ...(["failed", "out_of_range", "not_read", "not_operated", "done_fast", "quit"] as const),
  ...(["skipped", "does_not_apply"] as const),
]);

/** One line of a run's record. */
export interface RunEntry {
  readonly atMs: number;
  readonly by: string;
  readonly what: LogWhat;
  /** Id of the step, or name of the intake's field. */
  readonly at: string;
  /** What was said, read or chosen. */
  readonly text?: string | undefined;
}

/** What a person, a site or a colleague does to a run. */
export type RunAction =
  | { readonly type: "next" | "back" | "slower" | "values" | "where" | "left" | "why" | "options" }
  | { readonly type: "yes" | "no" | "failed" | "pause" | "resume" | "quit" | "commands" }
  /** Where the run is, or another step, which it does not go to. */
  | { readonly type: "repeat"; readonly step?: string | undefined }
  /** `isCalled`: whether anybody was told; absent: they are. */
  | { readonly type: "help"; readonly isCalled?: boolean }
  /** Nothing that could be understood; that something else was answered meanwhile. */
  | { readonly type: "noise" | "aside" }
  /** Who works has heard to its end what they are asked. */
  | { readonly type: "heard" }
  | { readonly type: "answer"; readonly option: string }
  /** In the unit that the step or the field asks for. */
  | { readonly type: "value"; readonly value: string | number }
  | { readonly type: "note"; readonly text: string }
  | { readonly type: "leave_out"; readonly left: Omission; readonly reason?: string | undefined }
  | { readonly type: "jump"; readonly step: string }
  /** A second person, with the groups that they belong to. */
  | { readonly type: "second"; readonly groups: readonly string[] }
  | { readonly type: "hand_over"; readonly to: string }
  /** What the site says; `fits`: whether it is what the step expects. Without `said` it could not be read. */
  | { readonly type: "reading"; readonly said?: string; readonly fits: boolean }
  | { readonly type: "operated"; readonly outcome: OperatedOutcome };

/** What people are told that they can say, each by a name. */
export type NamedAction = Exclude<
  RunAction["type"],
  "noise" | "aside" | "heard" | "commands" | "values" | "hand_over" | "reading" | "operated"
>;

export type OperatedOutcome = "verified" | "already" | "refused" | "failed" | "unknown";

/** `saidMs`: when it was begun to be said; absent: when it came. */
export type SaidAction = RunAction & { readonly saidMs?: number | undefined };

export type RunEvent = SaidAction & { readonly atMs: number; readonly by: string };

/** What is said; texts for the ear are made of it elsewhere, in the guide's language. */
export type Saying = OwnSaying | FixedSaying;

/** What a guide says of itself. */
type OwnSaying =
  | { readonly say: "step"; readonly step: string; readonly slowly: boolean }
  | { readonly say: "section" | "ended" | "verification" | "person"; readonly step: string }
  | { readonly say: "check_digit" | "wrong_digit" | "values" | "why" | "options"; readonly step: string }
  | { readonly say: "field"; readonly field: string }
  | { readonly say: "reading"; readonly text: string; readonly fits: boolean }
  | { readonly say: "commands"; readonly commands: readonly NamedAction[] };

/** A fixed text: what its key in the catalogue has behind `guide_`, and its values. */
export type FixedSaying = {
  [Key in TextKey]: Key extends `guide_${infer Name}`
    ? Name extends OwnSaying["say"]
      ? never
      : { readonly say: Name } & (ValuesOf<Key> extends [infer Values] ? Values : unknown)
    : never;
}[TextKey];

/** The next run, and what is said. What has to be read or operated is what the run asks for. */
export interface Stepped {
  readonly run: GuideRun;
  readonly says: readonly Saying[];
  /** Whether what is said holds all that is asked now. */
  readonly isAsked: boolean;
}
