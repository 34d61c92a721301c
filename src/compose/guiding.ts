/** Guides, put together: the folder that they lie in, their runs, and the capability that leads people through them. */
import { join } from "node:path";
import type { Config } from "../config/schema.js";
import { GuideLibrary } from "../guide/library/library.js";
import { documentIdOf } from "../ingest/document.js";
import type { Retrieval } from "../retrieval/port.js";
import { StoreUnusable } from "../store/dead-letters.js";
import { openGuideRuns } from "../store/embedded-guide-runs.js";
import { type GuideRuns, MemoryGuideRuns } from "../store/guide-runs.js";
import type { Telemetry } from "../telemetry/events.js";

export interface Guiding {
  readonly library: GuideLibrary;
  readonly runs: GuideRuns;
  close(): Promise<void>;
}

export interface GuidingDeps {
  readonly retrieval: Pick<Retrieval, "readable">;
  readonly telemetry: Telemetry;
}

/** Rejects with `UsageProblem` where a guide cannot be used. Runs that cannot be kept on disk are kept in memory. */
export async function openGuiding(
  { dataDir, guides }: Config,
  { retrieval, telemetry }: GuidingDeps,
): Promise<Guiding> {
  const library = await GuideLibrary.open(
    guides.dir ?? join(dataDir, "guides"),
    async (documents, access, signal) => {
      // A step names a document by its path below its folder, or by its id.
      const ids = new Map(
        documents.flatMap((one) => [[one, one] as const, [documentIdOf(one), one] as const]),
      );
      const readable = await retrieval.readable([...ids.keys()], access, signal);
      return new Set([...readable].flatMap((id) => ids.get(id) ?? []));
    },
  );
  const runs = await openGuideRuns(dataDir).catch((error: unknown) => {
    if (!(error instanceof StoreUnusable)) throw error;
    telemetry.emit({ type: "service_fault", where: "the runs of guides", error: error.message });
    return new MemoryGuideRuns();
  });
  return { library, runs, close: () => runs.close() };
}
