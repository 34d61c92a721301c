/**
 * One holder at a time: a document that says who works on something and until when. It is written only over the
 * version that was read (`if_seq_no`, `if_primary_term`), so that of two who want it one gets it. A holder that dies
 * lets go when its time is over; the clocks of the machines should agree within a fraction of that.
 */
import { createHash } from "node:crypto";
import { type Clock, every, type Timer } from "../../lib/clock.js";
import type { Random } from "../../lib/random.js";
import type { ElasticsearchClient } from "./client.js";
import { anyOf, noDocument, over, unless, type Version, versionOf } from "./versions.js";

/** How long a holder that is not heard of keeps the lease, in milliseconds. */
export const LEASE_TTL_MS = 60_000;

/** A live holder says so this often within that time. */
const RENEWALS_PER_TTL = 4;

export interface LeaseDeps {
  readonly client: ElasticsearchClient;
  readonly clock: Clock;
  readonly random: Random;
}

export interface LeaseRequest {
  /** The alias of the index with the leases. */
  readonly index: string;
  /** What it is about, such as `writer:<network>`. */
  readonly name: string;
}

/** Somebody else holds it. */
export interface LeaseTaken {
  readonly type: "taken";
  /** When it ends unless the holder goes on; milliseconds since the epoch. */
  readonly expiresAtMs: number;
}

/** The lease was lost while it was needed: its holder was not heard of for too long, or somebody removed it. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

/** A document of a lease, as it is stored. */
interface StoredLease {
  readonly kind: "lease";
  readonly name: string;
  readonly owner: string;
  readonly expires_at: string;
}

/** Takes the lease if it is free or its holder's time is over. Rejects with `ElasticsearchProblem`. */
export async function acquireLease(
  request: LeaseRequest,
  deps: LeaseDeps,
  signal: AbortSignal,
): Promise<Lease | LeaseTaken> {
  const id = leaseId(request.name);
  const owner = deps.random.id();
  for (let attempt = 1; attempt <= ACQUIRE_ATTEMPTS_MAX; attempt++) {
    const current = await readLease(deps.client, request.index, id, signal);
    if (current !== undefined && current.owner !== owner && current.expiresAtMs > deps.clock.now()) {
      return { type: "taken", expiresAtMs: current.expiresAtMs };
    }
    const version = await writeLease(request, deps, { id, owner, read: current?.version }, signal);
    if (version !== undefined) return new Lease(request, deps, { id, owner, version });
  }
  return { type: "taken", expiresAtMs: deps.clock.now() + LEASE_TTL_MS };
}

/** Somebody else was quicker, or our own write went through unseen: look again. */
const ACQUIRE_ATTEMPTS_MAX = 3;

/** The names of the leases that are held at this moment and begin with `prefix`. */
export async function heldLeases(
  index: string,
  prefix: string,
  { client, clock }: LeaseDeps,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { hits } = await client.call(
    "search for leases",
    (api, options) =>
      api.search<StoredLease>(
        {
          index,
          size: HELD_LEASES_MAX,
          query: { bool: { filter: [{ term: { kind: "lease" } }, { prefix: { name: prefix } }] } },
          allow_partial_search_results: false,
        },
        options,
      ),
    signal,
  );
  return hits.hits
    .flatMap(({ _source }) => (_source === undefined ? [] : [_source]))
    .filter(({ expires_at }) => Date.parse(expires_at) > clock.now())
    .map(({ name }) => name);
}

const HELD_LEASES_MAX = 1_000;

type LeaseState =
  | { readonly type: "held"; readonly version: Version; readonly renewedAtMs: number }
  | { readonly type: "lost" | "released" };

/** A lease that is held, and renewed by itself until it is released. */
export class Lease {
  readonly type = "held";
  readonly #id: string;
  readonly #owner: string;
  readonly #lost = new AbortController();
  readonly #renewal: Timer;
  #state: LeaseState;
  #renewing: Promise<void> = Promise.resolve();

  constructor(
    private readonly request: LeaseRequest,
    private readonly deps: LeaseDeps,
    { id, owner, version }: { readonly id: string; readonly owner: string; readonly version: Version },
  ) {
    this.#id = id;
    this.#owner = owner;
    this.#state = { type: "held", version, renewedAtMs: deps.clock.monotonic() };
    this.#renewal = every(deps.clock, LEASE_TTL_MS / RENEWALS_PER_TTL, () => {
      this.#renewing = this.#renewing.then(() => this.#renew());
    });
  }

  /** Aborts with `LeaseLost` when it is no longer ours: for everything that is done under it. */
  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  /**
   * Throws `LeaseLost` when it is not ours or its time is over, even if nobody has noticed yet: a process that stood
   * still looks here before it writes.
   */
  throwIfLost(): void {
    const state = this.#state;
    if (state.type === "held" && this.deps.clock.monotonic() - state.renewedAtMs >= LEASE_TTL_MS)
      this.#lose("this process stood still, or Elasticsearch could not be reached, for too long");
    this.signal.throwIfAborted();
  }

  /** Lets the next one in; does nothing when it is no longer ours. Rejects with `ElasticsearchProblem`. */
  async release(signal: AbortSignal): Promise<void> {
    this.#renewal.cancel();
    await this.#renewing;
    const state = this.#state;
    if (state.type !== "held") return;
    this.#state = { type: "released" };
    const target = { index: this.request.index, id: this.#id, ...over(state.version), refresh: true };
    const released = this.deps.client.call(
      "release a lease",
      (api, options) => api.delete(target, options),
      signal,
    );
    // Somebody took it over, or an earlier attempt went through: it is not ours any more.
    await unless(anyOf("missing", "conflict"), released);
  }

  async #renew(): Promise<void> {
    const state = this.#state;
    if (state.type !== "held") return;
    const { clock } = this.deps;
    const startMs = clock.monotonic();
    try {
      const written = { id: this.#id, owner: this.#owner, read: state.version };
      const version = await writeLease(this.request, this.deps, written, this.signal);
      if (version === undefined) await this.#settleDoubt(startMs);
      else this.#state = { type: "held", version, renewedAtMs: startMs };
    } catch (error) {
      // It is still ours until its time is over; the next renewal may go through.
      if (clock.monotonic() - state.renewedAtMs >= LEASE_TTL_MS) {
        this.#lose("Elasticsearch could not be reached to renew it", error);
      }
    }
  }

  /** The stored version is not the one that we wrote last: an attempt whose answer was lost, or somebody else's. */
  async #settleDoubt(startMs: number): Promise<void> {
    const stored = await readLease(this.deps.client, this.request.index, this.#id, this.signal);
    if (stored?.owner === this.#owner) {
      this.#state = { type: "held", version: stored.version, renewedAtMs: startMs };
    } else {
      this.#lose("somebody else took it");
    }
  }

  #lose(reason: string, cause?: unknown): void {
    this.#renewal.cancel();
    this.#state = { type: "lost" };
    this.#lost.abort(
      new LeaseLost(`The lease ${JSON.stringify(this.request.name)} is lost: ${reason}.`, { cause }),
    );
  }
}

function leaseId(name: string): string {
  return `lease-${createHash("sha256").update(name).digest("base64url")}`;
}

async function readLease(
  client: ElasticsearchClient,
  index: string,
  id: string,
  signal: AbortSignal,
): Promise<{ owner: string; expiresAtMs: number; version: Version } | undefined> {
  const read = client.call(
    "read a lease",
    (api, options) => api.get<StoredLease>({ index, id }, options),
    signal,
  );
  const found = await unless(noDocument, read);
  if (found?._source === undefined || found._seq_no === undefined) return undefined;
  const { expires_at, owner } = found._source;
  return { owner, expiresAtMs: Date.parse(expires_at), version: versionOf(found) };
}

/** Writes the lease over the version that was read, or where there was none; `undefined`: it has changed since. */
async function writeLease(
  { index, name }: LeaseRequest,
  { client, clock }: LeaseDeps,
  { id, owner, read }: { readonly id: string; readonly owner: string; readonly read: Version | undefined },
  signal: AbortSignal,
): Promise<Version | undefined> {
  const expires_at = new Date(clock.now() + LEASE_TTL_MS).toISOString();
  const document: StoredLease = { kind: "lease", name, owner, expires_at };
  const target = { index, id, document, refresh: true };
  const write = client.call(
    "write a lease",
    (api, options) =>
      read === undefined ? api.create(target, options) : api.index({ ...target, ...over(read) }, options),
    signal,
  );
  const written = await unless(anyOf("conflict"), write);
  return written && versionOf(written);
}
