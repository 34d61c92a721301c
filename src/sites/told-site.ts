/** A site of any kind, with every call told to telemetry: how it ended, and how long it took. */
import type { Clock } from "../lib/clock.js";
import type { Telemetry } from "../telemetry/events.js";
import { type Site, SiteFailure } from "./port.js";

export function toldSite(
  site: Site,
  { clock, telemetry }: { readonly clock: Clock; readonly telemetry: Telemetry },
): Site {
  const { name } = site;
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
  const resources = site.resources?.bind(site);
  return {
    name,
    start: () => site.start(),
    status: () => site.status(),
    call,
    ...(resources && { resources }),
    ...(site.steadyState && { steadyState: site.steadyState }),
    close: () => site.close(),
  };
}
