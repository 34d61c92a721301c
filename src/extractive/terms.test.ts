import { expect, it } from "vitest";
import { termsOf } from "./terms.js";

it.each([
  ["paid", "pays"],
  ["failure", "failed"],
  ["dials", "called"],
  ["kept", "keeping"],
  ["lorries", "truck"],
  ["colour", "color"],
])("has one term for %j and %j", (one, other) => {
  expect(termsOf(one)).toEqual(termsOf(other));
});

it.each([
  ["store", "keep"],
  ["clean", "wash"],
  ["ring", "call"],
  ["open", "start"],
])("tells %j from %j", (one, other) => {
  expect(termsOf(one)).not.toEqual(termsOf(other));
});

it.each([
  ["The mill does not turn", ["!turn"]],
  ["the mill isn't properly locked", ["!lock"]],
  ["It has no spare wheel if it is old", ["!spare", "!wheel"]],
  ["She does not have a lock", ["!lock"]],
  ["Loading without a helmet.", ["!helmet"]],
  ["Mill: north; Spare wheel: none; Sieve: yes", ["!spare", "!wheel"]],
  ["Do not turn the mill", []],
  ["Stop, and do not turn it", []],
  ["The mill must not turn", []],
  ["What may I not turn?", []],
  ["Can't the mill turn?", []],
])("marks what %j denies", (text, marked) => {
  expect(termsOf(text).filter((term) => term.startsWith("!"))).toEqual(marked);
});

it("keeps the order and what is said twice", () => {
  expect(termsOf("Stop the pump, then stop the mixer")).toEqual(["stop", "pump", "stop", "mixer"]);
});
