import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { naiveCrc } from "./ogg-bytes.test-util.js";
import { updateOggCrc } from "./ogg-crc.js";

const crcOf = (bytes: Uint8Array) => updateOggCrc(0, bytes, 0, bytes.length) >>> 0;

describe("Ogg CRC", () => {
  it("has the check value of its polynomial", () => {
    // `cksum` of POSIX has the same parameters but for an inverted result: 0x765e7680.
    expect(crcOf(Buffer.from("123456789"))).toBe(~0x765e7680 >>> 0);
  });

  it("agrees with a bit-by-bit computation, wherever it is cut", () => {
    const input = fc
      .uint8Array({ maxLength: 100 })
      .chain((bytes) => fc.tuple(fc.constant(bytes), fc.nat(bytes.length)));
    fc.assert(
      fc.property(input, ([bytes, cut]) => {
        const inTwo = updateOggCrc(updateOggCrc(0, bytes, 0, cut), bytes, cut, bytes.length) >>> 0;
        expect([crcOf(bytes), inTwo]).toEqual([naiveCrc(bytes), naiveCrc(bytes)]);
      }),
    );
  });
});
