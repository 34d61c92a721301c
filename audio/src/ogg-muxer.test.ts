// The multiplexer against the demultiplexer, an independent decoder and the rules; see also second-opinion.test.ts.
import fc from "fast-check";
import { OggOpusDecoder } from "ogg-opus-decoder";
import { describe, expect, it } from "vitest";
import { demuxAll, framesOf, GOOD_FIXTURES, hexOf, packetsOf, readFixture } from "./demux.test-util.js";
import type { AudioErrorCode } from "./errors.js";
import { naiveOggOpus, naiveTags, opusPacketOf, pageOffsets } from "./ogg-bytes.test-util.js";
import { muxOggOpus, OggOpusMuxer, type OggOpusMuxerOptions } from "./ogg-muxer.js";
import { opusPacketSamples } from "./toc.js";

const packetOf20Ms = (fill: number) => Uint8Array.of(0x08, fill, fill);
const twenty = Array.from({ length: 20 }, (_, i) => packetOf20Ms(i));

describe("what is written", () => {
  it("is byte for byte what a plain builder writes", () => {
    const packets = [3, 255, 700, 40].map((bytes) => opusPacketOf(bytes));
    const written = muxOggOpus(
      packets.map(([packet]) => packet),
      { serial: 7, preSkipSamples: 100, vendor: "naive", endTrimSamples: 99 },
    );
    expect(hexOf(written)).toBe(hexOf(naiveOggOpus(packets, { preSkip: 100, endTrim: 99 })));
  });

  it("demultiplexes to the packets that went in", () => {
    const packets = fc.array(
      fc.integer({ min: 1, max: 3000 }).map((bytes) => opusPacketOf(bytes, bytes)[0]),
      { maxLength: 300 },
    );
    const options: fc.Arbitrary<OggOpusMuxerOptions> = fc.record(
      {
        channels: fc.constantFrom(1, 2),
        serial: fc.nat(0xffffffff),
        inputSampleRateHz: fc.nat(96_000),
        comments: fc.array(
          fc.string({ unit: "grapheme" }).map((text) => `C=${text}`),
          { maxLength: 5 },
        ),
        packetsPerPageMax: fc.integer({ min: 1, max: 255 }),
        pageMsMax: fc.integer({ min: 1, max: 2000 }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(packets, options, fc.nat(119), (input, chosen, trim) => {
        const endTrimSamples = input.length > 0 ? trim : 0;
        const all = demuxAll(muxOggOpus(input, { ...chosen, preSkipSamples: 0, endTrimSamples }));
        const events = all.filter(({ type }) => type !== "gap");
        // Where packets differ in length, what a page holds is only estimated when its first one is there.
        if (new Set(input.map(opusPacketSamples)).size === 1) expect(events).toEqual(all);
        expect(packetsOf(events).map(hexOf)).toEqual(input.map(hexOf));
        // Packets of different durations on one page look as if there were a gap.
        const [head, tags, end] = framesOf(events).filter(({ type }) => type !== "gap");
        expect(head).toMatchObject({
          serial: chosen.serial ?? 1,
          head: { channels: chosen.channels ?? 1, inputSampleRateHz: chosen.inputSampleRateHz ?? 48_000 },
        });
        expect(tags).toMatchObject({ tags: { vendor: "readback", comments: chosen.comments ?? [] } });
        const totals = { packets: input.length, endTrimSamples, granuleMismatches: 0 };
        expect(end).toMatchObject({ type: "end", totals });
      }),
      { numRuns: 60 },
    );
  });

  it.each(GOOD_FIXTURES.filter((name) => !name.startsWith("surround")))(
    "%s again: an independent decoder gets every sample",
    async (name) => {
      const events = demuxAll(readFixture(name));
      const [head, , end] = framesOf(events);
      if (head?.type !== "head" || end?.type !== "end") throw new Error("not a whole stream");
      const { endTrimSamples, playableSamples } = end.totals;
      const file = muxOggOpus(packetsOf(events), { channels: head.head.channels as 1 | 2, endTrimSamples });
      const decoder = new OggOpusDecoder();
      await decoder.ready;
      const decoded = await decoder.decodeFile(file);
      decoder.free();
      expect(decoded).toMatchObject({ samplesDecoded: playableSamples, errors: [] });
    },
  );

  it("an empty stream is two headers and an end", () => {
    expect(demuxAll(muxOggOpus([])).at(-1)).toMatchObject({ type: "end", totals: { packets: 0 } });
  });
});

describe("pages", () => {
  it.each<[OggOpusMuxerOptions, number]>([
    [{}, 3],
    [{ packetsPerPageMax: 1 }, 22],
    [{ packetsPerPageMax: 6 }, 6],
    [{ pageMsMax: 100 }, 6],
    [{ pageMsMax: 1 }, 22],
  ])("with %j there are %i for 400 ms", (options, pages) => {
    expect(pageOffsets(muxOggOpus(twenty, options))).toHaveLength(pages);
  });

  it("hold whole packets, at most 255 segments", () => {
    const packets = [60_000, 5000, 5000, 254, 1].map((bytes) => opusPacketOf(bytes)[0]);
    const file = muxOggOpus(packets);
    const pages = pageOffsets(file);
    expect(pages).toHaveLength(4);
    for (const offset of pages) expect(file[offset + 5]! & 1).toBe(0);
  });

  it("leave as soon as the next packet shows that they are not the last", () => {
    const muxer = new OggOpusMuxer({ packetsPerPageMax: 3 });
    const header = muxer.header();
    const sizes = twenty.slice(0, 8).map((packet) => muxer.push(packet).length);
    expect(sizes.map((size) => size > 0)).toEqual([false, false, false, true, false, false, true, false]);
    const parts = demuxAll(header);
    expect(parts.map((event) => event.type)).toEqual(["head", "tags", "truncated"]);
    const last = muxer.finish(100);
    expect(last[5]).toBe(4);
  });

  it("written one by one are the file", () => {
    const muxer = new OggOpusMuxer({ pageMsMax: 60 });
    const parts = [muxer.header(), ...twenty.map((packet) => muxer.push(packet)), muxer.finish(7)];
    expect(hexOf(Buffer.concat(parts))).toBe(hexOf(muxOggOpus(twenty, { pageMsMax: 60, endTrimSamples: 7 })));
  });
});

describe("misuse", () => {
  const bad = (code: AudioErrorCode) => expect.objectContaining({ name: "AudioError", code });

  it.each<OggOpusMuxerOptions>([
    { channels: 3 as 2 },
    { preSkipSamples: -1 },
    { preSkipSamples: 65_536 },
    { inputSampleRateHz: 0.5 },
    { serial: 2 ** 32 },
    { packetsPerPageMax: 0 },
    { packetsPerPageMax: 256 },
    { pageMsMax: 0 },
    { comments: [`A=${"x".repeat(65_100)}`] },
  ])("options %j", (options) => {
    expect(() => new OggOpusMuxer(options)).toThrow(bad("bad_argument"));
  });

  it("what is not an Opus packet, or too large for a page", () => {
    const muxer = new OggOpusMuxer();
    muxer.header();
    expect(() => muxer.push(new Uint8Array(0))).toThrow(bad("bad_packet"));
    expect(() => muxer.push(Uint8Array.of(3))).toThrow(bad("bad_packet"));
    const [large] = opusPacketOf(65_025);
    expect(opusPacketSamples(large)).toBe(5760);
    expect(() => muxer.push(large)).toThrow(bad("bad_packet"));
  });

  it("calls out of order", () => {
    const muxer = new OggOpusMuxer();
    expect(() => muxer.push(packetOf20Ms(0))).toThrow(bad("bad_argument"));
    muxer.header();
    expect(() => muxer.header()).toThrow(bad("already_finished"));
    muxer.finish();
    expect(() => muxer.push(packetOf20Ms(0))).toThrow(bad("already_finished"));
    expect(() => muxer.finish()).toThrow(bad("already_finished"));
  });

  it("an end trim of a page or more, or into the pre-skip", () => {
    const options = { packetsPerPageMax: 1 };
    expect(() => muxOggOpus(twenty, { ...options, endTrimSamples: 960 })).toThrow(bad("bad_argument"));
    expect(() => muxOggOpus(twenty.slice(0, 1), { endTrimSamples: 649 })).toThrow(bad("bad_argument"));
    expect(demuxAll(muxOggOpus(twenty.slice(0, 1), { endTrimSamples: 648 })).at(-1)).toMatchObject({
      type: "end",
      totals: { playableSamples: 0 },
    });
  });

  it("tags that a page holds to the last byte are written", () => {
    const room = 255 * 255 - 1 - naiveTags("readback", [""]).length;
    expect(demuxAll(muxOggOpus(twenty, { comments: ["x".repeat(room)] })).at(-1)?.type).toBe("end");
  });
});
