// What the demultiplexer reports, on real files and on pages built to be awkward. Damage: ogg-demuxer.damage.test.ts.
import { createRequire } from "node:module";
import { crc32 } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  chunksOf,
  cutAt,
  demux,
  demuxAll,
  framesOf,
  GOOD_FIXTURES,
  hexOf,
  packetsOf,
  readFixture,
  transcript,
} from "./demux.test-util.js";
import {
  laced,
  naiveHead,
  naiveOggOpus,
  naivePage,
  naiveTags,
  opusPacketOf,
  packetEndOffsets,
  pageOffsets,
} from "./ogg-bytes.test-util.js";
import { OggOpusDemuxer } from "./ogg-demuxer.js";

const prism = createRequire(import.meta.url)("prism-media") as typeof import("prism-media");

describe("on real files", () => {
  it.each(GOOD_FIXTURES)("%s: finds what ffprobe finds", (name) => {
    const expected = readFfprobe(name);
    const events = demuxAll(readFixture(name));
    const packets = events.flatMap((event) => (event.type === "packet" ? [event] : []));
    expect(packets.map((packet) => [packet.data.length, crc32(packet.data)])).toEqual(
      expected.map((packet) => [packet.bytes, packet.crc]),
    );
    // ffprobe takes the end trim off the last packet.
    const end = events.at(-1);
    expect(end).toMatchObject({ type: "end", totals: { packets: expected.length, granuleMismatches: 0 } });
    const endTrim = end?.type === "end" ? end.totals.endTrimSamples : Number.NaN;
    const durations = packets.map((packet) => packet.durationSamples);
    durations[durations.length - 1]! -= endTrim;
    expect(durations).toEqual(expected.map((packet) => packet.durationSamples));
  });

  // prism-media loses the packets that continue on another page.
  it.each(GOOD_FIXTURES.filter((name) => !name.includes("continued")))(
    "%s: agrees with prism-media",
    async (name) => {
      const file = readFixture(name);
      const theirs = await demuxWithPrism(file);
      expect(packetsOf(demuxAll(file)).map(hexOf)).toEqual(theirs);
    },
  );

  it("reports headers, durations and trims", () => {
    const frames = framesOf(demuxAll(readFixture("speech-60ms-pages-200ms.opus")));
    expect(frames).toMatchObject([
      { type: "head", head: { channels: 1, preSkipSamples: 312, inputSampleRateHz: 48_000, streamCount: 1 } },
      { type: "tags", tags: { vendor: "libopus 1.3.1, libopusenc 0.2.1" } },
      {
        type: "end",
        totals: { packets: 116, totalSamples: 333_120, endTrimSamples: 888, playableSamples: 331_920 },
      },
    ]);
  });

  it("reads a chain as one stream after the other", () => {
    const [first, second] = [readFixture("speech-2.5ms.opus"), readFixture("stereo-510k-continued.opus")];
    const chain = demuxAll(Buffer.concat([first, second]));
    expect(transcript(chain)).toBe(transcript([...demuxAll(first), ...demuxAll(second)]));
    expect(chain.filter((event) => event.type === "head")).toHaveLength(2);
  });

  it("reads a chain whose streams share a serial number", () => {
    const file = readFixture("ffmpeg-40ms.opus");
    expect(packetsOf(demuxAll(Buffer.concat([file, file])))).toHaveLength(102);
  });

  it("refuses Ogg that is not Opus as soon as its headers are over", () => {
    const vorbis = readFixture("vorbis.ogg");
    expect(demuxAll(vorbis)).toMatchObject([{ type: "malformed", reason: "not_opus" }]);
  });
});

describe("any split of the input", () => {
  const small = naiveOggOpus([opusPacketOf(3), opusPacketOf(255), opusPacketOf(700, 9), opusPacketOf(40)], {
    segmentsPerPage: 2,
  });

  it.each([
    ["small pages", small],
    ["a page for each packet", readFixture("speech-page-per-packet.opus").subarray(0, 4000)],
    ["a chain", Buffer.concat([small, small])],
  ])("%s: every single cut gives the same events", (_, file) => {
    const whole = transcript(demuxAll(file));
    for (let cut = 0; cut <= file.length; cut++) {
      if (transcript(demux(cutAt(file, [cut]))) !== whole) expect.fail(`differs when cut at byte ${cut}`);
    }
  });

  it.each([...GOOD_FIXTURES, "vorbis.ogg"])(
    "%s: chunks of 1, 2, 3, 7, 64, 1000 bytes give the same events",
    (name) => {
      const file = readFixture(name);
      const whole = transcript(demuxAll(file));
      for (const size of [1, 2, 3, 7, 64, 1000]) expect(transcript(demux(chunksOf(file, size)))).toBe(whole);
    },
  );

  it.each(GOOD_FIXTURES)("%s: random cuts give the same events", (name) => {
    const file = readFixture(name);
    const whole = transcript(demuxAll(file));
    const cuts = fc.array(fc.nat(file.length), { maxLength: 40 });
    fc.assert(
      fc.property(cuts, (offsets) => transcript(demux(cutAt(file, offsets))) === whole),
      { numRuns: 25 },
    );
  });
});

describe("when packets leave", () => {
  it.each(["speech-pages-1000ms.opus", "stereo-510k-continued.opus"])("%s: each at its last byte", (name) => {
    const file = readFixture(name);
    const demuxer = new OggOpusDemuxer();
    const leftAt: number[] = [];
    for (let at = 0; at < file.length; at++) {
      for (const event of demuxer.push(file.subarray(at, at + 1))) {
        if (event.type !== "end") leftAt.push(at + 1);
      }
    }
    expect(leftAt).toEqual(packetEndOffsets(file));
  });

  it("a packet that ends on an empty segment leaves with the lacing value that says so", () => {
    // 255 bytes on one page; the lacing value 0 that ends the packet is on the next.
    const [packet, samples] = opusPacketOf(255);
    const file = naiveOggOpus([[packet, samples]], { segmentsPerPage: 1 });
    expect(demuxAll(file)).toMatchObject([
      { type: "head" },
      { type: "tags" },
      { type: "packet", durationSamples: samples },
      { type: "end" },
    ]);
  });

  it("a packet within one chunk is a view of it, others are copies that stay", () => {
    const file = naiveOggOpus([opusPacketOf(50, 1), opusPacketOf(50, 2)]);
    const [whole] = packetsOf(demuxAll(file));
    expect(whole!.buffer).toBe(file.buffer);
    const cut = packetsOf(demux(chunksOf(file, 10).map((chunk) => chunk.slice())));
    expect(cut.map(hexOf)).toEqual(
      [opusPacketOf(50, 1), opusPacketOf(50, 2)].map(([packet]) => hexOf(packet)),
    );
  });
});

describe("continued packets", () => {
  it.each([1, 2, 3, 17, 254, 255])("come whole from pages of %i segments", (segmentsPerPage) => {
    const packets = [1, 254, 255, 256, 509, 510, 511, 1276, 5000, 2].map((bytes, i) =>
      opusPacketOf(bytes, i),
    );
    const events = demuxAll(naiveOggOpus(packets, { segmentsPerPage }));
    expect(packetsOf(events).map(hexOf)).toEqual(packets.map(([packet]) => hexOf(packet)));
    expect(events.at(-1)).toMatchObject({ type: "end", totals: { packets: 10, granuleMismatches: 0 } });
  });

  it("come whole over several full pages", () => {
    const packets = [opusPacketOf(10), opusPacketOf(200_000, 3), opusPacketOf(10)];
    const file = naiveOggOpus(packets);
    const limits = { packetBytesMax: 200_000 };
    expect(packetsOf(demux(chunksOf(file, 999), { limits })).map(hexOf)).toEqual(
      packets.map(([p]) => hexOf(p)),
    );
    expect(framesOf(demuxAll(file)).at(-1)).toMatchObject({ type: "malformed", reason: "packet_too_large" });
  });
});

describe("granule positions", () => {
  const packets = [opusPacketOf(20), opusPacketOf(20), opusPacketOf(20), opusPacketOf(20)];
  const totals = (options: Parameters<typeof naiveOggOpus>[1]) =>
    demuxAll(naiveOggOpus(packets, options)).at(-1);

  it("give the end trim, on one page or several", () => {
    for (const segmentsPerPage of [1, 3, 255]) {
      expect(totals({ endTrim: 100, preSkip: 30, segmentsPerPage })).toMatchObject({
        type: "end",
        totals: { totalSamples: 480, endTrimSamples: 100, playableSamples: 350, granuleMismatches: 0 },
      });
    }
  });

  it("may begin late, as when a live stream is joined", () => {
    expect(totals({ granuleOffset: 1_000_000, segmentsPerPage: 1, endTrim: 60 })).toMatchObject({
      totals: { totalSamples: 480, endTrimSamples: 60, granuleMismatches: 0 },
    });
  });

  it("are counted where they disagree with the durations", () => {
    const wrong = packets.map(([packet]): [Uint8Array, number] => [packet, 125]);
    expect(demuxAll(naiveOggOpus(wrong, { segmentsPerPage: 1 })).at(-1)).toMatchObject({
      type: "end",
      totals: { totalSamples: 480, endTrimSamples: 0, granuleMismatches: 3 },
    });
  });

  describe("that run ahead", () => {
    /** What comes out, with `samples` more than it lasts counted for the packet at `index`. */
    const withGap = (index: number, samples: number, options: Parameters<typeof naiveOggOpus>[1] = {}) => {
      const gapped = packets.map(([packet, duration], i): [Uint8Array, number] => [
        packet,
        i === index ? duration + samples : duration,
      ]);
      const file = naiveOggOpus(gapped, options);
      const events = demux(chunksOf(file, 7));
      expect(transcript(events)).toBe(transcript(demuxAll(file)));
      return events
        .filter(({ type }) => type === "packet" || type === "gap")
        .map((event) => (event.type === "gap" ? event.durationSamples : "packet"));
    };

    it("tell of a gap before the packet", () => {
      expect(withGap(2, 9_600, { segmentsPerPage: 1 })).toEqual([
        "packet",
        "packet",
        9_600,
        "packet",
        "packet",
      ]);
    });

    it("tell of a gap somewhere in a page of several packets before the first of them", () => {
      for (const index of [2, 3]) {
        expect(withGap(index, 960, { segmentsPerPage: 2 })).toEqual([
          "packet",
          "packet",
          960,
          "packet",
          "packet",
        ]);
      }
    });

    it("tell nothing on the first page: a stream may be joined late", () => {
      expect(withGap(0, 960, { segmentsPerPage: 1 })).toEqual(Array(4).fill("packet"));
    });

    it("tell of a gap on the last page, unless the end trim hides it", () => {
      expect(withGap(3, 960, { segmentsPerPage: 1, endTrim: 60 })).toEqual([
        ...Array(3).fill("packet"),
        900,
        "packet",
      ]);
      expect(withGap(3, 60, { segmentsPerPage: 1, endTrim: 60 })).toEqual(Array(4).fill("packet"));
    });

    it("tell of no gap where they fall behind", () => {
      expect(withGap(2, -60, { segmentsPerPage: 1 })).toEqual(Array(4).fill("packet"));
    });

    it("count from a packet that is continued from the page before", () => {
      const long = [opusPacketOf(20), opusPacketOf(600), opusPacketOf(600)];
      const late = long.map(([p, d], i): [Uint8Array, number] => [p, i === 2 ? d + 480 : d]);
      const events = demuxAll(naiveOggOpus(late, { segmentsPerPage: 2 }));
      expect(events.filter(({ type }) => type === "gap")).toEqual([{ type: "gap", durationSamples: 480 }]);
    });
  });

  it("below the samples of the first page are refused, unless it is the last", () => {
    expect(totals({ granuleOffset: -1, segmentsPerPage: 2 })).toMatchObject({ reason: "bad_granule" });
    expect(totals({ granuleOffset: -1, preSkip: 0 })).toMatchObject({
      type: "end",
      totals: { endTrimSamples: 1 },
    });
    expect(totals({ endTrim: 169, preSkip: 312 })).toMatchObject({ reason: "bad_granule" });
  });

  it("of -1 on a page that completes packets are refused", () => {
    expect(totals({ granuleOffset: -121, segmentsPerPage: 1 })).toMatchObject({ reason: "bad_granule" });
  });
});

describe("logical streams", () => {
  const packets = [opusPacketOf(20, 1), opusPacketOf(20, 2)];

  it("an Ogg of headers only ends with no packets", () => {
    const headers = [
      naivePage({ flags: 2, ...laced(naiveHead()) }),
      naivePage({ flags: 4, sequence: 1, ...laced(naiveTags("none", [])) }),
    ];
    const events = demuxAll(Buffer.concat(headers));
    expect(events.at(-1)).toMatchObject({ type: "end", totals: { packets: 0, playableSamples: 0 } });
    const empty = Buffer.concat([
      naiveOggOpus([], { open: true }),
      naivePage({ flags: 4, sequence: 2, ...NOTHING }),
    ]);
    expect(demuxAll(empty).at(-1)).toMatchObject({ type: "end", totals: { packets: 0 } });
  });

  it("a last page without packets ends the stream", () => {
    const last = naivePage({ flags: 4, sequence: 3, granule: 240n, ...NOTHING });
    const events = demuxAll(Buffer.concat([naiveOggOpus(packets, { open: true }), last]));
    expect(events.at(-1)).toMatchObject({ type: "end", totals: { packets: 2, endTrimSamples: 0 } });
  });

  it("a chain goes on after a stream without an end mark, and says so", () => {
    const events = demuxAll(Buffer.concat([naiveOggOpus(packets, { open: true }), naiveOggOpus(packets)]));
    expect(events.map((event) => event.type).join(" ")).toBe(
      "head tags packet packet truncated head tags packet packet end",
    );
    expect(events[4]).toMatchObject({ missing: "end_of_stream", totals: { packets: 2 } });
  });

  it("a chain goes on after a stream that stops in a packet", () => {
    const cutInPacket = naiveOggOpus([opusPacketOf(600)], { segmentsPerPage: 2, open: true });
    const firstPages = cutInPacket.subarray(0, pageOffsets(cutInPacket)[3]);
    const events = demuxAll(Buffer.concat([firstPages, naiveOggOpus(packets)]));
    expect(events[2]).toMatchObject({ type: "truncated", missing: "packet", totals: { packets: 0 } });
    expect(transcript(events.slice(3))).toBe(transcript(demuxAll(naiveOggOpus(packets))));
  });

  it("a second Opus stream beside the first is passed over", () => {
    const pages = (serial: number, fill: number) => {
      const file = naiveOggOpus([opusPacketOf(30, fill)], { serial });
      return cutAt(file, [47, 47 + 27 + 1 + naiveTags("naive", []).length]);
    };
    const [ours, theirs] = [pages(1, 1), pages(2, 2)];
    const grouped = Buffer.concat([ours[0]!, theirs[0]!, theirs[1]!, ours[1]!, theirs[2]!, ours[2]!]);
    expect(transcript(demuxAll(grouped))).toBe(transcript(demuxAll(Buffer.concat(ours))));
  });

  it("the comments are reported as they stand", () => {
    const tags = naiveTags("vendör", ["TITLE=Öl", "=", "no equals sign"]);
    expect(demuxAll(naiveOggOpus(packets, { tags }))[1]).toMatchObject({
      tags: { vendor: "vendör", comments: ["TITLE=Öl", "=", "no equals sign"] },
    });
  });
});

const NOTHING = { lacing: [], body: new Uint8Array(0) };

interface FfprobePacket {
  durationSamples: number;
  bytes: number;
  crc: number;
}

/** The recorded packets of a fixture; see fixtures/README.md. */
function readFfprobe(name: string): FfprobePacket[] {
  const lines = Buffer.from(readFixture(`${name}.ffprobe.csv`))
    .toString("utf8")
    .trim()
    .split("\n");
  return lines.map((line) => {
    const [duration, bytes, crc] = line.split(",");
    return { durationSamples: Number(duration), bytes: Number(bytes), crc: Number.parseInt(crc!, 16) };
  });
}

async function demuxWithPrism(file: Uint8Array): Promise<string[]> {
  const demuxer = new prism.opus.OggDemuxer();
  demuxer.end(file);
  const packets: string[] = [];
  for await (const packet of demuxer) packets.push(hexOf(packet as Buffer));
  return packets;
}
