/** `POST /v1/responses`, bytes to question. */
import { z } from "zod";
import type { ChatMessage } from "../api/conversation.js";
import { parsed } from "../api/fields.js";
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
  unsupported,
  wordsOf,
} from "./openai-fields.js";

const NAME_CHARS_MAX = 256;

const nameField = z.string({ error: "expected an id" }).max(NAME_CHARS_MAX, {
  error: `expected at most ${NAME_CHARS_MAX} characters`,
});

/** Of one of many types; those that say nothing to us are not looked into. */
const item = z.object(
  {
    type: z.string({ error: "expected the type of an item" }).nullish(),
    role: z.string({ error: "expected system, developer, user or assistant" }).nullish(),
    content: z.unknown().optional(),
    id: nameField.nullish(),
  },
  { error: "expected an object" },
);

const messageItem = z.object({ content: contentField });

const responsesBody = z.object(
  {
    model: modelField,
    input: z.union(
      [z.string(), z.array(item).max(ENTRIES_MAX, { error: `expected at most ${ENTRIES_MAX} items` })],
      { error: "expected a text, or a list of items" },
    ),
    previous_response_id: nameField.nullish(),
    stream: flagField,
    store: flagField,
    instructions: z.unknown().optional(),
    metadata: z.unknown().optional(),
    user: z.unknown().optional(),
  },
  { error: "expected a JSON object" },
);

/** A message, or the name of one that was answered here. */
export type InputItem = ChatMessage | { readonly reference: string; readonly field: string };

export interface ResponsesRequest {
  readonly model: string;
  readonly items: readonly InputItem[];
  readonly previous: string | undefined;
  readonly stream: boolean;
  /** Whether the response may be named later. */
  readonly store: boolean;
  /** As they came. */
  readonly user: unknown;
  readonly instructions: unknown;
  readonly metadata: unknown;
}

const LIMITS: Readonly<Record<string, Limit>> = {
  tool_choice: TOOL_CHOICE,
  background: { harmless: (value) => value === false, why: "the answer comes at once" },
  conversation: { harmless: never, why: "name the last response as previous_response_id" },
  prompt: { harmless: never, why: "what the assistant is told is set where it runs" },
  text: {
    harmless: (value) => {
      const format = (value as { readonly format?: unknown }).format;
      return format == null || isTextFormat(format);
    },
    why: "answers are plain text",
  },
  top_logprobs: { harmless: (value) => value === 0, why: "an answer has no log probabilities" },
};

/** Throws `Rejection`. */
export function responsesRequest(body: unknown): ResponsesRequest {
  const request = parsed(responsesBody, body);
  refuseUnsupported(body, LIMITS);
  const { input, instructions, metadata, model, previous_response_id, store, stream, user } = request;
  const items = typeof input === "string" ? [{ role: "user", text: input }] : input.flatMap(itemsOf);
  return {
    model,
    items,
    previous: previous_response_id ?? undefined,
    stream: stream ?? false,
    store: store ?? true,
    user,
    instructions: instructions ?? null,
    metadata: metadata ?? {},
  };
}

/** Calls of tools, their results and what a model thought belong to no question that is asked here. */
function itemsOf({ content, id, role, type }: z.output<typeof item>, index: number): readonly InputItem[] {
  const field = `input[${index}]`;
  if (type === "item_reference" || (type == null && role == null)) {
    if (id == null) throw unsupported(field, "it is no message, and names none");
    return [{ reference: id, field: `${field}.id` }];
  }
  if ((type != null && type !== "message") || role == null) return [];
  const message = parsed(messageItem, { content }, `${field}.`);
  return [{ role, text: wordsOf(role, message.content, `${field}.content`) }];
}
