/** What servers of the OpenAI API are known to do differently with the fields of a chat completion. */

export interface Quirks {
  /** Fields that it drops without a word. */
  readonly ignores?: readonly string[];
  /** Fields that it refuses, as vLLM did before it learnt to ignore what it does not know. */
  readonly refuses?: readonly string[];
}

/** What the server makes of the body: what it heeds of it, or how it refuses it. */
export function withQuirks(
  body: unknown,
  { ignores = [], refuses = [] }: Quirks,
): { readonly body: unknown } | { readonly refusal: object } {
  if (typeof body !== "object" || body === null) return { body };
  const unknown = refuses.filter((field) => Object.hasOwn(body, field));
  if (unknown.length > 0) return { refusal: forbiddenFields(unknown) };
  return { body: Object.fromEntries(Object.entries(body).filter(([field]) => !ignores.includes(field))) };
}

/** In the words and the shape of vLLM 0.5. */
function forbiddenFields(fields: readonly string[]): object {
  const lines = fields.map((field) => `${field}\n  Extra inputs are not permitted [type=extra_forbidden]`);
  const message = `${fields.length} validation errors for ChatCompletionRequest\n${lines.join("\n")}`;
  return { object: "error", message, type: "BadRequestError", param: null, code: 400 };
}
