import { opusPacketDuration, parseToc } from "@readback/audio";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type OggOptions, oggOpus, tonePackets } from "../../test/support/naive-ogg.js";
import { opusPackets, type SpeechPackets, type SpeechTotals } from "./packets.js";
import { SpeechFailure, type SpeechShape } from "./port.js";
import { chooseShape, FILL_MS_MAX, ShapeChoice, shaped } from "./shape.js";

const RADIO = { sampleRateHz: 16_000, packetMs: 60 };
const PHONE = { sampleRateHz: 48_000, packetMs: 20 };
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

interface SpeechPacket {
  readonly bytes: Uint8Array;
  readonly shape: SpeechShape;
}

const each = ({ packets, shape }: SpeechPackets): SpeechPacket[] =>
  packets.map((bytes) => ({ bytes, shape }));

interface Heard {
  readonly packets: SpeechPacket[];
  readonly totals?: SpeechTotals;
  readonly failure?: SpeechFailure;
}

async function hear(
  packets: readonly Uint8Array[],
  choice: ShapeChoice,
  options?: OggOptions,
): Promise<Heard> {
  async function* body() {
    yield oggOpus(packets, { packetsPerPage: 5, ...options });
  }
  const heard: SpeechPacket[] = [];
  const all = shaped(opusPackets(body()), choice);
  try {
    for (;;) {
      const next = await all.next();
      if (next.done) return { packets: heard, totals: next.value };
      heard.push(...each(next.value));
    }
  } catch (error) {
    expect(error).toBeInstanceOf(SpeechFailure);
    return { packets: heard, failure: error as SpeechFailure };
  }
}

describe("chooseShape", () => {
  const at = (sampleRateHz: number, packetMs: number): SpeechShape => ({ sampleRateHz, packetMs });
  it.each([
    ["anything is taken", at(24_000, 20), 20, [], at(24_000, 20)],
    ["it is taken as it is", at(48_000, 20), 20, [RADIO, PHONE], PHONE],
    ["only the nominal rate differs", at(24_000, 20), 20, [RADIO, PHONE], PHONE],
    ["three make one", at(48_000, 20), 20, [RADIO], RADIO],
    ["the one liked best comes first", at(48_000, 20), 20, [at(16_000, 40), RADIO], at(16_000, 40)],
    ["frames of 20 ms in packets of 60", at(16_000, 60), 20, [PHONE], PHONE],
    ["one frame of 60 ms cannot be split", at(16_000, 60), 60, [PHONE], undefined],
    ["40 does not go into 60", at(16_000, 40), 40, [RADIO], undefined],
    ["what fits is found behind what does not", at(16_000, 40), 40, [RADIO, at(16_000, 40)], at(16_000, 40)],
  ])("%s", (_name, offered, frameMs, taken, expected) => {
    expect(chooseShape(offered, frameMs, taken)).toEqual(expected);
  });

  it("never names a shape that is not taken", () => {
    const shape = fc.record({
      sampleRateHz: fc.constantFrom(8_000, 16_000, 24_000, 48_000),
      packetMs: fc.constantFrom(20, 40, 60),
    });
    fc.assert(
      fc.property(
        shape,
        fc.constantFrom(10, 20),
        fc.array(shape, { minLength: 1 }),
        (offered, frameMs, taken) => {
          const chosen = chooseShape(offered, frameMs, taken);
          if (chosen !== undefined) expect(taken).toContainEqual(chosen);
        },
      ),
    );
  });
});

describe("shaped", () => {
  const sent = tonePackets(30);

  it.each([
    ["to whoever takes anything", [], { sampleRateHz: 48_000, packetMs: 20 }],
    ["to whom takes them", [RADIO, PHONE], PHONE],
    [
      "under the rate asked for",
      [{ sampleRateHz: 16_000, packetMs: 20 }],
      { sampleRateHz: 16_000, packetMs: 20 },
    ],
  ])("passes packets byte for byte %s", async (_name, taken, expected) => {
    const { packets, totals } = await hear(sent, new ShapeChoice(() => taken));
    expect(packets.map(({ bytes }) => hex(bytes))).toEqual(sent.map(hex));
    expect(packets.every(({ shape }) => shape === packets[0]!.shape)).toBe(true);
    expect(packets[0]!.shape).toEqual(expected);
    expect(totals).toEqual({ packets: 30, preSkipSamples: 312, endTrimSamples: 0 });
  });

  it("makes one packet of three for a radio, and fills the last", async () => {
    const { packets, totals } = await hear(sent.slice(0, 10), new ShapeChoice(() => [RADIO]));
    expect(packets.map(({ bytes }) => opusPacketDuration(bytes))).toEqual([60, 60, 60, 60]);
    expect(packets.every(({ shape }) => shape === packets[0]!.shape)).toBe(true);
    expect(packets[0]!.shape).toEqual(RADIO);
    expect(totals?.packets).toBe(4);
  });

  it("gives each packet as soon as its last frame is there", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const file = oggOpus(sent, { packetsPerPage: 1 });
    async function* body() {
      const afterFour = Buffer.from(file).indexOf(sent[4]!);
      yield file.subarray(0, afterFour);
      await held;
      yield file.subarray(afterFour);
    }
    const packets = shaped(opusPackets(body()), new ShapeChoice(() => [RADIO]));
    expect((await packets.next()).done).toBe(false);
    release();
    await packets.return({ packets: 0, preSkipSamples: 0, endTrimSamples: 0 });
  });

  it("lets gaps be merged with what is around them", async () => {
    const { packets } = await hear(sent.slice(0, 6), new ShapeChoice(() => [RADIO]), {
      packetsPerPage: 1,
      gap: { before: 4, ms: 120 },
    });
    expect(packets).toHaveLength(4);
    const frames = packets.map(({ bytes }) => parseToc(bytes)).map((read) => read.ok && read.toc.frameCount);
    expect(frames).toEqual([3, 3, 3, 3]);
  });

  it("keeps the shape of the first text for all", async () => {
    const taken = [RADIO];
    const choice = new ShapeChoice(() => taken);
    await hear(sent, choice);
    taken.splice(0, 1, PHONE);
    expect(choice.preferred).toEqual(RADIO);
    expect((await hear(sent, choice)).packets[0]!.shape).toEqual(RADIO);
    choice.reset();
    expect(choice.preferred).toEqual(PHONE);
    expect((await hear(sent, choice)).packets[0]!.shape).toEqual(PHONE);
  });

  it("does not touch the packets for who declared nothing: what follows in another shape is refused", async () => {
    const choice = new ShapeChoice(() => []);
    await hear(tonePackets(3, 60), choice, { packetMs: 60 });
    const { packets, failure } = await hear(sent, choice);
    expect([packets.length, failure?.kind]).toEqual([0, "wrong_shape"]);
  });

  it("refuses what cannot be had, before the first packet", async () => {
    const { packets, failure } = await hear(
      tonePackets(3, 40),
      new ShapeChoice(() => [{ sampleRateHz: 16_000, packetMs: 30 }]),
      {
        packetMs: 40,
      },
    );
    expect([packets.length, failure?.kind]).toEqual([0, "wrong_shape"]);
  });

  it("puts up with an encoder that changes its mode, but not with one that cannot keep to one", async () => {
    const CELT = 31 << 3;
    const celt = sent.map((bytes) => Uint8Array.from([CELT, ...bytes.subarray(1)]));
    const twice = [...sent.slice(0, 4), ...celt.slice(0, 20), sent[5]!];
    const { packets, failure } = await hear(twice, new ShapeChoice(() => [RADIO]));
    expect(failure).toBeUndefined();
    expect(packets).toHaveLength(2 + 7 + 1);
    const flicker = sent.map((bytes, i) => (i % 2 === 0 ? bytes : celt[i]!));
    const { packets: some, failure: stutter } = await hear(flicker, new ShapeChoice(() => [RADIO]));
    expect([some.length, stutter?.kind]).toEqual([FILL_MS_MAX / 40, "wrong_shape"]);
  });

  it("passes on why a body failed, after the packets before", async () => {
    const file = oggOpus(sent, { packetsPerPage: 5 });
    async function* body() {
      yield file.subarray(0, file.length - 3);
    }
    const packets = shaped(opusPackets(body()), new ShapeChoice(() => [RADIO]));
    const heard: SpeechPacket[] = [];
    await expect(
      (async () => {
        for (;;) heard.push(...each((await packets.next()).value as SpeechPackets));
      })(),
    ).rejects.toMatchObject({ kind: "cut" });
    // 29 packets in groups of three, one of which a change of mode has cut short.
    expect(heard).toHaveLength(10);
  });
});
