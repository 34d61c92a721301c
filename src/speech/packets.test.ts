import { describe, expect, it } from "vitest";
import { type OggOptions, oggOpus, tonePackets } from "../../test/support/naive-ogg.js";
import { opusPackets, type SpeechPacket, type SpeechTotals } from "./packets.js";
import { SpeechFailure } from "./port.js";

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
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
      packets.push(next.value);
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
    expect(Buffer.from((got.value as SpeechPacket).bytes)).toEqual(Buffer.from(first!));
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

  it("forgives an encoder that does not mark its last page", async () => {
    const whole = Buffer.from(file(100));
    const { packets, failure } = await read(whole.subarray(0, whole.lastIndexOf("OggS")));
    expect([packets.length, failure]).toEqual([50, undefined]);
  });
});
