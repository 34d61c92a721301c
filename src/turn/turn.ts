/** One turn while it runs: what was asked, on which line, and what all of its steps share. */

import { USUAL_LIMITS } from "../capability/capability.js";
import type { HeardRequest, TurnEvent, TurnRequest } from "../domain/turn.js";
import { Deadline } from "../lib/deadline.js";
import type { BasisDeps } from "./basis.js";
import type { DeliveryDeps } from "./delivery.js";
import type { Line } from "./line.js";
import { TurnMeter } from "./meter.js";
import { TurnRecorder } from "./record.js";
import type { RouteDeps } from "./route.js";
import type { Verifying } from "./second-reader.js";
import { TurnWaterfall } from "./waterfall.js";

/** From leaving the mailbox to the choice of a capability, whose own limits count from then on. */
export const PREPARE_MS_MAX = USUAL_LIMITS.beginMs;

export interface TurnDeps extends DeliveryDeps, BasisDeps, RouteDeps {
  /** Whether the voice of the first clause is made ready while its sentence is still being written. */
  readonly earlyClause?: boolean;
  /** Who reads a second time what the rules let through; absent: nobody. */
  readonly verifying?: Verifying;
}

export interface Turn {
  readonly asked: TurnRequest | HeardRequest;
  readonly line: Line;
  readonly deps: TurnDeps & { readonly telemetry: TurnMeter };
  readonly record: TurnRecorder;
  /** Tells those who watch what the turn does. */
  tell(event: TurnEvent): void;
  readonly deadline: Deadline;
  readonly signal: AbortSignal;
  /** When it left the mailbox (monotonic, in milliseconds). */
  readonly startMs: number;
}

/** `receivedMs` (monotonic) is when the request came in; `stop` ends the turn. Its deadline has to be ended. */
export function beginTurn(
  asked: TurnRequest | HeardRequest,
  line: Line,
  deps: TurnDeps,
  stop: AbortSignal,
  receivedMs: number,
): Turn {
  const { clock } = deps;
  const waterfall = new TurnWaterfall(clock, receivedMs, "words" in asked ? asked.pressedMs : undefined);
  waterfall.mark("started");
  const metered = { ...deps, telemetry: new TurnMeter(deps.telemetry, waterfall) };
  const deadline = new Deadline(clock, "the answer", PREPARE_MS_MAX, stop);
  const tell = (event: TurnEvent) => {
    line.observe(asked.id, event);
    if (event.type === "step" && line.link.showsSteps)
      line.send({ type: "step", step: event, requestId: asked.requestId });
  };
  const record = new TurnRecorder(asked, metered, tell);
  const { signal } = deadline;
  return { asked, line, deps: metered, record, tell, deadline, signal, startMs: clock.monotonic() };
}
