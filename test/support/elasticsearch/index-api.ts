/** Endpoints of indices: create, delete, mapping, aliases, refresh. */
import { type Cluster, isPattern } from "./cluster.js";
import { illegalArgument, indexNotFound, NotSupported } from "./errors.js";
import { type JsonObject, listOf, objectOf, onlyEntry, onlyKeys } from "./json.js";
import { type ApiRequest, endpoint, flag, ok, type Reply, type Route } from "./router.js";
import type { StoredIndex } from "./stored-index.js";

export const INDEX_ROUTES: readonly Route[] = [
  ...endpoint("indices.create", ["PUT /{index}"], ({ params, body }, cluster) => {
    cluster.createIndex(params.index!, body());
    return ok({ acknowledged: true, shards_acknowledged: true, index: params.index! });
  }),
  ...endpoint("indices.delete", ["DELETE /{index}"], remove),
  ...endpoint("indices.get_mapping", ["GET /{index}/_mapping"], (request, cluster) => {
    const mappings = resolved(request, cluster).map(({ name, mapping }) => [
      name,
      { mappings: mapping.render() },
    ]);
    return ok(Object.fromEntries(mappings) as JsonObject);
  }),
  ...endpoint("indices.put_mapping", ["PUT /{index}/_mapping"], (request, cluster) => {
    for (const { mapping } of resolved(request, cluster)) mapping.merge(request.body());
    return ok({ acknowledged: true });
  }),
  ...endpoint("indices.refresh", ["POST /{index}/_refresh", "GET /{index}/_refresh"], (request, cluster) => {
    const indices = resolved(request, cluster);
    for (const index of indices) index.refresh();
    return ok({ _shards: shards(indices.length) });
  }),
  ...endpoint("indices.update_aliases", ["POST /_aliases"], updateAliases),
  ...endpoint("indices.get_alias", ["GET /{index}/_alias"], getAlias),
];

/** The indices that the path names, or all; with what the query string says of missing ones. */
export function resolved({ params, query }: ApiRequest, cluster: Cluster): StoredIndex[] {
  return cluster.resolve(params.index ?? "_all", flag(query, "allow_no_indices", true));
}

export function shards(count: number): JsonObject {
  return { total: count, successful: count, failed: 0 };
}

function remove(request: ApiRequest, cluster: Cluster): Reply {
  const expression = request.params.index!;
  if (isPattern(expression)) throw illegalArgument("Wildcard expressions or all indices are not allowed");
  for (const name of expression.split(",")) {
    if (!cluster.indices.has(name) && cluster.aliased(name).length > 0)
      throw illegalArgument(`The provided expression [${name}] matches an alias`);
  }
  for (const { name } of resolved(request, cluster)) cluster.indices.delete(name);
  return ok({ acknowledged: true });
}

/** Indices go first, whatever the order, so that an alias may take the name of one. */
function updateAliases({ body }: ApiRequest, cluster: Cluster): Reply {
  const request = body();
  onlyKeys(request, ["actions"], "aliases");
  const actions = listOf(request.actions).map((action) => {
    const [verb, settings] = onlyEntry(objectOf(action, "action"), "action");
    return { verb, settings: objectOf(settings, verb) };
  });
  for (const { verb, settings } of actions)
    if (verb === "remove_index") cluster.indices.delete(cluster.single(String(settings.index)).name);
  for (const { verb, settings } of actions) {
    if (verb === "remove_index") continue;
    const [index, alias] = [cluster.single(String(settings.index)), String(settings.alias)];
    if (verb === "add") cluster.putAlias(index, alias);
    else if (verb === "remove") index.aliases.delete(alias);
    else throw new NotSupported(`[${verb}] of an alias`);
  }
  return ok({ acknowledged: true, errors: false });
}

function getAlias(request: ApiRequest, cluster: Cluster): Reply {
  const { index } = request.params;
  const indices = resolved(request, cluster);
  if (indices.length === 0 && !isPattern(index!)) throw indexNotFound(index!);
  return ok(
    Object.fromEntries(indices.map(({ name, aliases }) => [name, { aliases: Object.fromEntries(aliases) }])),
  );
}
