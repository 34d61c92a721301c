/**
 * What servers of the OpenAI API take differently, and how it is found out: each says so with a 400 that names the
 * field. Pure: a refusal and the dialect that was spoken go in, the dialect to try next comes out. See docs/models.md.
 */
import type { ResponseFormat } from "./port.js";

/** How structured output is asked for: by schema, as any JSON, or by the prompt alone. */
export type StructuredOutput = "json_schema" | "json_object" | "prompt";

export interface Dialect {
  readonly maxTokensField: "max_completion_tokens" | "max_tokens";
  /** Whether `tool_choice: required` is sent. Without it the model is free to answer in text. */
  readonly forcedToolChoice: boolean;
  readonly parallelToolCalls: boolean;
  readonly streamOptions: boolean;
  readonly temperature: boolean;
  readonly structuredOutput: StructuredOutput;
}

export const OPENAI_DIALECT: Dialect = {
  maxTokensField: "max_completion_tokens",
  forcedToolChoice: true,
  parallelToolCalls: true,
  streamOptions: true,
  temperature: true,
  structuredOutput: "json_schema",
};

/** What a server says of a request that it refuses, in its own words. */
export interface Refusal {
  readonly status: number;
  /** The field, as OpenAI names it. */
  readonly param: string | undefined;
  readonly message: string;
}

/**
 * The dialect to try after a refusal; `undefined` when another one would not help. Each step leaves out one thing more,
 * so that a request is tried as often as there are fields here at the most.
 */
export function lessonOf(
  refusal: Refusal,
  spoken: Dialect,
  sent: Readonly<Record<string, unknown>>,
): Dialect | undefined {
  if (!STATUSES_OF_A_BAD_FIELD.includes(refusal.status)) return undefined;
  const refused = (field: string) => sent[field] !== undefined && isAbout(refusal, field);
  // What is most often not known comes first: a message may name several fields.
  if (refused("parallel_tool_calls")) return { ...spoken, parallelToolCalls: false };
  if (refused("stream_options")) return { ...spoken, streamOptions: false };
  if (refused("response_format")) return { ...spoken, structuredOutput: simpler(spoken.structuredOutput) };
  if (refused("max_completion_tokens")) return { ...spoken, maxTokensField: "max_tokens" };
  if (refused("max_tokens")) return { ...spoken, maxTokensField: "max_completion_tokens" };
  if (refused("temperature")) return { ...spoken, temperature: false };
  if (sent.tool_choice === "required" && isAbout(refusal, "tool_choice"))
    return { ...spoken, forcedToolChoice: false };
  return undefined;
}

/** A dialect is learnt in so many steps at the most. */
export const LESSONS_MAX = 8;

/** 400 as OpenAI has it, 422 as servers built on FastAPI have it. */
const STATUSES_OF_A_BAD_FIELD: readonly number[] = [400, 422];

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
