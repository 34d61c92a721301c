/**
 * The checks that the real API makes on a request before it answers, with its wording where clients are known to
 * look at it. A request that passes here has the shape that the real server takes.
 */

export interface ChatToolCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}

export interface ChatMessage {
  readonly role: "system" | "developer" | "user" | "assistant" | "tool";
  readonly content?: string | null;
  readonly tool_calls?: readonly ChatToolCall[];
  readonly tool_call_id?: string;
}

export interface ChatTool {
  readonly type: "function";
  readonly function: {
    readonly name: string;
    readonly description?: string;
    readonly parameters?: Readonly<Record<string, unknown>>;
  };
}

export interface ChatBody {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ChatTool[];
  readonly tool_choice?: "none" | "auto" | "required";
  readonly parallel_tool_calls?: boolean;
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly temperature?: number;
  readonly service_tier?: string;
  readonly response_format?: ResponseFormat;
}

export type ResponseFormat =
  | { readonly type: "text" }
  | { readonly type: "json_object" }
  | {
      readonly type: "json_schema";
      readonly json_schema: {
        readonly name: string;
        readonly schema?: Readonly<Record<string, unknown>>;
        readonly strict?: boolean | null;
      };
    };

export interface SpeechBody {
  readonly model: string;
  readonly input: string;
  readonly voice: string;
  readonly response_format?: string;
  readonly speed?: number;
}

export interface EmbeddingsBody {
  readonly model: string;
  readonly input: readonly string[];
  readonly encoding_format?: "float" | "base64";
  readonly dimensions?: number;
}

/** Not OpenAI's: the shape that Jina, Cohere, vLLM and others agree on. */
export interface RerankBody {
  readonly model: string;
  readonly query: string;
  readonly documents: readonly string[];
  readonly top_n?: number;
}

/** Why a request is refused; `param` names the field as the real server does. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly param: string | null;
  readonly code: string | null;
}

export type Checked<T> = { readonly body: T } | { readonly refusal: Refusal };

const EMBEDDING_INPUTS_MAX = 2_048;
const SPEECH_INPUT_CHARS_MAX = 4_096;
const SPEECH_FORMATS = ["mp3", "opus", "aac", "flac", "wav", "pcm"];
const SERVICE_TIERS = ["auto", "default", "flex", "scale", "priority"];
const ROLES = ["system", "developer", "user", "assistant", "tool"];

export function checkAuthorization(header: string | undefined, apiKey: string): Refusal | undefined {
  if (header === undefined) {
    return { ...invalid("You didn't provide an API key.", null), status: 401 };
  }
  if (header !== `Bearer ${apiKey}`) {
    return { ...invalid("Incorrect API key provided.", null, "invalid_api_key"), status: 401 };
  }
  return undefined;
}

export function checkChat(value: unknown): Checked<ChatBody> {
  if (!isObject(value))
    return { refusal: invalid("We could not parse the JSON body of your request.", null) };
  const refusal =
    checkChatFields(value) ?? checkTools(value) ?? checkMessages(value.messages) ?? checkFormat(value);
  return refusal === undefined ? { body: value as unknown as ChatBody } : { refusal };
}

export function checkSpeech(value: unknown): Checked<SpeechBody> {
  if (!isObject(value))
    return { refusal: invalid("We could not parse the JSON body of your request.", null) };
  const { model, input, voice, response_format: format } = value;
  if (typeof model !== "string" || model === "")
    return { refusal: invalid("you must provide a model parameter", "model") };
  if (typeof input !== "string" || input === "") {
    return { refusal: invalid("[{'type': 'string_too_short', 'loc': ('body', 'input')}]", "input") };
  }
  if (input.length > SPEECH_INPUT_CHARS_MAX) {
    return { refusal: invalid("[{'type': 'string_too_long', 'loc': ('body', 'input')}]", "input") };
  }
  if (typeof voice !== "string" || voice === "")
    return { refusal: invalid("Missing required parameter: 'voice'.", "voice") };
  if (format !== undefined && !SPEECH_FORMATS.includes(format as string)) {
    return { refusal: invalid(`Invalid value for 'response_format': ${String(format)}.`, "response_format") };
  }
  return { body: value as unknown as SpeechBody };
}

export function checkEmbeddings(value: unknown): Checked<EmbeddingsBody> {
  if (!isObject(value))
    return { refusal: invalid("We could not parse the JSON body of your request.", null) };
  const { model, input, encoding_format: format, dimensions } = value;
  if (typeof model !== "string" || model === "")
    return { refusal: invalid("you must provide a model parameter", "model") };
  if (!Array.isArray(input) || input.length === 0 || input.length > EMBEDDING_INPUTS_MAX)
    return { refusal: invalid("'$.input' is invalid. Please check the API reference.", "input") };
  const empty = input.findIndex((text) => typeof text !== "string" || text === "");
  if (empty >= 0)
    return { refusal: invalid(`Invalid 'input[${empty}]': input cannot be an empty string.`, "input") };
  if (format !== undefined && format !== "float" && format !== "base64")
    return { refusal: invalid("Invalid value for 'encoding_format'.", "encoding_format") };
  if (dimensions !== undefined && !isPositiveInteger(dimensions))
    return { refusal: invalid("Invalid value for 'dimensions'.", "dimensions") };
  return { body: value as unknown as EmbeddingsBody };
}

export function checkRerank(value: unknown): Checked<RerankBody> {
  if (!isObject(value)) return { refusal: invalid("the body is not JSON", null) };
  const { model, query, documents, top_n: topN } = value;
  if (typeof model !== "string" || model === "") return { refusal: invalid("model is required", "model") };
  if (typeof query !== "string" || query === "") return { refusal: invalid("query is required", "query") };
  if (!Array.isArray(documents) || documents.length === 0 || !documents.every(isText))
    return { refusal: invalid("documents must be a list of texts", "documents") };
  if (topN !== undefined && !isPositiveInteger(topN))
    return { refusal: invalid("top_n must be positive", "top_n") };
  return { body: value as unknown as RerankBody };
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isPositiveInteger(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) > 0;
}

function checkChatFields(body: Record<string, unknown>): Refusal | undefined {
  if (typeof body.model !== "string" || body.model === "")
    return invalid("you must provide a model parameter", "model");
  if (body.stream_options !== undefined && body.stream !== true) {
    return invalid(
      "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
      "stream_options",
    );
  }
  if (body.max_tokens !== undefined && body.max_completion_tokens !== undefined) {
    return invalid(
      "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
      "max_tokens",
    );
  }
  const { service_tier: tier } = body;
  if (tier !== undefined && !SERVICE_TIERS.includes(tier as string))
    return invalid(`Invalid value: '${String(tier)}'.`, "service_tier", "invalid_value");
  for (const field of ["max_tokens", "max_completion_tokens"]) {
    const limit = body[field];
    if (limit !== undefined && !(Number.isInteger(limit) && (limit as number) > 0)) {
      return invalid(`Invalid '${field}': integer below minimum value.`, field, "integer_below_min_value");
    }
  }
  return undefined;
}

function checkTools(body: Record<string, unknown>): Refusal | undefined {
  const { tools, tool_choice: choice } = body;
  if (tools === undefined) {
    for (const field of ["tool_choice", "parallel_tool_calls"]) {
      if (body[field] !== undefined) {
        return invalid(
          `Invalid value for '${field}': '${field}' is only allowed when 'tools' are specified.`,
          field,
        );
      }
    }
    return undefined;
  }
  if (!Array.isArray(tools) || tools.length === 0) {
    return invalid(
      "Invalid 'tools': empty array. Expected an array with minimum length 1.",
      "tools",
      "empty_array",
    );
  }
  for (const [i, tool] of tools.entries()) {
    const name =
      isObject(tool) && tool.type === "function" && isObject(tool.function) ? tool.function.name : undefined;
    if (typeof name !== "string" || !/^[a-zA-Z0-9_-]{1,64}$/.test(name)) {
      return invalid(
        `Invalid 'tools[${i}].function.name': string does not match pattern.`,
        `tools[${i}].function.name`,
      );
    }
  }
  if (choice !== undefined && !["none", "auto", "required"].includes(choice as string)) {
    return invalid("Invalid value for 'tool_choice'.", "tool_choice");
  }
  return undefined;
}

function checkMessages(messages: unknown): Refusal | undefined {
  if (!Array.isArray(messages)) return invalid("Missing required parameter: 'messages'.", "messages");
  if (messages.length === 0) {
    return invalid(
      "Invalid 'messages': empty array. Expected an array with minimum length 1.",
      "messages",
      "empty_array",
    );
  }
  let awaited = new Set<string>();
  for (const [i, message] of messages.entries()) {
    const param = `messages.[${i}].role`;
    if (!isObject(message) || !ROLES.includes(message.role as string))
      return invalid("Invalid value for 'role'.", param);
    if (message.role === "tool") {
      if (!awaited.delete(message.tool_call_id as string)) return invalid(STRAY_TOOL_MESSAGE, param);
    } else {
      if (awaited.size > 0) return unanswered(awaited, param);
      awaited = new Set(toolCallIds(message));
    }
    const refusal = checkContent(message, awaited.size > 0 && message.role === "assistant", i);
    if (refusal !== undefined) return refusal;
  }
  return awaited.size > 0 ? unanswered(awaited, `messages.[${messages.length - 1}].role`) : undefined;
}

function checkFormat({ response_format: format, messages }: Record<string, unknown>): Refusal | undefined {
  if (format === undefined) return undefined;
  if (!isObject(format) || !["text", "json_object", "json_schema"].includes(format.type as string))
    return invalid("Invalid value for 'response_format.type'.", "response_format.type");
  if (format.type === "json_object" && !/json/i.test(JSON.stringify(messages))) {
    return invalid(
      "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
      "messages",
    );
  }
  if (format.type !== "json_schema") return undefined;
  const { json_schema: given } = format;
  if (!isObject(given) || typeof given.name !== "string" || !/^[a-zA-Z0-9_-]{1,64}$/.test(given.name)) {
    return invalid(
      "Missing required parameter: 'response_format.json_schema.name'.",
      "response_format.json_schema.name",
    );
  }
  const fault = given.strict === true ? strictFault(given.schema, []) : undefined;
  return fault === undefined
    ? undefined
    : invalid(`Invalid schema for response_format '${given.name}': ${fault}`, "response_format");
}

/** What strict mode has against a schema: each object lists all of its properties as required and admits no others. */
function strictFault(schema: unknown, at: readonly string[]): string | undefined {
  if (!isObject(schema)) return `In context=(${at.join(", ")}), a schema must be an object.`;
  if (schema.type === "array") return strictFault(schema.items, [...at, "items"]);
  if (schema.type !== "object") return at.length === 0 ? "schema must be of type 'object'." : undefined;
  if (schema.additionalProperties !== false)
    return `In context=(${at.join(", ")}), 'additionalProperties' is required to be supplied and to be false.`;
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const names = Object.keys(properties);
  if (names.some((name) => !required.includes(name)))
    return `In context=(${at.join(", ")}), 'required' is required to be supplied and to be an array including every key in properties.`;
  return names.map((name) => strictFault(properties[name], [...at, "properties", name])).find(Boolean);
}

const STRAY_TOOL_MESSAGE =
  "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";

function unanswered(ids: ReadonlySet<string>, param: string): Refusal {
  return invalid(
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
      `The following tool_call_ids did not have response messages: ${[...ids].join(", ")}`,
    param,
  );
}

function toolCallIds(message: Record<string, unknown>): string[] {
  return Array.isArray(message.tool_calls) ? message.tool_calls.map((call: ChatToolCall) => call.id) : [];
}

/** Only an assistant message with tool calls may lack content. */
function checkContent(message: Record<string, unknown>, hasCalls: boolean, i: number): Refusal | undefined {
  if (typeof message.content === "string" || (hasCalls && (message.content ?? null) === null))
    return undefined;
  return invalid(
    `Invalid value for 'content': expected a string, got ${message.content === null ? "null" : typeof message.content}.`,
    `messages.[${i}].content`,
  );
}

function invalid(message: string, param: string | null, code: string | null = null): Refusal {
  return { status: 400, message, param, code };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
