/** `readback index check` and `rebuild --network`: what an operator does about the index of one network, embedded engine. */
import { withIngestion } from "../compose/ingestion.js";
import { COMMAND_DEPS } from "../compose/knowledge.js";
import type { Config } from "../config/schema.js";
import { systemClock } from "../lib/clock.js";
import { knowledgeDirectory } from "../retrieval/embedded/database.js";
import { checkInProcess } from "../retrieval/embedded/index-check.js";
import { readRecord } from "../retrieval/embedded/index-record.js";
import { rebuildDirectory, takePlace } from "../retrieval/embedded/rebuild.js";
import { openWriterProcess } from "../retrieval/embedded/writer-process.js";
import { ingestTold } from "./ingest-told.js";
import { say } from "./output.js";

/** Prints what is found; the exit code is 1 unless the index is sound. */
export async function checkIndex(network: string, config: Config, signal: AbortSignal): Promise<void> {
  const directory = knowledgeDirectory(config.dataDir);
  const verdict = await checkInProcess({ clock: systemClock, directory, network }, signal);
  if (verdict.type === "sound") {
    const { documents, chunks } = verdict;
    return say(`The index of ${network} is sound: ${documents} documents, ${chunks} passages.`);
  }
  say(...verdict.message.split("\n"));
  process.exitCode = 1;
}

/**
 * Ingests what the network was made of, or `from`, into a new index, and puts it in the place of the old one. Where any
 * of it cannot be had, everything stays as it is. Rejects with a message that says what to do.
 */
export async function rebuildIndex(
  network: string,
  from: readonly string[],
  config: Config,
  signal: AbortSignal,
): Promise<void> {
  const directory = knowledgeDirectory(config.dataDir);
  const sources = from.length > 0 ? from : (readRecord(directory, network)?.sources ?? []);
  if (sources.length === 0)
    throw new Error(
      `It is not known where the documents of ${network} come from. Name the folder or the bucket: ` +
        `npx readback index rebuild --network ${network} --from <path>`,
    );
  const building = rebuildDirectory(directory, network);
  await withIngestion(config, async (ingestion) => {
    const deps = {
      ...ingestion,
      openWriter: () =>
        openWriterProcess({ clock: COMMAND_DEPS.clock, directory: building }, network, signal),
    };
    // The oldest first, as they came.
    for (const address of [...sources].reverse())
      await ingestTold({ address, network }, [address], config, deps, signal);
  });
  if (readRecord(building, network) === undefined)
    throw new Error(`Nothing was found to build the index of ${network} from in ${sources.join(", ")}.`);
  const aside = takePlace(building, directory, network, new Date(systemClock.now()));
  say(`The index of ${network} was built anew${aside === undefined ? "" : `; the old file is ${aside}`}.`);
}
