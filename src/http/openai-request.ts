/** `POST /v1/chat/completions`, bytes to question. */
import { z } from "zod";
import type { ChatMessage } from "../api/conversation.js";
import { parsed, stopField } from "../api/fields.js";
import {
  contentField,
  ENTRIES_MAX,
  flagField,
  isTextFormat,
  type Limit,
  modelField,
  never,
  refuseUnsupported,
  TOOL_CHOICE,
  wordsOf,
} from "./openai-fields.js";

const message = z.object(
  {
    role: z.string({ error: "expected system, developer, user, assistant or tool" }),
    content: contentField,
  },
  { error: "expected an object {role, content}" },
);

const completionBody = z.object(
  {
    model: modelField,
    messages: z
      .array(message, { error: "expected a list of messages {role, content}" })
      .min(1, { error: "expected at least one message" })
      .max(ENTRIES_MAX, { error: `expected at most ${ENTRIES_MAX} messages` }),
    stream: flagField,
    stream_options: z.object({ include_usage: flagField }).nullish(),
    stop: stopField,
    user: z.unknown().optional(),
  },
  { error: "expected a JSON object" },
);

export interface CompletionRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly stream: boolean;
  readonly includeUsage: boolean;
  readonly stop: readonly string[];
  /** As it came. */
  readonly user: unknown;
}

const LIMITS: Readonly<Record<string, Limit>> = {
  tool_choice: TOOL_CHOICE,
  function_call: TOOL_CHOICE,
  n: { harmless: (value) => value === 1, why: "one answer is given" },
  logprobs: { harmless: (value) => value === false, why: "an answer has no log probabilities" },
  top_logprobs: { harmless: (value) => value === 0, why: "an answer has no log probabilities" },
  audio: { harmless: never, why: "answers are text; for speech, see POST /api/v1/answers" },
  modalities: {
    harmless: (value) => Array.isArray(value) && value.every((one) => one === "text"),
    why: "answers are text",
  },
  response_format: { harmless: isTextFormat, why: "answers are plain text" },
  web_search_options: { harmless: never, why: "answers come from documents only" },
};

/** Throws `Rejection`. */
export function completionRequest(body: unknown): CompletionRequest {
  const { messages, model, stop, stream, stream_options, user } = parsed(completionBody, body);
  refuseUnsupported(body, LIMITS);
  return {
    model,
    messages: messages.map(({ content, role }, index) => ({
      role,
      text: wordsOf(role, content, `messages[${index}].content`),
    })),
    stream: stream ?? false,
    includeUsage: stream_options?.include_usage ?? false,
    stop: stop ?? [],
    user,
  };
}
