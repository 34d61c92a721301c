/**
 * `POST /v1/chat/completions`, bytes to question. What only tunes a model is taken and has no effect, since the answer
 * is the documents'; what would change what comes back is refused by name.
 */
import { z } from "zod";
import type { ChatMessage } from "../door/conversation.js";
import { parsed } from "../door/fields.js";
import { Rejection } from "../door/rejection.js";

const MESSAGES_MAX = 1_000;

const textPart = z.object({
  type: z.string({ error: "expected the type of a part" }),
  text: z.string().nullish(),
});

const message = z.object(
  {
    role: z.string({ error: "expected system, developer, user or assistant" }),
    content: z
      .union([z.string(), z.array(textPart)], { error: "expected a text, or a list of parts of type text" })
      .nullish(),
    tool_calls: z.array(z.unknown()).nullish(),
  },
  { error: "expected an object {role, content}" },
);

const completionBody = z.object(
  {
    model: z.string({ error: "expected the name of a model, as GET /v1/models lists them" }),
    messages: z
      .array(message, { error: "expected a list of messages {role, content}" })
      .min(1, { error: "expected at least one message" })
      .max(MESSAGES_MAX, { error: `expected at most ${MESSAGES_MAX} messages` }),
    stream: z.boolean({ error: "expected true or false" }).nullish(),
    stream_options: z
      .object({ include_usage: z.boolean({ error: "expected true or false" }).nullish() })
      .nullish(),
    user: z.unknown().optional(),
  },
  { error: "expected a JSON object" },
);

export interface CompletionRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly stream: boolean;
  readonly includeUsage: boolean;
  /** As it came. */
  readonly user: unknown;
}

/** Throws `Rejection`. */
export function completionRequest(body: unknown): CompletionRequest {
  const { messages, model, stream, stream_options, user } = parsed(completionBody, body);
  refuseUnsupported(body as Readonly<Record<string, unknown>>);
  return {
    model,
    messages: messages.map((one, index) => ({ role: one.role, text: textOf(one, `messages[${index}]`) })),
    stream: stream ?? false,
    includeUsage: stream_options?.include_usage ?? false,
    user,
  };
}

/** The words of a message: parts follow each other. */
function textOf({ content, tool_calls }: z.output<typeof message>, field: string): string {
  if (tool_calls != null && tool_calls.length > 0)
    throw unsupported(`${field}.tool_calls`, "there are no tools here");
  if (content == null)
    throw new Rejection("missing_parameter", `"${field}.content" is missing.`, `${field}.content`);
  if (typeof content === "string") return content;
  return content
    .map(({ text, type }, index) => {
      if (type === "text" && text != null) return text;
      throw unsupported(`${field}.content[${index}].type`, "only parts of type text are understood");
    })
    .join("");
}

/** What asks for nothing: these values are as good as leaving the field out. */
const HARMLESS: Readonly<Record<string, (value: unknown) => boolean>> = {
  tools: isEmptyList,
  functions: isEmptyList,
  tool_choice: (value) => value === "none" || value === "auto",
  function_call: (value) => value === "none" || value === "auto",
  n: (value) => value === 1,
  logprobs: (value) => value === false,
  top_logprobs: (value) => value === 0,
  stop: isEmptyList,
  audio: () => false,
  modalities: (value) => Array.isArray(value) && value.every((one) => one === "text"),
  response_format: (value) => (value as { readonly type?: unknown } | null)?.type === "text",
  web_search_options: () => false,
};

const WHY: Readonly<Record<string, string>> = {
  n: "one answer is given",
  stop: "an answer is not cut",
  response_format: "answers are plain text",
  modalities: "answers are text",
  audio: "answers are text; for speech, see POST /api/v1/answers",
};

function refuseUnsupported(body: Readonly<Record<string, unknown>>): void {
  for (const [field, isHarmless] of Object.entries(HARMLESS)) {
    const value = body[field];
    if (value === undefined || value === null || isHarmless(value)) continue;
    throw unsupported(field, WHY[field] ?? "answers come from documents only");
  }
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function unsupported(field: string, why: string): Rejection {
  return new Rejection("bad_parameter", `"${field}" is not supported: ${why}.`, field);
}
