/** `readback ingest`: brings a network's knowledge up to date with a folder, beside a running service if need be. */
import { Command } from "commander";
import { openSource, withIngestion } from "../compose/ingestion.js";
import { loadConfig } from "../config/load.js";
import type { Config } from "../config/schema.js";
import { FolderSource } from "../ingest/folder-source.js";
import type { FollowEvents } from "../ingest/follow.js";
import { pollSource } from "../ingest/poll.js";
import { FILE_KINDS } from "../ingest/read/read-file.js";
import { watchFolder } from "../ingest/watch.js";
import { isEmptyReport, ProgressBar, reportText } from "./ingest-report.js";
import { ingestTold } from "./ingest-told.js";
import { complain, say } from "./output.js";

interface IngestFlags {
  readonly network: string;
  readonly watch?: boolean;
  readonly strict?: boolean;
}

export function ingestCommand(signal: AbortSignal): Command {
  return new Command("ingest")
    .argument("<path>", "a folder, one document, or a bucket as s3://bucket/prefix")
    .requiredOption("--network <name>", "the network whose documents these are")
    .option("--strict", "end with code 1 also when a word on who may read a document is not understood")
    .option("--watch", "go on, and follow every change until interrupted")
    .addHelpText("after", `\nDocuments are ${FILE_KINDS} files.`)
    .action(async (path: string, { network, watch, strict }: IngestFlags) => {
      const { config } = loadConfig();
      if (watch === true) return follow(path, network, config, signal);
      const report = await withIngestion(config, (ingestion) =>
        ingestTold({ address: path, network }, [], config, ingestion, signal),
      );
      const isDoubtful = strict === true && report.doubtful.length > 0;
      if (report.failed.length > 0 || isDoubtful) process.exitCode = 1;
    });
}

/** Ingests, and again when something changes. Resolves when the signal aborts. */
function follow(path: string, network: string, config: Config, signal: AbortSignal): Promise<void> {
  return withIngestion(config, async (ingestion) => {
    const progress = new ProgressBar();
    let isFirst = true;
    const events: FollowEvents = {
      onProgress: (now) => progress.show(now),
      onReport(report) {
        progress.clear();
        if (isFirst || !isEmptyReport(report)) say(...reportText(report, network));
        if (isFirst) say("Watching for changes; Ctrl-C ends it.");
        isFirst = false;
      },
      onError(error) {
        progress.clear();
        complain(`readback: ${error instanceof Error ? error.message : String(error)}`);
      },
    };
    const source = await openSource(path, config);
    const request = { network, options: config.ingest };
    if (source instanceof FolderSource) {
      await watchFolder({ ...request, source }, ingestion, events, signal);
    } else {
      await pollSource({ ...request, source }, config.sync.pollMs, ingestion, events, signal);
    }
  });
}
