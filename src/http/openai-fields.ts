/**
 * What requests to OpenAI's addresses have in common. What only tunes a model is taken and has no effect, since the
 * answer is the documents'; what would change what comes back is refused by name.
 */
import { z } from "zod";
import { isPassedOver } from "../api/conversation.js";
import { Rejection } from "../api/rejection.js";

export const ENTRIES_MAX = 1_000;

export const modelField = z.string({
  error: "expected the name of a model, as GET /v1/models lists them",
});
export const flagField = z.boolean({ error: "expected true or false" }).nullish();

const part = z.object({
  type: z.string({ error: "expected the type of a part" }),
  text: z.string().nullish(),
  refusal: z.string().nullish(),
});

export const contentField = z
  .union([z.string(), z.array(part)], { error: "expected a text, or a list of parts of type text" })
  .nullish();

const TEXT_PARTS = ["text", "input_text", "output_text"];

/** The words of a message: parts follow each other. Throws `Rejection` for what is no text. */
export function wordsOf(role: string, content: z.output<typeof contentField>, field: string): string {
  if (isPassedOver(role)) return "";
  if (content == null) {
    // An assistant that calls tools need not say anything.
    if (role === "assistant") return "";
    throw new Rejection("missing_parameter", `"${field}" is missing.`, field);
  }
  if (typeof content === "string") return content;
  return content
    .map(({ refusal, text, type }, index) => {
      if (TEXT_PARTS.includes(type) && text != null) return text;
      if (type === "refusal" && refusal != null) return refusal;
      throw unsupported(`${field}[${index}].type`, "only parts of type text are understood");
    })
    .join("");
}

/** A field that may ask for what there is not: which values do not, and why the others are refused. */
export interface Limit {
  readonly harmless: (value: unknown) => boolean;
  readonly why: string;
}

export const never = () => false;

/** Tools are taken, and none is ever called: a client that insists on a call would wait for it in vain. */
export const TOOL_CHOICE: Limit = {
  harmless: (value) => value === "none" || value === "auto",
  why: "no tool is ever called",
};

export function isTextFormat(value: unknown): boolean {
  return (value as { readonly type?: unknown } | null)?.type === "text";
}

/** Throws `Rejection` for the first field that asks for what there is not. */
export function refuseUnsupported(body: unknown, limits: Readonly<Record<string, Limit>>): void {
  for (const [field, { harmless, why }] of Object.entries(limits)) {
    const value = (body as Readonly<Record<string, unknown>>)[field];
    if (value !== undefined && value !== null && !harmless(value)) throw unsupported(field, why);
  }
}

export function unsupported(field: string, why: string): Rejection {
  return new Rejection("bad_parameter", `"${field}" is not supported: ${why}.`, field);
}
