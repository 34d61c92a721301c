/** Which tools of a system may be called, and why each other may not; replies are held to a copy of their schema that is quick. */
import { createHash } from "node:crypto";
import type { Tool } from "@modelcontextprotocol/client";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import { canonicalJson } from "../../lib/canonical-json.js";
import { isRecord } from "../../lib/is-record.js";
import { isDeep } from "../../lib/json-depth.js";
import type { SiteOptions, ToolOptions } from "../options.js";
import { SiteFailure } from "../port.js";
import { valueAt } from "../readings.js";

/** A tool as its system offers it now, without its description: hints of what it does are believed where they tighten. */
export type OfferedTool = Pick<Tool, "name" | "inputSchema" | "outputSchema" | "annotations">;

/** A status for every tool of the settings, in their order, and then for every other one that is offered. */
export function toolStatuses(configured: SiteOptions["tools"], offered: readonly OfferedTool[]) {
  const others = offered.map(({ name }) => name).filter((name) => !Object.hasOwn(configured, name));
  const names = new Set([...Object.keys(configured), ...others.sort()]);
  return [...names].map((name) => {
    const same = offered.filter((one) => one.name === name);
    const schema = same[0] && schemaDigest(same[0]);
    const options = Object.hasOwn(configured, name) ? configured[name] : undefined;
    const reason = reasonOf(same, options, schema);
    return { name, isOn: reason === undefined, reason, schema };
  });
}

/** Why it is off, and what to do; undefined: it is on. */
function reasonOf([tool, second]: readonly OfferedTool[], options?: ToolOptions, schema?: string) {
  if (tool === undefined) return "its system does not offer it";
  if (schema === undefined) return "its schema is too long, or nested too deeply";
  if (second !== undefined) return "its system offers two of this name";
  if (options === undefined)
    return "it is not in the settings: write it under `tools` of its site, with its effect";
  const { effect, schema: declared } = options;
  if (declared === undefined)
    return `it is not declared: write \`"schema": "${schema}"\` for it, once you know what it does`;
  if (declared !== schema)
    return `it is not what was declared any more: look at it again, and write \`"schema": "${schema}"\``;
  const { destructiveHint: destroys, readOnlyHint: onlyReads } = tool.annotations ?? {};
  const but = (own: string, its: string) => `the settings say that it ${own}; its system says that it ${its}`;
  if (effect === "read" && onlyReads === false) return but("reads", "does not (readOnlyHint: false)");
  if (effect === "read" && destroys) return but("reads", "destroys (destructiveHint: true)");
  if (effect !== "read" && onlyReads) return but("acts", "only reads (readOnlyHint: true)");
  if (effect === "reversible" && destroys) return but("is reversible", "destroys (destructiveHint: true)");
  const properties = Object(valueAt(tool.inputSchema, "/properties")) as object;
  const { keyArgument, valueArgument } = options.effect === "read" ? {} : options;
  const named = { target: options.target, key_argument: keyArgument, value_argument: valueArgument?.name };
  for (const [setting, name] of Object.entries(named))
    if (name !== undefined && !Object.hasOwn(properties, name))
      return `it takes no argument ${name}: correct its \`${setting}\``;
  return undefined;
}

/** Longer schemas take long to compile, and nobody reads them. */
const SCHEMA_CHARS_MAX = 65_536;

/** SHA-256 of all of it as JSON with names in order, in hexadecimal digits; undefined where it is too deep or too long. */
export function schemaDigest(tool: OfferedTool): string | undefined {
  const { annotations = null, inputSchema, name, outputSchema = null } = tool;
  const schema = { annotations, inputSchema, name, outputSchema };
  if (isDeep(schema)) return undefined;
  const text = canonicalJson(schema);
  return text.length > SCHEMA_CHARS_MAX ? undefined : createHash("sha256").update(text).digest("hex");
}

/** What throws `SiteFailure` for content that is not what its tool promises, or too deep; throws it where the schema is none. */
export function contentCheck(outputSchema: unknown = {}): (content: unknown) => void {
  try {
    const validate = new AjvJsonSchemaValidator().getValidator(harmless(outputSchema));
    return (content) => {
      if (isDeep(content)) throw new SiteFailure("MALFORMED", "its reply is nested too deeply");
      const { errorMessage, valid } = validate(content);
      if (valid !== true)
        throw new SiteFailure("MALFORMED", `its reply is not what its output schema says: ${errorMessage}`);
    };
  } catch (error) {
    throw SiteFailure.of(error, "MALFORMED");
  }
}

/** Schemas within a schema, each reference counted with all that it stands for. */
const SCHEMAS_MAX = 2_000;

/** Keywords whose values are compared for longer than their length, or that would make the judgement a promise. */
const LEFT_OUT = /^(?:pattern|uniqueItems|\$async|\$id|\$anchor)$/;
/** What these mean depends on patterns. */
const BESIDE_PATTERNS = /^(?:pattern|additional|unevaluated)Properties$/;

/** A copy of a schema that takes no longer than its length and that of the content: every reference is written out. */
function harmless(root: unknown): Record<string, unknown> {
  let schemas = 0;
  const copy = (schema: unknown): unknown => {
    if (Array.isArray(schema)) return schema.map(copy);
    if (!isRecord(schema)) return schema;
    schemas += 1;
    if (schemas > SCHEMAS_MAX) throw new RangeError("its output schema is too large, or refers to itself");
    const { $ref, $dynamicRef = $ref, $recursiveRef: ref = $dynamicRef, ...others } = schema;
    const { $defs: _, definitions: __, ...rest } = others;
    const hasPatterns = Object.hasOwn(rest, "patternProperties");
    const kept = Object.entries(rest)
      // A property that is called like a keyword has a schema as its value.
      .filter(([keyword, value]) => typeof value === "object" || !LEFT_OUT.test(keyword))
      .filter(([keyword]) => !(hasPatterns && BESIDE_PATTERNS.test(keyword)));
    const own = Object.fromEntries(kept.map(([keyword, value]) => [keyword, copy(value)]));
    return typeof ref === "string" ? { allOf: [copy(target(root, ref)), own] } : own;
  };
  return copy(root) as Record<string, unknown>;
}

function target(root: unknown, ref: string): unknown {
  const found = ref.startsWith("#") ? valueAt(root, decodeURIComponent(ref.slice(1))) : undefined;
  if (found === undefined) throw new TypeError(`its output schema refers to ${ref}, which it does not have`);
  return found;
}
