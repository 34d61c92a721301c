/**
 * One model made of several, in order of preference. Whoever cannot answer is followed by the next, as long as nothing
 * of the answer has been handed on: once text has been, the failure is the caller's (see `retry.ts`). A provider whose
 * breaker is open is passed over. Tells who has answered, and what it cost.
 */
import type { Clock } from "../lib/clock.js";
import { Deadline, DeadlineExceeded, untilAborted, withDeadline } from "../lib/deadline.js";
import type { SlotName, Telemetry } from "../telemetry/events.js";
import type { Breaker, Ending, Permit } from "./breaker.js";
import {
  type LanguageModel,
  type ModelEvent,
  ModelFailure,
  type ModelFailureKind,
  type ModelReply,
  type ModelRequest,
  type TokenUsage,
} from "./port.js";
import { costUsd, type Price } from "./price.js";

export interface Provider {
  readonly model: LanguageModel;
  /** `undefined`: not known, and so is the cost. */
  readonly price: Price | undefined;
  /** Shared by all slots that use the same model at the same server. */
  readonly breaker: Breaker;
}

export interface FallbackDeps {
  readonly slot: SlotName;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/** What is kept of a request's time for each provider that is still to come; who got less is not blamed for silence. */
export const CHANCE_MS = 4_000;

/** With less time than this left nobody is asked any more. */
export const CHANCE_MS_MIN = 250;

/** For requests that do not say until when they are of use. */
export const REQUEST_MS_MAX = 600_000;

export class FallbackModel implements LanguageModel {
  readonly name: string;
  /** What became of each request so far, over all of its attempts. */
  readonly #records = new WeakMap<ModelRequest, Map<Provider, Past>>();

  constructor(
    private readonly providers: readonly [Provider, ...Provider[]],
    private readonly deps: FallbackDeps,
  ) {
    this.name = providers.map(({ model }) => model.name).join(", then ");
  }

  async complete(request: ModelRequest, signal: AbortSignal): Promise<ModelReply> {
    const round = this.#round(request, signal);
    for (;;) {
      const chance = round.next();
      const { provider, allowedMs } = chance;
      const work = (within: AbortSignal) => provider.model.complete(request, within);
      try {
        const reply = await withDeadline(this.deps.clock, "the model's answer", allowedMs, signal, work);
        const usage = priced(reply.usage, provider);
        chance.end("success", "ok", usage);
        return { ...reply, usage };
      } catch (error) {
        round.fail(chance, error);
      }
    }
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void, undefined> {
    const round = this.#round(request, signal);
    for (;;) {
      const chance = round.next();
      const deadline = new Deadline(this.deps.clock, "the first word", chance.allowedMs, signal);
      let begun = false;
      try {
        const events = chance.provider.model.stream(request, deadline.signal);
        for await (const event of untilAborted(events, deadline.signal)) {
          deadline.lift();
          if (event.type === "text") {
            begun = true;
            chance.begins();
            yield event;
          } else if (!begun && event.reason !== "complete") {
            throw new ModelFailure("rejected", `the answer ended before its beginning: ${event.reason}`);
          } else {
            const usage = priced(event.usage, chance.provider);
            chance.end("success", "ok", usage);
            yield { ...event, usage };
          }
        }
        return;
      } catch (error) {
        const failure = round.fail(chance, error);
        if (begun) throw failure;
      } finally {
        chance.end("neither"); // Unless it is known already: whoever listened has left.
        deadline.dispose();
      }
    }
  }

  #round(request: ModelRequest, signal: AbortSignal): Round {
    let record = this.#records.get(request);
    if (record === undefined) {
      record = new Map();
      this.#records.set(request, record);
    }
    return new Round(this.providers, record, request.giveUpAtMs, signal, this.deps);
  }
}

/** What one request has come to at one provider. */
interface Past {
  readonly failures: number;
  /** It refuses this request, and would again. */
  readonly refusal?: ModelFailure;
}

/** One attempt at a request: each provider once. Those that have failed it least come first, in their order. */
class Round {
  readonly #waiting: Provider[];
  readonly #giveUpAtMs: number;
  /** Of this round, in order. */
  readonly #failures: { readonly provider: Provider; readonly failure: ModelFailure }[] = [];

  constructor(
    providers: readonly Provider[],
    private readonly record: Map<Provider, Past>,
    giveUpAtMs: number | undefined,
    private readonly signal: AbortSignal,
    private readonly deps: FallbackDeps,
  ) {
    const failures = (provider: Provider) => record.get(provider)?.failures ?? 0;
    this.#waiting = providers
      .filter((provider) => record.get(provider)?.refusal === undefined)
      .sort((one, other) => failures(one) - failures(other));
    this.#giveUpAtMs = giveUpAtMs ?? deps.clock.monotonic() + REQUEST_MS_MAX;
  }

  /** Who is to try next, and how long. Throws the failure of the round when nobody is left, or no time. */
  next(): Chance {
    const leftAlone: number[] = [];
    for (;;) {
      const remainingMs = this.#giveUpAtMs - this.deps.clock.monotonic();
      const provider = remainingMs < CHANCE_MS_MIN ? undefined : this.#waiting.shift();
      if (provider === undefined) throw this.#verdict(remainingMs, leftAlone);
      const permit = provider.breaker.permit();
      if (permit === undefined) {
        leftAlone.push(provider.breaker.waitMs);
        continue;
      }
      this.#tell(provider);
      return new Chance(provider, permit, this.#share(remainingMs), this.deps);
    }
  }

  /** Notes how a chance was missed. Throws what is no failure of the model: the caller's abort, and our own mistakes. */
  fail(chance: Chance, error: unknown): ModelFailure {
    if (this.signal.aborted) {
      chance.end("neither");
      throw this.signal.reason;
    }
    const late = error instanceof DeadlineExceeded;
    const failure = late ? new ModelFailure("timeout", error.message) : error;
    if (!(failure instanceof ModelFailure)) {
      chance.end("neither");
      throw error;
    }
    chance.end(late && chance.allowedMs < CHANCE_MS ? "neither" : endingOf(failure), failure.kind);
    const { provider } = chance;
    const failures = (this.record.get(provider)?.failures ?? 0) + 1;
    this.record.set(provider, { failures, ...(failure.retryable ? {} : { refusal: failure }) });
    this.#failures.push({ provider, failure });
    return failure;
  }

  /** All of the time but what the others need; an even part of it when there is too little for that. */
  #share(remainingMs: number): number {
    const coming = this.#waiting.filter(({ breaker }) => breaker.waitMs === 0).length;
    return Math.max(remainingMs - coming * CHANCE_MS, remainingMs / (coming + 1));
  }

  #tell(to: Provider): void {
    const last = this.#failures.at(-1);
    if (last === undefined) return;
    this.deps.telemetry.emit({
      type: "model_fallback",
      slot: this.deps.slot,
      from: last.provider.model.name,
      to: to.model.name,
      error: `${last.failure.kind}: ${last.failure.message}`,
    });
  }

  /** One that is worth another attempt, if there is one. */
  #verdict(remainingMs: number, leftAlone: readonly number[]): ModelFailure {
    const failures = this.#failures.map(({ failure }) => failure);
    const verdict = failures.findLast(({ retryable }) => retryable) ?? failures.at(-1);
    if (verdict !== undefined) return verdict;
    if (leftAlone.length > 0) {
      const what = "the model is left alone for a while, having failed several times";
      return new ModelFailure("unavailable", what, Math.min(...leftAlone));
    }
    const refusals = [...this.record.values()].map(({ refusal }) => refusal);
    if (remainingMs >= CHANCE_MS_MIN) return refusals.find((refusal) => refusal !== undefined)!;
    return new ModelFailure("timeout", "no time is left for the model");
  }
}

/** A provider's turn. */
class Chance {
  readonly #startMs: number;
  #firstMs: number | undefined;
  #isOver = false;

  constructor(
    readonly provider: Provider,
    private readonly permit: Permit,
    /** Until the whole reply, or until the first word of a stream. */
    readonly allowedMs: number,
    private readonly deps: FallbackDeps,
  ) {
    this.#startMs = deps.clock.monotonic();
  }

  /** A word of it is there. */
  begins(): void {
    this.#firstMs ??= this.deps.clock.monotonic() - this.#startMs;
  }

  /** The first time counts. */
  end(ending: Ending, result: ModelFailureKind | "ok" | "aborted" = "aborted", usage?: TokenUsage): void {
    this.permit(ending);
    if (this.#isOver) return;
    this.#isOver = true;
    const { clock, slot, telemetry } = this.deps;
    const { name: model } = this.provider.model;
    const ms = clock.monotonic() - this.#startMs;
    const call = { slot, model, result, ms, firstMs: this.#firstMs };
    telemetry.emit({ type: "model_called", ...usage, ...call });
  }
}

/** What a failure says of the server's health; see `breaker.ts`. */
function endingOf({ kind }: ModelFailure): Ending {
  return kind === "rate_limited" || kind === "rejected" ? "neither" : "failure";
}

function priced(usage: TokenUsage, { model, price }: Provider): TokenUsage {
  return { ...usage, model: model.name, ...(price === undefined ? {} : { costUsd: costUsd(usage, price) }) };
}
