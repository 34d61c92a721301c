/** Stage 2: the model answers from what was found, as a stream; it may call nothing. */
import type { DraftEnd, DraftEvent } from "../capability/draft.js";
import type { User } from "../domain/user.js";
import { DeadlineExceeded } from "../lib/deadline.js";
import { type ModelEvent, ModelFailure, type ModelRequest } from "../llm/port.js";
import { type RetryDeps, streamWithRetry } from "../llm/retry.js";
import type { Telemetry } from "../telemetry/events.js";

/**
 * The answer's text as it is written, then its end. As long as nothing was said, failures are tried again and
 * `beginByMs` (monotonic) holds; once something was, the answer may take its time. Throws `ModelFailure`, or the
 * signal's reason. An answer that ends for any reason but that it is complete counts as a failure too.
 */
export async function* compose(
  request: ModelRequest,
  beginByMs: number,
  rewind: () => boolean,
  deps: RetryDeps,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void, undefined> {
  const { clock } = deps;
  const late = new AbortController();
  const allowedMs = Math.max(0, beginByMs - clock.monotonic());
  const timer = clock.after(allowedMs, () => {
    if (rewind()) late.abort(new DeadlineExceeded("the beginning of the answer", allowedMs));
  });
  const either = AbortSignal.any([signal, late.signal]);
  try {
    for await (const event of streamWithRetry(deps, request, beginByMs, rewind, either)) {
      if (event.type === "end" && event.reason !== "complete") {
        throw new ModelFailure("rejected", `the answer ended before its end: ${event.reason}`);
      }
      yield event;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof DeadlineExceeded ? new ModelFailure("timeout", error.message) : error;
  } finally {
    timer.cancel();
  }
}

export interface ComposedDeps {
  readonly telemetry: Telemetry;
  readonly user: User;
  /** The slot of the model. */
  readonly slot: "main" | "conversational";
  readonly retry: RetryDeps;
  rewind(): boolean;
}

/** The text alone, as `compose` brings it: when it came, and what it cost, is told to the telemetry. */
export async function* composed(
  request: ModelRequest,
  beginByMs: number,
  { retry, rewind, slot, telemetry, user }: ComposedDeps,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const { clock } = retry;
  const startMs = clock.monotonic();
  let begun = false;
  const takeBack = () => {
    const rewound = rewind();
    if (rewound && begun) telemetry.emit({ type: "answer_rewound", user });
    if (rewound) begun = false;
    return rewound;
  };
  for await (const event of compose(request, beginByMs, takeBack, retry, signal)) {
    const ms = clock.monotonic() - startMs;
    if (event.type === "text") {
      if (!begun) telemetry.emit({ type: "stage_finished", user, stage: "compose_first_text", ms });
      begun = true;
      yield event.text;
    } else {
      telemetry.emit({ type: "stage_finished", user, stage: "compose", ms });
      telemetry.emit({ type: "tokens_used", user, stage: "compose", slot, ...event.usage });
    }
  }
}

/** What is said where a text broke off after some of it had reached the user. */
export function* brokenOff(restIsLost: string, searched: DraftEnd["searched"]): Generator<DraftEvent> {
  yield { type: "cut" };
  yield { type: "phrase", text: restIsLost };
  yield { type: "end", searched, degraded: true, outcome: "partial" };
}
