/**
 * The calls of one turn of a model: each is looked at before any is made, four are made at once, and the results come in
 * the order of the calls. What is known is answered from memory; what goes round in circles, names no tool or has had its
 * tries is refused in words that the model can use.
 */
import type { Reading } from "../../domain/reading.js";
import type { ToolStep } from "../../domain/turn.js";
import type { Clock } from "../../lib/clock.js";
import { DeadlineExceeded, withDeadline } from "../../lib/deadline.js";
import { isNestedDeeper } from "../../lib/json-depth.js";
import type { ToolCall } from "../../llm/port.js";
import { toolArguments, toolCallFault } from "../../llm/tool-call.js";
import { type CallWatch, CIRCLES, circleOf, type WatchedCall, watched, withCall } from "./call-watch.js";
import { failed, type LoopArguments, type LoopResult, type LoopTool } from "./envelope.js";
import { FAILED, factsOf, keysOfCall, NOT_FOUND, type ToldCall } from "./extract-facts.js";
import { answerOf, type FactMemory, inNextTurn, type KnownFact, withFacts } from "./fact-memory.js";
import { afterCall, isGivenUp, type ToolTrouble } from "./recovery.js";
import { toldResult } from "./told.js";

/** Reads under way at once. */
export const READS_AT_ONCE_MAX = 4;

/** What was read, for the gate and for the words that are said of it. */
export interface LoopRead {
  /** As `{site}.{tool}`. */
  readonly source: string;
  readonly args: LoopArguments;
  /** As the model was told of it; undefined where a part had to be left out. */
  readonly data: unknown;
  readonly readings: readonly Reading[];
  /** Unix milliseconds: when the oldest of it was asked for. */
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
  /** Told of each read that was made, as it ends. */
  readonly onStep: (step: ToolStep) => void;
  /** Told of what a tool threw, for an operator. */
  readonly onFault: (source: string, error: unknown) => void;
}

/** A call that was looked at. */
interface SeenCall {
  readonly told: ToldCall;
  readonly tool: LoopTool | undefined;
  readonly watch: WatchedCall;
  /** What is answered without a call. */
  readonly answer: Answered | undefined;
}

interface Answered {
  readonly result: LoopResult;
  readonly takenAtMs: number;
}

/** What came of a call, with the id under which it is remembered. */
export interface ToldRead {
  readonly id: string;
  readonly ok: boolean;
  /** For the model. */
  readonly content: string;
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
    const seen = calls.map((call, at) => this.#look(call, `${this.#memory.turn}.${at}`));
    const answers: Answered[] = [];
    const left = seen.entries();
    const reader = async () => {
      for (const [at, one] of left) answers[at] = one.answer ?? (await this.#make(one, signal));
    };
    await Promise.all(Array.from({ length: READS_AT_ONCE_MAX }, reader));
    return seen.map((one, at) => this.#note(one, answers[at]!));
  }

  #look(call: ToolCall, id: string): SeenCall {
    const tool = this.job.tools.find(({ spec }) => spec.name === call.name);
    const known = isNestedDeeper(call.arguments) ? undefined : toolArguments(call);
    const args = known ?? { text: call.arguments };
    const fault =
      known === undefined ? "the arguments cannot be used" : tool && toolCallFault(call, [tool.spec]);
    const isSound = tool !== undefined && fault === undefined;
    const keys = isSound ? tool.keysOf(args) : [];
    const target = isSound ? tool.targetOf?.(args)?.id : undefined;
    const watch = { ...watched(call.name, args, keys, this.clock.monotonic()), hasFailed: false };
    const refusal = this.#refusal(call, tool, fault, watch);
    this.#watch = withCall(this.#watch, watch);
    const told = { id, tool: call.name, args, target, keys: keysOfCall({ tool: call.name, args, keys }) };
    const refused = refusal && { result: refusal, takenAtMs: this.clock.now() };
    return { told, tool, watch, answer: refused ?? this.#remembered(told.keys) };
  }

  #refusal(
    { name }: ToolCall,
    tool: LoopTool | undefined,
    fault: string | undefined,
    watch: WatchedCall,
  ): LoopResult | undefined {
    const blocked = { blocked: true };
    const circle = circleOf(this.#watch, watch);
    if (circle !== undefined) {
      this.#isCircling = true;
      return failed("LOOP_DETECTED", CIRCLES[circle], blocked);
    }
    if (tool === undefined) {
      const names = this.job.tools.map(({ spec }) => spec.name).join(", ");
      return failed("POLICY_BLOCKED", `there is no such tool to read with; there are: ${names}`, blocked);
    }
    if (fault !== undefined) return failed("MALFORMED", fault, blocked);
    return isGivenUp(this.#troubles, name)
      ? failed("POLICY_BLOCKED", "this tool has failed in the same way before", blocked)
      : undefined;
  }

  #remembered(keys: readonly string[]): Answered | undefined {
    const nowMs = this.clock.now();
    const facts = answerOf(this.#memory, keys, nowMs, this.job.freshSinceMs);
    if (facts === undefined) return undefined;
    return { result: fromMemory(facts, nowMs), takenAtMs: Math.min(...facts.map((fact) => fact.takenAtMs)) };
  }

  async #make({ told: { args }, tool }: SeenCall, signal: AbortSignal): Promise<Answered> {
    signal.throwIfAborted();
    const startMs = this.clock.monotonic();
    // What a system says may be as old as the question to it.
    const takenAtMs = this.clock.now();
    const leftMs = Math.min(this.job.callMsMax, this.job.readByMs - startMs);
    if (leftMs <= 0)
      return { result: failed("TIMEOUT", "there is no time left to read", { retryable: true }), takenAtMs };
    const { source, targetOf } = tool!;
    const result = await withDeadline(this.clock, "a read", leftMs, signal, (within) =>
      tool!.run(args, within),
    ).catch((error: unknown): LoopResult => {
      signal.throwIfAborted();
      this.job.onFault(source, error);
      return error instanceof DeadlineExceeded
        ? failed("TIMEOUT", "the read took too long", { failed: true, retryable: true })
        : failed("EXECUTION_FAILED", "the tool failed", { failed: true });
    });
    const target = targetOf?.(args)?.names[0];
    const ms = this.clock.monotonic() - startMs;
    this.job.onStep({
      type: "step",
      tool: source,
      ...(target !== undefined && { target }),
      ok: result.ok,
      ms,
    });
    return { result, takenAtMs };
  }

  #note({ answer, told, tool, watch }: SeenCall, { result, takenAtMs }: Answered): ToldRead {
    const { args, id, tool: name } = told;
    if (result.error?.retryable === true)
      this.#watch = this.#watch.map((past) => (past === watch ? { ...past, hasFailed: true } : past));
    if (answer === undefined) {
      this.#troubles = afterCall(this.#troubles, name, result.error);
      this.#memory = withFacts(this.#memory, factsOf(told, result, takenAtMs), this.clock.now());
    }
    const readings = (result.meta?.readings ?? []).map(({ maxAgeMs: _, ...reading }) => reading);
    const { content, data } = toldResult(result);
    if (result.ok) this.made.push({ source: tool!.source, args, data, readings, takenAtMs });
    return { id, ok: result.ok, content };
  }
}

/** An answer from memory, with the age of each fact. */
function fromMemory(facts: readonly KnownFact[], nowMs: number): LoopResult {
  const values = facts.map(({ value }) => value);
  if (values.includes(NOT_FOUND)) return failed("NOT_FOUND", "it is already known that this is not there");
  if (values.includes(FAILED))
    return failed("EXECUTION_FAILED", "it is already known that this cannot be read");
  const known = facts.map(({ key, takenAtMs, value }) => ({
    key,
    value,
    age_ms: Math.max(0, nowMs - takenAtMs),
  }));
  const readings = facts.flatMap(({ maxAgeMs, reading }) => (reading ? [{ ...reading, maxAgeMs }] : []));
  return { ok: true, data: { already_known: known }, meta: { readings } };
}
