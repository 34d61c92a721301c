/** What reading and acting at a site have in common: the tools that may be called now, and one call with its deadline. */
import type { Clock } from "../../lib/clock.js";
import { DeadlineExceeded, withDeadline } from "../../lib/deadline.js";
import type { SiteOptions, ToolOptions } from "../../sites/options.js";
import { type Site, SiteFailure, type SiteReply } from "../../sites/port.js";
import type { Telemetry } from "../../telemetry/events.js";

/** A site with its settings. */
export interface ConfiguredSite {
  readonly options: SiteOptions;
  readonly site: Site;
}

/** A tool of a site, with its settings. */
export interface SiteTool<Options extends ToolOptions = ToolOptions> {
  /** As `{site}.{tool}`. */
  readonly id: string;
  readonly site: string;
  readonly name: string;
  readonly options: Options;
}

export function sitesByName(sites: readonly ConfiguredSite[]): ReadonlyMap<string, ConfiguredSite> {
  return new Map(sites.map((one) => [one.options.name, one]));
}

/** The tools that are on. Of a site that is away those that are configured: it is asked, and found to be out of reach. */
export function toolsOn({ options, site }: ConfiguredSite): readonly SiteTool[] {
  const { state, tools } = site.status();
  const on = new Set(tools.filter(({ isOn }) => isOn).map(({ name }) => name));
  return Object.entries(options.tools).flatMap(([name, tool]) =>
    state === "connected" && !on.has(name)
      ? []
      : [{ id: `${options.name}.${name}`, site: options.name, name, options: tool }],
  );
}

export interface SiteCallDeps {
  readonly clock: Clock;
  /** Takes how each call ended, and how long it took. */
  readonly telemetry: Telemetry;
}

/** One call within the site's deadline. Rejects with what `failureOf` tells, or with the signal's reason. */
export async function callTool(
  { clock, telemetry }: SiteCallDeps,
  { options, site }: ConfiguredSite,
  { id, name }: SiteTool,
  args: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<SiteReply> {
  const sinceMs = clock.monotonic();
  let result = "ok";
  try {
    return await withDeadline(clock, id, options.callMsMax, signal, (within) =>
      site.call(name, args, within),
    );
  } catch (error) {
    result = signal.aborted ? "aborted" : failureOf(error).code;
    throw error;
  } finally {
    const ms = clock.monotonic() - sinceMs;
    telemetry.emit({ type: "site_called", site: options.name, tool: name, result, ms });
  }
}

/** Why a call failed, with a code: that of a deadline, of the site, or that it is not known. */
export function failureOf(error: unknown): Pick<SiteFailure, "code" | "message"> {
  if (error instanceof SiteFailure) return error;
  if (error instanceof DeadlineExceeded) return { code: "TIMEOUT", message: error.message };
  return { code: "EXECUTION_FAILED", message: String(error) };
}
