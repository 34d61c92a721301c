/** `/api/chat`, `/api/generate` and `/api/show`, bytes to question, as Ollama's clients send them. */
import { z } from "zod";
import type { ChatMessage } from "../api/conversation.js";
import { parsed, stopField } from "../api/fields.js";
import { Rejection } from "../api/rejection.js";

const MESSAGES_MAX = 1_000;

const modelName = z.string({ error: "expected the name of a model, as GET /api/tags lists them" });

const common = {
  model: modelName,
  /** Ollama streams unless told otherwise. */
  stream: z.boolean({ error: "expected true or false" }).nullish(),
  /** Ours: what the protocol has no field for; see `caller-note.ts`. */
  user: z.unknown().optional(),
  images: z.array(z.unknown()).nullish(),
  format: z.unknown().optional(),
  options: z.object({ stop: stopField }, { error: "expected an object" }).nullish(),
  think: z.unknown().optional(),
};

const chatBody = z.object(
  {
    ...common,
    messages: z
      .array(
        z.object(
          {
            role: z.string({ error: "expected system, user, assistant or tool" }),
            // An assistant that calls tools need not say anything.
            content: z.string({ error: "expected a text" }).default(""),
            images: z.array(z.unknown()).nullish(),
          },
          { error: "expected an object {role, content}" },
        ),
        { error: "expected a list of messages {role, content}" },
      )
      .max(MESSAGES_MAX, { error: `expected at most ${MESSAGES_MAX} messages` })
      .nullish(),
  },
  { error: "expected a JSON object" },
);

const generateBody = z.object(
  {
    ...common,
    prompt: z.string({ error: "expected a text" }).nullish(),
    suffix: z.string({ error: "expected a text" }).nullish(),
  },
  { error: "expected a JSON object" },
);

/** `name` is what `model` was called once. */
const showBody = z.object(
  { model: modelName.nullish(), name: modelName.nullish() },
  { error: "expected a JSON object" },
);

export interface OllamaRequest {
  readonly model: string;
  readonly stream: boolean;
  /** As it came. */
  readonly user: unknown;
  /** Empty: the client only wants to know that the model is there. */
  readonly messages: readonly ChatMessage[];
  readonly stop: readonly string[];
}

/** Throws `Rejection`. */
export function chatRequest(body: unknown): OllamaRequest {
  const request = parsed(chatBody, body);
  refuseUnsupported(request);
  const messages = request.messages ?? [];
  for (const [index, { images }] of messages.entries())
    if (isGiven(images)) throw unsupported(`messages[${index}].images`);
  return {
    ...asked(request),
    messages: messages.map(({ content, role }) => ({ role, text: content })),
  };
}

/** Throws `Rejection`. */
export function generateRequest(body: unknown): OllamaRequest {
  const request = parsed(generateBody, body);
  refuseUnsupported(request);
  if (isGiven(request.suffix)) throw unsupported("suffix");
  const prompt = request.prompt ?? "";
  return { ...asked(request), messages: prompt === "" ? [] : [{ role: "user", text: prompt }] };
}

/** The model that is asked about. Throws `Rejection`. */
export function showRequest(body: unknown): string {
  const { model, name } = parsed(showBody, body);
  const asked = model ?? name;
  if (asked == null) throw new Rejection("missing_parameter", '"model" is missing.', "model");
  return asked;
}

function asked({ model, options, stream, user }: z.output<z.ZodObject<typeof common>>) {
  return { model, stream: stream ?? true, user, stop: options?.stop ?? [] };
}

/** Tools are taken, and none is ever called. */
function refuseUnsupported(request: { images?: unknown; format?: unknown; think?: unknown }): void {
  for (const field of ["images", "format", "think"] as const) {
    if (isGiven(request[field])) throw unsupported(field);
  }
}

function isGiven(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value !== undefined && value !== null && value !== "" && value !== false;
}

function unsupported(field: string): Rejection {
  return new Rejection(
    "bad_parameter",
    `"${field}" is not supported: answers are plain text from documents.`,
    field,
  );
}
