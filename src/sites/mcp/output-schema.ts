/** Holds content to the schema of its tool: to a copy that, unlike a stranger's schema, cannot take long to judge by. */
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import { isRecord } from "../../lib/is-record.js";
import { isDeep } from "../../lib/json-depth.js";
import { valueAt } from "../json-pointer.js";
import { SiteFailure } from "../port.js";

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
    const {
      $defs: _,
      definitions: __,
      $ref,
      $dynamicRef = $ref,
      $recursiveRef: ref = $dynamicRef,
      ...rest
    } = schema;
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
