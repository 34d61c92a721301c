/** What is frozen for consent, and what is not proposed at all. */
import { expect, test } from "vitest";
import { exampleOrder } from "../../../test/support/orders.js";
import type { OperationCall } from "../../domain/operation.js";
import type { Reading } from "../../domain/reading.js";
import { freeze } from "./freeze.js";

const NO_ABORT = new AbortController().signal;

/** `values`: by address; one that is absent cannot be read. */
function frozen(question: string, values: Readonly<Record<string, string | number>>) {
  const order = exampleOrder(question);
  if (order.type !== "order") throw new Error(`${question} is ${order.type}`);
  const observe = async (call: OperationCall): Promise<Reading | undefined> => {
    const value = values[call.target.split("/").at(-1)!];
    const { signal, tool } = call.postcondition;
    return value === undefined ? undefined : { target: call.target, signal, tool, value, takenAtMs: 0 };
  };
  return freeze(order, { observe }, NO_ABORT);
}

test("a call has the exact arguments, what was read before, and what a reading has to show", async () => {
  expect(await frozen("restart pump two", { p2: "fault" })).toMatchObject({
    type: "frozen",
    already: [],
    wanted: {
      action: "restart",
      level: "challenge",
      calls: [
        {
          target: "plant/pump/p2",
          name: "pump two",
          tool: "plant.restart",
          args: { target: "p2" },
          before: { value: "fault" },
          postcondition: { tool: "plant.read_status", signal: "status", equals: "running", windowMs: 60_000 },
        },
      ],
    },
  });
});

test("of a value the postcondition is the value", async () => {
  const postcondition = { signal: "set_point", equals: -18 };
  expect(await frozen("set freezer one to -18", { f1: -20 })).toMatchObject({
    wanted: { calls: [{ value: { number: -18, unit: "°C" }, before: { value: -20 }, postcondition }] },
  });
  expect(await frozen("set freezer one to -18", { f1: -18 })).toMatchObject({ type: "already" });
});

test("a value in another unit is not what was asked for", async () => {
  const order = exampleOrder("set freezer one to -18");
  if (order.type !== "order") throw new Error(order.type);
  const observeIn = (unit: string) => async (call: OperationCall) => {
    const { signal, tool } = call.postcondition;
    return { target: call.target, signal, tool, value: -18, unit, takenAtMs: 0 };
  };
  expect(await freeze(order, { observe: observeIn("°F") }, NO_ABORT)).toMatchObject({ type: "frozen" });
  expect(await freeze(order, { observe: observeIn("°C") }, NO_ABORT)).toMatchObject({ type: "already" });
});

test("what is so already is left out, but a restart asks for more than a state", async () => {
  expect(await frozen("start pump two", { p2: "running" })).toMatchObject({ type: "already" });
  expect(await frozen("restart pump two", { p2: "running" })).toMatchObject({ type: "frozen" });
  const some = await frozen("stop pump one and two", { p1: "stopped", p2: "running" });
  expect(some).toMatchObject({
    type: "frozen",
    wanted: { calls: [{ name: "pump two" }] },
    already: [{ name: "pump one" }],
  });
});

test("what cannot be read is not proposed", async () => {
  expect(await frozen("stop pump one and two", { p1: "running" })).toEqual({
    type: "unreadable",
    names: ["pump two"],
  });
});
