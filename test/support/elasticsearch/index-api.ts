/** Endpoints of indices: create, exist, get, delete, mapping, settings, aliases, refresh. */
import { type Cluster, isPattern, namePattern } from "./cluster.js";
import { ElasticsearchError, illegalArgument, indexNotFound, NotSupported } from "./errors.js";
import { isObject, type JsonObject, listOf, objectOf, onlyEntry, onlyKeys } from "./json.js";
import { renderMapping } from "./mapping.js";
import { type ApiRequest, endpoint, flag, ok, type Reply, type Route } from "./router.js";
import type { StoredIndex } from "./stored-index.js";

export const INDEX_ROUTES: readonly Route[] = [
  ...endpoint("indices.create", ["PUT /{index}"], ({ params, body }, cluster) => {
    cluster.createIndex(params.index!, body());
    return ok({ acknowledged: true, shards_acknowledged: true, index: params.index! });
  }),
  ...endpoint("indices.get", ["GET /{index}"], (request, cluster) =>
    ok(
      byName(resolved(request, cluster), (index) => ({
        ...renderAliases(index),
        ...renderIndexMapping(index),
        ...renderSettings(index),
      })),
    ),
  ),
  ...endpoint("indices.exists", ["HEAD /{index}"], (request, cluster) =>
    exists(() => resolved(request, cluster)),
  ),
  ...endpoint("indices.delete", ["DELETE /{index}"], remove),
  ...endpoint("indices.get_mapping", ["GET /{index}/_mapping"], (request, cluster) =>
    ok(byName(resolved(request, cluster), renderIndexMapping)),
  ),
  ...endpoint(
    "indices.put_mapping",
    ["PUT /{index}/_mapping", "POST /{index}/_mapping"],
    (request, cluster) => {
      for (const index of resolved(request, cluster)) index.putMapping(request.body());
      return ok({ acknowledged: true });
    },
  ),
  ...endpoint("indices.get_settings", ["GET /{index}/_settings"], (request, cluster) =>
    ok(byName(resolved(request, cluster), renderSettings)),
  ),
  ...endpoint(
    "indices.refresh",
    ["POST /{index}/_refresh", "GET /{index}/_refresh", "POST /_refresh", "GET /_refresh"],
    (request, cluster) => {
      const indices = resolved(request, cluster);
      for (const index of indices) index.refresh();
      return ok({ _shards: shards(indices.length) });
    },
  ),
  ...endpoint("indices.update_aliases", ["POST /_aliases"], updateAliases),
  ...endpoint(
    "indices.get_alias",
    ["GET /_alias", "GET /_alias/{name}", "GET /{index}/_alias", "GET /{index}/_alias/{name}"],
    getAlias,
  ),
  ...endpoint(
    "indices.exists_alias",
    ["HEAD /_alias/{name}", "HEAD /{index}/_alias/{name}"],
    (request, cluster) => ({
      ...getAlias(request, cluster),
      body: null,
    }),
  ),
  ...endpoint("indices.put_alias", ["PUT /{index}/_alias/{name}"], (request, cluster) => {
    for (const index of resolved(request, cluster))
      cluster.putAlias(index, request.params.name!, request.body());
    return ok({ acknowledged: true });
  }),
];

/** The indices that the path names, or all; with what the query string says of missing ones. */
export function resolved({ params, query }: ApiRequest, cluster: Cluster): StoredIndex[] {
  return cluster.resolve(params.index ?? "_all", {
    ignoreUnavailable: flag(query, "ignore_unavailable", false),
    allowNoIndices: flag(query, "allow_no_indices", true),
  });
}

export function shards(count: number): JsonObject {
  return { total: count, successful: count, failed: 0 };
}

function exists(find: () => readonly StoredIndex[]): Reply {
  try {
    return { status: find().length > 0 ? 200 : 404, body: null };
  } catch (error) {
    if (error instanceof ElasticsearchError && error.status === 404) return { status: 404, body: null };
    throw error;
  }
}

function remove(request: ApiRequest, cluster: Cluster): Reply {
  const expression = request.params.index!;
  if (isPattern(expression)) throw illegalArgument("Wildcard expressions or all indices are not allowed");
  for (const name of expression.split(",")) {
    if (!cluster.indices.has(name) && cluster.aliased(name).length > 0)
      throw illegalArgument(
        `The provided expression [${name}] matches an alias, specify the corresponding concrete indices instead.`,
      );
  }
  for (const { name } of resolved(request, cluster)) cluster.indices.delete(name);
  return ok({ acknowledged: true });
}

function byName(indices: readonly StoredIndex[], render: (index: StoredIndex) => JsonObject): JsonObject {
  return Object.fromEntries(indices.map((index) => [index.name, render(index)]));
}

function renderAliases({ aliases }: StoredIndex): JsonObject {
  return { aliases: Object.fromEntries(aliases) };
}

function renderIndexMapping({ mapping }: StoredIndex): JsonObject {
  return { mappings: renderMapping(mapping) };
}

function renderSettings({ settings, name, createdAtMs }: StoredIndex): JsonObject {
  const index: Record<string, string> = {
    number_of_shards: "1",
    number_of_replicas: "1",
    provided_name: name,
    creation_date: String(createdAtMs),
  };
  for (const [key, value] of Object.entries(settings)) index[key.slice("index.".length)] = String(value);
  return { settings: { index } };
}

const ACTION_KEYS = [
  "index",
  "indices",
  "alias",
  "aliases",
  "is_write_index",
  "must_exist",
  "filter",
  "routing",
  "is_hidden",
];

/** All actions or none: what was there before comes back when one of them fails. */
function updateAliases({ body }: ApiRequest, cluster: Cluster): Reply {
  const request = body();
  onlyKeys(request, ["actions"], "aliases");
  if (listOf(request.actions).length === 0) throw validation("Must specify at least one alias action");
  const before = new Map([...cluster.indices.values()].map((index) => [index, new Map(index.aliases)]));
  const actions = listOf(request.actions).map((action) => objectOf(action, "action"));
  try {
    // Indices go first, whatever the order, so that an alias may take the name of one.
    for (const action of actions) if ("remove_index" in action) act(action, cluster);
    for (const action of actions) if (!("remove_index" in action)) act(action, cluster);
  } catch (error) {
    for (const [index, aliases] of before) {
      cluster.indices.set(index.name, index);
      index.aliases.clear();
      for (const [alias, settings] of aliases) index.aliases.set(alias, settings);
    }
    throw error;
  }
  return ok({ acknowledged: true, errors: false });
}

function act(action: JsonObject, cluster: Cluster): void {
  const [verb, value] = onlyEntry(action, "action");
  const settings = objectOf(value, verb);
  onlyKeys(settings, ACTION_KEYS, `alias_action`);
  const indices = listOf(settings.indices ?? settings.index).flatMap((name) => cluster.resolve(String(name)));
  const aliases = listOf(settings.aliases ?? settings.alias).map(String);
  if (verb === "remove_index") {
    for (const { name } of indices) cluster.indices.delete(name);
    return;
  }
  if (verb !== "add" && verb !== "remove")
    throw new ElasticsearchError(
      400,
      "x_content_parse_exception",
      `[1:1] [aliases] failed to parse field [actions]`,
    );
  if (aliases.length === 0) throw illegalArgument("One of [alias] or [aliases] is required");
  if (indices.length === 0) throw illegalArgument("One of [index] or [indices] is required");
  if (verb === "remove") return removeAliases(indices, aliases, settings.must_exist !== false);
  const { filter, is_write_index, routing } = settings;
  if (filter !== undefined || routing !== undefined) throw new NotSupported("filter or routing of an alias");
  for (const index of indices) {
    for (const alias of aliases)
      cluster.putAlias(index, alias, is_write_index === undefined ? {} : { is_write_index });
  }
}

function removeAliases(
  indices: readonly StoredIndex[],
  aliases: readonly string[],
  mustExist: boolean,
): void {
  for (const alias of aliases) {
    const having = indices.filter((index) => index.aliases.has(alias));
    if (having.length === 0 && mustExist)
      throw new ElasticsearchError(404, "aliases_not_found_exception", `aliases [${alias}] missing`, {
        "resource.type": "aliases",
        "resource.id": alias,
      });
    for (const index of having) index.aliases.delete(alias);
  }
}

function validation(reason: string): ElasticsearchError {
  return new ElasticsearchError(
    400,
    "action_request_validation_exception",
    `Validation Failed: 1: ${reason};`,
  );
}

/** Answers what there is, and with 404 where a name that is no pattern is missing. */
function getAlias(request: ApiRequest, cluster: Cluster): Reply {
  const { name, index } = request.params;
  const indices = index === undefined ? [...cluster.indices.values()] : resolved(request, cluster);
  if (index !== undefined && indices.length === 0 && !isPattern(index)) throw indexNotFound(index);
  const wanted = name?.split(",") ?? ["*"];
  const found: Record<string, { aliases: Record<string, JsonObject> }> = {};
  const seen = new Set<string>();
  for (const one of indices) {
    for (const [alias, settings] of one.aliases) {
      const by = wanted.filter((pattern) => namePattern(pattern).test(alias));
      if (by.length === 0) continue;
      for (const pattern of by) seen.add(pattern);
      found[one.name] ??= { aliases: {} };
      found[one.name]!.aliases[alias] = isObject(settings) ? settings : {};
    }
    if (name === undefined) found[one.name] ??= { aliases: {} };
  }
  const missing = wanted.filter((pattern) => !isPattern(pattern) && !seen.has(pattern));
  if (missing.length === 0) return ok(found);
  return { status: 404, body: { error: `alias [${missing.join(",")}] missing`, status: 404, ...found } };
}
