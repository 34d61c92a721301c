/** The systems of the settings' sites, ready to be connected. */
import type { Clock } from "../lib/clock.js";
import type { Random } from "../lib/random.js";
import { UsageProblem } from "../lib/usage-problem.js";
import { createHostSite } from "../sites/host/host-site.js";
import { McpSite, type McpSiteOptions } from "../sites/mcp/mcp-site.js";
import type { SiteOptions } from "../sites/options.js";
import type { Site } from "../sites/port.js";
import { ToldSite } from "../sites/told-site.js";
import type { Telemetry } from "../telemetry/events.js";

export interface SitesDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly telemetry: Telemetry;
  /** PATH and HOME of the service, for the processes of servers. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Makes a site of one type of `server.type`. */
export type SiteFactory = (options: SiteOptions, deps: SitesDeps) => Site;

const FACTORIES: Readonly<Record<string, SiteFactory>> = {
  mcp: (options, deps) => new McpSite(options as McpSiteOptions, deps),
  host: createHostSite,
};

/** Every site by its name. Connects to nothing yet. Throws `UsageProblem`. */
export function createSites(
  sites: readonly SiteOptions[],
  deps: SitesDeps,
  factories = FACTORIES,
): ReadonlyMap<string, Site> {
  return new Map(
    sites.map((options, at) => {
      const { type } = options.server;
      const create = factories[type];
      if (create === undefined)
        throw new UsageProblem(`sites.${at}.server.type: there are no sites of type ${type}.`);
      return [options.name, new ToldSite(create(options, deps), deps)];
    }),
  );
}
