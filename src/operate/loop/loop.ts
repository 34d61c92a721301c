/**
 * A model reads from a site's systems, turn by turn, until it can answer: for questions that no template reads. It has
 * reading tools only, so many turns, calls, tokens, so much time and money, and has to write its answer in the last turn.
 * What it writes is a draft: the gate judges it by what was read.
 */
import type { ToolStep } from "../../domain/turn.js";
import { DeadlineExceeded, withDeadline } from "../../lib/deadline.js";
import { withoutArtifacts } from "../../llm/artifacts.js";
import { compacted } from "../../llm/compaction.js";
import type { CostCeiling, CostRefusal } from "../../llm/cost-ceiling.js";
import { ModelFailure, type ModelMessage, type ModelReply, type TokenUsage } from "../../llm/port.js";
import type { Prompts } from "../../llm/prompts.js";
import { completeWithRetry, type RetryDeps } from "../../llm/retry.js";
import { type FactMemory, summaryOf } from "./fact-memory.js";
import { type LoopRead, Reads, type ReadsJob } from "./reads.js";

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
/** What is kept of the time for the answer, in milliseconds. */
const TEXT_MS = 4_000;

export interface LoopJob extends ReadsJob {
  /** The system prompt, what was said before, and the question. */
  readonly messages: readonly ModelMessage[];
  readonly network: string;
  /** Monotonic: until when there has to be an answer. */
  readonly giveUpAtMs: number;
}

export interface LoopDeps {
  readonly model: RetryDeps;
  readonly outputTokensMax: number;
  readonly prompts: Prompts;
  readonly ceiling: CostCeiling;
}

export interface LoopOutcome {
  /** `answered`: there is a text. `silent`: the model wrote nothing; what was read can be said without it. */
  readonly end: "answered" | "silent" | "token_budget" | "model_failed" | CostRefusal;
  /** What the model wrote, without what it leaked: for the gate. */
  readonly text: string;
  /** All that was read, from memory too, in the order of the calls. */
  readonly reads: readonly LoopRead[];
  readonly memory: FactMemory;
  readonly usage: TokenUsage;
}

type Nudge = "loop-nudge" | "loop-firm";

/** Yields a step for each call of a tool. Rejects with the signal's reason only. */
export function runLoop(
  job: LoopJob,
  deps: LoopDeps,
  signal: AbortSignal,
): AsyncGenerator<ToolStep, LoopOutcome, undefined> {
  return new LoopRun(job, deps, signal).run();
}

class LoopRun {
  readonly #reads: Reads;
  readonly #read: LoopRead[] = [];
  #messages: readonly ModelMessage[];
  /** Where the present turn begins among the messages. */
  #turnStart = 0;
  #usage = { inputTokens: 0, outputTokens: 0, costUsd: 0 };
  #calls = 0;
  #nudge: Nudge | undefined;

  constructor(
    private readonly job: LoopJob,
    private readonly deps: LoopDeps,
    private readonly signal: AbortSignal,
  ) {
    this.#messages = job.messages;
    this.#reads = new Reads(job, job.giveUpAtMs - TEXT_MS, deps.model.clock);
  }

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
      if (isReading) {
        const told = yield* this.#reads.all(reply.calls.slice(0, CALLS_PER_TURN_MAX), this.signal);
        this.#tell(told, TURNS_MAX - turn);
      } else if (isLast || isSentToLook || this.#calls > 0) {
        return this.#outcome(text === "" ? "silent" : "answered", text);
      } else {
        // It answers without having read anything.
        isSentToLook = true;
        if (text !== "") this.#say({ role: "assistant", content: text });
        this.#say({ role: "user", content: this.deps.prompts.render("loop-look") });
      }
    }
  }

  get #tokens(): number {
    return this.#usage.inputTokens + this.#usage.outputTokens;
  }

  #hasToWrite(): boolean {
    const isLate = this.deps.model.clock.monotonic() >= this.job.giveUpAtMs - TEXT_MS;
    return isLate || this.#reads.isCircling || this.#tokens >= TOKENS_MAX * TOKENS_TEXT_SHARE;
  }

  #say(...messages: readonly ModelMessage[]): void {
    this.#messages = [...this.#messages, ...messages];
  }

  /** The model's next reply, or why there is none. */
  async #ask(isLast: boolean): Promise<ModelReply | LoopOutcome["end"]> {
    const { ceiling, model, outputTokensMax } = this.deps;
    const { giveUpAtMs, network, tools } = this.job;
    const permit = ceiling.ask(network);
    if (typeof permit === "string") return permit;
    const request = {
      messages: compacted(this.#messages, this.#turnStart, (call) => summaryOf(this.#reads.memory, call)),
      tools: tools.map(({ spec }) => spec),
      toolChoice: isLast ? "none" : "auto",
      outputTokensMax,
    } as const;
    const leftMs = Math.max(0, giveUpAtMs - model.clock.monotonic());
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

  /** Tells the model what it has read, and to come to its answer where that is due. */
  #tell(told: readonly LoopRead[], turns: number): void {
    this.#calls += told.length;
    this.#read.push(...told.filter(({ ok }) => ok));
    this.#turnStart = this.#messages.length;
    const nudge = nudgeAfter(this.#calls, this.#nudge);
    const text = nudge && this.deps.prompts.render(nudge, { calls: `${this.#calls}`, turns: `${turns}` });
    const nudged = text && withNudge(told, text);
    if (nudged) this.#nudge = nudge;
    const results = (nudged || told).map(
      ({ call, content }): ModelMessage => ({ role: "tool", callId: call.id, content }),
    );
    this.#say({ role: "tool_calls", calls: told.map(({ call }) => call) }, ...results);
  }

  #outcome(end: LoopOutcome["end"], text = ""): LoopOutcome {
    return { end, text, reads: this.#read, memory: this.#reads.memory, usage: this.#usage };
  }
}

/** The nudge that is due, by the name of its prompt. `last`: the one that the model was told before. */
export function nudgeAfter(calls: number, last: Nudge | undefined): Nudge | undefined {
  const due = calls >= FIRM_NUDGE_CALLS ? "loop-firm" : calls >= NUDGE_CALLS ? "loop-nudge" : undefined;
  return due === last ? undefined : due;
}

/** The results of one turn with the text behind the last that is no error; undefined where there is none. */
export function withNudge<T extends Pick<LoopRead, "ok" | "content">>(
  results: readonly T[],
  text: string,
): readonly T[] | undefined {
  const at = results.findLastIndex(({ ok }) => ok);
  const result = results[at];
  return result && results.with(at, { ...result, content: `${result.content}\n\n${text}` });
}
