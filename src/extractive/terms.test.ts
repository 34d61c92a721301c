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

it("keeps the order and what is said twice", () => {
  expect(termsOf("Stop the pump, then stop the mixer")).toEqual(["stop", "pump", "stop", "mixer"]);
});
