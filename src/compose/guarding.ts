/** The guard that the settings want: local scanners, and a server behind them where there is one. */
import type { Config } from "../config/schema.js";
import { LlmGuard } from "../guard/llm-guard.js";
import { TextGuard } from "../guard/text-guard.js";
import type { Clock } from "../lib/clock.js";
import type { Telemetry } from "../telemetry/events.js";

/** One guard for the whole service: what it knows of texts and of its server is shared. */
export function createGuard(
  { guard: options }: Pick<Config, "guard">,
  { clock, telemetry }: { readonly clock: Clock; readonly telemetry: Telemetry },
): TextGuard {
  const { url } = options;
  const server = url === undefined ? undefined : new LlmGuard(clock, { ...options, url });
  return new TextGuard(options, clock, telemetry, server);
}

/** The local scanners alone, where the settings let models be asked while the server still looks. */
export function createLocalGuard(
  { guard: { url, ...options } }: Pick<Config, "guard">,
  { clock, telemetry }: { readonly clock: Clock; readonly telemetry: Telemetry },
): TextGuard | undefined {
  const isBeside = url !== undefined && options.besideModel;
  return isBeside ? new TextGuard(options, clock, telemetry, undefined) : undefined;
}
