/** Which part of a document an answer shows: `_source` with its includes and excludes, and `fields`. */
import { NotSupported } from "./errors.js";
import { isObject, type Json, type JsonObject, listOf, parsing } from "./json.js";
import type { StoredDocument, StoredIndex } from "./stored-index.js";

/** The source as `setting` asks for it; `undefined` when it asks for none. */
export function filterSource(source: JsonObject, setting: Json | undefined): JsonObject | undefined {
  if (setting === undefined || setting === true) return source;
  if (setting === false) return undefined;
  if (!isObject(setting)) return pick(source, patterns(setting), []);
  const { includes, include, excludes, exclude, ...rest } = setting;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw parsing(`Unknown key for a VALUE in [${unknown}].`);
  return pick(source, patterns(includes ?? include), patterns(excludes ?? exclude));
}

/** The setting that a request's query string makes: `_source`, `_source_includes`, `_source_excludes`. */
export function sourceSetting(query: URLSearchParams): Json | undefined {
  const whole = query.get("_source");
  if (whole === "true" || whole === "false") return whole === "true";
  const includes = query.get("_source_includes") ?? whole;
  const excludes = query.get("_source_excludes");
  if (includes === null && excludes === null) return undefined;
  return { includes: includes?.split(",") ?? [], excludes: excludes?.split(",") ?? [] };
}

function patterns(setting: Json | undefined): RegExp[] {
  return listOf(setting).map((one) => {
    const escaped = String(one)
      .replace(/[.+?^${}()|[\]\\]/g, "\\$&")
      .replaceAll("*", ".*");
    return new RegExp(`^${escaped}(?:\\..*)?$`);
  });
}

function pick(source: JsonObject, includes: readonly RegExp[], excludes: readonly RegExp[]): JsonObject {
  const visit = (value: JsonObject, prefix: string): Record<string, Json> => {
    const kept: Record<string, Json> = {};
    for (const [key, inner] of Object.entries(value)) {
      const path = `${prefix}${key}`;
      if (excludes.some((pattern) => pattern.test(path))) continue;
      const included = includes.length === 0 || includes.some((pattern) => pattern.test(path));
      if (isObject(inner)) {
        const below = visit(inner, `${path}.`);
        if (Object.keys(below).length > 0 || included) kept[key] = below;
      } else if (included) kept[key] = inner;
    }
    return kept;
  };
  return visit(source, "");
}

/** `fields` of a search: values as they are indexed, each in a list. */
export function readFields(index: StoredIndex, document: StoredDocument, fields: Json): JsonObject {
  const found: Record<string, Json> = {};
  for (const one of listOf(fields)) {
    const path = isObject(one) ? one.field : one;
    if (isObject(one) && Object.keys(one).length > 1) throw new NotSupported("[format] of a field");
    for (const [name, values] of document.values) {
      const field = index.mapping.fields.get(name);
      if (field === undefined || !patterns(path ?? null).some((pattern) => pattern.test(name))) continue;
      found[name] = values.map((value) =>
        field.type === "date" ? new Date(Number(value)).toISOString() : (value as Json),
      );
    }
  }
  return found;
}
