/** JSON values, and how a request's body is read: what has the wrong form is refused in Elasticsearch's words. */
import { ElasticsearchError, illegalArgument } from "./errors.js";
import type { Json, JsonObject } from "./json-value.js";

export type { Json, JsonObject };

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** `value` as a list: of nothing, of one, or itself. */
export function listOf(value: Json | undefined): readonly Json[] {
  if (value === undefined || value === null) return [];
  return isList(value) ? value : [value];
}

/** The object that `text` holds; nothing at all reads as an empty object. */
export function parseBody(text: string): JsonObject {
  if (text.trim() === "") return {};
  const value = parseJson(text);
  if (!isObject(value)) throw parsing(`Expected [START_OBJECT] but found [${tokenOf(value)}]`);
  return value;
}

export function parseJson(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw new ElasticsearchError(400, "x_content_parse_exception", `[1:1] ${String(error)}`);
  }
}

/** The lines of a newline-delimited body; its last line must end with a line feed, as the server wants it. */
export function parseLines(text: string): JsonObject[] {
  if (!text.endsWith("\n")) throw illegalArgument("The bulk request must be terminated by a newline [\\n]");
  return text
    .slice(0, -1)
    .split("\n")
    .map((line) => parseBody(line));
}

export function objectOf(value: Json | undefined, what: string): JsonObject {
  if (!isObject(value)) throw parsing(`[${what}] expects an object but found [${tokenOf(value)}]`);
  return value;
}

export function stringOf(value: Json | undefined, what: string): string {
  if (typeof value !== "string") throw parsing(`[${what}] expects text but found [${tokenOf(value)}]`);
  return value;
}

export function numberOf(value: Json | undefined, otherwise: number, what: string): number {
  if (value === undefined) return otherwise;
  if (typeof value !== "number") throw parsing(`[${what}] expects a number but found [${tokenOf(value)}]`);
  return value;
}

/** Refuses every key of `body` that `known` does not list, as the server's parsers do. */
export function onlyKeys(body: JsonObject, known: readonly string[], what: string): void {
  const unknown = Object.keys(body).find((key) => !known.includes(key));
  if (unknown !== undefined)
    throw new ElasticsearchError(
      400,
      "x_content_parse_exception",
      `[1:1] [${what}] unknown field [${unknown}]`,
    );
}

export function parsing(reason: string): ElasticsearchError {
  return new ElasticsearchError(400, "parsing_exception", reason);
}

/** The one key of an object that must have one, and its value. */
export function onlyEntry(value: JsonObject, what: string): [key: string, value: Json] {
  const entries = Object.entries(value);
  if (entries.length === 0) throw illegalArgument(`${what} malformed, no field after start_object`);
  if (entries.length > 1)
    throw parsing(`[${what}] malformed query, expected [END_OBJECT] but found [FIELD_NAME]`);
  return entries[0]!;
}

export function tokenOf(value: Json | undefined): string {
  if (value === undefined || value === null) return "VALUE_NULL";
  if (isList(value)) return "START_ARRAY";
  if (typeof value === "object") return "START_OBJECT";
  if (typeof value === "string") return "VALUE_STRING";
  return typeof value === "number" ? "VALUE_NUMBER" : "VALUE_BOOLEAN";
}
