/** `readback sync`: brings the knowledge up to date once with what `sync.*` names, or keeps it so. */
import { Command } from "commander";
import { type Ingestion, withIngestion } from "../compose/ingestion.js";
import { COMMAND_DEPS, type Knowledge } from "../compose/knowledge.js";
import { createSyncWorker } from "../compose/syncing.js";
import { loadConfig } from "../config/load.js";
import type { Config } from "../config/schema.js";
import { SyncService } from "../ingest/sync/service.js";
import { createTelemetry, type TelemetryEvent } from "../telemetry/events.js";

export function syncCommand(signal: AbortSignal): Command {
  return new Command("sync")
    .description("Bring the knowledge up to date with the folder, bucket or connector of the settings")
    .option("--watch", "go on, and follow every change until interrupted")
    .addHelpText("after", "\nWhat is synced is set under `sync`; see `readback config`.")
    .action(async ({ watch }: { readonly watch?: boolean }) => {
      const { config } = loadConfig();
      const failed = await sync(config, watch === true, signal);
      if (failed > 0) process.exitCode = 1;
    });
}

/** Returns how many documents failed. */
function sync(config: Config, watch: boolean, signal: AbortSignal): Promise<number> {
  const deps = { ...COMMAND_DEPS, telemetry: createTelemetry([tell]) };
  const work = async (ingestion: Ingestion, knowledge: Knowledge) => {
    const worker = createSyncWorker(config, { knowledge, ingestion, telemetry: deps.telemetry });
    if (watch) {
      const service = new SyncService(worker, deps);
      service.start();
      await aborted(signal);
      await service.stop();
      return 0;
    }
    const { synced, failed, removed } = await worker.once(signal);
    console.log(`${synced} documents synced, ${failed} failed, ${removed} removed.`);
    return failed;
  };
  return withIngestion(config, work, deps);
}

/** What somebody at a terminal wants to see. */
function tell(event: TelemetryEvent): void {
  switch (event.type) {
    case "sync_role_changed":
      if (event.role === "waiting") console.error("Another instance is at work; waiting for it to end.");
      return;
    case "sync_document_failed":
      return console.error(`${event.documentId}: ${event.error}`);
    case "sync_batch_finished": {
      const { synced, failed, postponed, removed, trouble } = event;
      if (synced + failed + postponed + removed > 0)
        console.error(`${synced} synced, ${failed} failed, ${postponed} postponed, ${removed} removed`);
      if (trouble !== undefined) console.error(trouble);
      return;
    }
    case "sync_failed":
      return console.error(`${event.error}; again in ${Math.ceil(event.retryInMs / 1000)} s`);
    default:
      return; // Of no interest here.
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
