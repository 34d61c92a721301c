// A stream of packets in another duration: nothing is lost, nothing is decoded.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { demuxAll, hexOf, packetsOf, readFixture } from "./demux.test-util.js";
import { OpusRegrouper } from "./regroup.js";
import { readOpusFrames } from "./repacketize.js";
import { opusPacketDuration } from "./toc.js";

const SILK_20 = 9 << 3;
const SILK_40 = 10 << 3;
const CELT_20 = 31 << 3;
const packet = (...bytes: number[]) => Uint8Array.from(bytes);

/** All packets, and the milliseconds that were filled. */
function regrouped(packetMs: number, packets: readonly Uint8Array[]): { packets: string[]; fillMs: number } {
  const regrouper = new OpusRegrouper(packetMs);
  const results = [...packets.map((bytes) => regrouper.push(bytes)), regrouper.flush()];
  const made = results.flatMap((result) => {
    if (!result.ok) throw new Error(result.reason);
    return result.packets;
  });
  expect(new Set(made.map(opusPacketDuration))).toEqual(new Set(made.length > 0 ? [packetMs] : []));
  return {
    packets: made.map(hexOf),
    fillMs: results.reduce((sum, result) => sum + (result.ok ? result.fillMs : 0), 0),
  };
}

describe("OpusRegrouper", () => {
  it.each([
    [
      "three of 20 ms to 60",
      60,
      [
        [SILK_20, 1],
        [SILK_20, 2],
        [SILK_20, 3],
      ],
      ["4b03010203"],
      0,
    ],
    [
      "two of 20 ms to 40",
      40,
      [
        [SILK_20, 1],
        [SILK_20, 2],
      ],
      ["490102"],
      0,
    ],
    ["a last one that is not full", 60, [[SILK_20, 1]], ["4b83010001"], 40],
    [
      "one of 40 and one of 20",
      60,
      [
        [SILK_20 | 1, 1, 2],
        [SILK_20, 3],
      ],
      ["4b03010203"],
      0,
    ],
    ["one that fits, padding and all", 20, [[SILK_20 | 3, 0x41, 1, 9, 0]], ["4b4101" + "0900"], 0],
    ["60 ms of three frames to 20", 20, [[SILK_20 | 3, 3, 1, 2, 3]], ["4801", "4802", "4803"], 0],
    [
      "two of 60 to three of 40",
      40,
      [
        [SILK_20 | 3, 3, 1, 2, 3],
        [SILK_20 | 3, 3, 4, 5, 6],
      ],
      ["490102", "490304", "490506"],
      0,
    ],
    [
      "another configuration in the middle",
      60,
      [
        [SILK_20, 1],
        [SILK_20, 2],
        [CELT_20, 3],
        [CELT_20, 4],
        [CELT_20, 5],
      ],
      ["4b83010101" + "02", "fb03030405"].map((hex) => hex),
      20,
    ],
    ["nothing", 60, [], [], 0],
  ] as [string, number, number[][], string[], number][])(
    "%s",
    (_name, packetMs, packets, expected, fillMs) => {
      expect(
        regrouped(
          packetMs,
          packets.map((bytes) => packet(...bytes)),
        ),
      ).toEqual({ packets: expected, fillMs });
    },
  );

  it.each([
    ["frames longer than the packets wanted", 20, [SILK_40, 1], "unfit_frames"],
    ["frames that do not divide them", 60, [SILK_40, 1], "unfit_frames"],
    ["what is no packet", 60, [SILK_20 | 1, 1], "uneven_frames"],
  ] as [string, number, number[], string][])("refuses %s", (_name, packetMs, bytes, reason) => {
    expect(new OpusRegrouper(packetMs).push(packet(...bytes))).toEqual({ ok: false, reason });
  });

  it("keeps every frame of real speech that changes its configuration", () => {
    for (const name of ["speech-page-per-packet.opus", "speech-pages-1000ms.opus", "ffmpeg-40ms.opus"]) {
      const packets = packetsOf(demuxAll(readFixture(name)));
      const packetMs = name.startsWith("ffmpeg") ? 120 : 60;
      const { packets: made, fillMs } = regrouped(packetMs, packets);
      const sent = made.flatMap((hex) => sentFrames(Buffer.from(hex, "hex")));
      expect(sent).toEqual(packets.flatMap(sentFrames));
      expect(fillMs).toBeLessThan(2 * packetMs);
    }
  });

  it("keeps every frame, and fills as little as it can", () => {
    const some = fc.array(fc.tuple(fc.constantFrom(SILK_20, CELT_20), fc.integer({ min: 1, max: 200 })), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(some, fc.constantFrom(20, 40, 60), (plans, packetMs) => {
        const packets = plans.map(([toc, length]) =>
          new Uint8Array(1 + length).fill(length, 1).fill(toc, 0, 1),
        );
        const { packets: made, fillMs } = regrouped(packetMs, packets);
        expect(made.flatMap((hex) => sentFrames(Buffer.from(hex, "hex")))).toEqual(
          packets.flatMap(sentFrames),
        );
        expect(made.length * packetMs).toBe(packets.length * 20 + fillMs);
        const runs = plans.filter(([toc], i) => toc !== plans[i - 1]?.[0]).length;
        expect(fillMs).toBeLessThanOrEqual(runs * (packetMs - 20));
      }),
    );
  });
});

/** Configuration and bytes of each frame that is not empty. */
function sentFrames(bytes: Uint8Array): string[] {
  const read = readOpusFrames(bytes);
  if (!read.ok) throw new Error(read.reason);
  return read.frames
    .filter(({ length }) => length > 0)
    .map((frame) => `${read.configuration} ${hexOf(frame)}`);
}
