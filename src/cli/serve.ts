/** `readback serve`: runs the service until it is told to stop. */
import { Command } from "commander";
import { loadConfig } from "../config/load.js";
import { LoopGuard } from "../lib/loop-guard.js";
import { createService } from "../main.js";
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
  try {
    const service = await createService(loaded, { guard, rehearses: true });
    await service.start();
    await aborted(signal);
    await service.stop();
  } finally {
    guard.release();
  }
}
