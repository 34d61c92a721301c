/**
 * The calls of one turn of a model: each is looked at before any is made, and the results come in the order of the calls.
 * What is known is answered from memory; what goes round in circles, names no tool or has had its tries is refused in
 * words that the model can use.
 */
import type { Reading } from "../../domain/reading.js";
import type { ToolStep } from "../../domain/turn.js";
import type { Clock } from "../../lib/clock.js";
import { DeadlineExceeded, withDeadline } from "../../lib/deadline.js";
import { isNestedDeeper } from "../../lib/json-depth.js";
import type { ToolCall } from "../../llm/port.js";
import { toolArguments, toolCallFault } from "../../llm/tool-call.js";
import { inOrder } from "../reads.js";
import { isCircling, type WatchedCall, watched } from "./call-watch.js";
import {
  failed,
  type LoopArguments,
  type LoopError,
  type LoopResult,
  type LoopTool,
  type PlannedCall,
} from "./envelope.js";
import { factsOf } from "./extract-facts.js";
import { answerOf, type FactMemory, inNextTurn, withFacts } from "./fact-memory.js";
import { toldResult } from "./told.js";

/** What came of a call: for the gate, for the words that are said of it, and for the model. */
export interface LoopRead {
  /** With an id of its own in the memory. */
  readonly call: ToolCall;
  /** As `{site}.{tool}`. */
  readonly source: string;
  readonly args: LoopArguments;
  readonly ok: boolean;
  /** As the model is told of it. */
  readonly content: string;
  /** The same as a value; undefined where a part had to be left out. */
  readonly data: unknown;
  readonly readings: readonly Reading[];
  /** Unix milliseconds: when the oldest of it was asked for. */
  readonly takenAtMs: number;
}

export interface ReadsJob {
  readonly tools: readonly LoopTool[];
  /** What is known before: it answers calls as well. */
  readonly memory: FactMemory;
}

interface Answered {
  readonly result: LoopResult;
  readonly takenAtMs: number;
  /** The call was made. */
  readonly step?: ToolStep;
}

/** A call that was looked at. */
interface SeenCall {
  readonly call: ToolCall;
  readonly tool: LoopTool | undefined;
  readonly args: LoopArguments;
  readonly watch: WatchedCall;
  /** It is to be made, or this is answered without it. */
  readonly next: PlannedCall | Answered;
}

const CIRCLE: LoopError = {
  code: "LOOP_DETECTED",
  message: "calls like this were made several times already: answer with what is known",
  blocked: true,
};
const NO_TIME = failed("TIMEOUT", "there was no time left to read", { retryable: true });

export class Reads {
  memory: FactMemory;
  /** The model goes round in circles: it is to answer with what it has. */
  isCircling = false;
  readonly #watch: WatchedCall[] = [];

  /** `readByMs`: monotonic, until when a read may take. */
  constructor(
    private readonly job: ReadsJob,
    private readonly readByMs: number,
    private readonly clock: Clock,
  ) {
    this.memory = job.memory;
  }

  /**
   * The results of the calls of one turn, in their order; yields a step for each call that is made. Rejects with the
   * signal's reason only.
   */
  async *all(
    calls: readonly ToolCall[],
    signal: AbortSignal,
  ): AsyncGenerator<ToolStep, readonly LoopRead[], undefined> {
    this.memory = inNextTurn(this.memory);
    // Models repeat their ids, and some servers give none; nine letters and digits are an id for every server.
    const first = 100 * this.memory.turn;
    const seen = calls.map((call, at) =>
      this.#look({ ...call, id: `call${`${first + at}`.padStart(5, "0")}` }),
    );
    const told: LoopRead[] = [];
    const answers = inOrder(seen, async (one) => [one, await this.#answer(one, signal)] as const);
    for await (const [one, answered] of answers) {
      if (answered.step !== undefined) yield answered.step;
      told.push(this.#note(one, answered));
    }
    return told;
  }

  #look(call: ToolCall): SeenCall {
    const { tools } = this.job;
    const tool = tools.find(({ spec }) => spec.name === call.name);
    const isDeep = isNestedDeeper(call.arguments);
    const args = (isDeep ? undefined : toolArguments(call)) ?? { text: call.arguments };
    const specs = tools.map(({ spec }) => spec);
    const message = isDeep ? "the arguments are nested too deeply" : toolCallFault(call, specs);
    const code = tool === undefined ? "POLICY_BLOCKED" : "MALFORMED";
    const plan = message === undefined ? tool!.plan(args) : ({ code, message, blocked: true } as const);
    const target = "code" in plan ? undefined : plan.target?.id;
    const watch = watched(call.name, args, target, this.clock.monotonic());
    const isCircle = isCircling(this.#watch, watch);
    this.isCircling ||= isCircle;
    this.#watch.push(watch);
    const error = isCircle ? CIRCLE : "code" in plan ? plan : undefined;
    const refused = error && { result: { ok: false, error }, takenAtMs: this.clock.now() };
    const next = refused ?? this.#remembered(watch.key) ?? (plan as PlannedCall);
    return { call, tool, args, watch, next };
  }

  /** From memory, with the age of the oldest of it. */
  #remembered(call: string): Answered | undefined {
    const nowMs = this.clock.now();
    const facts = answerOf(this.memory, call, nowMs);
    if (facts === undefined) return undefined;
    const takenAtMs = Math.min(...facts.map((fact) => fact.takenAtMs));
    const [error] = facts.flatMap((fact) => fact.error ?? []);
    if (error !== undefined) return { result: { ok: false, error }, takenAtMs };
    const data = { already_known: facts.map(({ value }) => value), age_ms: Math.max(0, nowMs - takenAtMs) };
    const readings = facts.flatMap((fact) => fact.readings ?? []);
    return { result: { ok: true, data, readings }, takenAtMs };
  }

  async #answer({ next, tool }: SeenCall, signal: AbortSignal): Promise<Answered> {
    if ("result" in next) return next;
    signal.throwIfAborted();
    const startMs = this.clock.monotonic();
    // What a system says may be as old as the question to it.
    const takenAtMs = this.clock.now();
    const leftMs = this.readByMs - startMs;
    if (leftMs <= 0) return { result: NO_TIME, takenAtMs };
    const read = withDeadline(this.clock, "a read", leftMs, signal, (within) => next.run(within));
    const result = await read.catch((error: unknown) => {
      signal.throwIfAborted();
      if (error instanceof DeadlineExceeded) return NO_TIME;
      throw error;
    });
    const target = next.target && { target: next.target.names[0] };
    const ms = this.clock.monotonic() - startMs;
    return { result, takenAtMs, step: { type: "step", tool: tool!.source, ...target, ok: result.ok, ms } };
  }

  #note({ args, call, next, tool, watch }: SeenCall, { result, takenAtMs }: Answered): LoopRead {
    watch.error = result.error;
    const { content, data } = toldResult(result);
    if ("run" in next) {
      const known = { id: call.id, key: watch.key, target: next.target?.id };
      const facts = factsOf(known, { ...result, data }, takenAtMs);
      this.memory = withFacts(this.memory, facts, this.clock.now());
    }
    const readings = (result.readings ?? []).map(({ maxAgeMs: _, ...reading }) => reading);
    return { call, source: tool?.source ?? "", args, ok: result.ok, content, data, readings, takenAtMs };
  }
}
