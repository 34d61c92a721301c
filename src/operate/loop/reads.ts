/**
 * The calls of one turn of a model: each is looked at before any is made, so many are made at once, and the results come
 * in the order of the calls. What is known already is answered from memory; what goes round in circles, names no tool or
 * has had its tries is refused in words that the model can use.
 */
import type { Reading } from "../../domain/reading.js";
import type { Clock } from "../../lib/clock.js";
import { DeadlineExceeded, withDeadline } from "../../lib/deadline.js";
import { isNestedDeeper } from "../../lib/json-depth.js";
import { redactShapes } from "../../lib/secrets.js";
import type { ToolCall } from "../../llm/port.js";
import { toolArguments, toolCallFault } from "../../llm/tool-call.js";
import { type CallWatch, type Circle, circleOf, type WatchedCall, watched, withCall } from "./call-watch.js";
import {
  failed,
  type LoopArguments,
  type LoopErrorCode,
  type LoopResult,
  type LoopTool,
} from "./envelope.js";
import { FAILED, factsOf, keysOfCall, NOT_FOUND } from "./extract-facts.js";
import { answerOf, type FactMemory, inNextTurn, type KnownFact, withFacts } from "./fact-memory.js";
import { afterCall, isGivenUp, type ToolTrouble } from "./recovery.js";

/** Reads under way at once. */
export const READS_AT_ONCE_MAX = 4;

/** What a screen is told of a read. */
export type LoopStep =
  | {
      readonly type: "begun";
      readonly id: string;
      readonly tool: string;
      readonly target: string | undefined;
    }
  | {
      readonly type: "ended";
      readonly id: string;
      readonly tool: string;
      readonly target: string | undefined;
      readonly ok: boolean;
      readonly ms: number;
      /** `memory`: it was known already; `refused`: it was not made. */
      readonly by: "site" | "memory" | "refused";
      readonly code?: LoopErrorCode;
      /** What went wrong, for an operator. */
      readonly fault?: string;
    };

/** What was read, for the gate and for the words that are said of it. */
export interface LoopRead {
  readonly tool: string;
  readonly args: LoopArguments;
  readonly data: unknown;
  readonly readings: readonly Reading[];
  /** Unix milliseconds: when the oldest of it was read. */
  readonly takenAtMs: number;
}

export interface ReadsJob {
  readonly tools: readonly LoopTool[];
  readonly memory: FactMemory;
  /** What was read before this, in Unix milliseconds, answers no call; absent: whatever is known does. */
  readonly freshSinceMs?: number | undefined;
  /** Monotonic: until when a read may take. */
  readonly readByMs: number;
  /** How long one may take. */
  readonly callMsMax: number;
  readonly onStep: (step: LoopStep) => void;
}

/** A call that was looked at. */
interface Prepared {
  readonly call: ToolCall;
  /** Names the call in memory, beyond this loop. */
  readonly id: string;
  readonly tool: LoopTool | undefined;
  readonly args: LoopArguments;
  readonly keys: readonly string[];
  readonly target: string | undefined;
  readonly watch: WatchedCall;
  /** What is answered without a call. */
  readonly answer: Answered | undefined;
}

interface Answered {
  readonly result: LoopResult;
  readonly by: "site" | "memory" | "refused";
  readonly ms: number;
  readonly takenAtMs: number;
  readonly fault?: string;
}

/** One call with what came of it. */
export interface ToldRead {
  readonly call: ToolCall;
  readonly id: string;
  readonly result: LoopResult;
}

export class Reads {
  readonly made: LoopRead[] = [];
  #memory: FactMemory;
  #watch: CallWatch = [];
  #troubles: readonly ToolTrouble[] = [];
  #isCircling = false;

  constructor(
    private readonly job: ReadsJob,
    private readonly clock: Clock,
  ) {
    this.#memory = job.memory;
  }

  get memory(): FactMemory {
    return this.#memory;
  }

  /** Whether the model goes round in circles: it is to answer with what it has. */
  get isCircling(): boolean {
    return this.#isCircling;
  }

  /** The results of the calls of one turn, in their order. Rejects with the signal's reason only. */
  async all(calls: readonly ToolCall[], signal: AbortSignal): Promise<readonly ToldRead[]> {
    this.#memory = inNextTurn(this.#memory);
    const prepared = calls.map((call, at) => this.#prepare(call, at));
    const answers: Answered[] = [];
    const left = prepared.entries();
    const reader = async () => {
      for (const [at, one] of left) answers[at] = one.answer ?? (await this.#made(one, signal));
    };
    await Promise.all(Array.from({ length: READS_AT_ONCE_MAX }, reader));
    return prepared.map((one, at) => this.#noted(one, answers[at]!));
  }

  #prepare(call: ToolCall, at: number): Prepared {
    const { tools } = this.job;
    const tool = tools.find(({ spec }) => spec.name === call.name);
    const args = isNestedDeeper(call.arguments) ? undefined : toolArguments(call);
    const known = args === undefined || tool === undefined ? undefined : aboutCall(tool, args);
    const seen = watched(
      call.name,
      args ?? { text: call.arguments },
      known?.keys ?? [],
      this.clock.monotonic(),
    );
    const circle = circleOf(this.#watch, seen);
    const watch = { ...seen, hasFailed: false };
    this.#watch = withCall(this.#watch, watch);
    if (circle !== undefined) this.#isCircling = true;
    const keys = keysOfCall({ tool: call.name, args: args ?? {}, keys: known?.keys ?? [] });
    const fault =
      known === undefined
        ? "the arguments cannot be used"
        : toolCallFault(
            call,
            tools.map(({ spec }) => spec),
          );
    const refusal = this.#refusalOf(call, tool, fault, circle);
    return {
      call,
      id: `${this.#memory.turn}.${at}`,
      tool,
      args: args ?? {},
      keys,
      target: known?.target,
      watch,
      answer: refusal === undefined ? this.#remembered(keys) : answered(refusal, "refused", this.clock.now()),
    };
  }

  #refusalOf(
    { name }: ToolCall,
    tool: LoopTool | undefined,
    fault: string | undefined,
    circle: Circle | undefined,
  ): LoopResult | undefined {
    if (circle !== undefined) return failed("LOOP_DETECTED", CIRCLES[circle], { blocked: true });
    if (tool === undefined) {
      const names = this.job.tools.map(({ spec }) => spec.name).join(", ");
      return failed("POLICY_BLOCKED", `there is no such tool to read with; there are: ${names}`, {
        blocked: true,
      });
    }
    if (fault !== undefined) return failed("MALFORMED", fault, { blocked: true });
    if (isGivenUp(this.#troubles, name))
      return failed("POLICY_BLOCKED", "this tool has failed in the same way before", { blocked: true });
    return undefined;
  }

  #remembered(keys: readonly string[]): Answered | undefined {
    const nowMs = this.clock.now();
    const facts = answerOf(this.#memory, keys, nowMs, this.job.freshSinceMs);
    if (facts === undefined) return undefined;
    const takenAtMs = Math.min(...facts.map((fact) => fact.takenAtMs));
    return answered(fromMemory(facts, nowMs), "memory", takenAtMs);
  }

  async #made({ args, call, target, tool }: Prepared, signal: AbortSignal): Promise<Answered> {
    signal.throwIfAborted();
    const startMs = this.clock.monotonic();
    // What a system says may be as old as the question to it.
    const takenAtMs = this.clock.now();
    const done = (result: LoopResult, fault?: string): Answered => ({
      result,
      by: "site",
      ms: this.clock.monotonic() - startMs,
      takenAtMs,
      ...(fault === undefined ? {} : { fault }),
    });
    const leftMs = Math.min(this.job.callMsMax, this.job.readByMs - startMs);
    if (leftMs <= 0) return done(failed("TIMEOUT", "there is no time left to read", { blocked: true }));
    this.job.onStep({ type: "begun", id: call.id, tool: call.name, target });
    try {
      return done(
        await withDeadline(this.clock, "a read", leftMs, signal, (within) => tool!.run(args, within)),
      );
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (error instanceof DeadlineExceeded)
        return done(failed("TIMEOUT", "the read took too long", { failed: true, retryable: true }));
      return done(
        failed("EXECUTION_FAILED", "the tool failed", { failed: true }),
        redactShapes(String(error)),
      );
    }
  }

  #noted(one: Prepared, { by, fault, ms, result, takenAtMs }: Answered): ToldRead {
    const { args, call, id, keys, target, tool, watch } = one;
    const { error, ok } = result;
    if (error?.retryable === true)
      this.#watch = this.#watch.map((past) => (past === watch ? { ...past, hasFailed: true } : past));
    this.#troubles = afterCall(this.#troubles, call.name, error);
    if (by === "site") {
      const told = { id, tool: call.name, args, keys, target };
      this.#memory = withFacts(this.#memory, factsOf(told, result, takenAtMs), this.clock.now());
    }
    const readings = (result.meta?.readings ?? []).map(({ maxAgeMs: _, ...reading }) => reading);
    if (ok) this.made.push({ tool: call.name, args, data: result.data, readings, takenAtMs });
    if (tool !== undefined)
      this.job.onStep({
        type: "ended",
        id: call.id,
        tool: call.name,
        target,
        ok,
        ms,
        by,
        ...(error && { code: error.code }),
        ...(fault !== undefined && { fault }),
      });
    return { call, id, result };
  }
}

const CIRCLES: Readonly<Record<Circle, string>> = {
  identical: "this call was made several times already, with the same arguments",
  similar: "calls that hardly differ from this one were made several times already",
  alternating: "the same calls are made in turns",
  failing: "this call failed several times already",
};

function answered(result: LoopResult, by: Answered["by"], takenAtMs: number): Answered {
  return { result, by, ms: 0, takenAtMs };
}

/** What a call is about; undefined where its arguments make no sense to the tool. */
function aboutCall(
  tool: LoopTool,
  args: LoopArguments,
): { readonly keys: readonly string[]; readonly target: string | undefined } | undefined {
  try {
    return { keys: tool.keysOf(args), target: tool.targetOf?.(args) };
  } catch {
    return undefined;
  }
}

/** An answer from memory, with the age of each fact. */
function fromMemory(facts: readonly KnownFact[], nowMs: number): LoopResult {
  const [first] = facts;
  if (facts.length === 1 && first!.value === NOT_FOUND)
    return failed("NOT_FOUND", "it is already known that this is not there");
  if (facts.length === 1 && first!.value === FAILED)
    return failed("EXECUTION_FAILED", "it is already known that this cannot be read");
  const known = facts.map(({ key, takenAtMs, value }) => ({
    key,
    value,
    age_ms: Math.max(0, nowMs - takenAtMs),
  }));
  const readings = facts.flatMap(({ maxAgeMs, reading }) =>
    reading === undefined ? [] : [{ ...reading, maxAgeMs }],
  );
  return { ok: true, data: { already_known: known }, meta: { readings } };
}
