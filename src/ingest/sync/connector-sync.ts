/** Keeps the knowledge in Elasticsearch up to date through a connector, as the one instance that does so. */
import { sleep } from "../../lib/clock.js";
import type { LeaseTaken } from "../../retrieval/elasticsearch/lease.js";
import { type PassDeps, type PassReport, runPass, SyncProblem } from "./pass.js";
import { SessionLost, type SyncDoor, type SyncSession } from "./port.js";
import type { SyncSummary, SyncWorker } from "./worker.js";

export interface ConnectorSyncDeps extends PassDeps {
  readonly door: SyncDoor;
  /** Pause between two looks for changes. */
  readonly pollMs: number;
}

/** The shortest wait for another instance's claim to end. */
const WAIT_MS_MIN = 1_000;

/** The pause before what failed is tried again, where somebody waits for the end of it. */
const RETRY_MS = 1_000;

export class ConnectorSync implements SyncWorker {
  /** Where the next sweep begins. */
  #cursor: string | undefined;

  constructor(private readonly deps: ConnectorSyncDeps) {}

  async run(onIdle: () => void, signal: AbortSignal): Promise<void> {
    for (;;) {
      try {
        const session = await this.#enter(signal);
        try {
          await this.#serve(session, onIdle);
        } finally {
          await session.close();
        }
      } catch (error) {
        if (signal.aborted) return;
        // Whoever has it now does the work.
        if (!(error instanceof SessionLost)) throw error;
      }
    }
  }

  async once(signal: AbortSignal): Promise<SyncSummary> {
    const entered = await this.deps.door.enter(signal);
    if (entered.type === "taken") throw new SyncProblem(takenMessage(entered, this.deps.clock.now()));
    const sum = { synced: 0, failed: 0, removed: 0, doubtful: 0 };
    try {
      for (;;) {
        const { hadBatch, trouble, ...report } = await runPass(entered, this.deps);
        sum.synced += report.synced;
        sum.failed += report.failed;
        sum.removed += report.removed;
        sum.doubtful += report.doubtful;
        if (trouble?.weight === "passing") throw new SyncProblem(trouble.reason);
        if (!hadBatch) return sum;
        // Attempts are few, so that this ends.
        if (trouble !== undefined) await sleep(this.deps.clock, RETRY_MS, signal);
      }
    } finally {
      await entered.close();
    }
  }

  async #enter(signal: AbortSignal): Promise<SyncSession> {
    const { clock, door, pollMs, telemetry } = this.deps;
    for (let isTold = false; ; ) {
      const entered = await door.enter(signal);
      if (entered.type === "entered") {
        telemetry.emit({ type: "sync_role_changed", role: "active" });
        return entered;
      }
      if (!isTold) telemetry.emit({ type: "sync_role_changed", role: "waiting" });
      isTold = true;
      const leftMs = Math.max(WAIT_MS_MIN, entered.expiresAtMs - clock.now());
      await sleep(clock, Math.min(leftMs, Math.max(WAIT_MS_MIN, pollMs)), signal);
    }
  }

  async #serve(session: SyncSession, onIdle: () => void): Promise<void> {
    for (;;) {
      const report: PassReport = await runPass(session, this.deps);
      if (report.trouble !== undefined) throw new SyncProblem(report.trouble.reason);
      if (report.hadBatch) continue;
      const { cursor } = await session.chunks.sweep(this.#cursor);
      this.#cursor = cursor;
      onIdle();
      await sleep(this.deps.clock, this.deps.pollMs, session.signal);
    }
  }
}

function takenMessage({ expiresAtMs }: LeaseTaken, nowMs: number): string {
  const seconds = Math.max(0, Math.ceil((expiresAtMs - nowMs) / 1000));
  return (
    "another instance of the sync is at work; stop it to run this one. " +
    `If it died, its claim ends in ${seconds} seconds`
  );
}
