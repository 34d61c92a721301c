/**
 * A model as judge: one question at a time, with a pause between calls where the server wants one, answers checked
 * against what was asked for, and none asked twice that was answered once.
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import { type Clock, sleep } from "../../lib/clock.js";
import { DeadlineExceeded, withDeadline } from "../../lib/deadline.js";
import {
  type LanguageModel,
  ModelFailure,
  type ModelMessage,
  type ModelRequest,
  type ResponseFormat,
} from "../../llm/port.js";
import type { Prompts } from "../../llm/prompts.js";

export type JudgePrompt =
  | "judge-statements"
  | "judge-verdicts"
  | "judge-question"
  | "judge-usefulness"
  | "judge-attribution"
  | "draft-questions";

/** What an answer has to look like: as the server may hold the model to it, and as it is read, with more patience. */
export interface JudgeForm<T> {
  readonly prompt: JudgePrompt;
  readonly format: ResponseFormat;
  readonly schema: z.ZodType<T>;
}

/** `strict` describes exactly what is asked for; `schema` takes what models make of it as well. */
export function judgeForm<T>(prompt: JudgePrompt, strict: z.ZodType, schema: z.ZodType<T>): JudgeForm<T> {
  const { $schema: _, ...described } = z.toJSONSchema(strict);
  return { prompt, schema, format: { type: "json_schema", name: prompt, schema: described } };
}

/** Answers that were given, by the hash of what was asked. */
export interface JudgementStore {
  judgement(key: string): Promise<string | undefined>;
  keepJudgement(key: string, answer: string): Promise<void>;
}

export interface JudgeDeps {
  readonly model: LanguageModel;
  readonly prompts: Prompts;
  readonly judgements: JudgementStore;
  readonly clock: Clock;
  /** From the end of one call to the start of the next. */
  readonly delayMs: number;
}

export type JudgeAnswer<T> =
  | { readonly type: "answer"; readonly value: T }
  /** It answered, twice, with something else than was asked for. */
  | { readonly type: "nonsense"; readonly why: string };

/** The judge gave no answer; another time it may. */
export class JudgeUnavailable extends Error {
  override readonly name = "JudgeUnavailable";
}

/** One call, from the request to the last byte of the answer. */
const CALL_MS_MAX = 120_000;
const OUTPUT_TOKENS_MAX = 2_000;

/** How often one thing is asked when the answers are nonsense: RAGAS too asks once more for the right form. */
const ASKED_MAX = 2;

export class Judge {
  #lastCall: Promise<unknown> = Promise.resolve();
  #isFirst = true;

  constructor(private readonly deps: JudgeDeps) {}

  get name(): string {
    return this.deps.model.name;
  }

  /**
   * Puts `data` to the judge under the form's prompt. Rejects with `JudgeUnavailable`, with a `ModelFailure` of the kind
   * `rejected` when another try will not help, or with the signal's reason.
   */
  async ask<T>(form: JudgeForm<T>, data: object, signal: AbortSignal): Promise<JudgeAnswer<T>> {
    const { prompt, schema, format } = form;
    const { judgements, model, prompts } = this.deps;
    const opening: readonly ModelMessage[] = [
      { role: "system", content: prompts.render(prompt) },
      { role: "user", content: JSON.stringify(data) },
    ];
    const key = createHash("sha256")
      .update(JSON.stringify([model.name, opening]))
      .digest("hex");
    const kept = await judgements.judgement(key);
    if (kept !== undefined) {
      const read = readAnswer(kept, schema);
      if (read.type === "answer") return read;
    }
    let messages = opening;
    for (let asked = 1; ; asked++) {
      const text = await this.#inTurn(messages, format, signal);
      const read = readAnswer(text, schema);
      if (read.type === "answer") await judgements.keepJudgement(key, text);
      if (read.type === "answer" || asked === ASKED_MAX) return read;
      const content = `That is not what was asked for: ${read.why}. Reply with the JSON object and nothing else.`;
      messages = [...opening, { role: "assistant", content: text }, { role: "user", content }];
    }
  }

  /** One call after the other. An answer that is none is an empty text. */
  #inTurn(
    messages: readonly ModelMessage[],
    responseFormat: ResponseFormat,
    signal: AbortSignal,
  ): Promise<string> {
    const request = {
      messages,
      tools: [],
      toolChoice: "none",
      outputTokensMax: OUTPUT_TOKENS_MAX,
      responseFormat,
    } as const;
    const call = this.#lastCall.then(() => this.#call(request, signal));
    this.#lastCall = Promise.allSettled([call]);
    return call;
  }

  async #call(request: ModelRequest, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    const { clock, delayMs } = this.deps;
    if (!this.#isFirst && delayMs > 0) await sleep(clock, delayMs, signal);
    this.#isFirst = false;
    try {
      return await withDeadline(clock, "the judge", CALL_MS_MAX, signal, (limited) =>
        this.#wholeAnswer(request, limited),
      );
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ModelFailure && error.kind === "malformed") return "";
      if (error instanceof DeadlineExceeded || (error instanceof ModelFailure && error.retryable))
        throw new JudgeUnavailable(`the judge gave no answer: ${error.message}`, { cause: error });
      throw error;
    }
  }

  /** The text of an answer; empty where the model refused it or had too little room for it. */
  async #wholeAnswer(request: ModelRequest, signal: AbortSignal): Promise<string> {
    let text = "";
    for await (const event of this.deps.model.stream(request, signal)) {
      if (event.type === "text") text += event.text;
      else if (event.reason !== "complete") return "";
    }
    return text;
  }
}

/** The JSON object in an answer, without the fences and the thoughts that models put around it. */
export function readAnswer<T>(text: string, schema: z.ZodType<T>): JudgeAnswer<T> {
  const spoken = text.replace(/<think>[^<]*(?:<(?!\/think>)[^<]*)*(?:<\/think>)?/g, "");
  const [start, end] = [spoken.indexOf("{"), spoken.lastIndexOf("}")];
  if (start < 0 || end < start)
    return { type: "nonsense", why: `there is no JSON object in ${excerpt(text)}` };
  try {
    const parsed = schema.safeParse(JSON.parse(spoken.slice(start, end + 1)));
    if (parsed.success) return { type: "answer", value: parsed.data };
    return { type: "nonsense", why: z.prettifyError(parsed.error).replace(/\s+/g, " ") };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { type: "nonsense", why: `${error.message} in ${excerpt(text)}` };
  }
}

const EXCERPT_CHARS_MAX = 120;

function excerpt(text: string): string {
  return text.trim() === "" ? "an empty answer" : JSON.stringify(text.slice(0, EXCERPT_CHARS_MAX));
}
