/** The sync's sessions in Elasticsearch: a lease, the progress that outlives it, and what is done under it. */
import { createHash } from "node:crypto";
import { z } from "zod";
import type { Clock } from "../../lib/clock.js";
import { acquireLease, type Lease, LeaseLost, type LeaseTaken } from "../../retrieval/elasticsearch/lease.js";
import {
  anyOf,
  noDocument,
  over,
  unless,
  type Version,
  versionOf,
} from "../../retrieval/elasticsearch/versions.js";
import { ElasticsearchChunks } from "./elasticsearch-chunks.js";
import { ElasticsearchConnector } from "./elasticsearch-connector.js";
import { type ElasticsearchSyncDeps, releaseSoon, type SessionContext } from "./elasticsearch-context.js";
import { ElasticsearchMetadata } from "./elasticsearch-metadata.js";
import { type ProgressStore, SessionLost, type SyncDoor, type SyncSession } from "./port.js";
import type { SyncProgress } from "./state.js";

export class ElasticsearchDoor implements SyncDoor {
  constructor(private readonly deps: ElasticsearchSyncDeps) {}

  async enter(signal: AbortSignal): Promise<SyncSession | LeaseTaken> {
    const request = { index: this.deps.options.syncIndex, name: nameOf(this.deps.connectorId) };
    const lease = await acquireLease(request, this.deps, signal);
    return lease.type === "taken" ? lease : new ElasticsearchSession(this.deps, lease, signal);
  }
}

function nameOf(connectorId: string): string {
  return `sync:${connectorId}`;
}

class ElasticsearchSession implements SyncSession {
  readonly type = "entered";
  readonly connector: ElasticsearchConnector;
  readonly metadata: ElasticsearchMetadata;
  readonly chunks: ElasticsearchChunks;
  readonly progress: ElasticsearchProgress;
  readonly signal: AbortSignal;
  private readonly clock: Clock;

  constructor(
    deps: ElasticsearchSyncDeps,
    private readonly lease: Lease,
    outer: AbortSignal,
  ) {
    this.clock = deps.clock;
    const lost = new AbortController();
    const onLost = () => lost.abort(sessionLost(lease.signal.reason));
    lease.signal.addEventListener("abort", onLost, { once: true });
    this.signal = AbortSignal.any([outer, lost.signal]);
    const fence = () => {
      this.signal.throwIfAborted();
      try {
        lease.throwIfLost();
      } catch (error) {
        throw sessionLost(error);
      }
    };
    const context: SessionContext = { ...deps, signal: this.signal, fence };
    this.connector = new ElasticsearchConnector(context);
    this.metadata = new ElasticsearchMetadata(context);
    this.chunks = new ElasticsearchChunks(context, this.metadata);
    this.progress = new ElasticsearchProgress(context);
  }

  close(): Promise<void> {
    return releaseSoon(this.lease, this.clock);
  }
}

function sessionLost(reason: unknown): unknown {
  return reason instanceof LeaseLost ? new SessionLost(reason.message, { cause: reason }) : reason;
}

interface StoredProgress {
  readonly kind: "state";
  readonly name: string;
  readonly phase: string;
  readonly updated_at: string;
  /** A text, since Elasticsearch has no use for its inside. */
  readonly state: { readonly json: string };
}

const progressShape = z.object({
  state: z.object({ phase: z.enum(["load", "rules", "job", "reindex", "update"]) }),
  attempts: z.record(z.string(), z.object({ seqNo: z.number(), count: z.number() })),
  turn: z.number(),
});

/** Written over the version that was read or written last only: the fence against a holder that stood still. */
class ElasticsearchProgress implements ProgressStore {
  #version: Version | undefined;
  readonly #id: string;

  constructor(private readonly context: SessionContext) {
    const digest = createHash("sha256").update(nameOf(context.connectorId)).digest("base64url");
    this.#id = `sync-state-${digest}`;
  }

  async load(): Promise<SyncProgress | undefined> {
    const found = await unless(noDocument, this.#read());
    this.#version = found && versionOf(found);
    return found?._source && decodeProgress(found._source.state.json);
  }

  async save(progress: SyncProgress): Promise<void> {
    const { client, clock, connectorId, fence, options, signal } = this.context;
    fence();
    const document: StoredProgress = {
      kind: "state",
      name: nameOf(connectorId),
      phase: progress.state.phase,
      updated_at: new Date(clock.now()).toISOString(),
      state: { json: JSON.stringify(progress) },
    };
    const target = { index: options.syncIndex, id: this.#id, document };
    const version = this.#version;
    const write = client.call(
      "write the sync's progress",
      (api, call) =>
        version === undefined ? api.create(target, call) : api.index({ ...target, ...over(version) }, call),
      signal,
    );
    const written = (await unless(anyOf("conflict"), write)) ?? (await this.#unseen(document));
    if (written === undefined) throw new SessionLost("Another instance of the sync has taken over.");
    this.#version = versionOf(written);
  }

  /** What is stored where it is this document: an attempt whose answer was lost went through. */
  async #unseen({ state }: StoredProgress) {
    const stored = await this.#read();
    return stored._source?.state.json === state.json ? stored : undefined;
  }

  #read() {
    const { client, options, signal } = this.context;
    return client.call(
      "read the sync's progress",
      (api, call) => api.get<StoredProgress>({ index: options.syncIndex, id: this.#id }, call),
      signal,
    );
  }
}

/** What another release has written and this one does not know is begun anew: every step may be done again. */
function decodeProgress(json: string): SyncProgress | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return progressShape.safeParse(value).success ? (value as SyncProgress) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
