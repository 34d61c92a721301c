// What the demultiplexer makes of input that is cut, damaged, hostile or something else altogether.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  chunksOf,
  demux,
  demuxAll,
  framesOf,
  GOOD_FIXTURES,
  hexOf,
  packetsOf,
  readFixture,
  transcript,
} from "./demux.test-util.js";
import { AudioError } from "./errors.js";
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
import { DEFAULT_OGG_OPUS_LIMITS, OggOpusDemuxer } from "./ogg-demuxer.js";
import type { OggOpusEvent } from "./ogg-events.js";

describe("truncated input", () => {
  it("at any byte gives the packets that are complete, and says what is missing", () => {
    const packets = [10, 300, 255, 20].map((bytes, i) => opusPacketOf(bytes, i));
    const file = naiveOggOpus(packets, { segmentsPerPage: 2 });
    const ends = packetEndOffsets(file);
    const pages = pageOffsets(file);
    for (let length = 0; length < file.length; length++) {
      const events = demuxAll(file.subarray(0, length));
      const complete = ends.filter((end) => end <= length).length;
      expect(packetsOf(events)).toHaveLength(Math.max(0, complete - 2));
      const last = events.at(-1);
      expect(last).toMatchObject({ type: "truncated", missing: expectedPart(length) });
    }

    function expectedPart(length: number): string {
      if (length < ends[1]!) return "headers";
      if (!pages.includes(length)) return "page";
      return ends.includes(length) ? "end_of_stream" : "packet";
    }
  });

  it.each(GOOD_FIXTURES.slice(0, 4))("%s: is never taken for complete or malformed", (name) => {
    const file = readFixture(name);
    const whole = packetsOf(demuxAll(file)).map(hexOf);
    for (let length = 0; length < file.length; length += 97) {
      const events = demuxAll(file.subarray(0, length));
      expect(events.at(-1)?.type).toBe("truncated");
      const packets = packetsOf(events).map(hexOf);
      expect(packets).toEqual(whole.slice(0, packets.length));
    }
  });

  it("in the headers of the next stream of a chain is reported once", () => {
    const file = naiveOggOpus([opusPacketOf(10)]);
    const events = demuxAll(Buffer.concat([file, file.subarray(0, 20)]));
    expect(events.slice(-2)).toMatchObject([{ type: "end" }, { type: "truncated", missing: "page" }]);
  });
});

describe("flipped bits", () => {
  it.each([
    ["speech-page-per-packet.opus", 11],
    ["speech-60ms-pages-200ms.opus", 13],
    ["speech-pages-1000ms.opus", 17],
    ["multiplexed-vorbis-opus.ogg", 7],
    ["stereo-510k-continued.opus", 401],
  ])("%s: none goes unnoticed, and pages before it are sound", (name, stride) => {
    const file = readFixture(name);
    const pages = pageOffsets(file);
    const whole = demuxAll(file);
    for (let position = 0; position < file.length; position += stride) {
      const damaged = file.slice();
      damaged[position]! ^= 1 << (position % 8);
      const events = demuxAll(damaged);
      expect(["malformed", "truncated"]).toContain(events.at(-1)?.type);
      const pageStart = pages.findLast((offset) => offset <= position)!;
      const sound = eventsBefore(file, whole, pageStart);
      expect(transcript(events.slice(0, sound.length))).toBe(transcript(sound));
    }
  });

  it("without CRC nothing throws, and what is reported does not depend on the chunks", () => {
    const file = naiveOggOpus([opusPacketOf(30, 1), opusPacketOf(300, 2), opusPacketOf(5, 3)], {
      segmentsPerPage: 3,
    });
    for (let bit = 0; bit < file.length * 8; bit++) {
      const damaged = file.slice();
      damaged[bit >> 3]! ^= 1 << (bit & 7);
      const events = transcript(demuxAll(damaged, { checkCrc: false }));
      if (bit % 8 === 0) expect(transcript(demux(chunksOf(damaged, 5), { checkCrc: false }))).toBe(events);
    }
  });

  it("in a packet with CRC off are the packet's own", () => {
    const file = naiveOggOpus([opusPacketOf(30, 1)]);
    file[file.length - 1]! ^= 0x10;
    expect(demuxAll(file, { checkCrc: false }).at(-1)?.type).toBe("end");
    expect(demuxAll(file).at(-1)).toMatchObject({ type: "malformed", reason: "bad_crc" });
  });

  it("in a header page keep that header back", () => {
    const file = naiveOggOpus([opusPacketOf(30, 1)]);
    file[47 - 2]! ^= 0x10;
    expect(demuxAll(file)).toMatchObject([{ type: "malformed", reason: "bad_crc", pageOffset: 0 }]);
  });
});

describe("what is not Ogg Opus", () => {
  it.each([
    ["JSON", '{"error": {"message": "quota"}}', "looks like JSON"],
    ["HTML", "<!doctype html>", "looks like HTML or XML"],
    ["MP3 with tags", "ID3\x04", "looks like MP3 (ID3)"],
    ["bare MP3", "\xff\xfb\x90\x44", "looks like MP3 or AAC"],
    ["WAV", "RIFF....WAVE", "looks like WAV (RIFF)"],
    ["FLAC", "fLaC", "looks like FLAC"],
    ["something else", "Ogg?", "unknown data"],
  ])("%s is refused at its first wrong byte", (_, text, detail) => {
    const bytes = Buffer.from(text, "latin1");
    const wrongAt = [..."OggS"].findIndex((char, i) => char.charCodeAt(0) !== bytes[i]);
    const demuxer = new OggOpusDemuxer();
    for (let at = 0; at < wrongAt; at++) expect(demuxer.push(bytes.subarray(at, at + 1))).toEqual([]);
    expect(demuxer.push(bytes.subarray(wrongAt, wrongAt + 1))).toMatchObject([
      { type: "malformed", reason: "not_ogg", detail: expect.stringContaining(detail), pageOffset: 0 },
    ]);
    expect(demuxer.push(bytes)).toEqual([]);
    expect(demuxer.end()).toEqual([]);
  });

  it("no input at all is truncated", () => {
    expect(demux([])).toMatchObject([{ type: "truncated", missing: "headers", totals: { packets: 0 } }]);
  });

  it("using it after the end is the caller's mistake", () => {
    const demuxer = new OggOpusDemuxer();
    demuxer.end();
    expect(() => demuxer.push(new Uint8Array(1))).toThrow(AudioError);
    expect(() => new OggOpusDemuxer({ limits: { packetBytesMax: 0 } })).toThrow("packetBytesMax");
    expect(() => new OggOpusDemuxer({ limits: { idlePagesMax: 1.5 } })).toThrow("idlePagesMax");
  });
});

describe("pages that break the rules", () => {
  const first = naivePage({ flags: 2, ...laced(naiveHead()) });
  const tags = naivePage({ sequence: 1, ...laced(naiveTags("", [])) });
  const audio = (sequence: number, more: Partial<Parameters<typeof naivePage>[0]> = {}) =>
    naivePage({ sequence, granule: 120n, ...laced(opusPacketOf(9)[0]), ...more });
  const head = (change: (bytes: Uint8Array) => Uint8Array) =>
    naivePage({ flags: 2, ...laced(change(naiveHead())) });
  const set = (at: number, value: number) => head((bytes) => bytes.with(at, value));
  const full = { lacing: [255], body: new Uint8Array(255).fill(1) };

  it.each<[string, Uint8Array[], string]>([
    ["another Ogg version", [first.with(4, 1)], "unsupported_version"],
    ["something between pages", [first, Buffer.from("junk")], "lost_capture"],
    ["a first page that is none", [tags], "not_opus"],
    ["a first page that continues", [naivePage({ flags: 3, ...laced(naiveHead()) })], "bad_continuation"],
    ["an empty first page", [naivePage({ flags: 2, lacing: [], body: new Uint8Array() })], "bad_first_page"],
    [
      "two packets on the first page",
      [naivePage({ flags: 2, lacing: [1, 1], body: Buffer.alloc(2) })],
      "bad_first_page",
    ],
    ["an unfinished first packet", [naivePage({ flags: 2, ...full })], "bad_first_page"],
    ["a short head", [head((bytes) => bytes.subarray(0, 18))], "head_too_short"],
    ["a head of version 16", [set(8, 16)], "head_version"],
    ["no channels", [set(9, 0)], "head_channels"],
    ["three channels in family 0", [set(9, 3)], "head_channels"],
    ["an unknown mapping family", [set(18, 4)], "head_mapping_family"],
    ["family 1 without its table", [set(18, 1)], "head_too_short"],
    [
      "a mapping to nowhere",
      [head((bytes) => Buffer.concat([bytes.with(18, 1), Buffer.of(1, 0, 1)]))],
      "head_mapping",
    ],
    [
      "more pairs than streams",
      [head((bytes) => Buffer.concat([bytes.with(18, 1), Buffer.of(1, 2, 0)]))],
      "head_mapping",
    ],
    ["the stream beginning twice", [first, first], "sequence_gap"],
    ["audio in place of tags", [first, audio(1)], "tags_magic"],
    [
      "tags cut short",
      [first, naivePage({ sequence: 1, ...laced(naiveTags("x", []).subarray(0, 15)) })],
      "tags_truncated",
    ],
    [
      "more comments than fit",
      [first, naivePage({ sequence: 1, ...laced(naiveTags("", []).with(12, 1)) })],
      "tags_truncated",
    ],
    [
      "a packet after the tags",
      [
        first,
        naivePage({ sequence: 1, lacing: [16, 1], body: Buffer.concat([naiveTags("", []), Buffer.of(0)]) }),
      ],
      "bad_tags_page",
    ],
    [
      "a piece of one after the tags",
      [
        first,
        naivePage({ sequence: 1, lacing: [16, 255], body: Buffer.concat([naiveTags("", []), full.body]) }),
      ],
      "bad_tags_page",
    ],
    ["a lost page", [first, tags, audio(3)], "sequence_gap"],
    ["a repeated page", [first, tags, audio(2), audio(2)], "sequence_gap"],
    ["a continuation of nothing", [first, tags, audio(2, { flags: 1 })], "bad_continuation"],
    [
      "a packet that is not continued",
      [first, tags, audio(2, { ...full, granule: -1n }), audio(3)],
      "bad_continuation",
    ],
    ["a page after the last", [first, tags, audio(2, { flags: 4 }), audio(3)], "page_after_end"],
    [
      "a packet without a byte",
      [first, tags, audio(2, { lacing: [0], body: new Uint8Array() })],
      "bad_opus_packet",
    ],
    [
      "a packet that is not Opus",
      [first, tags, audio(2, { lacing: [1], body: Buffer.of(3) })],
      "bad_opus_packet",
    ],
    ["a granule position beyond counting", [first, tags, audio(2, { granule: 2n ** 60n })], "bad_granule"],
    ["a granule position of -2", [first, tags, audio(2, { granule: -2n, flags: 4 })], "bad_granule"],
  ])("%s", (_, pages, reason) => {
    const events = demuxAll(Buffer.concat(pages));
    expect(events.at(-1)).toMatchObject({ type: "malformed", reason });
    const offset = Buffer.concat(pages.slice(0, -1)).length;
    expect(events.at(-1)).toMatchObject({ pageOffset: offset, detail: expect.stringMatching(/\w/) });
    expect(transcript(demux(chunksOf(Buffer.concat(pages), 1)))).toBe(transcript(events));
  });

  it.each<[string, Uint8Array[], string]>([
    ["in the first page", [naivePage({ flags: 6, ...laced(naiveHead()) })], "headers"],
    ["in the tags", [first, naivePage({ flags: 4, sequence: 1, ...full })], "headers"],
    ["in a packet", [first, tags, audio(2, { ...full, flags: 4, granule: -1n })], "packet"],
    ["by another stream in a packet", [first, tags, audio(2, { ...full, granule: -1n }), first], "packet"],
    [
      "by a stream that is not Opus",
      [first, tags, audio(2), naivePage({ flags: 2, serial: 9, ...laced(Buffer.from("x")) })],
      "end_of_stream",
    ],
  ])("a stream ended %s is truncated", (_, pages, missing) => {
    const frames = framesOf(demuxAll(Buffer.concat(pages)));
    expect(frames.find((event) => event.type === "truncated")).toMatchObject({ missing });
    expect(frames.some((event) => event.type === "malformed")).toBe(false);
  });
});

describe("limits", () => {
  const open = naiveOggOpus([], { open: true });

  it("a packet is refused when its lacing values exceed the limit, before its bytes arrive", () => {
    const page = naivePage({ sequence: 2, lacing: new Array(255).fill(255), body: new Uint8Array() });
    const demuxer = new OggOpusDemuxer();
    demuxer.push(open);
    expect(demuxer.push(page)).toMatchObject([{ type: "malformed", reason: "packet_too_large" }]);
    expect(demuxer.bufferedBytes).toBe(0);
  });

  it("tags have a limit of their own", () => {
    const tags = naiveTags("x".repeat(70_000), []);
    const file = naiveOggOpus([opusPacketOf(9)], { tags });
    expect(demuxAll(file).at(-1)?.type).toBe("end");
    expect(demuxAll(file, { limits: { tagsBytesMax: tags.length } }).at(-1)?.type).toBe("end");
    expect(demuxAll(file, { limits: { tagsBytesMax: tags.length - 1 } }).at(-1)).toMatchObject({
      reason: "packet_too_large",
    });
  });

  it("pages that complete nothing are borne for a while, our own and those of others", () => {
    const empty = (serial: number, sequence: number) =>
      naivePage({ serial, sequence, granule: -1n, lacing: [], body: new Uint8Array() });
    for (const serial of [7, 8]) {
      const pages = Array.from({ length: 6 }, (_, i) => empty(serial, i + 2));
      const limits = { idlePagesMax: 5 };
      const events = demux([open, ...pages], { limits });
      expect(events.at(-1)).toMatchObject({ type: "malformed", reason: "no_progress" });
      expect(demux([open, ...pages.slice(0, 5)], { limits }).at(-1)?.type).toBe("truncated");
    }
  });

  it("pages that complete nothing are borne for ever between pages that do", () => {
    const page = opusPacketOf(300);
    const file = naiveOggOpus([page, page, page, page], { segmentsPerPage: 1 });
    // The tags take one page, and every other page after them is half a packet.
    expect(demuxAll(file, { limits: { idlePagesMax: 1 } }).at(-1)?.type).toBe("end");
  });

  it("what is held back stays within them, whatever comes", () => {
    const bound =
      Math.max(DEFAULT_OGG_OPUS_LIMITS.tagsBytesMax, DEFAULT_OGG_OPUS_LIMITS.packetBytesMax) + 282;
    const garbage = fc.uint8Array({ maxLength: 400 });
    const page = fc.record({
      flags: fc.constantFrom(0, 1, 2, 4),
      serial: fc.constantFrom(7, 8),
      sequence: fc.constantFrom(0, 1, 2, 3),
      granule: fc.constantFrom(-1n, 0n, 120n),
      lacing: fc.array(fc.constantFrom<number[]>(0, 1, 9, 255), { maxLength: 255 }),
    });
    const pages = page.map((fields) => {
      const bytes = fields.lacing.reduce((sum, lacing) => sum + lacing, 0);
      return naivePage({ ...fields, body: new Uint8Array(bytes).fill(0xe0) });
    });
    const start = fc.constantFrom(new Uint8Array(), open, naivePage({ flags: 2, ...laced(naiveHead()) }));
    const input = fc.tuple(start, fc.array(fc.oneof(garbage, pages), { maxLength: 6 }), fc.boolean());
    fc.assert(
      fc.property(input, ([begin, parts, checkCrc]) => {
        const demuxer = new OggOpusDemuxer({ checkCrc });
        for (const chunk of [begin, ...parts]) {
          demuxer.push(chunk);
          expect(demuxer.bufferedBytes).toBeLessThanOrEqual(bound);
        }
        demuxer.end();
      }),
      { numRuns: 300 },
    );
  });
});

/** The events that were complete before the page at `offset`, which are those of the undamaged file. */
function eventsBefore(file: Uint8Array, whole: readonly OggOpusEvent[], offset: number): OggOpusEvent[] {
  const before = demuxAll(file.subarray(0, offset)).filter((event) => event.type !== "truncated");
  return whole.slice(0, before.length);
}
