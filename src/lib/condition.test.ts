import { expect, it } from "vitest";
import { settle } from "../../test/support/virtual-clock.js";
import { watch } from "../../test/support/watch.js";
import { Condition } from "./condition.js";

const never = new AbortController().signal;

it("wakes everybody who waits now, and nobody who comes later", async () => {
  const changed = new Condition();
  const early = [watch(changed.wait(never)), watch(changed.wait(never))];
  changed.notify();
  const late = watch(changed.wait(never));
  await settle();
  expect(early.map(({ now }) => now.type)).toEqual(["resolved", "resolved"]);
  expect(late.now.type).toBe("pending");
  changed.notify();
  await settle();
  expect(late.now.type).toBe("resolved");
});

it("rejects with the reason of a signal that aborts first", async () => {
  const changed = new Condition();
  const controller = new AbortController();
  const waiting = watch(changed.wait(controller.signal));
  controller.abort("enough");
  changed.notify();
  await settle();
  expect(waiting.now).toEqual({ type: "rejected", error: "enough" });
});
