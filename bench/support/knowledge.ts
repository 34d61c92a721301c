/** A data directory with something to search in: the sample handbook, indexed for the network of the benchmarks. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openSource, withIngestion } from "../../src/compose/ingestion.js";
import { loadConfig } from "../../src/config/load.js";
import { ingest } from "../../src/ingest/ingest.js";
import { NETWORK } from "./relay.js";

const HANDBOOK = fileURLToPath(new URL("../../../examples/handbook", import.meta.url));

/**
 * Runs `work` with the directory, and removes it. `more`: documents beside the handbook, file name to text; all of them
 * are every network's.
 */
export async function withKnowledge<T>(
  work: (dataDir: string) => Promise<T>,
  more: Readonly<Record<string, string>> = {},
  networks: readonly string[] = [NETWORK],
): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), "readback-bench-"));
  const [dataDir, documents] = [join(directory, "data"), join(directory, "documents")];
  try {
    cpSync(HANDBOOK, documents, { recursive: true });
    for (const [name, text] of Object.entries(more)) writeFileSync(join(documents, name), text);
    const { config } = loadConfig({}, { data_dir: dataDir });
    const signal = new AbortController().signal;
    await withIngestion(config, async (ingestion) => {
      for (const network of networks) {
        const source = await openSource(documents, config);
        await ingest({ source, network, options: config.ingest }, ingestion, () => {}, signal);
      }
    });
    return await work(dataDir);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
