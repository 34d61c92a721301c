import { describe, expect, it } from "vitest";
import { hexOf } from "./demux.test-util.js";
import { laced, naivePage } from "./ogg-bytes.test-util.js";
import { buildPage, NO_GRANULE, readPageHeader, segmentCountOf } from "./ogg-page.js";

describe("page header", () => {
  // A position past 32 bits is a stream of over a day.
  it.each([0, 1, 2 ** 32 - 1, 2 ** 32, 2 ** 40 + 5, Number.MAX_SAFE_INTEGER])(
    "granule position %i",
    (granule) => {
      const fields = { flags: 5, granule, serial: 0xfedcba98, sequence: 0x89abcdef };
      const page = buildPage(fields, [Uint8Array.of(1, 2, 3)]);
      const naive = naivePage({ ...fields, granule: BigInt(granule), ...laced(Uint8Array.of(1, 2, 3)) });
      expect(hexOf(page)).toBe(hexOf(naive));
      expect(readPageHeader(page)).toMatchObject(fields);
    },
  );

  it.each([
    [[], 0],
    [[10], 1],
    [[255], 0],
    [[255, 0], 1],
    [[255, 255, 3, 0, 4, 255], 3],
  ])("with the lacing values %j", (lacing, packetEnds) => {
    const body = new Uint8Array(lacing.reduce((sum, value) => sum + value, 0));
    expect(readPageHeader(naivePage({ lacing, body })).packetEnds).toBe(packetEnds);
  });

  it("without a granule position", () => {
    expect(readPageHeader(naivePage({ granule: -1n, lacing: [], body: new Uint8Array() })).granule).toBe(
      NO_GRANULE,
    );
  });

  it.each([
    [0, 1],
    [254, 1],
    [255, 2],
    [510, 3],
    [65_024, 255],
  ])("%i bytes take %i segments", (bytes, segments) => {
    expect(segmentCountOf(bytes)).toBe(segments);
  });
});
