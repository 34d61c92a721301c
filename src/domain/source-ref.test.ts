import { expect, it } from "vitest";
import { distinctSources, documentSources, type SourceRef, sourceKey } from "./source-ref.js";

const SOURCES: readonly SourceRef[] = [
  ...documentSources(["a", "b"]),
  { type: "resource", id: "a" },
  { type: "guide", id: "a" },
];

it("are the same by type and id, and stay the same when they were written down", () => {
  expect(new Set(SOURCES.map(sourceKey)).size).toBe(SOURCES.length);
  const again: readonly SourceRef[] = JSON.parse(JSON.stringify(SOURCES));
  expect(again.map(sourceKey)).toEqual(SOURCES.map(sourceKey));
  expect(distinctSources([...SOURCES, ...again])).toEqual(SOURCES);
});
