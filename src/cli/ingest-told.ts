/** One ingest as commands run it: told to whoever watches, or without a word. */
import { type Ingestion, openSource, withIngestion } from "../compose/ingestion.js";
import type { Config } from "../config/schema.js";
import { type IngestDeps, type IngestRequest, ingest } from "../ingest/ingest.js";
import type { IngestReport } from "../ingest/report.js";
import { ProgressBar, reportText } from "./ingest-report.js";
import { say } from "./output.js";

/** What is ingested, and where it goes. */
export interface Ingested extends Pick<IngestRequest, "network" | "only"> {
  /** A folder, a document or a bucket. */
  readonly address: string;
}

/** Ingests with progress on standard error, and prints `heading` and what came of it. */
export async function ingestTold(
  { address, ...rest }: Ingested,
  heading: readonly string[],
  config: Config,
  deps: IngestDeps,
  signal: AbortSignal,
): Promise<IngestReport> {
  const progress = new ProgressBar();
  try {
    const request = { ...rest, source: await openSource(address, config), options: config.ingest };
    const report = await ingest(request, deps, (now) => progress.show(now), signal);
    progress.clear();
    say(...heading, ...reportText(report, rest.network));
    return report;
  } finally {
    progress.clear();
  }
}

/** Ingests all of `folder` into an index of its own. Rejects where one of its files cannot be ingested. */
export function ingestWhole(
  folder: string,
  network: string,
  config: Config,
  signal: AbortSignal,
): Promise<void> {
  return withIngestion(config, async (ingestion: Ingestion) => {
    const request = { source: await openSource(folder, config), network, options: config.ingest };
    const [failed] = (await ingest(request, ingestion, () => undefined, signal)).failed;
    if (failed !== undefined) throw new Error(`${failed.file} cannot be ingested: ${failed.message}`);
  });
}
