/** `readback serve`: runs the service until it is told to stop. */
import { Command } from "commander";
import { claimDataDirectory } from "../compose/data-directory.js";
import { loadConfig } from "../config/load.js";
import { LoopGuard } from "../lib/loop-guard.js";
import type { ProcessLock } from "../lib/process-lock.js";
import { aborted } from "./interruption.js";

/** How long the service may take to close, once answers under way have finished. */
export const CLOSE_MS_MAX = 5_000;

export function serveCommand(signal: AbortSignal): Command {
  return new Command("serve").action(() => serve(signal));
}

async function serve(signal: AbortSignal): Promise<void> {
  const loaded = loadConfig();
  const guard = new LoopGuard(loaded.config.shutdownGraceMs + CLOSE_MS_MAX);
  // Also while it starts.
  signal.addEventListener("abort", () => guard.stopping(), { once: true });
  let claim: ProcessLock | undefined;
  try {
    claim = await claimDataDirectory(loaded.config.dataDir);
    // The rest of the service is loaded once the settings are known to be sound.
    const { createService } = await import("../main.js");
    const service = await createService(loaded, { guard, rehearses: loaded.config.rehearsalMs > 0 });
    await service.start();
    await aborted(signal);
    await service.stop();
  } finally {
    claim?.release();
    guard.release();
  }
}
