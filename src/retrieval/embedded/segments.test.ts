import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergeStart } from "./segments.js";

/** What the sizes become when segments are added one by one and merged as `mergeStart` says; with the work done. */
function grow(added: readonly number[], sizeMax?: number): { sizes: number[]; moved: number; worst: number } {
  let sizes: number[] = [];
  let moved = 0;
  let worst = 0;
  for (const size of added) {
    sizes.push(size);
    const start = mergeStart(sizes, sizeMax);
    if (start === undefined) continue;
    const merged = sizes.slice(start).reduce((sum, one) => sum + one, 0);
    sizes = [...sizes.slice(0, start), merged];
    moved += merged;
    worst = Math.max(worst, merged);
  }
  return { sizes, moved, worst };
}

describe("mergeStart", () => {
  it.each([
    [[], undefined],
    [[5], undefined],
    [[1, 1, 1], undefined],
    [[1, 1, 1, 1], 0],
    [[16, 4, 4, 4, 1, 1, 1, 1], 1],
    [[1000, 1], undefined],
    [[1000, 1, 1, 1, 1], 1],
    [[1, 1, 1000], 0],
  ])("of %j is %s", (sizes, start) => {
    expect(mergeStart(sizes)).toBe(start);
  });

  it("leaves alone what would become too large", () => {
    expect(mergeStart([70, 70, 70, 70], 100)).toBeUndefined();
    expect(mergeStart([90, 5, 5, 5, 5], 100)).toBe(1);
  });

  it("merges once what it merges", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 10_000 }), { maxLength: 200 }), (added) => {
        expect(mergeStart(grow(added).sizes)).toBeUndefined();
      }),
    );
  });

  it("keeps segments few, and the work within what is stored times the logarithm of it", () => {
    const sizes = fc.array(fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 100_000 })), {
      minLength: 1,
      maxLength: 1_000,
    });
    fc.assert(
      fc.property(sizes, (added) => {
        const total = added.reduce((sum, size) => sum + size, 0);
        // In the worst case, each segment is a third of all newer ones.
        const levels = Math.log(total) / Math.log(4 / 3) + 2;
        const { sizes: kept, moved } = grow(added);
        expect(kept.reduce((sum, size) => sum + size, 0)).toBe(total);
        expect(kept.length).toBeLessThanOrEqual(levels);
        expect(moved).toBeLessThanOrEqual(total * levels);
      }),
    );
  });

  it("moves few postings for many small changes to a large index", () => {
    const { moved, sizes } = grow([1_000_000, ...Array.from({ length: 10_000 }, () => 10)]);
    expect(sizes[0]).toBe(1_000_000);
    // Each of them log4(10,000) ≈ 6.6 times.
    expect(moved).toBeLessThan(10_000 * 10 * 7);
  });

  it("bounds a single merge", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 300 }), (added) => {
        expect(grow(added, 500).worst).toBeLessThanOrEqual(500);
      }),
    );
  });
});
