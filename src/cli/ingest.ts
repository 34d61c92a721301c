/** `readback ingest`: brings a network's knowledge up to date with a folder, beside a running service if need be. */
import { Command } from "commander";
import { loadConfig } from "../config/load.js";
import type { Config } from "../config/schema.js";
import { ingest } from "../ingest/ingest.js";
import type { IngestReport } from "../ingest/report.js";
import { hasFailed, ProgressBar, reportText } from "./ingest-report.js";
import { openSource, withIngestion } from "./ingestion.js";

export function ingestCommand(signal: AbortSignal): Command {
  return new Command("ingest")
    .description("Bring a network's knowledge up to date with a folder of documents")
    .argument("<path>", "a folder, or one document (Markdown or text)")
    .requiredOption("--network <name>", "the network whose documents these are")
    .action(async (path: string, { network }: { network: string }) => {
      const report = await ingestFolder(path, network, loadConfig().config, signal);
      if (hasFailed(report)) process.exitCode = 1;
    });
}

/** Ingests with progress on standard error, and prints what came of it. */
export function ingestFolder(
  path: string,
  network: string,
  config: Config,
  signal: AbortSignal,
): Promise<IngestReport> {
  return withIngestion(config, async (ingestion) => {
    const progress = new ProgressBar(process.stderr);
    try {
      const request = { source: await openSource(path), network, options: config.ingest };
      const report = await ingest(request, ingestion, (now) => progress.show(now), signal);
      progress.clear();
      console.log(reportText(report, network));
      return report;
    } finally {
      progress.clear();
    }
  });
}
