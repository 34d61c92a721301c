/** What a model writes, as a stream: it may call nothing. */
import type { AskRequest } from "../capability/capability.js";
import type { DraftEnd, DraftEvent } from "../capability/draft.js";
import { type User, userOf } from "../domain/user.js";
import type { Clock } from "../lib/clock.js";
import { DeadlineExceeded } from "../lib/deadline.js";
import { ModelFailure, type ModelMessage, type ModelRequest } from "../llm/port.js";
import type { Prompts } from "../llm/prompts.js";
import { completeWithRetry, type RetryDeps, streamWithRetry } from "../llm/retry.js";
import type { Telemetry } from "../telemetry/events.js";

/** A model that writes: a slot of the configuration. */
export interface WritingModel extends Omit<RetryDeps, "clock" | "onRetry"> {
  readonly outputTokensMax: number;
}

export interface ComposedDeps {
  readonly telemetry: Telemetry;
  readonly user: User;
  /** The slot of the model. */
  readonly slot: "main" | "conversational";
  readonly retry: RetryDeps;
  rewind(): boolean;
}

/**
 * The answer's text as it is written; when it came, and what it cost, is told to the telemetry. As long as nothing was
 * said, failures are tried again and `beginByMs` (monotonic) holds; once something was, the answer may take its time.
 * Throws `ModelFailure`, or the signal's reason. An answer that ends for any reason but that it is complete counts as a
 * failure too.
 */
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
  const late = new AbortController();
  const allowedMs = Math.max(0, beginByMs - startMs);
  const timer = clock.after(allowedMs, () => {
    if (takeBack()) late.abort(new DeadlineExceeded("the beginning of the answer", allowedMs));
  });
  const either = AbortSignal.any([signal, late.signal]);
  try {
    for await (const event of streamWithRetry(retry, request, beginByMs, takeBack, either)) {
      const ms = clock.monotonic() - startMs;
      if (event.type === "text") {
        if (!begun) telemetry.emit({ type: "stage_finished", user, stage: "compose_first_text", ms });
        begun = true;
        yield event.text;
        continue;
      }
      if (event.reason !== "complete")
        throw new ModelFailure("rejected", `the answer ended before its end: ${event.reason}`);
      telemetry.emit({ type: "stage_finished", user, stage: "compose", ms });
      telemetry.emit({ type: "tokens_used", user, stage: "compose", slot, ...event.usage });
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof DeadlineExceeded ? new ModelFailure("timeout", error.message) : error;
  } finally {
    timer.cancel();
  }
}

/** What is said where a text broke off after some of it had reached the user. */
export function brokenOff(restIsLost: string, searched: DraftEnd["searched"]): readonly DraftEvent[] {
  return [
    { type: "cut" },
    { type: "phrase", text: restIsLost },
    { type: "end", searched, degraded: true, outcome: "partial" },
  ];
}

/** What is kept of a turn's time for saying something else when the model fails. */
const TALK_RESCUE_MS = 1_000;

export interface TalkDeps {
  readonly clock: Clock;
  readonly prompts: Prompts;
  /** Absent: no model is set. */
  readonly model?: WritingModel | undefined;
}

/**
 * The draft of a turn without a search: the model's text as it is written, then the end. `otherwise` stands in for it, its
 * end included, where there is no model, or it has failed (`degraded`) as long as nothing has reached the user. Throws the
 * signal's reason.
 */
export async function* modelText(
  request: AskRequest,
  messages: () => Promise<readonly ModelMessage[]> | readonly ModelMessage[],
  otherwise: (degraded: boolean) => Iterable<DraftEvent> | AsyncIterable<DraftEvent>,
  { clock, model }: TalkDeps,
  signal: AbortSignal,
): AsyncGenerator<DraftEvent, void, undefined> {
  if (model === undefined) return yield* otherwise(false);
  const { outputTokensMax } = model;
  const { telemetry } = request;
  const user = userOf(request.access);
  const wanted = { messages: await messages(), tools: [], toolChoice: "none", outputTokensMax } as const;
  const tell = ({ kind, message }: ModelFailure) =>
    telemetry.emit({ type: "model_failed", user, stage: "compose", error: `${kind}: ${message}` });
  const retry = { ...model, clock, onRetry: tell };
  const deps = { telemetry, user, slot: "conversational", retry, rewind: () => request.rewind() } as const;
  try {
    for await (const text of composed(wanted, request.beginByMs - TALK_RESCUE_MS, deps, signal))
      yield { type: "text", text };
    yield { type: "end", searched: "not_needed", degraded: false };
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    tell(error);
    if (!request.rewind()) return yield* brokenOff(request.locale.say("rest_is_lost"), "not_needed");
    telemetry.emit({ type: "answer_degraded", user, from: "compose" });
    yield* otherwise(true);
  }
}

/** What it takes to have a model write something for `user` by `giveUpAtMs` (monotonic), in one piece. */
export interface WriterDeps extends TalkDeps {
  readonly model: WritingModel;
  readonly telemetry: Telemetry;
  readonly user: User;
  readonly giveUpAtMs: number;
}

/** A model's whole reply. Rejects with `ModelFailure`, or with the signal's reason. */
export async function written(
  stage: "suggest" | "summarize",
  request: Omit<ModelRequest, "outputTokensMax">,
  { clock, giveUpAtMs, model, telemetry, user }: WriterDeps,
  signal: AbortSignal,
) {
  const onRetry = ({ kind, message }: ModelFailure) =>
    telemetry.emit({ type: "model_failed", user, stage, error: `${kind}: ${message}` });
  const wanted = { ...request, outputTokensMax: model.outputTokensMax };
  const reply = await completeWithRetry({ ...model, clock, onRetry }, wanted, giveUpAtMs, signal);
  telemetry.emit({ type: "tokens_used", user, stage, slot: "main", ...reply.usage });
  return reply;
}
