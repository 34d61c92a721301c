/** A model reads from a site's systems until it can answer, within turns, calls, tokens, time and money: the gate judges it. */
import type { KnownFact, ReadFault } from "../../domain/known-fact.js";
import type { Reading } from "../../domain/reading.js";
import type { StepEvidence, ToolStep } from "../../domain/turn.js";
import { DeadlineExceeded, orElse, withDeadline } from "../../lib/deadline.js";
import { inOrder } from "../../lib/in-order.js";
import { withoutArtifacts } from "../../llm/artifacts.js";
import { compacted } from "../../llm/compaction.js";
import type { CostCeiling, CostRefusal } from "../../llm/cost-ceiling.js";
import type { ModelMessage, ModelReply, TokenUsage, ToolCall } from "../../llm/port.js";
import { ModelFailure } from "../../llm/port.js";
import type { Prompts } from "../../llm/prompts.js";
import { completeWithRetry, type RetryDeps } from "../../llm/retry.js";
import { toolArguments, toolCallFault } from "../../llm/tool-call.js";
import type { Telemetry } from "../../telemetry/events.js";
import { READS_AT_ONCE, wholeSite } from "../safety/site-reader.js";
import { isCircling, type WatchedCall, watched } from "./call-watch.js";
import type { LoopArguments, LoopError, LoopResult, LoopTool, PlannedCall } from "./envelope.js";
import { failed, isRecoverable, toldResult } from "./envelope.js";
import type { FactMemory, Writes } from "./fact-memory.js";
import { answerOf, factsOf, inNextTurn, recalled, summaryOf, withFacts } from "./fact-memory.js";

/** Turns of the model; in the last one it has to write its answer. */
export const TURNS_MAX = 8;
/** Calls of one turn; those beyond are left out, here and in what the model is shown. */
export const CALLS_PER_TURN_MAX = 12;
/** Calls after which a model is asked to come to its answer, and after which it is told to. */
const NUDGE_CALLS = 12;
const FIRM_NUDGE_CALLS = 18;
/** Tokens of all turns together, read and written. */
export const TOKENS_MAX = 60_000;
/** From this share of the tokens on the model has to write its answer. */
const TOKENS_TEXT_SHARE = 0.75;
/** Ids of calls in one turn of the model, and turns until they come again: nine letters and digits are an id everywhere. */
const CALL_IDS = 100;
const TURN_IDS = 1_000;
/** What is kept of the time for the answer, in milliseconds. */
const TEXT_MS = 4_000;

export interface LoopJob {
  readonly tools: readonly LoopTool[];
  readonly messages: readonly ModelMessage[];
  readonly network: string;
  /** Monotonic: until when there has to be an answer. */
  readonly giveUpAtMs: number;
  readonly telemetry: Telemetry;
  /** What is known from before, and may be told to this user. */
  readonly facts?: readonly KnownFact[];
  evidence(readings: readonly Reading[]): readonly StepEvidence[];
}

export interface LoopDeps {
  readonly model: RetryDeps;
  readonly outputTokensMax: number;
  readonly prompts: Prompts;
  readonly ceiling: CostCeiling;
  readonly writes: Writes;
}

export interface LoopOutcome {
  /** `answered`: there is a text. `silent`: the model wrote nothing; what was read can be said without it. */
  readonly end: "answered" | "silent" | "token_budget" | "model_failed" | CostRefusal;
  /** What the model wrote, without what it leaked: for the gate. */
  readonly text: string;
  /** All that was read, from memory too, in the order of the calls. */
  readonly reads: readonly LoopRead[];
  readonly usage: TokenUsage;
  readonly facts: readonly KnownFact[];
}

/** What came of a call, which has an id of its own: for the gate, for the words that are said of it, and for the model. */
export interface LoopRead {
  readonly call: ToolCall;
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

/** `step`: of a call that was made. */
type Answered = Pick<LoopRead, "takenAtMs"> & { readonly result: LoopResult; readonly step?: ToolStep };

const ENOUGH = "calls like this were made several times already: answer with what is known";
const CIRCLE: LoopError = { code: "LOOP_DETECTED", message: ENOUGH, blocked: true };
const NO_TIME = failed("TIMEOUT", "there was no time left to read", { retryable: true });

export class LoopRun {
  readonly #told: LoopRead[] = [];
  readonly #watch: WatchedCall[] = [];
  readonly #readByMs: number;
  #memory: FactMemory;
  readonly #messages: ModelMessage[];
  readonly #usage = { inputTokens: 0, outputTokens: 0, costUsd: 0 };
  /** What the model was told to make good, by the tool. */
  readonly #recovering = new Map<string, string>();
  #nudge: Nudge | undefined;

  constructor(
    private readonly job: LoopJob,
    private readonly deps: LoopDeps,
    private readonly signal: AbortSignal,
  ) {
    this.#messages = [...job.messages];
    this.#memory = recalled(job.facts ?? [], deps.model.clock.now());
    this.#readByMs = job.giveUpAtMs - TEXT_MS;
  }

  /** Yields a step for each call of a tool. Rejects with the signal's reason only. */
  async *run(): AsyncGenerator<ToolStep, LoopOutcome, undefined> {
    const names = this.job.tools.map(({ spec }) => spec.name);
    let isSentToLook = false;
    for (let turn = 1; ; turn++) {
      this.signal.throwIfAborted();
      const isLast = turn >= TURNS_MAX || this.#hasToWrite();
      const reply = await this.#ask(isLast);
      if (typeof reply === "string") return this.#outcome(reply);
      const text = withoutArtifacts(reply.text, names).trim();
      const isReading = !isLast && reply.calls.length > 0;
      if (isReading && this.#tokens >= TOKENS_MAX) return this.#outcome("token_budget");
      if (isReading) this.#tell(yield* this.#read(reply.calls), TURNS_MAX - turn);
      else if (isLast || isSentToLook || this.#told.length > 0)
        return this.#outcome(text === "" ? "silent" : "answered", text);
      else {
        // It answers without having read anything.
        isSentToLook = true;
        this.job.telemetry.emit({ type: "loop_answer_blocked", state: "resolving" });
        if (text !== "") this.#messages.push({ role: "assistant", content: text });
        const content = this.deps.prompts.render("loop-look");
        this.#messages.push({ role: "user", content, foreign: [] });
      }
    }
  }

  get #tokens(): number {
    return this.#usage.inputTokens + this.#usage.outputTokens;
  }

  #hasToWrite(): boolean {
    const isLate = this.deps.model.clock.monotonic() >= this.#readByMs;
    const isCircling = this.#watch.some(({ error }) => error === CIRCLE);
    return isLate || isCircling || this.#tokens >= TOKENS_MAX * TOKENS_TEXT_SHARE;
  }

  /** The model's next reply, or why there is none. */
  async #ask(isLast: boolean): Promise<ModelReply | LoopOutcome["end"]> {
    const { ceiling, model, outputTokensMax } = this.deps;
    const { giveUpAtMs, network, telemetry, tools } = this.job;
    const permit = ceiling.ask(network);
    if (typeof permit === "string") return permit;
    const turnStart = this.#messages.findLastIndex(({ role }) => role === "tool_calls");
    const request = {
      messages: compacted(this.#messages, Math.max(0, turnStart), (call) => summaryOf(this.#memory, call)),
      tools: tools.map(({ spec }) => spec),
      toolChoice: isLast ? "none" : "auto",
      outputTokensMax,
    } as const;
    const leftMs = Math.max(0, giveUpAtMs - model.clock.monotonic());
    telemetry.emit({ type: "loop_turn", model: model.model.name });
    try {
      const reply = await withDeadline(model.clock, "the model's answer", leftMs, this.signal, (within) =>
        completeWithRetry(model, request, giveUpAtMs, within),
      );
      const { costUsd, inputTokens, outputTokens } = reply.usage;
      permit.end(costUsd);
      this.#usage.inputTokens += inputTokens;
      this.#usage.outputTokens += outputTokens;
      this.#usage.costUsd += costUsd ?? 0;
      return reply;
    } catch (error) {
      permit.fail();
      this.signal.throwIfAborted();
      if (error instanceof ModelFailure || error instanceof DeadlineExceeded) return "model_failed";
      throw error;
    }
  }

  /** Looks at all calls of a turn, and makes them; what came of each in their order. */
  async *#read(calls: readonly ToolCall[]): AsyncGenerator<ToolStep, readonly LoopRead[], undefined> {
    this.#memory = inNextTurn(this.#memory);
    // Models repeat their ids, and some servers give none.
    const first = CALL_IDS * (this.#memory.turn % TURN_IDS);
    const idAt = (at: number) => `call${String(first + at).padStart(5, "0")}`;
    const all = calls.slice(0, CALLS_PER_TURN_MAX).map((call, at) => this.#look({ ...call, id: idAt(at) }));
    const told: LoopRead[] = [];
    for await (const { facts, read, step } of inOrder(all, READS_AT_ONCE, (make) => make())) {
      if (step !== undefined) yield step;
      this.#memory = withFacts(this.#memory, facts, this.deps.model.clock.now());
      told.push(read);
    }
    return told;
  }

  /** Looks at a call, before any of its turn is made; what is given makes it, or answers without it. */
  #look(call: ToolCall) {
    const { clock } = this.deps.model;
    const tool = this.job.tools.find(({ spec }) => spec.name === call.name);
    const source = tool?.source ?? "";
    const args = toolArguments(call) ?? { text: call.arguments };
    const message = toolCallFault(call, tool === undefined ? [] : [tool.spec]);
    const code = tool === undefined ? "POLICY_BLOCKED" : "MALFORMED";
    const plan = message === undefined ? tool!.plan(args) : ({ code, message, blocked: true } as const);
    const target = "code" in plan ? undefined : plan.target?.id;
    const watch = watched(call.name, args, target, clock.monotonic());
    const error = isCircling(this.#watch, watch) ? CIRCLE : "code" in plan ? plan : undefined;
    this.#watch.push(watch);
    const answer: Answered | undefined = error && { result: { ok: false, error }, takenAtMs: clock.now() };
    const known = answer ?? this.#remembered(watch.key);
    return async () => {
      const { result, step, takenAtMs } = known ?? (await this.#make(plan as PlannedCall, source));
      const { ok, readings = [] } = result;
      const { content, data } = toldResult(result);
      watch.error = result.error;
      // Names that a model makes up are no labels.
      this.#tellEnd(result.error, source || "unknown");
      const about = { id: call.id, key: watch.key, about: target ?? wholeSite(source.split(".")[0]!) };
      const facts = known === undefined ? factsOf(about, { ...result, data }, takenAtMs) : [];
      const read: LoopRead = { call, source, args, ok, content, data, readings, takenAtMs };
      return { facts, step, read };
    };
  }

  #tellEnd(error: ReadFault | undefined, tool: string): void {
    const { telemetry } = this.job;
    const code = this.#recovering.get(tool);
    if (error === undefined) {
      this.#recovering.delete(tool);
      if (code !== undefined) telemetry.emit({ type: "loop_recovery", result: "success", code, tool });
    } else if (isRecoverable(error)) {
      this.#recovering.set(tool, error.code);
      telemetry.emit({ type: "loop_recovery", result: "attempt", code: error.code, tool });
    } else if (error.code === "LOOP_DETECTED" || error.code === "POLICY_BLOCKED")
      telemetry.emit({ type: "loop_call_blocked", state: "reading", tool, kind: "read" });
  }

  #remembered(call: string): Answered | undefined {
    const nowMs = this.deps.model.clock.now();
    const facts = answerOf(this.#memory, call, nowMs);
    if (facts?.every((fact) => this.deps.writes.leave(fact)) !== true) return undefined;
    const takenAtMs = Math.min(...facts.map((fact) => fact.takenAtMs));
    const error = facts.find((fact) => fact.error !== undefined)?.error;
    if (error !== undefined) return { result: { ok: false, error }, takenAtMs };
    const data = { already_known: facts.map(({ value }) => value), age_ms: Math.max(0, nowMs - takenAtMs) };
    const readings = facts.flatMap((fact) => fact.readings ?? []);
    return { result: { ok: true, data, readings }, takenAtMs };
  }

  async #make({ run, target }: PlannedCall, tool: string): Promise<Answered> {
    const { clock } = this.deps.model;
    this.signal.throwIfAborted();
    const startMs = clock.monotonic();
    // What a system says may be as old as the question to it.
    const takenAtMs = clock.now();
    const leftMs = this.#readByMs - startMs;
    if (leftMs <= 0) return { result: NO_TIME, takenAtMs };
    const read = withDeadline(clock, "a read", leftMs, this.signal, run);
    const result = await orElse(read, this.signal, () => NO_TIME);
    const named = target && { target: target.names[0] };
    const ms = clock.monotonic() - startMs;
    const evidence = this.job.evidence(result.readings ?? []);
    return { result, takenAtMs, step: { type: "step", tool, ...named, ok: result.ok, ms, evidence } };
  }

  /** Tells the model what it has read, and to come to its answer where that is due. */
  #tell(told: readonly LoopRead[], turns: number): void {
    this.#told.push(...told);
    const calls = this.#told.length;
    const nudge = nudgeAfter(calls, this.#nudge);
    const text = nudge && this.deps.prompts.render(nudge, { calls: `${calls}`, turns: `${turns}` });
    const nudged = text && withNudge(told, text);
    if (nudged) this.#nudge = nudge;
    this.#messages.push({ role: "tool_calls", calls: told.map(({ call }) => call) });
    for (const [i, { call, content }] of (nudged || told).entries()) {
      const foreign = [{ what: "tool_reply", text: told[i]!.content }] as const;
      this.#messages.push({ role: "tool", callId: call.id, content, foreign });
    }
  }

  #outcome(end: LoopOutcome["end"], text = ""): LoopOutcome {
    const reads = this.#told.filter(({ ok }) => ok);
    return { end, text, reads, usage: this.#usage, facts: this.#memory.facts };
  }
}

type Nudge = "loop-nudge" | "loop-firm";

/** The nudge that is due, by the name of its prompt. `last`: the one that the model was told before. */
export function nudgeAfter(calls: number, last: Nudge | undefined): Nudge | undefined {
  const due = calls >= FIRM_NUDGE_CALLS ? "loop-firm" : calls >= NUDGE_CALLS ? "loop-nudge" : undefined;
  return due === last ? undefined : due;
}

/** The results of one turn with the text behind the last that is no error; undefined where there is none. */
export function withNudge<T extends Pick<LoopRead, "ok" | "content">>(results: readonly T[], text: string) {
  const at = results.findLastIndex(({ ok }) => ok);
  const result = results[at];
  return result && results.with(at, { ...result, content: `${result.content}\n\n${text}` });
}
