/**
 * The story of one announcement: what a capability has to say to a user who has not asked. It is drafted, checked and
 * delivered as an answer is, and no turn of the user's. Whatever goes wrong is told to telemetry, and not to the user.
 */
import type { Capability } from "../capability/capability.js";
import type { Dialogue } from "../domain/dialogue.js";
import { TurnFailure } from "../domain/failure.js";
import type { TurnRequest } from "../domain/turn.js";
import { under } from "../lib/deadline.js";
import { RULE_CONFIDENCE } from "../routing/router.js";
import type { EventType, Telemetry } from "../telemetry/events.js";
import { turnAccess } from "./access.js";
import { answer } from "./answering.js";
import { turnLanguage } from "./language.js";
import { type Line, UserGone } from "./line.js";
import { asTurnFailure } from "./run-turn.js";
import { beginTurn, type TurnDeps } from "./turn.js";

/** Something to be said unasked; features, groups and mode are those of the turn that it goes back to. */
export interface Announcement
  extends Pick<TurnRequest, "id" | "user" | "responseType" | "features" | "groups" | "mode" | "language"> {
  /** What it is about, such as one timer: of two about the same the newer one counts. No words of the user. */
  readonly subject: string;
  readonly capability: Capability;
  /** Wall-clock milliseconds from which on it is of no use, and is not begun. */
  readonly untilMs: number;
}

/** What came of an announcement. */
export interface AnnouncementResult {
  /** What the chat has open now. */
  readonly dialogue: Dialogue;
  /** Some of it was heard, or it cannot be said at all; else it may be tried again. */
  readonly isOver: boolean;
}

/** Says `announcement` on `line`, with what was heard as a line of the dialogue. `stop` ends it. Never rejects. */
export async function announce(
  { capability, subject, untilMs, ...context }: Announcement,
  dialogue: Dialogue,
  line: Line,
  deps: TurnDeps,
  stop: AbortSignal,
): Promise<AnnouncementResult> {
  const { clock, locales, router } = deps;
  const request = { ...context, text: "" };
  const telemetry = notOfTurns(deps.telemetry, subject);
  const turn = beginTurn(request, line, { ...deps, telemetry }, stop, clock.monotonic());
  try {
    const access = await under(turn.signal, (within) => turnAccess(request, turn.deps, within));
    const spoken = turnLanguage(request, dialogue.history, locales);
    const beginMs = Math.min(capability.limits.beginMs, untilMs - clock.now());
    if (beginMs <= 0) throw new TurnFailure("timeout", "It is of no use any more.");
    const choice = {
      capability: { ...capability, limits: { ...capability.limits, beginMs } },
      decision: { route: router.fallback.name, layer: "rule", confidence: RULE_CONFIDENCE },
      question: "",
    } as const;
    const basis = { access, history: [], pending: [], ...spoken };
    const delivered = await answer({ request, basis, choice, kind: "announcement" }, turn);
    const isOver = delivered.heard !== "";
    const after = turn.record.delivered(delivered, dialogue);
    return { dialogue: isOver ? after : dialogue, isOver };
  } catch (error) {
    const failure = asTurnFailure(error);
    const isOver = !(stop.aborted || failure.cause instanceof UserGone);
    turn.record.failed(failure, dialogue);
    return { dialogue, isOver };
  } finally {
    turn.deadline.end(new Error("the announcement is over"));
  }
}

/** What is told of turns only. */
const OF_TURNS: ReadonlySet<EventType> = new Set(["first_packet", "turn_waterfall"] as const);

/** Tells how an announcement ended in place of how a turn did: nothing of it counts as one. */
function notOfTurns(telemetry: Telemetry, subject: string): Telemetry {
  const emit: Telemetry["emit"] = (event) => {
    if (event.type === "turn_finished") {
      const { cause, interrupted, ms, result, user } = event;
      const more = cause === undefined ? {} : { cause };
      telemetry.emit({ type: "announcement_ended", user, subject, result, interrupted, ms, ...more });
    } else if (!OF_TURNS.has(event.type)) telemetry.emit(event);
  };
  return { emit };
}
