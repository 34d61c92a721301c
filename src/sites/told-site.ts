/** A site of any kind, with every call told to telemetry: how it ended, and how long it took. */
import type { Clock } from "../lib/clock.js";
import type { Telemetry } from "../telemetry/events.js";
import { type Site, SiteFailure } from "./port.js";

export function toldSite(site: Site, { clock, telemetry }: { clock: Clock; telemetry: Telemetry }): Site {
  const { name, steadyState } = site;
  const call: Site["call"] = async (tool, args, signal) => {
    const sinceMs = clock.monotonic();
    let result = "ok";
    try {
      return await site.call(tool, args, signal);
    } catch (error) {
      result = error instanceof SiteFailure ? error.code : "aborted";
      throw error;
    } finally {
      telemetry.emit({ type: "site_called", site: name, tool, result, ms: clock.monotonic() - sinceMs });
    }
  };
  return {
    name,
    ...(steadyState && { steadyState }),
    ...(site.resources && { resources: site.resources.bind(site) }),
    start: () => site.start(),
    status: () => site.status(),
    call,
    close: () => site.close(),
  };
}
