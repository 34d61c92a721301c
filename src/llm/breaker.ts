/**
 * A circuit breaker for one model at one server: after several failures in a row it is left alone for a while, then one
 * request tries it out. While that probe is under way everybody else still goes elsewhere.
 *
 * A failure is what says that the server is not well: no connection, an error of its own, silence, an answer that
 * breaks off or makes no sense. That it is asked too often (429), refuses a request, or that the caller gives up says
 * nothing of its health.
 */
import type { Clock } from "../lib/clock.js";

export interface BreakerLimits {
  /** So many failures in a row open it. */
  readonly failuresMax: number;
  /** How long it is left alone the first time; each probe that fails doubles it, up to `pauseMsMax`. */
  readonly pauseMs: number;
  readonly pauseMsMax: number;
}

export type BreakerState =
  | { readonly type: "closed"; readonly failures: number }
  | { readonly type: "open"; readonly untilMs: number; readonly pauseMs: number }
  | { readonly type: "probing"; readonly untilMs: number; readonly pauseMs: number };

/** How a request that was let through has ended. */
export type Ending =
  | "success"
  | "failure"
  /** It says nothing of the server's health. */
  | "neither";

/** A probe that is never heard of again does not keep others from trying for longer than this. */
export const PROBE_MS_MAX = 60_000;

export const CLOSED: BreakerState = { type: "closed", failures: 0 };

/** The state once a request has been let through at `nowMs`; `undefined` when none may be. */
export function admitted(state: BreakerState, nowMs: number): BreakerState | undefined {
  if (state.type === "closed") return state;
  if (nowMs < state.untilMs) return undefined;
  return { type: "probing", untilMs: nowMs + PROBE_MS_MAX, pauseMs: state.pauseMs };
}

/** The state after the end of a request that had been let through in the state `begun`. */
export function ended(
  state: BreakerState,
  begun: BreakerState,
  ending: Ending,
  nowMs: number,
  limits: BreakerLimits,
): BreakerState {
  if (state.type === "closed") {
    if (begun.type !== "closed" || ending === "neither") return state;
    const failures = ending === "success" ? 0 : state.failures + 1;
    if (failures < limits.failuresMax) return { type: "closed", failures };
    return { type: "open", untilMs: nowMs + limits.pauseMs, pauseMs: limits.pauseMs };
  }
  // What had begun before it opened is not news, nor is a probe that had been given up.
  if (state.type === "open" || begun !== state) return state;
  if (ending === "success") return CLOSED;
  if (ending === "neither") return { type: "open", untilMs: nowMs, pauseMs: state.pauseMs };
  const pauseMs = Math.min(limits.pauseMsMax, state.pauseMs * 2);
  return { type: "open", untilMs: nowMs + pauseMs, pauseMs };
}

/** Tells how the request has ended; only the first word counts. */
export type Permit = (ending: Ending) => void;

export class Breaker {
  #state: BreakerState = CLOSED;

  constructor(
    private readonly clock: Clock,
    private readonly limits: BreakerLimits,
    private readonly onChange: (state: BreakerState["type"]) => void,
  ) {}

  /** `undefined` when the server is to be left alone. */
  permit(): Permit | undefined {
    const begun = admitted(this.#state, this.clock.monotonic());
    if (begun === undefined) return undefined;
    this.#become(begun);
    let isOver = false;
    return (ending) => {
      if (isOver) return;
      isOver = true;
      this.#become(ended(this.#state, begun, ending, this.clock.monotonic(), this.limits));
    };
  }

  /** How long until the next request is let through. */
  get waitMs(): number {
    return this.#state.type === "closed" ? 0 : Math.max(0, this.#state.untilMs - this.clock.monotonic());
  }

  #become(state: BreakerState): void {
    const { type } = this.#state;
    this.#state = state;
    if (state.type !== type) this.onChange(state.type);
  }
}
