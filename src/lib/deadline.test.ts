import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { settle, VirtualClock } from "../../test/support/virtual-clock.js";
import { watch } from "../../test/support/watch.js";
import { abortable, Deadline, DeadlineExceeded, untilAborted, withDeadline } from "./deadline.js";

const listeners = (signal: AbortSignal) => getEventListeners(signal, "abort").length;
const forever = () => new Promise<never>(() => {});

describe("Deadline", () => {
  it("aborts with what took too long", async () => {
    const clock = new VirtualClock();
    const deadline = new Deadline(clock, "the search", 50, new AbortController().signal);
    await clock.advance(49);
    expect(deadline.signal.aborted).toBe(false);
    await clock.advance(1);
    expect(deadline.signal.reason).toEqual(new DeadlineExceeded("the search", 50));
    expect(deadline.signal.reason.message).toBe("the search took longer than 50 ms");
  });

  it("passes its parent's reason on, and lets go of the timer", () => {
    const clock = new VirtualClock();
    const parent = new AbortController();
    const deadline = new Deadline(clock, "work", 50, parent.signal);
    parent.abort("stop");
    expect(deadline.signal.reason).toBe("stop");
    expect(clock.pending).toBe(0);
  });

  it("is over at once under a parent that is aborted", () => {
    const clock = new VirtualClock();
    const deadline = new Deadline(clock, "work", 50, AbortSignal.abort("stop"));
    deadline.restart(100);
    expect(deadline.signal.reason).toBe("stop");
    expect(clock.pending).toBe(0);
  });

  it("starts over with a new limit", async () => {
    const clock = new VirtualClock();
    const deadline = new Deadline(clock, "work", 50, new AbortController().signal);
    await clock.advance(40);
    deadline.restart(100);
    await clock.advance(99);
    expect(deadline.signal.aborted).toBe(false);
    await clock.advance(1);
    expect(deadline.signal.reason.limitMs).toBe(100);
  });

  it("has no limit once lifted, and cannot be restarted then; its parent still counts", async () => {
    const clock = new VirtualClock();
    const parent = new AbortController();
    const deadline = new Deadline(clock, "work", 50, parent.signal);
    deadline.lift();
    deadline.restart(10);
    await clock.advance(1_000);
    expect(deadline.signal.aborted).toBe(false);
    parent.abort("stop");
    expect(deadline.signal.reason).toBe("stop");
  });

  it("lets go of timer and parent when disposed, and stops nobody", () => {
    const clock = new VirtualClock();
    const parent = new AbortController();
    const deadline = new Deadline(clock, "work", 50, parent.signal);
    deadline.dispose();
    expect(clock.pending).toBe(0);
    expect(listeners(parent.signal)).toBe(0);
    parent.abort();
    expect(deadline.signal.aborted).toBe(false);
  });

  it("stops who still works when ended; a reason given before stays", () => {
    const clock = new VirtualClock();
    const parent = new AbortController();
    const deadline = new Deadline(clock, "work", 50, parent.signal);
    deadline.end("over");
    parent.abort("too late");
    expect(deadline.signal.reason).toBe("over");
    expect(clock.pending).toBe(0);
    expect(listeners(parent.signal)).toBe(0);
  });
});

describe("withDeadline", () => {
  it("gives back what the work comes to, and cleans up", async () => {
    const clock = new VirtualClock();
    const parent = new AbortController();
    await expect(withDeadline(clock, "work", 50, parent.signal, async () => 7)).resolves.toBe(7);
    await expect(
      withDeadline(clock, "work", 50, parent.signal, () => Promise.reject(new Error("broken"))),
    ).rejects.toThrow("broken");
    expect(clock.pending).toBe(0);
    expect(listeners(parent.signal)).toBe(0);
  });

  it("does not wait for work that ignores its signal", async () => {
    const clock = new VirtualClock();
    const parent = new AbortController();
    const late = watch(withDeadline(clock, "work", 50, parent.signal, forever));
    await clock.advance(50);
    expect(late.now).toEqual({ type: "rejected", error: new DeadlineExceeded("work", 50) });
    const stopped = watch(withDeadline(clock, "work", 50, parent.signal, forever));
    parent.abort("stop");
    await settle();
    expect(stopped.now).toEqual({ type: "rejected", error: "stop" });
    expect(clock.pending).toBe(0);
    expect(listeners(parent.signal)).toBe(0);
  });
});

describe("abortable", () => {
  it("leaves no listener behind, and no rejection unhandled", async () => {
    const controller = new AbortController();
    await abortable(Promise.resolve(1), controller.signal);
    await expect(abortable(Promise.reject(new Error("x")), controller.signal)).rejects.toThrow("x");
    expect(listeners(controller.signal)).toBe(0);
    let fail = (_: Error) => {};
    const work = new Promise<never>((_, reject) => {
      fail = reject;
    });
    const waiting = watch(abortable(work, controller.signal));
    controller.abort("stop");
    fail(new Error("afterwards"));
    await settle();
    expect(waiting.now).toEqual({ type: "rejected", error: "stop" });
  });
});

describe("untilAborted", () => {
  it("passes values on, and the end", async () => {
    const controller = new AbortController();
    const values: number[] = [];
    for await (const value of untilAborted(count(3), controller.signal)) values.push(value);
    expect(values).toEqual([0, 1, 2]);
    expect(listeners(controller.signal)).toBe(0);
  });

  it("does not wait for a source that hangs", async () => {
    const controller = new AbortController();
    const iterator = untilAborted({ [Symbol.asyncIterator]: () => ({ next: forever }) }, controller.signal);
    const next = watch(iterator.next());
    controller.abort("stop");
    await settle();
    expect(next.now).toEqual({ type: "rejected", error: "stop" });
  });

  it("closes its source when the consumer breaks off", async () => {
    let closed = false;
    for await (const _ of untilAborted(
      count(3, () => {
        closed = true;
      }),
      new AbortController().signal,
    )) {
      break;
    }
    expect(closed).toBe(true);
  });

  it("passes the source's error on", async () => {
    const iterator = untilAborted(broken(), new AbortController().signal);
    await expect(iterator.next()).rejects.toThrow("broken");
  });
});

async function* count(to: number, onClose = () => {}): AsyncGenerator<number> {
  try {
    for (let i = 0; i < to; i++) yield i;
  } finally {
    onClose();
  }
}

// biome-ignore lint/correctness/useYield: it fails before the first value.
async function* broken(): AsyncGenerator<number> {
  throw new Error("broken");
}
