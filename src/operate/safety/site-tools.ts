/** What reading and acting at a site have in common: the tools that may be called now, and one call, which is told of. */
import type { Clock } from "../../lib/clock.js";
import { withDeadline } from "../../lib/deadline.js";
import type { SiteOptions, ToolOptions } from "../../sites/options.js";
import { type Site, type SiteArguments, SiteFailure, type SiteReply } from "../../sites/port.js";
import type { Telemetry } from "../../telemetry/events.js";

export interface ConfiguredSite {
  readonly options: SiteOptions;
  readonly site: Site;
}

export interface SiteTool<Options extends ToolOptions = ToolOptions> {
  /** As `{site}.{tool}`. */
  readonly id: string;
  readonly site: string;
  readonly name: string;
  readonly options: Options;
}

export interface SiteCallDeps {
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/** A site keeps the time of a call itself, and looks then whether its system is well: it has so much longer for that. */
const GRACE_MS = 2_000;

/** The sites of the settings, for what reads or acts there. */
export class SiteTools<Deps extends SiteCallDeps = SiteCallDeps> {
  constructor(
    private readonly sites: readonly ConfiguredSite[],
    protected readonly deps: Deps,
  ) {}

  protected site(name: string): ConfiguredSite | undefined {
    return this.sites.find(({ options }) => options.name === name);
  }

  /** Those that users of a network may ask. */
  protected sitesOf(network: string): readonly ConfiguredSite[] {
    return this.sites.filter(({ options }) => options.networks.includes(network));
  }

  protected toolOn(site: string, id: string): SiteTool | undefined {
    const configured = this.site(site);
    return configured && toolsOn(configured).find((tool) => tool.id === id);
  }

  /** One call, given up where the site does not keep its time. Rejects with what came of it, or with the signal's reason. */
  protected async call(tool: SiteTool, args: SiteArguments, signal: AbortSignal): Promise<SiteReply> {
    const { clock, telemetry } = this.deps;
    const { options, site } = this.site(tool.site)!;
    const sinceMs = clock.monotonic();
    let result = "ok";
    try {
      const call = (within: AbortSignal) => site.call(tool.name, args, within);
      return await withDeadline(clock, tool.id, options.callMsMax + GRACE_MS, signal, call);
    } catch (error) {
      result = signal.aborted ? "aborted" : SiteFailure.of(error, "EXECUTION_FAILED").code;
      throw error;
    } finally {
      const ms = clock.monotonic() - sinceMs;
      telemetry.emit({ type: "site_called", site: tool.site, tool: tool.name, result, ms });
    }
  }
}

/** The tools that are on. Of a site that is away those that are configured: it is asked, and found to be out of reach. */
export function toolsOn({ options, site }: ConfiguredSite): readonly SiteTool[] {
  const { state, tools } = site.status();
  const on = new Set(tools.filter(({ isOn }) => isOn).map(({ name }) => name));
  return Object.entries(options.tools)
    .filter(([name]) => state !== "connected" || on.has(name))
    .map(([name, tool]) => ({ id: `${options.name}.${name}`, site: options.name, name, options: tool }));
}
