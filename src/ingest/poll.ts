/** Keeps the knowledge of a network up to date with a source that is looked at from time to time, such as a bucket. */
import { sleep } from "../lib/clock.js";
import type { FollowEvents } from "./follow.js";
import { type IngestDeps, type IngestRequest, ingest } from "./ingest.js";
import type { FailureReason, IngestReport } from "./report.js";
import { isManifestName, type Listing } from "./source.js";

/**
 * Ingests a source, and lists it every `intervalMs` to ingest what has another version than before; a source that
 * knows no versions is ingested whole each time. What failed for no reason of its own is tried again each time.
 * Resolves when the signal aborts.
 */
export async function pollSource(
  request: Omit<IngestRequest, "only">,
  intervalMs: number,
  deps: IngestDeps,
  events: FollowEvents,
  signal: AbortSignal,
): Promise<void> {
  let known: Versions | undefined;
  try {
    for (;;) {
      try {
        known = await look(request, known, deps, events, signal);
      } catch (error) {
        signal.throwIfAborted();
        // What was known stays known: the next look finds the same changes, and more.
        events.onError(error);
      }
      await sleep(deps.clock, intervalMs, signal);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Version by path. */
type Versions = ReadonlyMap<string, string | undefined>;

/** One look: returns the versions that need not be ingested again. */
async function look(
  request: Omit<IngestRequest, "only">,
  known: Versions | undefined,
  deps: IngestDeps,
  events: FollowEvents,
  signal: AbortSignal,
): Promise<Versions> {
  const listing = await request.source.list(signal);
  const only = known === undefined ? undefined : changedPaths(known, listing);
  if (only?.length === 0) return known!;
  const part = only === undefined ? request : { ...request, only };
  const report = await ingest(part, deps, (progress) => events.onProgress?.(progress), signal);
  events.onReport(report, only);
  return settledVersions(listing, report);
}

/** What is new, changed or gone; undefined: everything, since the manifest changed or nothing is known of versions. */
export function changedPaths(known: Versions, { entries }: Listing): readonly string[] | undefined {
  const changed = entries.filter(({ path, version }) => version === undefined || known.get(path) !== version);
  const present = new Set(entries.map(({ path }) => path));
  const paths = [
    ...changed.map(({ path }) => path),
    ...[...known.keys()].filter((path) => !present.has(path)),
  ];
  const concernsAll = paths.some(isManifestName) || entries.some(({ version }) => version === undefined);
  return concernsAll ? undefined : paths;
}

/** Failures that may pass although the file stays as it is. */
const PASSING: ReadonlySet<FailureReason> = new Set(["unreadable", "unavailable", "not_embedded"]);

function settledVersions({ entries }: Listing, { failed }: IngestReport): Versions {
  const again = new Set(failed.filter(({ reason }) => PASSING.has(reason)).map(({ path }) => path));
  return new Map(entries.map(({ path, version }) => [path, again.has(path) ? undefined : version]));
}
