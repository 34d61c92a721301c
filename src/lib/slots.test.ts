/** Bounded work at once, in order, with abort. */
import { describe, expect, it } from "vitest";
import { settle } from "../../test/support/virtual-clock.js";
import { workFor } from "./origin.js";
import { Slots, SlotsFull } from "./slots.js";

const never = new AbortController().signal;

/** Work that ends when the test says so. */
function gate(): { readonly work: () => Promise<void>; readonly open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { work: () => opened, open };
}

describe("slots", () => {
  it("do so much at once, let so many wait in order, and give up the oldest of more", async () => {
    const slots = new Slots(2, 2);
    const gates = [gate(), gate(), gate(), gate()];
    const begun: number[] = [];
    const runs = gates.map(({ work }, i) =>
      slots.run(never, () => {
        begun.push(i);
        return work();
      }),
    );
    await settle();
    expect(begun).toEqual([0, 1]);
    const late = slots.run(never, async () => "late");
    await expect(runs[2]).rejects.toBeInstanceOf(SlotsFull);
    gates[1]!.open();
    await runs[1];
    await settle();
    expect(begun).toEqual([0, 1, 3]);
    for (const { open } of gates) open();
    await Promise.all([runs[0], runs[3]]);
    expect(await late).toBe("late");
    expect(await slots.run(never, async () => "free")).toBe("free");
  });

  it("go to origins in turn", async () => {
    const slots = new Slots(1, 10);
    const order: string[] = [];
    const run = (peer: string) =>
      workFor([peer, "1", "user"], () => slots.run(never, async () => order.push(peer)));
    await Promise.all([...Array.from({ length: 6 }, () => run("loud")), run("quiet")]);
    expect(order.indexOf("quiet")).toBeLessThan(3);
  });

  it("give a slot back when work fails, and a place when a waiter gives up", async () => {
    const slots = new Slots(1, 1);
    await expect(slots.run(never, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    const held = gate();
    const first = slots.run(never, held.work);
    const stop = new AbortController();
    const second = slots.run(stop.signal, async () => "never");
    const reason = new Error("stopped");
    stop.abort(reason);
    await expect(second).rejects.toBe(reason);
    const third = slots.run(never, async () => "third");
    held.open();
    await first;
    expect(await third).toBe("third");
  });

  it("lose no slot when the turn and the abort come together", async () => {
    const slots = new Slots(1, 1);
    const held = gate();
    const first = slots.run(never, held.work);
    const stop = new AbortController();
    const second = slots.run(stop.signal, async () => "second").catch((error: unknown) => error);
    held.open();
    const ended = first.then(() => stop.abort(new Error("stopped")));
    await Promise.all([ended, second]);
    expect(await slots.run(never, async () => "free")).toBe("free");
  });
});
