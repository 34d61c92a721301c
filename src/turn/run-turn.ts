/**
 * The story of one turn: it is prepared, and it is answered. Whatever happens, the user gets exactly one outcome: an
 * answer, a fallback, or an error.
 */
import type { Dialogue } from "../domain/dialogue.js";
import { TurnFailure } from "../domain/failure.js";
import type { HeardRequest, TurnRequest } from "../domain/turn.js";
import { DeadlineExceeded } from "../lib/deadline.js";
import { answer } from "./answering.js";
import { withCaution } from "./caution.js";
import { type Line, UserGone } from "./line.js";
import { prepare } from "./prepare.js";
import { beginTurn, type TurnDeps } from "./turn.js";

/**
 * Runs one turn to its end and returns what the chat has open then. `stop` aborts with a `TurnFailure` when the user or
 * the service stops it; `receivedMs` (monotonic) is when the request came in. Never rejects.
 */
export async function runTurn(
  asked: TurnRequest | HeardRequest,
  dialogue: Dialogue,
  line: Line,
  deps: TurnDeps,
  stop: AbortSignal,
  receivedMs = deps.clock.monotonic(),
): Promise<Dialogue> {
  const turn = beginTurn(asked, line, deps, stop, receivedMs);
  try {
    const prepared = await prepare(turn, dialogue);
    const delivered = await answer(prepared, turn);
    return turn.record.delivered(delivered, dialogue);
  } catch (error) {
    const failure = withCaution(asTurnFailure(error), asked, deps.locales, turn.record.question);
    await tellFailure(failure, asked, line, stop);
    return turn.record.failed(failure, dialogue);
  } finally {
    turn.deadline.end(new Error("the turn is over"));
  }
}

/** Waits for an absent user once, and not at all when the turn was stopped; who does not turn up cannot be told. */
async function tellFailure(
  failure: TurnFailure,
  { requestId }: { readonly requestId?: string | undefined },
  line: Line,
  stop: AbortSignal,
): Promise<void> {
  const { code, message } = failure;
  const frame = { type: "error", code, error: message, requestId } as const;
  if (failure.cause instanceof UserGone) {
    line.send(frame);
    return;
  }
  try {
    await line.deliver(frame, stop);
  } catch (error) {
    if (!(error instanceof UserGone || stop.aborted)) throw error;
  }
}

/** Any error as one that can be told to a user. */
export function asTurnFailure(error: unknown): TurnFailure {
  if (error instanceof TurnFailure) return error;
  const cause = { cause: error };
  if (error instanceof DeadlineExceeded)
    return new TurnFailure("timeout", "That took too long. Try again.", cause);
  return new TurnFailure(
    "assistant_unavailable",
    "The assistant cannot answer now. Try again in a moment.",
    cause,
  );
}
