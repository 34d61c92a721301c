/**
 * What traces tell, by which names. `gen_ai.*` are the GenAI conventions of this version of OpenTelemetry's semantic
 * conventions, the last that has them; all are in development, and following them is a change of this file.
 * `langfuse.*` is what Langfuse reads beside them, `readback.*` is ours.
 */
import type { EventOf, EventType, Stage } from "../events.js";

export const SCHEMA_URL = "https://opentelemetry.io/schemas/1.41.1";

/** The agent's name, and that of who runs a model of this process. */
export const SELF = "readback";

/** Fields of events, by their attributes. What is not here is not told. */
const ATTRIBUTES: Readonly<Record<string, string>> = {
  agent: "gen_ai.agent.name",
  chat: "session.id",
  conversation: "gen_ai.conversation.id",
  costUsd: "langfuse.observation.cost_details",
  dataSource: "gen_ai.data_source.id",
  dimensions: "gen_ai.embeddings.dimension.count",
  errorType: "error.type",
  firstMs: "gen_ai.response.time_to_first_chunk",
  firstPacketMs: "gen_ai.response.time_to_first_chunk",
  genAi: "gen_ai.operation.name",
  inputTokens: "gen_ai.usage.input_tokens",
  isStreamed: "gen_ai.request.stream",
  model: "gen_ai.request.model",
  outputTokens: "gen_ai.usage.output_tokens",
  provider: "gen_ai.provider.name",
  responseType: "gen_ai.output.type",
  tool: "gen_ai.tool.name",
  user: "user.id",
  ...ours("turn", "result", "interrupted", "subject", "slot", "site", "audioMs", "packets", "passages"),
  ...ours("route", "layer", "confidence", "operation", "action", "level", "phase", "outcomes", "why"),
  question: "langfuse.trace.input",
  answer: "langfuse.trace.output",
};

type AttributeValue = string | number | boolean | readonly string[];

/** Values that have another form as attributes. */
const FORMS: Readonly<Record<string, (value: never) => AttributeValue>> = {
  costUsd: (total: number) => JSON.stringify({ total }),
  firstMs: (ms: number) => ms / 1_000,
  firstPacketMs: (ms: number) => ms / 1_000,
  responseType: (type: string) => (type === "audio" ? "speech" : type),
  user: ({ network, username }: Readonly<Record<string, string>>) => `${network}/${username}`,
};

function ours(...fields: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(fields.map((field) => [field, `${SELF}.${field}`]));
}

/** How each attribute begins in OTLP's JSON form, by the field that it is made of. */
const OPENINGS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(ATTRIBUTES).map(([field, name]) => [field, `,{"key":"${name}","value":`]),
);

type Fields = Readonly<Record<string, AttributeValue | undefined>>;

/** What may be told of `fields`, but for what the others tell, in OTLP's JSON form: each attribute after a comma. */
export function attributesOf(fields: object, turn: object = {}, event: object = {}): string {
  let text = "";
  for (const field in fields) {
    const begun = OPENINGS[field];
    const value = begun && (fields as Fields)[field];
    if (
      value === undefined ||
      (turn as Fields)[field] !== undefined ||
      (event as Fields)[field] !== undefined
    )
      continue;
    text += `${begun}${written(FORMS[field]?.(value as never) ?? value)}}`;
  }
  return text;
}

function written(value: AttributeValue): string {
  if (typeof value === "string") return `{"stringValue":${JSON.stringify(value)}}`;
  if (typeof value === "boolean") return `{"boolValue":${value}}`;
  if (typeof value !== "number") return `{"arrayValue":{"values":[${value.map(written).join()}]}}`;
  return Number.isInteger(value) ? `{"intValue":${value}}` : `{"doubleValue":${JSON.stringify(value)}}`;
}

/** What a span is made of: an event's fields, and more. */
export interface SpanFields {
  readonly name: string;
  readonly ms?: number;
  /** Another process did the work. */
  readonly isRemote?: boolean;
  readonly result?: string;
  readonly code?: string;
}

/** Names by the conventions, which know nothing of speech yet. */
export function genAi(
  genAi:
    | "chat"
    | "embeddings"
    | "retrieval"
    | "execute_tool"
    | "invoke_agent"
    | "speech_to_text"
    | "text_to_speech",
  subject: string,
  more: object = {},
): SpanFields {
  return { name: `${genAi} ${subject}`, ...{ genAi, provider: SELF }, ...more };
}

/** Stages that no other event tells of. */
const STAGES: ReadonlySet<Stage> = new Set(["plan", "rerank", "compose"]);

/** The events that are spans; each ends when it is told. */
export const SPANS: { readonly [T in EventType]?: (event: EventOf<T>) => SpanFields | undefined } = {
  turn_started: ({ waitedMs: ms }) => ({ name: "wait", ms }),
  turn_routed: () => ({ name: "route" }),
  guard_scanned: ({ to }) => (to === "turn" ? undefined : { name: "guard" }),
  stage_finished: ({ stage: name }) => (STAGES.has(name) ? { name } : undefined),
  model_called: ({ firstMs, model }) =>
    genAi("chat", model, { provider: "openai", isRemote: true, isStreamed: firstMs !== undefined }),
  query_embedded: ({ model, provider = SELF }) =>
    genAi("embeddings", model, { provider, isRemote: provider !== SELF }),
  search_finished: () => genAi("retrieval", "knowledge", { dataSource: "knowledge", isRemote: true }),
  speech_recognised: ({ model }) => genAi("speech_to_text", model),
  speech_unit_finished: ({ model }) => genAi("text_to_speech", model),
  site_called: ({ tool }) => genAi("execute_tool", tool),
  operation_changed: ({ phase }) => ({ name: `operation ${phase}` }),
  consent_refused: () => ({ name: "consent refused" }),
  // SpanFields of debug networks only.
  answer_inspected: () => ({ name: "inspected" }),
};
