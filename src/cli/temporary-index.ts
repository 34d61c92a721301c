/** An embedded index that a command makes for itself, in a folder of its own that is removed afterwards. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Config } from "../config/schema.js";

/** Runs `work` with the settings of the index, which are otherwise those of `config`. */
export async function inTemporaryIndex<T>(config: Config, work: (asked: Config) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), "readback-index-"));
  try {
    return await work({ ...config, dataDir, retrieval: { ...config.retrieval, engine: "embedded" } });
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
