/** One text of a model that calls nothing: the draft of a turn without a search. When it fails, something else is said. */

import type { AskRequest } from "../capability/capability.js";
import type { DraftEvent } from "../capability/draft.js";
import type { Clock } from "../lib/clock.js";
import { ModelFailure, type ModelMessage } from "../llm/port.js";
import type { RetryDeps } from "../llm/retry.js";
import { brokenOff, composed } from "./compose.js";

/** The model of such turns: a slot of the configuration. */
export interface TalkModel extends Omit<RetryDeps, "clock" | "onRetry"> {
  readonly outputTokensMax: number;
}

/** What is kept of a turn's time for saying something else when the model fails. */
export const TALK_RESCUE_MS = 1_000;

export interface ModelTextDeps {
  readonly clock: Clock;
  readonly model: TalkModel;
  /** What stands in for the text, its end included, as long as nothing of it has reached the user. */
  readonly otherwise: () => Iterable<DraftEvent> | AsyncIterable<DraftEvent>;
  /** Said when the text breaks off. */
  readonly restIsLost: string;
}

/** The text as it is written, then the end. Throws the signal's reason. */
export async function* modelText(
  request: AskRequest,
  messages: readonly ModelMessage[],
  { clock, model, otherwise, restIsLost }: ModelTextDeps,
  signal: AbortSignal,
): AsyncGenerator<DraftEvent, void, undefined> {
  const { access, telemetry } = request;
  const user = { network: access.network, username: access.username };
  const tell = ({ kind, message }: ModelFailure) =>
    telemetry.emit({ type: "model_failed", user, stage: "compose", error: `${kind}: ${message}` });
  const { outputTokensMax } = model;
  const wanted = { messages, tools: [], toolChoice: "none", outputTokensMax } as const;
  const retry = { ...model, clock, onRetry: tell };
  const deps = { telemetry, user, slot: "conversational", retry, rewind: () => request.rewind() } as const;
  try {
    for await (const text of composed(wanted, request.beginByMs - TALK_RESCUE_MS, deps, signal))
      yield { type: "text", text };
    yield { type: "end", searched: "not_needed", degraded: false };
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    tell(error);
    if (!request.rewind()) return yield* brokenOff(restIsLost, "not_needed");
    telemetry.emit({ type: "answer_degraded", user, from: "compose" });
    yield* otherwise();
  }
}
