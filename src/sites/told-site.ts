/** A site of any kind, with every call told to telemetry: how it ended, and how long it took. */
import type { Clock } from "../lib/clock.js";
import type { Telemetry } from "../telemetry/events.js";
import {
  type Site,
  SiteFailure,
  type SiteReply,
  type SiteResource,
  type SiteState,
  type SiteStatus,
} from "./port.js";

export class ToldSite implements Site {
  constructor(
    private readonly site: Site,
    private readonly deps: { readonly clock: Clock; readonly telemetry: Telemetry },
  ) {}

  get name(): string {
    return this.site.name;
  }

  start(): Promise<void> {
    return this.site.start();
  }

  status(): SiteStatus {
    return this.site.status();
  }

  resources(): readonly SiteResource[] {
    return this.site.resources?.() ?? [];
  }

  get steadyState(): SiteState | undefined {
    return this.site.steadyState;
  }

  close(): Promise<void> {
    return this.site.close();
  }

  async call(tool: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<SiteReply> {
    const { clock, telemetry } = this.deps;
    const sinceMs = clock.monotonic();
    const tell = (result: string) => {
      const ms = clock.monotonic() - sinceMs;
      telemetry.emit({ type: "site_called", site: this.name, tool, result, ms });
    };
    try {
      const reply = await this.site.call(tool, args, signal);
      tell("ok");
      return reply;
    } catch (error) {
      tell(error instanceof SiteFailure ? error.code : "aborted");
      throw error;
    }
  }
}
