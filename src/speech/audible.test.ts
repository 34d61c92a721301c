/** Nothing told from something: synthetic voices at many levels and in noise, and every sound that is no voice. */

import { Encoder } from "@evan/opus";
import { OpusPacketEncoder } from "@readback/audio";
import { describe, expect, it } from "vitest";
import { opusSample } from "../../test/support/fake-speech.js";
import { HeldUtterance, utteranceOf } from "../../test/support/utterances.js";
import { settle } from "../../test/support/virtual-clock.js";
import { seededRandom } from "../lib/random.js";
import { AudibleOnly, audibility } from "./audible.js";
import { Flite, type FliteVoice } from "./flite.js";
import { RecognitionFailure, type RecognitionResult, type SpeechToText } from "./speech-to-text.js";

const RATE_HZ = 16_000;
const never = new AbortController().signal;
const random = seededRandom(11);
const silence = (ms: number) => new Float64Array((RATE_HZ / 1_000) * ms);
const SPEECH = { type: "speech" };
const SILENT = { type: "nothing", reason: "silent" };
const TOO_SHORT = { type: "nothing", reason: "too_short" };

/** About normal, of variance 1. */
function gauss(): number {
  let sum = -6;
  for (let i = 0; i < 12; i++) sum += random.fraction();
  return sum;
}

const white = (ms: number, rms: number) => silence(ms).map(() => gauss() * rms);

/** Falls by 3 dB an octave: white noise through three filters of one pole (Kellet's economical form). */
function pink(ms: number, rms: number): Float64Array {
  let [a, b, c] = [0, 0, 0];
  const raw = silence(ms).map(() => {
    const w = gauss();
    a = 0.99765 * a + w * 0.099046;
    b = 0.963 * b + w * 0.2965164;
    c = 0.57 * c + w * 1.0526913;
    return a + b + c + w * 0.1848;
  });
  return scaled(raw, rms / rmsOf(raw));
}

/** A mains hum: three harmonics. */
const hum = (ms: number, hz: number, amplitude: number) =>
  silence(ms).map((_, i) => {
    const phase = (2 * Math.PI * hz * i) / RATE_HZ;
    return amplitude * (Math.sin(phase) + 0.5 * Math.sin(2 * phase) + 0.3 * Math.sin(3 * phase));
  });

const clicks = (ms: number, everyMs: number, amplitude: number) =>
  silence(ms).map((_, i) => {
    const since = i % ((RATE_HZ / 1_000) * everyMs);
    return since < 60 ? amplitude * Math.exp(-since / 10) * (since % 2 === 0 ? 1 : -1) : 0;
  });

const rmsOf = (pcm: Float64Array) => Math.sqrt(pcm.reduce((sum, x) => sum + x * x, 0) / pcm.length);
const scaled = (pcm: Float64Array, factor: number) => pcm.map((x) => x * factor);
const mixed = (a: Float64Array, b: Float64Array) => a.map((x, i) => x + (b[i] ?? 0));
const joined = (...parts: Float64Array[]) => Float64Array.from(parts.flatMap((part) => [...part]));

/** As a device sends it: 16 kHz, 60 ms. */
function packetsOf(pcm: Float64Array): Uint8Array[] {
  const encoder = new OpusPacketEncoder({ sampleRateHz: RATE_HZ, packetMs: 60, complexity: 0 });
  return encoder.encode(Float32Array.from(pcm, (x) => x / 32_768));
}

const heardIn = (pcm: Float64Array) => audibility(utteranceOf(packetsOf(pcm)), never);

const voices = new Map<FliteVoice, Flite>();

async function spoken(voice: FliteVoice, text: string): Promise<Float64Array> {
  const flite = voices.get(voice) ?? (await Flite.load(voice));
  voices.set(voice, flite);
  return joined(silence(240), Float64Array.from(flite.speak(text)), silence(240));
}

describe.each(["slt", "rms", "awb", "kal16"] as const)("the voice %s", (voice) => {
  it.each(["How do I bleed the compressor?", "Yes.", "No.", "Stop.", "Help."])(
    "is heard: %s",
    async (text) => {
      const pcm = await spoken(voice, text);
      expect(await heardIn(pcm)).toEqual(SPEECH);
      expect(await heardIn(scaled(pcm, 10 ** (-30 / 20)))).toEqual(SPEECH);
    },
  );

  it("is heard 40 dB down, in noise of 5 dB less, and over a hum that is as loud", async () => {
    const pcm = await spoken(voice, "How do I bleed the compressor?");
    const ms = pcm.length / (RATE_HZ / 1_000);
    const rms = rmsOf(pcm);
    const noiseRms = rms * 10 ** (-5 / 20);
    expect(await heardIn(scaled(pcm, 0.01))).toEqual(SPEECH);
    expect(await heardIn(mixed(pcm, white(ms, noiseRms)))).toEqual(SPEECH);
    expect(await heardIn(mixed(pcm, pink(ms, noiseRms)))).toEqual(SPEECH);
    expect(await heardIn(mixed(pcm, hum(ms, 50, rms * 1.2)))).toEqual(SPEECH);
  });
});

describe("nobody speaks", () => {
  const LOUDNESS = [30, 300, 3_000];

  it.each(LOUDNESS)("in steady noise, be it switched on in between (%i of 32,768)", async (rms) => {
    for (const noise of [white, pink]) {
      expect(await heardIn(noise(2_040, rms))).toEqual(SILENT);
      expect(await heardIn(joined(silence(480), noise(960, rms), silence(480)))).toEqual(SILENT);
    }
  });

  it.each(LOUDNESS)("in hum and tones (%i of 32,768)", async (amplitude) => {
    for (const hz of [50, 60, 100, 120, 200, 400, 1_000]) {
      expect([hz, await heardIn(hum(2_040, hz, amplitude))]).toEqual([hz, SILENT]);
      const noisy = mixed(hum(2_040, hz, amplitude), white(2_040, amplitude / 3));
      expect([hz, await heardIn(noisy)]).toEqual([hz, SILENT]);
    }
  });

  it.each(LOUDNESS)("in clicks (%i of 32,768)", async (amplitude) => {
    for (const everyMs of [50, 310, 5_000])
      expect(await heardIn(clicks(2_040, everyMs, amplitude * 8))).toEqual(SILENT);
  });

  it("in silence, dithered silence, and packets that DTX left out", async () => {
    expect(await heardIn(silence(3_000))).toEqual(SILENT);
    expect(await heardIn(white(3_000, 1))).toEqual(SILENT);
    const dtx = Array.from({ length: 40 }, () => Uint8Array.from([11 << 3]));
    expect(await audibility(utteranceOf(dtx), never)).toEqual(SILENT);
  });
});

describe("what is too short", () => {
  it("is a press of less than 300 ms, also with a voice", async () => {
    const pcm = await spoken("slt", "Yes.");
    expect(await audibility(utteranceOf([]), never)).toEqual(TOO_SHORT);
    expect(await heardIn(silence(240))).toEqual(TOO_SHORT);
    expect(await heardIn(pcm.subarray(RATE_HZ * 0.4, RATE_HZ * 0.64))).toEqual(TOO_SHORT);
  });

  it("is a sliver of a voice", async () => {
    const pcm = await spoken("slt", "Yes.");
    const sliver = pcm.subarray(RATE_HZ * 0.4, RATE_HZ * 0.5);
    expect(await heardIn(joined(silence(480), sliver, silence(480)))).toEqual(TOO_SHORT);
  });
});

describe("packets", () => {
  it("with DTX and of other lengths are heard the same", async () => {
    const pcm = await spoken("slt", "How do I bleed the compressor?");
    const encoder = new Encoder({ channels: 1, sample_rate: RATE_HZ, application: "voip" });
    encoder.ctl(SET_DTX, 1);
    const frame = (RATE_HZ / 1_000) * 20;
    const packets: Uint8Array[] = [];
    for (let at = 0; at + frame <= pcm.length; at += frame) {
      packets.push(new Uint8Array(encoder.encode(Int16Array.from(pcm.subarray(at, at + frame)))));
    }
    expect(await audibility(utteranceOf(packets, { sampleRateHz: RATE_HZ, packetMs: 20 }), never)).toEqual(
      SPEECH,
    );
  });

  it.each([
    ["no Opus", new Uint8Array(0)],
    ["another length", opusSample(1, { packetMs: 20 }).packets[0]!],
    ["stereo", Uint8Array.from([(11 << 3) | 4, 0])],
  ])("of %s are not audio", async (_name, packet) => {
    const work = audibility(utteranceOf([...opusSample(2).packets, packet]), never);
    await expect(work).rejects.toMatchObject({ name: "RecognitionFailure", kind: "not_audio" });
  });
});

/** CTL code of `opus_defines.h`. */
const SET_DTX = 4_016;

/** A recogniser that reads the utterance to its end, and says how much it was. */
class Reader implements SpeechToText {
  readonly name = "reader";
  closed = 0;
  readonly reading: number[] = [];

  async recognise(utterance: Parameters<SpeechToText["recognise"]>[0]): Promise<RecognitionResult> {
    let packets = 0;
    for await (const _packet of utterance.packets()) this.reading.push(++packets);
    return { type: "words", text: `${packets} packets` };
  }

  async warm(): Promise<void> {}

  async close(): Promise<void> {
    this.closed++;
  }
}

describe("a recogniser that is asked only when somebody speaks", () => {
  const hints = { words: [] };

  it("gets every packet from the first, as soon as the voice is there", async () => {
    const packets = packetsOf(await spoken("slt", "How do I bleed the compressor?"));
    const reader = new Reader();
    const held = new HeldUtterance();
    const heard = new AudibleOnly(reader).recognise(held, hints, never);
    for (const packet of packets.slice(0, 4)) held.say(packet);
    await settle();
    expect(reader.reading).toEqual([]);
    for (const packet of packets.slice(4, 20)) held.say(packet);
    await settle();
    expect(reader.reading).toHaveLength(20);
    for (const packet of packets.slice(20)) held.say(packet);
    held.release();
    expect(await heard).toEqual({ type: "words", text: `${packets.length} packets` });
  });

  it.each([
    ["silent", silence(3_000)],
    ["too_short", silence(120)],
  ] as const)("is not asked about what is %s", async (reason, pcm) => {
    const reader = new Reader();
    const heard = await new AudibleOnly(reader).recognise(utteranceOf(packetsOf(pcm)), hints, never);
    expect([heard, reader.reading]).toEqual([{ type: "nothing", reason }, []]);
  });

  it("passes on what the utterance throws, the caller's abort, and lies", async () => {
    const recogniser = new AudibleOnly(new Reader());
    const held = new HeldUtterance();
    const given = recogniser.recognise(held, hints, never);
    const gone = new Error("the relay is gone");
    held.giveUp(gone);
    await expect(given).rejects.toBe(gone);

    const turn = new AbortController();
    const waiting = recogniser.recognise(new HeldUtterance(), hints, turn.signal);
    const reason = new Error("barge-in");
    turn.abort(reason);
    await expect(waiting).rejects.toBe(reason);

    const lie = utteranceOf([new Uint8Array(0)]);
    await expect(recogniser.recognise(lie, hints, never)).rejects.toBeInstanceOf(RecognitionFailure);
  });

  it("is warmed and closed with it", async () => {
    const reader = new Reader();
    const recogniser = new AudibleOnly(reader);
    expect(recogniser.name).toBe("reader");
    await recogniser.warm(never);
    await recogniser.close();
    expect(reader.closed).toBe(1);
  });
});
