/** What the screen shows, as one value, and the one place that changes it. Knows nothing of browsers. */

/** A place in a document and its words that the answer rests on. */
export interface Source {
  readonly title: string;
  readonly section?: string;
  readonly page?: number;
  readonly revision?: string;
  readonly quote: string;
}

/** A value that was read of a system of the site, as a sentence; or what did not tell its value. */
export interface Reading {
  readonly text: string;
  /** When it was read, in Unix milliseconds of this browser; undefined: there is no value. */
  readonly readAtMs: number | undefined;
}

/** An operation as the service tells of it. */
export interface Operation {
  readonly approval_id: string;
  readonly number: number;
  readonly status: string;
  readonly risk_level: "low" | "medium" | "high";
  readonly readback: string;
  /** The word that consent has to have. */
  readonly challenge?: string;
  readonly calls: readonly {
    readonly name: string;
    readonly before: string;
    readonly wanted: string;
    readonly after?: string;
    readonly outcome?: "verified" | "contradicted" | "unknown" | "failed" | "skipped" | "dry_run";
  }[];
}

/** The guide that leads whoever asks, in its own language. */
export interface GuideStep {
  readonly language: string;
  readonly guide: string;
  /** Such as "Step 3 of 12." */
  readonly progress: string;
  readonly step: string;
  readonly can_say: string;
}

/** One question and what came of it so far. */
export interface Turn {
  /** Undefined while a spoken question is not understood yet. */
  readonly question: string | undefined;
  readonly answer: string;
  /** Whether it was heard, so that it can be heard again. */
  readonly sounded: boolean;
  readonly sources: readonly Source[];
  /** What was read for the answer, in the order in which it came. */
  readonly readings: readonly Reading[];
  /** What was asked to be done, as it is now. */
  readonly operation?: Operation;
  /** Where a guide is by now. */
  readonly guide?: GuideStep;
  /** How the answer ended; undefined while there is more to come. */
  readonly outcome: string | undefined;
}

/** What a person can do about what went wrong. */
export type Failure = "again" | "busy" | "unheard" | "no_microphone";

export type State =
  | { readonly type: "starting" }
  /** There is no token, or it is not known: whoever looks after the screen has to act. */
  | { readonly type: "locked" }
  | { readonly type: "offline"; readonly turn?: Turn }
  /** Nothing is known of anybody. `hint`: somebody tapped where holding is meant. */
  | { readonly type: "ready"; readonly hint: boolean }
  /** The button is held, and the microphone gives no sound yet. */
  | { readonly type: "opening" }
  | { readonly type: "listening" }
  | { readonly type: "thinking"; readonly turn: Turn }
  /** The answer is heard; more of it may be on its way. */
  | { readonly type: "speaking"; readonly turn: Turn }
  | { readonly type: "answered"; readonly turn: Turn }
  /** The documents have no answer: a colleague may. */
  | { readonly type: "unanswered"; readonly turn: Turn }
  | { readonly type: "failed"; readonly failure: Failure; readonly turn?: Turn };

export type Happening =
  | { readonly type: "set_up" }
  | { readonly type: "locked_out" }
  | { readonly type: "connection_lost" }
  | { readonly type: "connected" }
  | { readonly type: "forgotten" }
  | { readonly type: "pressed" }
  | { readonly type: "sound_came" }
  | { readonly type: "tapped" }
  | { readonly type: "asked"; readonly question?: string }
  | { readonly type: "understood"; readonly text: string; readonly heard?: string }
  | { readonly type: "read"; readonly readings: readonly Reading[] }
  | ({ readonly type: "operation" } & Operation)
  | ({ readonly type: "guide" } & GuideStep)
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "rewound" }
  | { readonly type: "sound_began" }
  | { readonly type: "sound_ended" }
  | {
      readonly type: "finished";
      readonly outcome: string;
      readonly text: string;
      readonly sources: readonly Source[];
    }
  | { readonly type: "stopped" }
  /** The answer is to be heard again. */
  | { readonly type: "repeated" }
  | { readonly type: "went_wrong"; readonly failure: Failure };

/** Outcomes of an answer that says that there is none. */
const WITHOUT_ANSWER: readonly string[] = ["not_in_documents", "not_offered", "search_unavailable"];

export const READY: State = { type: "ready", hint: false };

/** What the screen shows after `happening`; the same value where that changes nothing. */
export function next(state: State, happening: Happening): State {
  switch (happening.type) {
    case "locked_out":
      return { type: "locked" };
    case "connection_lost":
      return state.type === "offline" || state.type === "locked"
        ? state
        : { type: "offline", ...kept(state) };
    case "set_up":
    case "connected":
      return connected(state);
    case "forgotten":
      return forgotten(state);
    case "pressed":
      return canAsk(state) ? { type: "opening" } : state;
    case "sound_came":
      return state.type === "opening" ? { type: "listening" } : state;
    case "tapped":
      return isHeld(state) ? { type: "ready", hint: true } : state;
    case "asked":
      return canAsk(state) ? { type: "thinking", turn: asked(happening.question) } : state;
    case "went_wrong":
      return canAsk(state) ? { type: "failed", failure: happening.failure, ...kept(state) } : state;
    case "repeated":
      return canRepeat(state) ? { type: "speaking", turn: state.turn } : state;
    default:
      return isAnswering(state) ? nextOfAnswer(state, happening) : state;
  }
}

type Answering = State & { readonly type: "thinking" | "speaking" };

/** Whether an answer is under way. */
export function isAnswering(state: State): state is Answering {
  return state.type === "thinking" || state.type === "speaking";
}

/** Whether there is an answer that can be heard again. */
export function canRepeat(state: State): state is State & { readonly type: "answered" | "unanswered" } {
  const { type } = state;
  return (
    (type === "answered" || type === "unanswered") && state.turn.sounded && state.turn.outcome !== undefined
  );
}

/** Whether the button is held. */
export function isHeld(state: State): boolean {
  return state.type === "opening" || state.type === "listening";
}

/** Whether a question can be put now; one under way is given up for it. */
export function canAsk(state: State): boolean {
  return state.type !== "starting" && state.type !== "locked" && state.type !== "offline";
}

/** The question, and what was heard where that is something else. */
function understoodAs({ heard, text }: { readonly text: string; readonly heard?: string }): string {
  return heard === undefined ? text : `${text} (“${heard}”)`;
}

function nextOfAnswer(state: Answering, happening: Happening): State {
  const { turn } = state;
  switch (happening.type) {
    case "understood":
      return { ...state, turn: { ...turn, question: understoodAs(happening) } };
    case "read":
      return { ...state, turn: { ...turn, readings: [...turn.readings, ...happening.readings] } };
    case "operation":
      return { ...state, turn: { ...turn, operation: happening } };
    case "guide":
      return { ...state, turn: { ...turn, guide: happening } };
    case "text":
      return { ...state, turn: { ...turn, answer: turn.answer + happening.text } };
    case "rewound":
      return { ...state, turn: { ...turn, answer: "" } };
    case "sound_began":
      return { type: "speaking", turn: { ...turn, sounded: true } };
    case "sound_ended":
      return turn.outcome === undefined ? { type: "thinking", turn } : settled(turn, turn.outcome);
    case "finished": {
      const { outcome, sources, text } = happening;
      const whole = { ...turn, answer: text, sources, outcome };
      return state.type === "speaking" ? { type: "speaking", turn: whole } : settled(whole, outcome);
    }
    case "stopped":
      if (turn.outcome !== undefined) return settled(turn, turn.outcome);
      return turn.answer === "" ? READY : { type: "answered", turn };
    default:
      return state;
  }
}

function forgotten(state: State): State {
  if (state.type === "offline") return { type: "offline" };
  return canAsk(state) ? READY : state;
}

function connected(state: State): State {
  if (state.type === "offline" && state.turn !== undefined) return { type: "answered", turn: state.turn };
  return canAsk(state) ? state : READY;
}

function settled(turn: Turn, outcome: string): State {
  return { type: WITHOUT_ANSWER.includes(outcome) ? "unanswered" : "answered", turn };
}

function asked(question: string | undefined): Turn {
  return { question, answer: "", sounded: false, sources: [], readings: [], outcome: undefined };
}

/** What is worth leaving on the screen. */
function kept(state: State): { readonly turn?: Turn } {
  return "turn" in state && state.turn !== undefined && state.turn.answer !== "" ? { turn: state.turn } : {};
}
