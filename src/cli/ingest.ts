/** `readback ingest`: brings a network's knowledge up to date with a folder, beside a running service if need be. */
import { Command } from "commander";
import { loadConfig } from "../config/load.js";
import type { Config } from "../config/schema.js";
import { type IngestProgress, type IngestReport, ingest } from "../ingest/ingest.js";
import { systemClock } from "../lib/clock.js";
import { knowledgeDirectory } from "../retrieval/embedded/database.js";
import { openEmbeddedWriter } from "../retrieval/embedded/embedded-writer.js";

export function ingestCommand(signal: AbortSignal): Command {
  return new Command("ingest")
    .description("Bring a network's knowledge up to date with a folder of documents")
    .argument("<path>", "a folder, or one document (Markdown or text)")
    .requiredOption("--network <name>", "the network whose documents these are")
    .action(async (path: string, { network }: { network: string }) => {
      const report = await ingestFolder(path, network, loadConfig().config, signal);
      if (report.failed.length > 0) process.exitCode = 1;
    });
}

/** Ingests with progress on standard error, and prints what came of it. */
export async function ingestFolder(
  path: string,
  network: string,
  config: Config,
  signal: AbortSignal,
): Promise<IngestReport> {
  const directory = knowledgeDirectory(config.dataDir);
  const deps = { clock: systemClock, openWriter: (name: string) => openEmbeddedWriter(directory, name) };
  const progress = new ProgressBar(process.stderr);
  try {
    const report = await ingest(
      { path, network, options: config.ingest },
      deps,
      (now) => progress.show(now),
      signal,
    );
    progress.clear();
    console.log(reportText(report, network));
    return report;
  } finally {
    progress.clear();
  }
}

/** The report as lines for a person: the sums, then each file with something to say about it. */
export function reportText(report: IngestReport, network: string): string {
  const { added, updated, unchanged, removed, failed, warnings, ignored, withDefaultVisibility } = report;
  const sums = `${added} added, ${updated} updated, ${unchanged} unchanged, ${removed} removed, ${failed.length} failed`;
  return [
    `${network}: ${sums} (${Math.round(report.elapsedMs)} ms)`,
    ...(withDefaultVisibility > 0
      ? [`  ${withDefaultVisibility} without a word on who may read them got the default`]
      : []),
    ...(ignored > 0 ? [`  ${ignored} files of other kinds were left out`] : []),
    ...warnings.map(({ file, message }) => `  warning: ${file}: ${message}`),
    ...failed.map(({ file, message }) => `  failed: ${file}: ${message}`),
  ].join("\n");
}

const BAR_WIDTH = 24;

/** One line that is drawn over; nothing at all where nobody watches. */
class ProgressBar {
  constructor(private readonly terminal: NodeJS.WriteStream) {}

  show({ done, total, documentsPerSecond }: IngestProgress): void {
    if (!this.terminal.isTTY) return;
    const filled = total === 0 ? BAR_WIDTH : Math.round((BAR_WIDTH * done) / total);
    const bar = "█".repeat(filled) + "░".repeat(BAR_WIDTH - filled);
    const secondsLeft = documentsPerSecond > 0 ? Math.ceil((total - done) / documentsPerSecond) : 0;
    this.terminal.write(
      `\r${bar} ${done}/${total}  ${Math.round(documentsPerSecond)}/s  ${secondsLeft} s left\u001b[K`,
    );
  }

  clear(): void {
    if (this.terminal.isTTY) this.terminal.write("\r\u001b[K");
  }
}
