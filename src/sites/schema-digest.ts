/** The schema of a tool as one value: what an operator looked at is what is called, or nothing is. */
import { createHash } from "node:crypto";
import { isRecord } from "../lib/is-record.js";
import { JSON_DEPTH_MAX } from "../lib/json-depth.js";

/** A tool as its system offers it now. Its description is text of a stranger and is not kept. */
export interface OfferedTool {
  readonly name: string;
  /** JSON Schema of its arguments. */
  readonly inputSchema: unknown;
  /** JSON Schema of its structured content. */
  readonly outputSchema?: unknown;
  /** What its system says that it does: hints, which are believed where they tighten. */
  readonly annotations?:
    | { readonly readOnlyHint?: boolean | undefined; readonly destructiveHint?: boolean | undefined }
    | undefined;
}

/** Longer schemas take long to compile, and nobody reads them. */
const SCHEMA_CHARS_MAX = 65_536;

/**
 * SHA-256 of a tool's name, input schema, output schema and annotations as JSON with the names of each object in order,
 * in hexadecimal digits. Undefined for a schema that is nested too deeply or too long to be taken.
 */
export function schemaDigest(tool: OfferedTool): string | undefined {
  const { annotations = null, inputSchema, name, outputSchema = null } = tool;
  const schema = { annotations, inputSchema, name, outputSchema };
  if (isDeep(schema)) return undefined;
  const text = JSON.stringify(schema, (_key, value: unknown) => (isRecord(value) ? inOrder(value) : value));
  return text.length > SCHEMA_CHARS_MAX ? undefined : createHash("sha256").update(text).digest("hex");
}

function inOrder(json: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(json).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Whether lists and objects of a JSON value are nested too deeply for what works on it recursively. */
export function isDeep(json: unknown, levels = JSON_DEPTH_MAX): boolean {
  if (typeof json !== "object" || json === null) return false;
  return levels === 0 || Object.values(json).some((value) => isDeep(value, levels - 1));
}
