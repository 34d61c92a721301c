/** The systems of the settings' sites, ready to be connected. */
import { HOST_TOOLS, HostSite, type HostSiteOptions } from "../sites/host/host-site.js";
import { type McpDeps, McpSite, type McpSiteOptions } from "../sites/mcp/mcp-site.js";
import type { SiteOptions, ToolOptions } from "../sites/options.js";
import type { Site } from "../sites/port.js";

/** Every site by its name. Connects to nothing yet. */
export function createSites(sites: readonly SiteOptions[], deps: McpDeps): ReadonlyMap<string, Site> {
  const made = (one: SiteOptions) =>
    one.server.type === "host"
      ? new HostSite(one as HostSiteOptions, deps)
      : new McpSite(one as McpSiteOptions, deps);
  return new Map(sites.map((one) => [one.name, made(one)]));
}

/** What the tools of a site do: those of the settings, and of a machine its own. */
export function toolsOf({ server, tools }: SiteOptions): Readonly<Record<string, ToolOptions>> {
  return server.type === "host" ? HOST_TOOLS : tools;
}
