/**
 * Somebody who only wants to be answered while others attack: a relay of its own that sends keep_alives one after the
 * other, and a caller of `/healthz`. Counts what was answered, and knows the longest wait.
 */
import { systemClock } from "../../../src/lib/clock.js";
import { TestRelay } from "../../e2e/relay.js";
import { Rounds } from "./processor.js";

export interface Watched<T> {
  readonly result: T;
  /** Answers that came while the work was under way. */
  readonly keepAlives: number;
  readonly healthChecks: number;
  /** Of both, in milliseconds. */
  readonly longestWaitMs: number;
  /** The keep_alives, by processor time of the process that is attacked. */
  readonly rounds: Rounds;
}

/** Runs `work` and asks all the while. */
export async function watched<T>(
  ports: { readonly relay: number; readonly http: number },
  work: () => Promise<T>,
  pid: number,
): Promise<Watched<T>> {
  const relay = await TestRelay.connect(ports.relay);
  const rounds = new Rounds(pid);
  let over = false;
  let longestWaitMs = 0;
  const count = async (ask: () => Promise<void>): Promise<number> => {
    let answered = 0;
    while (!over) {
      const startMs = systemClock.monotonic();
      await ask();
      longestWaitMs = Math.max(longestWaitMs, systemClock.monotonic() - startMs);
      if (!over) answered += 1;
    }
    return answered;
  };
  const health = async () => {
    const response = await fetch(`http://127.0.0.1:${ports.http}/healthz`);
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`/healthz answers ${response.status}`);
  };
  try {
    const counts = Promise.all([
      count(async () => {
        await relay.flushed();
        rounds.answered();
      }),
      count(health),
    ]);
    const ended = work().finally(() => {
      over = true;
    });
    const [result, [keepAlives, healthChecks]] = await Promise.all([ended, counts]);
    return { result, keepAlives, healthChecks, longestWaitMs, rounds };
  } finally {
    over = true;
    relay.close();
  }
}
