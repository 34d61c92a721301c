/** What a write to a resource may change besides. Pure. */
import type { Resource } from "../domain/resource.js";
import { wholeSite } from "../operate/safety/site-reader.js";

/** These ids with all that they run on or are part of, all that runs on them, and their whole sites. */
export function relatedTo(
  ids: readonly string[],
  all: readonly Pick<Resource, "id" | "parent">[],
): readonly string[] {
  const parents = new Map(all.map(({ id, parent }) => [id, parent]));
  const chainOf = (id: string) => {
    const chain = new Set<string>();
    for (let at: string | undefined = id; at !== undefined && !chain.has(at); at = parents.get(at))
      chain.add(at);
    return [...chain];
  };
  const within = [...parents.keys()].filter((id) => chainOf(id).some((one) => ids.includes(one)));
  const sites = ids.map((id) => wholeSite(id.split("/")[0]!));
  return [...new Set([...ids.flatMap(chainOf), ...within, ...sites])];
}
