/** What the parts of a session in Elasticsearch have in common. */
import type { Visibility } from "../../domain/passage.js";
import type { Clock } from "../../lib/clock.js";
import { DeadlineExceeded, withDeadline } from "../../lib/deadline.js";
import type { Random } from "../../lib/random.js";
import { type ElasticsearchClient, ElasticsearchProblem } from "../../retrieval/elasticsearch/client.js";
import type { Lease } from "../../retrieval/elasticsearch/lease.js";
import type { ElasticsearchOptions } from "../../retrieval/elasticsearch/options.js";

export interface ElasticsearchSyncDeps {
  /** Stays open when a session is closed. */
  readonly client: ElasticsearchClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly options: ElasticsearchOptions;
  readonly connectorId: string;
  /** The bucket that the connector reads. */
  readonly bucket: string;
  /** Of metadata that say nothing about who may read the document. */
  readonly defaultVisibility: Visibility;
  /** Whether chunks are given to the cluster's own model: whether the leg `semantic` is configured. */
  readonly semantic: boolean;
}

/** Under a lease. */
export interface SessionContext extends ElasticsearchSyncDeps {
  readonly signal: AbortSignal;
  /** Throws when the lease is lost; called before every write. */
  readonly fence: () => void;
}

/** Time to let go of a lease. */
const RELEASE_MS_MAX = 15_000;

/**
 * Lets go of a lease, even when the work was called off. Where Elasticsearch cannot be told in time, the lease runs out
 * by itself: no reason to fail what was done under it.
 */
export async function releaseSoon(lease: Lease, clock: Clock): Promise<void> {
  const unending = new AbortController().signal;
  try {
    await withDeadline(clock, "letting go of a lease", RELEASE_MS_MAX, unending, (signal) =>
      lease.release(signal),
    );
  } catch (error) {
    if (!(error instanceof DeadlineExceeded || error instanceof ElasticsearchProblem)) throw error;
  }
}
