import { describe, expect, it } from "vitest";
import { settle, VirtualClock } from "../../../test/support/virtual-clock.js";
import type { TelemetryEvent } from "../../telemetry/events.js";
import { SyncService } from "./service.js";
import type { SyncWorker } from "./worker.js";

/** A worker that does what the test says, and how often it was run. */
class Scripted implements SyncWorker {
  runs = 0;
  onIdle: () => void = () => {};
  fail: (error: unknown) => void = () => {};

  run(onIdle: () => void, signal: AbortSignal): Promise<void> {
    this.runs += 1;
    this.onIdle = onIdle;
    return new Promise((resolve, reject) => {
      const onAbort = () => resolve();
      this.fail = (error) => {
        signal.removeEventListener("abort", onAbort);
        reject(error);
      };
      signal.addEventListener("abort", onAbort, { once: true });
    });
  }

  once(): Promise<never> {
    throw new Error("the service does not ask for that");
  }
}

function started() {
  const clock = new VirtualClock();
  const worker = new Scripted();
  const events: TelemetryEvent[] = [];
  const random = { fraction: () => 1, id: () => "id" };
  const service = new SyncService(worker, {
    clock,
    random,
    telemetry: { emit: (event) => events.push(event) },
  });
  service.start();
  return { clock, worker, events, service };
}

describe("the sync service", () => {
  it("begins again after a failure, later each time, and soon again once it got through", async () => {
    const { clock, events, service, worker } = started();
    for (const waitMs of [1_000, 2_000, 4_000]) {
      worker.fail(new Error("the cluster is red"));
      await settle();
      expect(events.at(-1)).toMatchObject({ type: "sync_failed", error: "the cluster is red" });
      const { runs } = worker;
      await clock.advance(waitMs - 1);
      expect(worker.runs).toBe(runs);
      await clock.advance(1);
      expect(worker.runs).toBe(runs + 1);
    }
    worker.onIdle();
    worker.fail(new Error("once more"));
    await settle();
    expect(events).toMatchObject([
      { type: "sync_failed", attempt: 1, retryInMs: 1_000 },
      { attempt: 2, retryInMs: 2_000 },
      { attempt: 3, retryInMs: 4_000 },
      { error: "once more", attempt: 1, retryInMs: 1_000 },
    ]);
    await service.stop();
  });

  it("waits five minutes at the most", async () => {
    const { clock, events, service, worker } = started();
    for (let i = 0; i < 12; i++) {
      worker.fail(new Error("down"));
      await settle();
      await clock.advance(300_000);
    }
    expect(events.at(-1)).toMatchObject({ attempt: 12, retryInMs: 300_000 });
    await service.stop();
  });

  it("stops while it waits, and can be started again", async () => {
    const { clock, events, service, worker } = started();
    worker.fail("no error object");
    await settle();
    expect(events).toMatchObject([{ type: "sync_failed", error: "no error object" }]);
    await service.stop();
    expect(clock.pending).toBe(0);
    service.start();
    service.start();
    expect(worker.runs).toBe(2);
    await service.stop();
    await service.stop();
  });
});
