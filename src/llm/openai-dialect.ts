/**
 * What servers of the OpenAI API take differently, and how it is found out: by who they are, and by what they refuse,
 * since a 400 names the field. Pure: a refusal and the dialect that was spoken go in, the dialect to try next comes
 * out. Where each of these facts is from: docs/models.md.
 */
import type { ResponseFormat } from "./port.js";

/** How structured output is asked for: by schema, as any JSON, or by the prompt alone. */
export type StructuredOutput = "json_schema" | "json_object" | "prompt";

export interface Dialect {
  readonly maxTokensField: "max_completion_tokens" | "max_tokens";
  /**
   * How the model is made to call a tool: by `tool_choice`, or, where the server does not heed that, by asking for the
   * arguments as structured output. There it does not heed `none` either, and gets no tools when it is to call none;
   * where it may call them or not, it gets the tools alone.
   */
  readonly toolForcing: "tool_choice" | "structured_output";
  readonly parallelToolCalls: boolean;
  readonly streamOptions: boolean;
  readonly temperature: boolean;
  /** Whether it knows `service_tier`, which is sent only where the settings name one. */
  readonly serviceTier: boolean;
  readonly structuredOutput: StructuredOutput;
  /** What stands for the text of a message that only calls tools: OpenAI has null, some servers want a string. */
  readonly contentBesideCalls: null | "";
}

const OPENAI: Dialect = {
  maxTokensField: "max_completion_tokens",
  toolForcing: "tool_choice",
  parallelToolCalls: true,
  streamOptions: true,
  temperature: true,
  serviceTier: true,
  structuredOutput: "json_schema",
  contentBesideCalls: null,
};

const DIALECTS = {
  openai: OPENAI,
  /** Knows neither `max_completion_tokens` nor `tool_choice`, and says nothing of it. */
  ollama: {
    ...OPENAI,
    maxTokensField: "max_tokens",
    toolForcing: "structured_output",
    parallelToolCalls: false,
    serviceTier: false,
  },
  /** Old releases refuse the fields that they do not know; all of them know `max_tokens`. */
  vllm: { ...OPENAI, maxTokensField: "max_tokens", parallelToolCalls: false, serviceTier: false },
  /** Ignores `response_format`. */
  anthropic: { ...OPENAI, structuredOutput: "prompt", serviceTier: false },
  bedrock: { ...OPENAI, serviceTier: false },
} as const satisfies Record<string, Dialect>;

export type DialectName = "auto" | keyof typeof DIALECTS;

/** The dialect of that name; `auto`: what the address tells, and OpenAI's where it tells nothing. */
export function dialectOf(name: DialectName, baseUrl: string | undefined): Dialect {
  if (name !== "auto") return DIALECTS[name];
  if (baseUrl === undefined) return OPENAI;
  const { hostname, port } = new URL(baseUrl);
  if (isHostOf(hostname, "anthropic.com")) return DIALECTS.anthropic;
  if (isHostOf(hostname, "ollama.com") || port === OLLAMA_PORT) return DIALECTS.ollama;
  if (hostname.startsWith("bedrock-")) return DIALECTS.bedrock;
  return OPENAI;
}

const OLLAMA_PORT = "11434";

function isHostOf(hostname: string, domain: string): boolean {
  return hostname === domain || hostname.endsWith(`.${domain}`);
}

/** What a server says of a request that it refuses, in its own words. */
export interface Refusal {
  readonly status: number;
  /** The field, as OpenAI names it. */
  readonly param: string | undefined;
  readonly message: string;
}

/**
 * The dialect to try after a refusal; `undefined` when another one would not help. Each step asks for one thing less,
 * but for the two names of the token limit, which take turns: `LESSONS_MAX` ends that.
 */
export function lessonOf(
  refusal: Refusal,
  spoken: Dialect,
  sent: Readonly<Record<string, unknown>>,
): Dialect | undefined {
  if (!isAboutTheRequest(refusal)) return undefined;
  const refused = (field: string) => sent[field] !== undefined && isAbout(refusal, field);
  // What is most often not known comes first: a message may name several fields.
  if (refused("parallel_tool_calls")) return { ...spoken, parallelToolCalls: false };
  if (refused("stream_options")) return { ...spoken, streamOptions: false };
  if (refused("response_format")) return { ...spoken, structuredOutput: simpler(spoken.structuredOutput) };
  if (refused("tool_choice")) return { ...spoken, toolForcing: "structured_output" };
  if (refused("max_completion_tokens")) return { ...spoken, maxTokensField: "max_tokens" };
  if (refused("max_tokens")) return { ...spoken, maxTokensField: "max_completion_tokens" };
  if (refused("temperature")) return { ...spoken, temperature: false };
  if (refused("service_tier")) return { ...spoken, serviceTier: false };
  // Last: the words of other refusals speak of contents too.
  if (
    spoken.contentBesideCalls === null &&
    hasNoContent(sent.messages) &&
    /\bcontent\b/.test(refusal.message)
  )
    return { ...spoken, contentBesideCalls: "" };
  return undefined;
}

/**
 * The dialect for the next request after the model has answered in text what it was made to answer with a call. A
 * server that does not heed one way of making it may heed the other.
 */
export function lessonOfNoCall(spoken: Dialect): Dialect {
  const wasAsked = spoken.toolForcing === "tool_choice";
  // Without a schema nothing would be gained.
  if (wasAsked && spoken.structuredOutput === "prompt") return spoken;
  return { ...spoken, toolForcing: wasAsked ? "structured_output" : "tool_choice" };
}

/** Whether a message says nothing in words. */
function hasNoContent(messages: unknown): boolean {
  if (!Array.isArray(messages)) return false;
  return messages.some((message: { readonly content?: unknown }) => message.content === null);
}

/** A dialect is learnt in so many steps at the most. */
export const LESSONS_MAX = 8;

/** 400 as OpenAI has it, 422 as servers built on FastAPI have it. */
const STATUSES_OF_A_BAD_FIELD: readonly number[] = [400, 422];

/** Whether the request is at fault: llama-cpp-python answers 500 to a field that it cannot read, and names it. */
function isAboutTheRequest({ status, message }: Refusal): boolean {
  if (status === 500) return /\bvalidation errors?\b/.test(message);
  return STATUSES_OF_A_BAD_FIELD.includes(status);
}

function isAbout({ param, message }: Refusal, field: string): boolean {
  return param === undefined ? new RegExp(`\\b${field}\\b`).test(message) : param.split(/[.[]/)[0] === field;
}

function simpler(output: StructuredOutput): StructuredOutput {
  return output === "json_schema" ? "json_object" : "prompt";
}

/** What a prompt has to say where no field carries the schema. OpenAI wants the word JSON in it for `json_object`. */
export function schemaInWords({ schema }: ResponseFormat): string {
  return `Answer with one JSON object and nothing around it, as this JSON Schema says:\n${JSON.stringify(schema)}`;
}
