/**
 * Holds structured content to the output schema of its tool. The schema is a stranger's, too: judging by it could take
 * seconds, or for ever, for content of the same stranger. So it is judged by a copy that cannot.
 */
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import { isNestedDeeper } from "../../lib/json-depth.js";
import { valueAt } from "../json-pointer.js";
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
  return new AjvJsonSchemaValidator().getValidator(new Harmless(schema).copy() as Record<string, unknown>);
}

/** Schemas within a schema, each reference counted with all that it stands for. */
const SCHEMAS_MAX = 5_000;

/** Keywords whose values are compared for longer than their length, or that would make the judgement a promise. */
const LEFT_OUT: ReadonlySet<string> = new Set(["pattern", "uniqueItems", "$async", "$id", "$anchor", "$ref"]);
/** What these mean depends on patterns. */
const BESIDE_PATTERNS: ReadonlySet<string> = new Set([
  "patternProperties",
  "additionalProperties",
  "unevaluatedProperties",
]);

/** A copy of a schema that takes no longer than its length and that of the content: every reference is written out. */
class Harmless {
  #schemas = 0;

  constructor(private readonly root: unknown) {}

  /** Throws for a schema that refers to what it does not have, or to itself. */
  copy(schema = this.root): unknown {
    if (Array.isArray(schema)) return schema.map((item) => this.copy(item));
    if (typeof schema !== "object" || schema === null) return schema;
    this.#schemas += 1;
    if (this.#schemas > SCHEMAS_MAX)
      throw new RangeError("its output schema is too large, or refers to itself");
    const { $dynamicRef, $recursiveRef, $ref } = schema as Readonly<Record<string, unknown>>;
    if (typeof ($dynamicRef ?? $recursiveRef) === "string")
      throw new TypeError(`its output schema refers to ${$dynamicRef ?? $recursiveRef}`);
    const kept = this.#keywords(schema);
    return typeof $ref === "string" ? { allOf: [this.copy(this.#target($ref)), kept] } : kept;
  }

  #keywords(schema: object): object {
    const hasPatterns = Object.hasOwn(schema, "patternProperties");
    const kept = Object.entries(schema).filter(
      ([keyword, value]) =>
        // A property that is called like a keyword has a schema as its value.
        !(LEFT_OUT.has(keyword) && typeof value !== "object") &&
        keyword !== "$defs" &&
        keyword !== "definitions" &&
        !(hasPatterns && BESIDE_PATTERNS.has(keyword)),
    );
    return Object.fromEntries(kept.map(([keyword, value]) => [keyword, this.copy(value)]));
  }

  #target(ref: string): unknown {
    const target = ref.startsWith("#") ? valueAt(this.root, decodeURIComponent(ref.slice(1))) : undefined;
    if (target === undefined)
      throw new TypeError(`its output schema refers to ${ref}, which it does not have`);
    return target;
  }
}
