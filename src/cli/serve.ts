/** `readback serve`: runs the service until it is told to stop. */
import { Command } from "commander";
import { loadConfig } from "../config/load.js";
import { createService } from "../main.js";

export function serveCommand(signal: AbortSignal): Command {
  return new Command("serve")
    .description("Run the service: relays on one port, HTTP on another, metrics on a third")
    .action(() => serve(signal));
}

async function serve(signal: AbortSignal): Promise<void> {
  const service = await createService(loadConfig());
  await service.start();
  await aborted(signal);
  await service.stop();
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
