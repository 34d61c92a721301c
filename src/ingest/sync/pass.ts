/**
 * One pass of the sync: what is marked as deleted goes, then one batch of what is pending goes through the phases of
 * state.ts. Here is where actions are carried out and what they bring is seen; what follows from it is decided in
 * evolve.ts. A pass that ends anywhere is taken up by the next one.
 */
import { sleep } from "../../lib/clock.js";
import { ElasticsearchProblem } from "../../retrieval/elasticsearch/client.js";
import type { Telemetry } from "../../telemetry/events.js";
import {
  ATTEMPTS_MAX,
  attemptsAt,
  type Batch,
  type BatchDocument,
  type Copy,
  chooseBatch,
  RETRIED_MAX,
  type UpdateResult,
} from "./batch.js";
import { type CopyDeps, copyDocument, isStill } from "./copy.js";
import { evolve, type Observation } from "./evolve.js";
import type { SyncSession, WantedDocument } from "./port.js";
import { BEGINNING, decide, resumed, type SyncAction, type SyncProgress } from "./state.js";

export interface PassDeps extends CopyDeps {
  readonly telemetry: Telemetry;
  readonly batchSize: number;
  readonly jobTimeoutMs: number;
}

/** What a pass did. */
export interface PassReport {
  /** Documents that were pending when it began. */
  readonly pending: number;
  readonly synced: number;
  readonly failed: number;
  /** Of these, documents whose words on who may read them are not understood. */
  readonly doubtful: number;
  /** They stay pending. */
  readonly postponed: number;
  readonly removed: number;
  /** Whether there was a batch; without one there is nothing to do until something changes. */
  readonly hadBatch: boolean;
  /** Why some or all of the batch is to be tried again, after a pause. */
  readonly trouble?: Trouble;
}

/** `counted`: it was an attempt, of which there are few. `passing`: it was none. */
export interface Trouble {
  readonly weight: "counted" | "passing";
  readonly reason: string;
}

/** The sync cannot do its work as things are set up, or could not do it this time; the message says why. */
export class SyncProblem extends Error {
  override readonly name = "SyncProblem";
}

/** Documents marked as deleted that one pass takes. */
export const DELETED_MAX = 100;

/** Rejects with `SyncProblem`, `ElasticsearchProblem`, `SessionLost` or the signal's reason. */
export async function runPass(session: SyncSession, deps: PassDeps): Promise<PassReport> {
  const obstacle = await session.connector.obstacle();
  if (obstacle !== undefined) throw new SyncProblem(obstacle);
  const pass = new Pass(session, deps);
  return pass.run();
}

class Pass {
  #pending = 0;
  #synced = 0;
  #failed = 0;
  #doubtful = 0;
  #postponed = 0;
  #removed = 0;
  #trouble: Trouble | undefined;
  #progress: SyncProgress = BEGINNING;

  constructor(
    private readonly session: SyncSession,
    private readonly deps: PassDeps,
  ) {}

  async run(): Promise<PassReport> {
    const { clock, telemetry, jobTimeoutMs } = this.deps;
    const startMs = clock.monotonic();
    this.#progress = resumed((await this.session.progress.load()) ?? BEGINNING, clock.now());
    await this.#removeDeleted();
    let looks = 0;
    let phaseStartMs = clock.monotonic();
    let batch: Batch | undefined;
    // Each phase has a deadline of its own, in evolve.ts.
    for (;;) {
      const { state } = this.#progress;
      if ("batch" in state) batch = state.batch;
      const seen = await this.#perform(decide(state, looks));
      const next = evolve(this.#progress, seen, { nowMs: clock.now(), jobTimeoutMs });
      const isChanged = await this.#save(next);
      looks = isChanged ? 0 : looks + 1;
      const { phase } = next.state;
      if (phase !== state.phase) {
        telemetry.emit({
          type: "sync_phase_finished",
          phase: state.phase,
          ms: clock.monotonic() - phaseStartMs,
        });
        phaseStartMs = clock.monotonic();
      }
      if (phase === "load") break;
    }
    const report = this.#report(batch !== undefined);
    if (batch !== undefined) {
      const { synced, failed, postponed, removed, trouble } = report;
      telemetry.emit({
        type: "sync_batch_finished",
        batch: batch.id,
        synced,
        failed,
        postponed,
        removed,
        ...(trouble === undefined ? {} : { trouble: trouble.reason }),
        ms: clock.monotonic() - startMs,
      });
    }
    return report;
  }

  #report(hadBatch: boolean): PassReport {
    const trouble = this.#trouble;
    return {
      pending: this.#pending,
      synced: this.#synced,
      failed: this.#failed,
      doubtful: this.#doubtful,
      postponed: this.#postponed,
      removed: this.#removed,
      hadBatch,
      ...(trouble === undefined ? {} : { trouble }),
    };
  }

  /** Whether anything was new. */
  async #save(next: SyncProgress): Promise<boolean> {
    const isChanged = JSON.stringify(next) !== JSON.stringify(this.#progress);
    if (isChanged) await this.session.progress.save(next);
    this.#progress = next;
    return isChanged;
  }

  async #perform(action: SyncAction): Promise<Observation> {
    const { connector } = this.session;
    if ("afterMs" in action && action.afterMs > 0)
      await sleep(this.deps.clock, action.afterMs, this.session.signal);
    switch (action.type) {
      case "load":
        return this.#load();
      case "write_draft":
        await connector.writeDraft(action.rules);
        return { type: "draft_written" };
      case "read_draft":
        return { type: "draft_read", draft: await connector.draft() };
      case "activate_draft":
        return { type: "draft_activated", done: await connector.activateDraft() };
      case "find_jobs":
        return { type: "jobs_found", jobs: await connector.jobs() };
      case "cancel_jobs":
        for (const id of action.ids) await connector.cancelJob(id);
        return { type: "jobs_cancelled" };
      case "start_job":
        return { type: "job_started", id: await connector.startJob() };
      case "read_job":
        return { type: "job_read", job: await connector.job(action.id) };
      case "copy":
        return { type: "copied", copies: await this.#copyAll(action.batch) };
      case "update":
        return { type: "updated", results: await this.#updateAll(action.batch, action.copies) };
    }
  }

  async #load(): Promise<Observation> {
    const { metadata, chunks } = this.session;
    const { attempts, turn } = this.#progress;
    const page = await metadata.wanted("pending", this.deps.batchSize + RETRIED_MAX);
    this.#tellPending(page.documents, page.total);
    // A permission that was taken away is without effect from here on, long before the document's turn has come.
    await chunks.narrow(page.documents);
    if (page.total > page.documents.length) await chunks.narrowPending();
    const listed = new Map(page.documents.map((document) => [document.metadataId, document]));
    const stale: string[] = [];
    for (const [metadataId, { seqNo }] of Object.entries(attempts)) {
      const document = listed.get(metadataId) ?? (await metadata.document(metadataId));
      if (document?.status !== "pending" || document.version.seqNo !== seqNo) stale.push(metadataId);
      else listed.set(metadataId, document);
    }
    const candidates: BatchDocument[] = [];
    for (const document of listed.values()) {
      if (document.flaw === undefined) candidates.push(document);
      else await this.#fail(document, { reason: document.flaw, withdrawn: false, inDoubt: document.inDoubt });
    }
    const documents = chooseBatch(candidates, attempts, turn, this.deps.batchSize).map(
      ({ metadataId, version, key }) => ({ metadataId, version, key }),
    );
    const batch = documents.length === 0 ? undefined : { id: this.deps.random.id(), documents };
    return { type: "loaded", batch, stale };
  }

  #tellPending([oldest]: readonly WantedDocument[], total: number): void {
    this.#pending = total;
    const oldestMs = oldest?.sinceMs === undefined ? 0 : Math.max(0, this.deps.clock.now() - oldest.sinceMs);
    this.deps.telemetry.emit({ type: "sync_looked", pending: total, oldestMs });
  }

  /** One after the other: each may hold megabytes of text. */
  async #copyAll(batch: Batch): Promise<readonly Copy[]> {
    const copies: Copy[] = [];
    for (const document of batch.documents) {
      const isLast = attemptsAt(this.#progress.attempts, document) + 1 >= ATTEMPTS_MAX;
      try {
        copies.push(await copyDocument(this.session, this.deps, document, isLast));
      } catch (error) {
        const reason = faultOfDocument(error);
        if (reason === undefined) throw error;
        const { metadataId } = document;
        copies.push({ metadataId, type: "failed", reason, weight: "counted", withdrawn: false });
      }
    }
    return copies;
  }

  async #updateAll(batch: Batch, copies: readonly Copy[]): Promise<readonly UpdateResult[]> {
    const documents = new Map(batch.documents.map((document) => [document.metadataId, document]));
    const results: UpdateResult[] = [];
    for (const copy of copies) {
      const document = documents.get(copy.metadataId)!;
      const { seqNo } = copy.type === "copied" ? copy.version : document.version;
      const result = await this.#update(document, copy);
      if (result !== "settled") this.#postponed += 1;
      results.push({ metadataId: copy.metadataId, result, seqNo });
    }
    return results;
  }

  async #update(document: BatchDocument, copy: Copy): Promise<UpdateResult["result"]> {
    const { metadata, chunks } = this.session;
    const wanted = await metadata.document(copy.metadataId);
    if (wanted === undefined) return "settled";
    const version = copy.type === "copied" ? copy.version : document.version;
    if (copy.type === "changed" || !isStill(wanted, version)) {
      // It may have been settled by whoever was here before; otherwise its new permissions count at once.
      await chunks.narrow([wanted]);
      return wanted.status === "pending" ? "postponed" : "settled";
    }
    if (copy.type === "failed") {
      if (copy.weight === "passing" || copy.weight === "counted") {
        const { reason, weight } = copy;
        this.#trouble ??= { reason, weight };
        return weight === "passing" ? "postponed" : "again";
      }
      return (await this.#fail(wanted, copy)) ? "settled" : "postponed";
    }
    if (!(await chunks.confirm(wanted, copy.copy))) {
      this.#trouble ??= {
        weight: "counted",
        reason: `what was copied of ${wanted.path} cannot be read back`,
      };
      return "again";
    }
    if (!(await metadata.mark(wanted, { type: "synced", copy: copy.copy }))) {
      await this.#narrowNow(copy.metadataId);
      return "postponed";
    }
    this.#synced += 1;
    const pendingMs = wanted.sinceMs === undefined ? 0 : Math.max(0, this.deps.clock.now() - wanted.sinceMs);
    const { network } = wanted.access;
    this.deps.telemetry.emit({
      type: "sync_document_synced",
      network,
      documentId: wanted.documentId,
      pendingMs,
    });
    return "settled";
  }

  async #narrowNow(metadataId: string): Promise<void> {
    const now = await this.session.metadata.document(metadataId);
    if (now !== undefined) await this.session.chunks.narrow([now]);
  }

  /** False: somebody changed the metadata meanwhile, or has the network; nothing is lost, the next batch looks again. */
  async #fail(
    wanted: WantedDocument,
    {
      reason,
      withdrawn,
      inDoubt,
    }: Pick<Extract<Copy, { type: "failed" }>, "reason" | "withdrawn" | "inDoubt">,
  ): Promise<boolean> {
    const { metadata, chunks } = this.session;
    if (withdrawn && (await chunks.remove(wanted)).type === "busy") return false;
    if (!(await metadata.mark(wanted, { type: "failed", reason, withdrawn }))) return false;
    this.#failed += 1;
    const { network } = wanted.access;
    this.deps.telemetry.emit({
      type: "sync_document_failed",
      network,
      documentId: wanted.documentId,
      error: reason,
    });
    if (inDoubt) {
      this.#doubtful += 1;
      const { documentId } = wanted;
      this.deps.telemetry.emit({ type: "document_access_doubtful", network, documentId, doubt: reason });
    }
    return true;
  }

  async #removeDeleted(): Promise<void> {
    const { metadata, chunks } = this.session;
    const { documents } = await metadata.wanted("deleted", DELETED_MAX);
    for (const document of documents) {
      if ((await chunks.remove(document)).type === "busy") continue;
      if (await metadata.forget(document)) this.#removed += 1;
    }
  }
}

/** What Elasticsearch has against one document, rather than against all; `undefined` for everything else. */
function faultOfDocument(error: unknown): string | undefined {
  if (!(error instanceof ElasticsearchProblem)) return undefined;
  return ["refused", "invalid", "timeout"].includes(error.kind) ? error.message : undefined;
}
