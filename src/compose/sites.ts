/** The systems of the settings' sites, ready to be connected. */
import type { Clock } from "../lib/clock.js";
import type { Random } from "../lib/random.js";
import { HOST_TOOLS, HostSite, type HostSiteOptions } from "../sites/host/host-site.js";
import type { McpSiteOptions } from "../sites/mcp/connection.js";
import { McpSite } from "../sites/mcp/mcp-site.js";
import type { SiteOptions, ToolOptions } from "../sites/options.js";
import type { Site } from "../sites/port.js";
import type { Telemetry } from "../telemetry/events.js";

export interface SitesDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly telemetry: Telemetry;
  /** PATH and HOME of the service, for the processes of servers. */
  readonly environment: Readonly<Record<string, string>>;
}

/** How a site of each type of `server.type` is made. */
const FACTORIES: Readonly<
  Record<SiteOptions["server"]["type"], (options: SiteOptions, deps: SitesDeps) => Site>
> = {
  mcp: (options, deps) => new McpSite(options as McpSiteOptions, deps),
  host: (options, deps) => new HostSite(options as HostSiteOptions, deps),
};

/** Every site by its name. Connects to nothing yet. */
export function createSites(sites: readonly SiteOptions[], deps: SitesDeps): ReadonlyMap<string, Site> {
  return new Map(sites.map((options) => [options.name, FACTORIES[options.server.type](options, deps)]));
}

/** What the tools of a site do: those of the settings, and of a machine its own. */
export function toolsOf({ server, tools }: SiteOptions): Readonly<Record<string, ToolOptions>> {
  return server.type === "host" ? HOST_TOOLS : tools;
}
