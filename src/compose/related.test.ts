/** What a write may change besides what it is sent to. */
import { expect, it } from "vitest";
import { relatedTo } from "./related.js";

const ALL = [
  { id: "s/node/kestrel" },
  { id: "s/host/line", parent: "s/node/kestrel" },
  { id: "s/container/grafana", parent: "s/host/line" },
  { id: "s/container/broker", parent: "s/host/line" },
  // A circle, as a mistaken setting may have it.
  { id: "s/pump/a", parent: "s/pump/b" },
  { id: "s/pump/b", parent: "s/pump/a" },
];

it.each([
  [["s/container/grafana"], ["s/container/grafana", "s/host/line", "s/node/kestrel", "s/"]],
  [["s/host/line"], ["s/host/line", "s/node/kestrel", "s/container/grafana", "s/container/broker", "s/"]],
  [["s/pump/a"], ["s/pump/a", "s/pump/b", "s/"]],
  [["t/pump/gone"], ["t/pump/gone", "t/"]],
])("a write to %j may change %j", (ids, expected) => {
  expect(relatedTo(ids, ALL)).toEqual(expected);
});
