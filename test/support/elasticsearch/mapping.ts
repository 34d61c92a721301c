/**
 * An index's mapping, as far as our code depends on it: which fields are searched, of which type, and what of a
 * document is refused. What else a mapping may say is the real node's to judge.
 */
import { ElasticsearchError, illegalArgument } from "./errors.js";
import { isObject, type Json, type JsonObject, listOf, objectOf } from "./json.js";

export interface Field {
  readonly path: string;
  readonly definition: JsonObject;
}

export class Mapping {
  #root: JsonObject = {};
  readonly #properties = new Map<string, JsonObject>();

  /** Adds fields; those that are there keep their types. */
  merge({ properties = {}, ...root }: JsonObject): void {
    for (const [path, value] of Object.entries(objectOf(properties, "properties"))) {
      const definition = objectOf(value, path);
      const before = this.#properties.get(path);
      for (const key of ["type", "dims", "inference_id"]) {
        if (before !== undefined && definition[key] !== undefined && before[key] !== definition[key])
          throw illegalArgument(
            `mapper [${path}] cannot be changed from ${key} [${String(before[key])}] to [${String(definition[key])}]`,
          );
      }
      this.#properties.set(path, definition);
    }
    this.#root = { ...this.#root, ...root };
  }

  render(): JsonObject {
    return {
      ...this.#root,
      ...(this.#properties.size === 0 ? {} : { properties: Object.fromEntries(this.#properties) }),
    };
  }

  /** The type of a field that can be searched; fields that are not mapped are, unless the mapping says otherwise. */
  typeOf(path: string, value: Json | undefined): string | undefined {
    const definition = this.#properties.get(path);
    if (definition !== undefined) return String(definition.type ?? "object");
    if (this.#root.dynamic === false) return undefined;
    return typeof value === "string" ? "text" : typeof value;
  }

  /** The `semantic_text` fields that a document fills. */
  semanticFields(source: JsonObject): readonly Field[] {
    return [...this.#properties]
      .map(([path, definition]) => ({ path, definition }))
      .filter(({ path, definition }) => definition.type === "semantic_text" && isPresent(source[path]));
  }

  /** Throws what the server answers for a document that does not fit. */
  check(id: string, source: JsonObject): void {
    for (const [path, { type, dims }] of this.#properties) {
      const value = source[path];
      if (!isPresent(value)) continue;
      if (type === "dense_vector" && listOf(value).length !== dims)
        throw parsingProblem(
          `The [dense_vector] field [${path}] in doc [document with id '${id}'] has a different number of ` +
            `dimensions [${listOf(value).length}] than defined in the mapping [${String(dims)}]`,
        );
      if (["keyword", "text", "boolean", "date"].includes(String(type)) && listOf(value).some(isObject))
        throw parsingProblem(
          `failed to parse field [${path}] of type [${String(type)}]. Preview of field's value: '${JSON.stringify(value)}'`,
        );
    }
  }
}

function isPresent(value: Json | undefined): value is Json {
  return value !== undefined && value !== null;
}

function parsingProblem(reason: string): ElasticsearchError {
  return new ElasticsearchError(400, "document_parsing_exception", `[1:1] ${reason}`);
}
