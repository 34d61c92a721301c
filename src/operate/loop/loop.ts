/**
 * A model reads from a site's systems, turn by turn, until it can answer: for questions that no template reads. It has
 * reading tools only, so many turns, calls, tokens, so much time and money, and has to write its answer in the last turn.
 * What it writes is a draft: the gate judges it by what was read.
 */
import { DeadlineExceeded, withDeadline } from "../../lib/deadline.js";
import { withoutArtifacts } from "../../llm/artifacts.js";
import { compacted } from "../../llm/compaction.js";
import type { CostCeiling, CostRefusal } from "../../llm/cost-ceiling.js";
import {
  ModelFailure,
  type ModelMessage,
  type ModelReply,
  type TokenUsage,
  type ToolCall,
} from "../../llm/port.js";
import type { Prompts } from "../../llm/prompts.js";
import { completeWithRetry, type RetryDeps } from "../../llm/retry.js";
import { type FactMemory, summaryOf } from "./fact-memory.js";
import { type Nudge, nudgeAfter, withNudge } from "./nudges.js";
import { type LoopRead, Reads, type ReadsJob } from "./reads.js";

export interface LoopLimits {
  /** Turns of the model; in the last one it has to write its answer. */
  readonly turnsMax: number;
  /** Tokens of all turns together, read and written. */
  readonly tokensMax: number;
  /** How long one read may take. */
  readonly callMsMax: number;
}

export const LOOP_LIMITS: LoopLimits = { turnsMax: 8, tokensMax: 60_000, callMsMax: 10_000 };

/** Calls of one turn; those beyond are left out, here and in what the model is shown. */
export const CALLS_PER_TURN_MAX = 12;

/** From this share of the tokens on the model has to write its answer. */
const TOKENS_TEXT_SHARE = 0.75;

/** What is kept of the time for the answer, in milliseconds. */
export const TEXT_MS = 4_000;

/** Times that a model is sent to look which answers without having read anything. */
const LOOKS_MAX = 1;

export interface LoopJob extends Pick<ReadsJob, "tools" | "memory" | "onStep" | "onFault"> {
  /** The system prompt, what was said before, and the question. */
  readonly messages: readonly ModelMessage[];
  readonly network: string;
  /** Whether the user wants to know how it is at this moment: what was read before answers no call. */
  readonly isFresh?: boolean;
  /** Monotonic: until when there has to be an answer. */
  readonly giveUpAtMs: number;
}

export interface LoopDeps {
  readonly model: RetryDeps;
  readonly outputTokensMax: number;
  readonly prompts: Prompts;
  readonly ceiling: CostCeiling;
  readonly limits: LoopLimits;
}

/** `answered`: there is a text. `silent`: the model wrote nothing; what was read can be said without it. */
export type LoopEnd = "answered" | "silent" | "token_budget" | "model_failed" | CostRefusal;

export interface LoopOutcome {
  readonly end: LoopEnd;
  /** What the model wrote, without what it leaked: for the gate. */
  readonly text: string;
  /** All that was read, from memory too, in the order of the calls. */
  readonly reads: readonly LoopRead[];
  readonly memory: FactMemory;
  readonly usage: TokenUsage;
  readonly calls: number;
  /** Why the model failed, for an operator. */
  readonly failure?: ModelFailure | DeadlineExceeded;
}

/** Rejects with the signal's reason only. */
export function runLoop(job: LoopJob, deps: LoopDeps, signal: AbortSignal): Promise<LoopOutcome> {
  return new LoopRun(job, deps, signal).run();
}

class LoopRun {
  readonly #reads: Reads;
  readonly #names: readonly string[];
  #messages: readonly ModelMessage[];
  /** Where the present turn begins among the messages. */
  #turnStart: number;
  #usage = { inputTokens: 0, outputTokens: 0, costUsd: 0 };
  #calls = 0;
  #looks = 0;
  #nudges: readonly Nudge[] = [];
  /** Ids of calls by those under which they are remembered, and of those that ended in an error. */
  readonly #remembered = new Map<string, string>();
  readonly #failed = new Set<string>();
  #failure: ModelFailure | DeadlineExceeded | undefined;

  constructor(
    private readonly job: LoopJob,
    private readonly deps: LoopDeps,
    private readonly signal: AbortSignal,
  ) {
    const { clock } = deps.model;
    this.#messages = job.messages;
    this.#turnStart = job.messages.length;
    this.#names = job.tools.map(({ spec }) => spec.name);
    const freshSinceMs = job.isFresh === true ? clock.now() : undefined;
    const { callMsMax } = deps.limits;
    this.#reads = new Reads({ ...job, freshSinceMs, readByMs: job.giveUpAtMs - TEXT_MS, callMsMax }, clock);
  }

  async run(): Promise<LoopOutcome> {
    for (let turn = 1; ; turn++) {
      this.signal.throwIfAborted();
      const isLast = this.#hasToWrite(turn);
      const reply = await this.#ask(isLast);
      if (typeof reply === "string") return this.#outcome(reply);
      if (!isLast && reply.calls.length > 0) {
        if (this.#tokens >= this.deps.limits.tokensMax) return this.#outcome("token_budget");
        await this.#read(reply.calls, turn);
        continue;
      }
      const text = withoutArtifacts(reply.text, this.#names).trim();
      if (isLast || this.#calls > 0 || this.#looks === LOOKS_MAX)
        return this.#outcome(text === "" ? "silent" : "answered", text);
      this.#sendToLook(text);
    }
  }

  get #tokens(): number {
    return this.#usage.inputTokens + this.#usage.outputTokens;
  }

  #hasToWrite(turn: number): boolean {
    const { limits, model } = this.deps;
    return (
      turn >= limits.turnsMax ||
      this.#reads.isCircling ||
      this.#tokens >= limits.tokensMax * TOKENS_TEXT_SHARE ||
      model.clock.monotonic() >= this.job.giveUpAtMs - TEXT_MS
    );
  }

  #sendToLook(text: string): void {
    this.#looks += 1;
    const said: readonly ModelMessage[] = text === "" ? [] : [{ role: "assistant", content: text }];
    const look: ModelMessage = { role: "user", content: this.deps.prompts.render("loop-look") };
    this.#messages = [...this.#messages, ...said, look];
  }

  /** The model's next reply, or why there is none. */
  async #ask(isLast: boolean): Promise<ModelReply | LoopEnd> {
    const { ceiling, model, outputTokensMax } = this.deps;
    const { giveUpAtMs, network, tools } = this.job;
    const permit = ceiling.ask(network);
    if (typeof permit === "string") return permit;
    const factsOf = (call: string) => summaryOf(this.#reads.memory, this.#remembered.get(call) ?? "");
    const request = {
      messages: compacted(this.#messages, this.#turnStart, factsOf),
      tools: tools.map(({ spec }) => spec),
      toolChoice: isLast ? "none" : "auto",
      outputTokensMax,
    } as const;
    const leftMs = Math.max(0, giveUpAtMs - model.clock.monotonic());
    try {
      const reply = await withDeadline(model.clock, "the model's answer", leftMs, this.signal, (within) =>
        completeWithRetry(model, request, giveUpAtMs, within),
      );
      permit.end(reply.usage.costUsd);
      this.#usage = {
        inputTokens: this.#usage.inputTokens + reply.usage.inputTokens,
        outputTokens: this.#usage.outputTokens + reply.usage.outputTokens,
        costUsd: this.#usage.costUsd + (reply.usage.costUsd ?? 0),
      };
      return reply;
    } catch (error) {
      permit.fail();
      this.signal.throwIfAborted();
      if (!(error instanceof ModelFailure || error instanceof DeadlineExceeded)) throw error;
      this.#failure = error;
      return "model_failed";
    }
  }

  async #read(asked: readonly ToolCall[], turn: number): Promise<void> {
    const calls = asked.slice(0, CALLS_PER_TURN_MAX).map((call, at) => this.#named(call, at));
    this.#calls += calls.length;
    this.#turnStart = this.#messages.length;
    const told = await this.#reads.all(calls, this.signal);
    const results = told.map(({ content, id, ok }, at): ModelMessage => {
      const callId = calls[at]!.id;
      this.#remembered.set(callId, id);
      if (!ok) this.#failed.add(callId);
      return { role: "tool", callId, content };
    });
    this.#messages = [...this.#messages, { role: "tool_calls", calls }, ...results];
    this.#nudge(turn);
  }

  /** Servers that give no ids, and models that repeat theirs: each call has one of its own in this loop. */
  #named(call: ToolCall, at: number): ToolCall {
    return this.#remembered.has(call.id) || at > 0 ? { ...call, id: `${call.id}_${this.#calls + at}` } : call;
  }

  #nudge(turn: number): void {
    const nudge = nudgeAfter(this.#calls, this.#nudges);
    if (nudge === undefined) return;
    const turns = String(this.deps.limits.turnsMax - turn);
    const text = this.deps.prompts.render(nudge, { calls: String(this.#calls), turns });
    const nudged = withNudge(this.#messages, text, (id) => this.#failed.has(id));
    if (nudged === undefined) return;
    this.#messages = nudged;
    this.#nudges = [...this.#nudges, nudge];
  }

  #outcome(end: LoopEnd, text = ""): LoopOutcome {
    return {
      end,
      text,
      reads: this.#reads.made,
      memory: this.#reads.memory,
      usage: this.#usage,
      calls: this.#calls,
      ...(this.#failure && { failure: this.#failure }),
    };
  }
}
