/** Nearest neighbours: the `knn` section of a search and the `knn` query. Exact here, approximate on the server. */
import { node } from "./bm25.js";
import { ElasticsearchError, illegalArgument, NotSupported } from "./errors.js";
import { isList, type Json, type JsonObject, listOf, stringOf } from "./json.js";
import { type Compiled, type Match, NO_NAMES, type QueryContext } from "./matcher.js";
import type { StoredDocument } from "./stored-index.js";

const KEYS = ["field", "query_vector", "k", "num_candidates", "filter", "boost", "similarity", "_name"];
const OTHER_KEYS = ["query_vector_builder", "inner_hits", "rescore_vector", "visit_percentage"];

const K_DEFAULT = 10;
const CANDIDATES_MAX = 10_000;

/** The `k` documents whose vectors are nearest among those that the filter admits; nothing else matches. */
export function knnQuery(context: QueryContext, body: JsonObject): Compiled {
  const { k, path, vector, similarity } = readKnn(context, body);
  const filters = listOf(body.filter).map((filter) => context.compile(filter).match);
  const scored: { document: StoredDocument; score: number }[] = [];
  for (const document of context.snapshot.documents) {
    const [own] = document.values.get(path) ?? [];
    if (own === undefined || !filters.every((match) => match(document) !== undefined)) continue;
    const near = nearness(similarity, vector, own as readonly number[]);
    if (typeof body.similarity === "number" && near.raw < body.similarity) continue;
    scored.push({ document, score: Math.fround(near.score) });
  }
  scored.sort((one, other) => other.score - one.score);
  const best = new Map<string, Match>(
    scored
      .slice(0, k)
      .map(({ document, score }) => [
        document.id,
        { score, names: NO_NAMES, explain: () => node(score, "within top k documents") },
      ]),
  );
  return { match: ({ id }) => best.get(id), marks: [] };
}

interface Knn {
  readonly path: string;
  readonly k: number;
  readonly vector: readonly number[];
  readonly similarity: string;
}

function readKnn({ snapshot }: QueryContext, body: JsonObject): Knn {
  for (const key of Object.keys(body)) {
    if (OTHER_KEYS.includes(key)) throw new NotSupported(`[${key}] of knn`);
    if (!KEYS.includes(key))
      throw new ElasticsearchError(400, "x_content_parse_exception", `[1:1] [knn] unknown field [${key}]`);
  }
  const path = stringOf(body.field, "field");
  const vector = readVector(body.query_vector);
  const k = Number(body.k ?? K_DEFAULT);
  const candidates = Number(body.num_candidates ?? Math.min(Math.floor(1.5 * k), CANDIDATES_MAX));
  if (k < 1) throw illegalArgument("[k] must be greater than 0");
  if (candidates < k) throw illegalArgument(`[num_candidates] cannot be less than [k]`);
  if (candidates > CANDIDATES_MAX)
    throw illegalArgument(`[num_candidates] cannot exceed [${CANDIDATES_MAX}]`);
  const field = snapshot.index.mapping.fields.get(path);
  if (field === undefined)
    throw queryShard(`failed to create query: field [${path}] does not exist in the mapping`);
  if (field.type !== "dense_vector")
    throw illegalArgument(`[knn] queries are only supported on [dense_vector] fields`);
  const { dims, similarity = "cosine" } = field.definition;
  if (dims !== undefined && dims !== vector.length)
    throw queryShard(
      `failed to create query: the query vector has a different dimension [${vector.length}] than the index vectors [${String(dims)}]`,
    );
  if (similarity === "cosine" && vector.every((one) => one === 0))
    throw queryShard(
      "failed to create query: The [cosine] similarity does not support vectors with zero magnitude.",
    );
  return { path, k, vector, similarity: String(similarity) };
}

function readVector(value: Json | undefined): readonly number[] {
  if (!isList(value) || !value.every((one) => typeof one === "number"))
    throw illegalArgument("[query_vector] must be a list of numbers");
  return value as readonly number[];
}

function queryShard(reason: string): ElasticsearchError {
  return new ElasticsearchError(400, "query_shard_exception", reason);
}

/** `raw` is what the option `similarity` bounds; `score` is what a hit shows, by the mapping's similarity. */
function nearness(
  similarity: string,
  one: readonly number[],
  other: readonly number[],
): { readonly raw: number; readonly score: number } {
  const product = sumOf(one, (value, index) => value * other[index]!);
  if (similarity === "dot_product") return { raw: product, score: (1 + product) / 2 };
  if (similarity === "max_inner_product")
    return { raw: product, score: product < 0 ? 1 / (1 - product) : product + 1 };
  if (similarity === "l2_norm") {
    const squared = sumOf(one, (value, index) => (value - other[index]!) ** 2);
    return { raw: -Math.sqrt(squared), score: 1 / (1 + squared) };
  }
  const cosine = product / (Math.hypot(...one) * Math.hypot(...other));
  return { raw: cosine, score: (1 + cosine) / 2 };
}

function sumOf(values: readonly number[], of: (value: number, index: number) => number): number {
  return values.reduce((total, value, index) => total + of(value, index), 0);
}
