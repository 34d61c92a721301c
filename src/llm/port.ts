/** What the service asks of a language model. A vendor's SDK is imported in one adapter file only. */

import type { ForeignText } from "../domain/foreign-text.js";

export type ModelMessage = (
  | { readonly role: "system" | "user" | "assistant"; readonly content: string }
  /** The model's own tool calls, repeated to it, and below the answer to each. */
  | { readonly role: "tool_calls"; readonly calls: readonly ToolCall[] }
  | { readonly role: "tool"; readonly callId: string; readonly content: string }
) & {
  /** What of the content was written by somebody else; absent: all of it, but nothing of a system prompt. */
  readonly foreign?: readonly ForeignText[];
};

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON text exactly as the model wrote it. */
  readonly arguments: string;
}

export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ModelRequest {
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolSpec[];
  /**
   * `required`: the model must call a tool. `none`: it must answer in text. `auto`: it may do either; its calls are given
   * as it wrote them, sound or not, several at once too.
   */
  readonly toolChoice: "required" | "none" | "auto";
  readonly outputTokensMax: number;
  /** Monotonic: until when an answer is waited for, to its first word if it is streamed. `retry.ts` fills it in. */
  readonly giveUpAtMs?: number;
  /** The shape of a text reply; without it the model writes freely. */
  readonly responseFormat?: ResponseFormat;
}

/**
 * One JSON object of this schema. Servers differ in how far they hold the model to it, some not at all: the prompt has
 * to describe the shape too, and the reader has to check it.
 */
export interface ResponseFormat {
  readonly type: "json_schema";
  /** Letters, digits, `_` and `-`, 64 at the most. */
  readonly name: string;
  /** JSON Schema. OpenAI's strict mode wants `additionalProperties: false` and every property required. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** The schema of an object that has these properties and no others; all are required unless it is told which. */
export function strictObject(
  properties: Readonly<Record<string, unknown>>,
  required: readonly string[] = Object.keys(properties),
) {
  return { type: "object", properties, required, additionalProperties: false };
}

export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Who wrote the answer, where there are several. */
  readonly model?: string;
  /** Absent when the model has no price. */
  readonly costUsd?: number;
}

export interface ModelReply {
  readonly calls: readonly ToolCall[];
  readonly text: string;
  readonly usage: TokenUsage;
}

export type ModelEvent =
  | { readonly type: "text"; readonly text: string }
  /** The stream's last event; without it the stream was cut, and the iterator throws `ModelFailure`. */
  | { readonly type: "end"; readonly reason: EndReason; readonly usage: TokenUsage };

/** `complete` is the only end after which nothing is missing. */
export type EndReason = "complete" | "length" | "content_filter" | "refusal";

export interface LanguageModel {
  readonly name: string;
  /** One whole reply: stage 1. Rejects with `ModelFailure`, or with the signal's reason. */
  complete(request: ModelRequest, signal: AbortSignal): Promise<ModelReply>;
  /** A reply as it is written: stage 2. Throws `ModelFailure`, or the signal's reason. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

export type ModelFailureKind =
  /** No connection, a 5xx, an overloaded server: worth another try. */
  | "unavailable"
  /** 429; `retryAfterMs` when the server said so. */
  | "rate_limited"
  /** No byte within the time allowed. */
  | "timeout"
  /** The stream ended before its end. */
  | "cut"
  /** An answer that does not have the promised shape. */
  | "malformed"
  /** The server refuses this request or this key; another try will not help. */
  | "rejected";

export class ModelFailure extends Error {
  override readonly name = "ModelFailure";
  constructor(
    readonly kind: ModelFailureKind,
    message: string,
    readonly retryAfterMs?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  get retryable(): boolean {
    return this.kind !== "rejected";
  }
}
