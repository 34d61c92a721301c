/** The schema of a tool as one value: what an operator looked at is what is called, or nothing is. */
import { createHash } from "node:crypto";
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
 * SHA-256 of a tool's name, input schema, output schema and annotations as canonical JSON, in hexadecimal digits.
 * Undefined for a schema that is nested too deeply or too long to be taken.
 */
export function schemaDigest(tool: OfferedTool): string | undefined {
  const { annotations = null, inputSchema, name, outputSchema = null } = tool;
  const text = canonicalJson({ annotations, inputSchema, name, outputSchema }, JSON_DEPTH_MAX);
  if (text === undefined || text.length > SCHEMA_CHARS_MAX) return undefined;
  return createHash("sha256").update(text).digest("hex");
}

/** JSON with the names of each object in order (RFC 8785); undefined where it is nested more than `levels` deep. */
function canonicalJson(value: unknown, levels: number): string | undefined {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (levels === 0) return undefined;
  const entries = Array.isArray(value)
    ? value.map((item: unknown): [string, unknown] => ["", item])
    : Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([name, item]): [string, unknown] => [`${JSON.stringify(name)}:`, item]);
  const parts: string[] = [];
  for (const [name, item] of entries) {
    const part = canonicalJson(item, levels - 1);
    if (part === undefined) return undefined;
    parts.push(name + part);
  }
  return Array.isArray(value) ? `[${parts.join()}]` : `{${parts.join()}}`;
}
