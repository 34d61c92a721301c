import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { outermost, PathSet } from "./path-set.js";

describe("PathSet", () => {
  it.each([
    ["/a/b", "/a/b", true],
    ["/a/b", "/a/b/c/d", true],
    ["/a/b/", "/a/b/c", true],
    ["/a/b", "/a/b/", true],
    ["/a/b", "/a/bc", false],
    ["/a/b", "/a", false],
    ["/", "/a", true],
    ["s3://bucket/a", "s3://bucket/a/b", true],
    ["s3://bucket/", "s3://bucket/a", true],
    ["s3://bucket/a", "s3://bucket/ab", false],
  ])("of %s, asked for %s", (place, path, covered) => {
    expect(new PathSet([place]).covers(path)).toBe(covered);
  });

  it("of nothing covers nothing", () => expect(new PathSet([]).covers("/a")).toBe(false));
});

describe("outermost", () => {
  const path = fc
    .array(fc.constantFrom("a", "b", "ab"), { minLength: 1, maxLength: 4 })
    .map((names) => `/${names.join("/")}`);

  it("covers the same with the fewest paths", () => {
    fc.assert(
      fc.property(fc.array(path), fc.array(path), (paths, others) => {
        const fewest = outermost(paths);
        const [all, few] = [new PathSet(paths), new PathSet(fewest)];
        for (const other of [...paths, ...others]) expect(few.covers(other)).toBe(all.covers(other));
        for (const one of fewest) {
          const rest = new PathSet(fewest.filter((other) => other !== one));
          expect(rest.covers(one)).toBe(false);
        }
      }),
    );
  });
});
