/** Queries by meaning: `semantic`, and `match` on a field of type `semantic_text`. */
import { node } from "./bm25.js";
import { ElasticsearchError, illegalArgument } from "./errors.js";
import { type JsonObject, stringOf } from "./json.js";
import type { Field } from "./mapping.js";
import { type Compiled, NO_NAMES, type QueryContext } from "./matcher.js";
import { dot, encode } from "./sparse.js";
import { semanticChunks } from "./stored-index.js";

const KEYS = ["field", "query", "boost", "_name"];

export function semanticQuery({ snapshot }: QueryContext, body: JsonObject): Compiled {
  const unknown = Object.keys(body).find((key) => !KEYS.includes(key));
  if (unknown !== undefined)
    throw new ElasticsearchError(
      400,
      "x_content_parse_exception",
      `[1:1] [semantic] unknown field [${unknown}]`,
    );
  for (const key of ["field", "query"]) {
    if (body[key] === undefined) throw illegalArgument(`Required [${key}]`);
  }
  const path = stringOf(body.field, "field");
  const field = snapshot.index.mapping.fields.get(path);
  if (field === undefined) return { match: () => undefined, marks: [] };
  if (field.type !== "semantic_text")
    throw illegalArgument(`Field [${path}] of type [${field.type}] does not support semantic queries`);
  return semanticMatch(field, stringOf(body.query, "query"), 1);
}

/** A document scores as its best chunk does. */
export function semanticMatch(field: Field, text: string, boost: number): Compiled {
  const wanted = encode(text);
  return {
    marks: [{ kind: "meaning", field: field.path, text }],
    match(document) {
      const scores = semanticChunks(document, field.path).map(({ vector }) => dot(wanted, vector));
      const best = Math.fround(boost * Math.max(0, ...scores));
      if (best === 0) return undefined;
      const description = `Score based on ${scores.length} child docs in range, best match:`;
      return { score: best, names: NO_NAMES, explain: () => node(best, description) };
    },
  };
}
