/**
 * What is known of a network's index outside of its database: how many documents the last commit left there, and where
 * they came from. A file that is empty or missing says nothing of itself; with this it is known to have been emptied.
 */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { databasePath, type IndexState } from "./database.js";
import { IndexDamaged } from "./index-damaged.js";

export interface IndexRecord {
  readonly network: string;
  /** Of the commit that it tells of. */
  readonly generation: number;
  readonly documents: number;
  /** Folders and buckets that were ingested, those that came last first. */
  readonly sources: readonly string[];
}

/** Sources that are remembered. */
const SOURCES_MAX = 100;

/** Where the record of a network lies. */
export function recordPath(directory: string, network: string): string {
  return databasePath(directory, network).replace(/\.db$/, ".json");
}

/** The record of a network; `undefined` for one that never had documents. */
export function readRecord(directory: string, network: string): IndexRecord | undefined {
  let text: string;
  try {
    text = readFileSync(recordPath(directory, network), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  return parsed(text, network);
}

/** The networks that hold documents by their records, sorted. A record that cannot be read names none. */
export function filledNetworks(directory: string): readonly string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((file) => file.endsWith(".json"))
    .map((file) => recordIn(readFileSync(join(directory, file), "utf8")))
    .flatMap((record) => (record !== undefined && record.documents > 0 ? [record.network] : []))
    .sort();
}

/** Writes the record in one step. */
export function writeRecord(directory: string, record: IndexRecord): void {
  const path = recordPath(directory, record.network);
  const fresh = `${path}.new`;
  // What a writer that died left there may have other permissions.
  rmSync(fresh, { force: true });
  const sources = [...new Set(record.sources)].slice(0, SOURCES_MAX);
  writeFileSync(fresh, JSON.stringify({ ...record, sources }), { mode: 0o600 });
  renameSync(fresh, path);
}

/**
 * Throws `IndexDamaged` when a database holds no documents and is not known to have lost them by a commit. `state` is
 * absent where nothing was ever committed to the file, or there is none.
 */
export function refuseEmptied(
  directory: string,
  network: string,
  state: Pick<IndexState, "generation" | "documentCount"> | undefined,
): void {
  if (state !== undefined && state.documentCount > 0) return;
  const record = readRecord(directory, network);
  if (record === undefined || record.documents === 0) return;
  if (state !== undefined && state.generation > record.generation) return;
  throw new IndexDamaged(`it was emptied: it held ${record.documents} documents, and none is there`);
}

/** A record that cannot be read is one of documents: an empty file beside it is no empty network. */
function parsed(text: string, network: string): IndexRecord {
  const unknown = { generation: Number.MAX_SAFE_INTEGER, documents: 1, sources: [] };
  return { ...(recordIn(text) ?? unknown), network };
}

/** `undefined` where the text is no record. */
function recordIn(text: string): IndexRecord | undefined {
  try {
    const { network, generation, documents, sources } = JSON.parse(text) as Partial<IndexRecord>;
    const isWhole = Number.isInteger(generation) && Number.isInteger(documents) && Array.isArray(sources);
    return isWhole
      ? { network: String(network), generation: generation!, documents: documents!, sources: sources! }
      : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
