import { readFileSync } from "node:fs";
import { muxOggOpus } from "@readback/audio";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Rejection } from "../../api/rejection.js";
import { utteranceIn } from "./recording.js";

const fixture = (name: string) => readFileSync(new URL(`../../../audio/fixtures/${name}`, import.meta.url));

/** An Opus packet of one frame of this length (RFC 6716, section 3.1), mono. */
const CONFIGURATION: Readonly<Record<number, number>> = { 10: 8, 20: 9, 40: 10, 60: 11 };
const packet = (ms: number, stereo = false) =>
  Uint8Array.of((CONFIGURATION[ms]! << 3) | (stereo ? 4 : 0), 1, 2, 3);
const ogg = (packets: readonly Uint8Array[]) => muxOggOpus(packets);

async function all(packets: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const items: Uint8Array[] = [];
  for await (const item of packets) items.push(item);
  return items;
}

function faultOf(bytes: Uint8Array): string {
  try {
    utteranceIn(bytes, 5_000);
  } catch (error) {
    if (error instanceof Rejection && error.code === "unsupported_audio") return error.message;
    throw error;
  }
  return "none";
}

describe("a recording", () => {
  it.each([10, 20, 40, 60])(
    "of packets of %d ms is an utterance, packet by packet, as often as it is read",
    async (ms) => {
      const packets = Array.from({ length: 5 }, () => packet(ms));
      const utterance = utteranceIn(ogg(packets), 5_000);
      expect(utterance.shape).toEqual({ sampleRateHz: 48_000, packetMs: ms });
      for (let reading = 0; reading < 2; reading++) expect(await all(utterance.packets())).toEqual(packets);
    },
  );

  it("may be a minute long and no longer", () => {
    const minute = Array.from({ length: 1_000 }, () => packet(60));
    expect(faultOf(ogg(minute))).toBe("none");
    expect(faultOf(ogg([...minute, packet(60)]))).toContain("over 60 seconds");
  });

  it.each<[string, Uint8Array, RegExp]>([
    ["nothing at all", new Uint8Array(0), /there is no sound|broke off/],
    ["no Ogg", Buffer.from("RIFF....WAVEfmt "), /no Ogg Opus/],
    ["Ogg without Opus", fixture("vorbis.ogg"), /no Ogg Opus/],
    ["two channels", fixture("stereo-510k-continued.opus"), /2 channels/],
    ["six channels", fixture("surround-5.1.opus"), /6 channels/],
    ["a packet that is stereo after all", ogg([packet(20), packet(20, true)]), /packet 1 is not mono/],
    ["packets of two lengths", ogg([packet(20), packet(60)]), /packet 1 has 60 ms instead of 20 ms/],
    ["headers and nothing else", ogg([]), /there is no sound/],
    ["one that breaks off", ogg(Array.from({ length: 99 }, () => packet(60))).subarray(0, -40), /broke off/],
  ])("is refused that is %s", (_what, bytes, why) => {
    expect(faultOf(bytes)).toMatch(why);
    expect(faultOf(bytes)).toContain("Send one mono stream of Ogg Opus");
  });

  it("is taken or refused, whatever the bytes, and nothing else is thrown", () => {
    const sound = ogg(Array.from({ length: 30 }, () => packet(20)));
    fc.assert(
      fc.property(
        fc.nat(sound.length - 1),
        fc.integer({ min: 0, max: 255 }),
        fc.nat(sound.length),
        (at, byte, end) => {
          const damaged = Uint8Array.from(sound).subarray(0, end);
          if (at < end) damaged[at] = byte;
          expect(typeof faultOf(damaged)).toBe("string");
        },
      ),
    );
  });
});
