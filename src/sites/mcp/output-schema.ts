/**
 * Holds structured content to the output schema of its tool. The schema is a stranger's, too: patterns of it could take
 * seconds for a text of the same stranger, so they are left out, and so is what would make the judgement a promise.
 */
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import { isNestedDeeper } from "../../lib/json-depth.js";
import { SiteFailure } from "../port.js";
import type { OfferedTool } from "../schema-digest.js";

type Validate = (content: unknown) => { readonly valid: boolean; readonly errorMessage?: string | undefined };

/** Compiling takes milliseconds; a tool is kept as long as it does not change. */
const compiled = new WeakMap<OfferedTool, Validate>();

/** Throws `SiteFailure` when the content of a reply is nested too deeply, or is not what its tool promises. */
export function checkContent(tool: OfferedTool, content: unknown): void {
  if (isDeep(content)) throw new SiteFailure("MALFORMED", "its reply is nested too deeply");
  try {
    if (tool.outputSchema === undefined) return;
    const validate = compiled.get(tool) ?? compile(tool.outputSchema);
    compiled.set(tool, validate);
    const { errorMessage, valid } = validate(content);
    if (valid !== true) throw new TypeError(`its reply is not what its output schema says: ${errorMessage}`);
  } catch (error) {
    throw SiteFailure.of(error, "MALFORMED");
  }
}

function isDeep(content: unknown): boolean {
  try {
    return isNestedDeeper(JSON.stringify(content) ?? "");
  } catch {
    return true; // Writing it overflowed the stack.
  }
}

function compile(schema: unknown): Validate {
  return new AjvJsonSchemaValidator().getValidator(harmless(schema) as Record<string, unknown>);
}

/** The schema without keywords that hold a regular expression, and without those that mean something beside them. */
function harmless(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(harmless);
  if (typeof schema !== "object" || schema === null) return schema;
  const hasPatterns = Object.hasOwn(schema, "patternProperties");
  const kept = Object.entries(schema).filter(
    ([keyword, value]) =>
      keyword !== "$async" &&
      !(keyword === "pattern" && typeof value === "string") &&
      !(hasPatterns && BESIDE_PATTERNS.has(keyword)),
  );
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, harmless(value)]));
}

const BESIDE_PATTERNS: ReadonlySet<string> = new Set([
  "patternProperties",
  "additionalProperties",
  "unevaluatedProperties",
]);
