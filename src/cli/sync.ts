/** `readback sync`: brings the knowledge up to date once with what `sync.*` names, or keeps it so. */
import { Command } from "commander";
import { type Ingestion, withIngestion } from "../compose/ingestion.js";
import { COMMAND_DEPS, type Knowledge } from "../compose/knowledge.js";
import { createSyncWorker } from "../compose/syncing.js";
import { loadConfig } from "../config/load.js";
import type { Config } from "../config/schema.js";
import { SyncService } from "../ingest/sync/service.js";
import type { SyncSummary } from "../ingest/sync/worker.js";
import { createTelemetry, type TelemetryEvent } from "../telemetry/events.js";
import { aborted } from "./interruption.js";
import { complain, say } from "./output.js";

export function syncCommand(signal: AbortSignal): Command {
  return new Command("sync")
    .option("--watch", "go on, and follow every change until interrupted")
    .option("--no-strict", "end with code 0 also when a word on who may read a document is not understood")
    .addHelpText("after", "\nWhat is synced is set under `sync`; see `readback config`.")
    .action(async ({ watch, strict }: { readonly watch?: boolean; readonly strict: boolean }) => {
      const { config } = loadConfig();
      const { failed, doubtful } = await sync(config, watch === true, signal);
      if (failed > 0 || (strict && doubtful > 0)) process.exitCode = 1;
    });
}

/** Returns what there was to do; nothing where it goes on until it is ended. */
function sync(config: Config, watch: boolean, signal: AbortSignal): Promise<SyncSummary> {
  const deps = { ...COMMAND_DEPS, telemetry: createTelemetry([tell]) };
  const work = async (ingestion: Ingestion, knowledge: Knowledge) => {
    const worker = createSyncWorker(config, { knowledge, ingestion, telemetry: deps.telemetry });
    if (watch) {
      const service = new SyncService(worker, deps);
      service.start();
      await aborted(signal);
      await service.stop();
      return { synced: 0, failed: 0, removed: 0, doubtful: 0 };
    }
    const summary = await worker.once(signal);
    const { synced, failed, removed, doubtful } = summary;
    say(
      `${synced} documents synced, ${failed} failed, ${doubtful} restricted to nobody, ${removed} removed.`,
    );
    return summary;
  };
  return withIngestion(config, work, deps);
}

/** What somebody at a terminal wants to see. */
function tell(event: TelemetryEvent): void {
  switch (event.type) {
    case "sync_role_changed":
      if (event.role === "waiting") complain("Another instance is at work; waiting for it to end.");
      return;
    case "sync_document_failed":
      return complain(`${event.documentId}: ${event.error}`);
    case "document_access_doubtful":
      return complain(`${event.documentId}: nobody may read it: ${event.doubt}`);
    case "sync_batch_finished": {
      const { synced, failed, postponed, removed, trouble } = event;
      if (synced + failed + postponed + removed > 0)
        complain(`${synced} synced, ${failed} failed, ${postponed} postponed, ${removed} removed`);
      if (trouble !== undefined) complain(trouble);
      return;
    }
    case "sync_failed":
      return complain(`${event.error}; again in ${Math.ceil(event.retryInMs / 1000)} s`);
    default:
      return; // Of no interest here.
  }
}
