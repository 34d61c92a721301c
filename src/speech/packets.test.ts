import { opusPacketDuration } from "@readback/audio";
import { describe, expect, it } from "vitest";
import { type OggOptions, oggOpus, tonePackets } from "../../test/support/naive-ogg.js";
import { GAP_MS_MAX, opusPackets, type SpeechPackets, type SpeechTotals } from "./packets.js";
import { SpeechFailure } from "./port.js";

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

/** One of those that were complete at the same time. */
interface SpeechPacket {
  readonly bytes: Uint8Array;
  readonly shape: SpeechPackets["shape"];
}

interface Read {
  readonly packets: SpeechPacket[];
  readonly totals?: SpeechTotals;
  readonly failure?: SpeechFailure;
}

async function read(bytes: Uint8Array, size = 1_000): Promise<Read> {
  const packets: SpeechPacket[] = [];
  const all = opusPackets(inChunks(bytes, size));
  try {
    for (;;) {
      const next = await all.next();
      if (next.done) return { packets, totals: next.value };
      const { packets: together, shape } = next.value;
      expect(together.length).toBeGreaterThan(0);
      packets.push(...together.map((bytes) => ({ bytes, shape })));
    }
  } catch (error) {
    expect(error).toBeInstanceOf(SpeechFailure);
    return { packets, failure: error as SpeechFailure };
  }
}

const file = (count: number, options?: OggOptions) =>
  oggOpus(tonePackets(count, (options?.packetMs ?? 20) as 20), options);

describe("opusPackets", () => {
  it.each([20, 40, 60] as const)("gives packets of %d ms byte for byte, at any split", async (packetMs) => {
    const sent = tonePackets(70, packetMs);
    for (const size of [1, 7, 100, 4_096]) {
      const { packets, totals } = await read(oggOpus(sent, { packetMs }), size);
      expect(packets.map(({ bytes }) => Buffer.from(bytes))).toEqual(sent.map((bytes) => Buffer.from(bytes)));
      expect(packets[0]?.shape).toEqual({ sampleRateHz: 48_000, packetMs });
      expect(totals).toEqual({ packets: 70, preSkipSamples: 312, endTrimSamples: 0 });
    }
  });

  it("gives a packet before the rest of its page has come", async () => {
    const [first, ...rest] = tonePackets(50);
    const bytes = oggOpus([first!, ...rest]);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    async function* body() {
      const enough = bytes.length - rest.reduce((sum, packet) => sum + packet.length, 0);
      yield bytes.subarray(0, enough);
      await held;
      yield bytes.subarray(enough);
    }
    const packets = opusPackets(body());
    const got = await packets.next();
    expect(got.done).toBe(false);
    expect((got.value as SpeechPackets).packets.map((packet) => Buffer.from(packet))).toEqual([
      Buffer.from(first!),
    ]);
    release();
    await packets.return({ packets: 0, preSkipSamples: 0, endTrimSamples: 0 });
  });

  it.each([
    ["JSON", Buffer.from('{"error": {"message": "no"}}')],
    ["an MP3", Buffer.concat([Buffer.from("ID3"), Buffer.alloc(2_000, 0xff)])],
    ["a web page", Buffer.from("<!doctype html>")],
    ["nothing", new Uint8Array()],
    ["an Ogg without packets", oggOpus([])],
    ["an Ogg of something else", Buffer.from(file(5)).fill("Vorb", 28, 32)],
    ["an Ogg that ends in its headers", file(5).subarray(0, 60)],
  ])("does not take %s for audio", async (_name, bytes) => {
    const { packets, failure } = await read(bytes);
    expect([packets.length, failure?.kind]).toEqual([0, "not_audio"]);
  });

  it("refuses packets that the wire cannot carry", async () => {
    const short = tonePackets(5).map((packet) =>
      Uint8Array.from([(packet[0]! & 0x07) | (16 << 3), ...packet.subarray(1)]),
    );
    expect((await read(oggOpus(short, { packetMs: 2.5 }))).failure?.kind).toBe("wrong_shape");
    expect((await read(file(5, { channels: 2 }))).failure?.kind).toBe("wrong_shape");
    const stereo = tonePackets(5).map((packet) => Uint8Array.from([packet[0]! | 4, ...packet.subarray(1)]));
    expect((await read(oggOpus(stereo))).failure?.kind).toBe("wrong_shape");
  });

  it("refuses a change of shape, after the packets before it", async () => {
    const mixed = oggOpus([...tonePackets(3, 20), ...tonePackets(3, 60)]);
    const { packets, failure } = await read(mixed);
    expect([packets.length, failure?.kind]).toEqual([3, "wrong_shape"]);
    const chained = Buffer.concat([file(3), file(3, { packetMs: 60, serial: 9 })]);
    expect((await read(chained)).failure?.kind).toBe("wrong_shape");
  });

  it("reads a chain of streams as one", async () => {
    const { packets, totals } = await read(Buffer.concat([file(3), file(4, { serial: 9 })]));
    expect(packets).toHaveLength(7);
    expect(totals).toEqual({ packets: 7, preSkipSamples: 624, endTrimSamples: 0 });
  });

  it("tells that it was cut, after the packets that came", async () => {
    const bytes = file(100);
    const { packets, failure } = await read(bytes.subarray(0, bytes.length - 10));
    expect([packets.length, failure?.kind]).toEqual([99, "cut"]);
    const damaged = Uint8Array.from(bytes);
    damaged[bytes.length - 1]! ^= 1;
    const { packets: all, failure: broken } = await read(damaged);
    expect([all.length, broken?.kind]).toEqual([100, "cut"]);
  });

  describe("where nothing was sent for a while", () => {
    /** Six packets on pages of `packetsPerPage`, with a gap before the fourth. */
    const gapped = (gapMs: number, { packetsPerPage = 1, packetMs = 20 as 20 | 60 } = {}) =>
      oggOpus(tonePackets(6, packetMs), { packetMs, packetsPerPage, gap: { before: 3, ms: gapMs } });
    const sent = tonePackets(6);
    const empty = Buffer.from([sent[2]![0]! & 0xfc]);
    const hex = (packets: readonly Uint8Array[]) =>
      packets.map((bytes) => Buffer.from(bytes).toString("hex"));

    it.each([1, 7, 4_096])("puts as many empty packets there as are missing, chunks of %i", async (size) => {
      const { packets, totals } = await read(gapped(400), size);
      const expected = [...sent.slice(0, 3), ...Array<Uint8Array>(20).fill(empty), ...sent.slice(3)];
      expect(hex(packets.map(({ bytes }) => bytes))).toEqual(hex(expected));
      expect(totals).toMatchObject({ packets: 26 });
      expect(new Set(packets.map(({ shape }) => shape)).size).toBe(1);
    });

    it("puts them before the first packet of a page of several", async () => {
      const { packets } = await read(gapped(60, { packetsPerPage: 2 }));
      const expected = [...sent.slice(0, 2), empty, empty, empty, ...sent.slice(2)];
      expect(hex(packets.map(({ bytes }) => bytes))).toEqual(hex(expected));
    });

    it("are as long as their neighbours", async () => {
      const { packets } = await read(gapped(120, { packetMs: 60 }));
      expect(packets).toHaveLength(8);
      expect(packets[3]!.bytes.length).toBeLessThan(3);
      expect(opusPacketDuration(packets[3]!.bytes)).toBe(60);
    });

    it.each([
      ["shorter than a packet", 19, 0],
      ["of a packet and a half", 30, 1],
      ["as long as a gap may be", GAP_MS_MAX, GAP_MS_MAX / 20],
      ["absurd", GAP_MS_MAX + 20, 0],
      ["of days", 1e9, 0],
    ])("a jump that is %s", async (_name, gapMs, count) => {
      const { packets, totals } = await read(gapped(gapMs));
      expect(packets).toHaveLength(6 + count);
      expect(totals?.packets).toBe(6 + count);
    });
  });

  it("forgives an encoder that does not mark its last page", async () => {
    const whole = Buffer.from(file(100));
    const { packets, failure } = await read(whole.subarray(0, whole.lastIndexOf("OggS")));
    expect([packets.length, failure]).toEqual([50, undefined]);
  });
});
