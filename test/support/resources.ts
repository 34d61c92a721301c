/** Resources of a plant that a test makes up. */
import type { Resource } from "../../src/domain/resource.js";
import { resourceId } from "../../src/operate/targets/registry.js";

/** One of the site "plant" and the network "n", known to everybody there unless `more` says otherwise. */
export function plantResource(
  kind: string,
  address: string,
  names: [string, ...string[]],
  more: Partial<Resource> = {},
): Resource {
  const access = { network: "n", visibility: "network", allowedUsers: [], allowedGroups: [] } as const;
  return {
    ...{ id: resourceId("plant", kind, address), site: "plant", kind, names, address, paths: [], access },
    ...more,
  };
}
