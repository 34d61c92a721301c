/** The offline voice in its real thread, from the build's output. */
import { execFile, spawnSync } from "node:child_process";
import { getEventListeners } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { OpusPacketDecoder, opusPacketDuration } from "@readback/audio";
import { OggOpusDecoder } from "ogg-opus-decoder";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../lib/clock.js";
import { LocalSpeech, TEXT_CHARS_MAX } from "./local.js";
import { opusPackets } from "./packets.js";
import { LOUDNESS_DBFS, SENTENCE_PAUSE_MS } from "./polish.js";
import type { SpeechShape } from "./port.js";

const never = new AbortController().signal;
const TEXT = "Bleed the compressor for two minutes. Then check the gauge.";

let voice: LocalSpeech;
beforeEach(() => {
  voice = new LocalSpeech(systemClock, { offlineVoice: "slt", offlineQueueLengthMax: 2 });
});
afterEach(async () => {
  await voice.close();
});

async function bodyOf(text: string): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const bytes of voice.synthesize({ text }, never)) parts.push(bytes);
  return Buffer.concat(parts);
}

async function packetsOf(text: string, shape?: SpeechShape): Promise<Uint8Array[]> {
  const packets: Uint8Array[] = [];
  const body = voice.synthesize({ text, ...(shape === undefined ? {} : { shape }) }, never);
  for await (const read of opusPackets(body)) packets.push(...read.packets);
  return packets;
}

/** What a receiver plays that counts packets and trims nothing, at 16 kHz. */
function pcmOf(packets: readonly Uint8Array[]): Int16Array {
  const decoder = new OpusPacketDecoder({ sampleRateHz: 16_000 });
  return Int16Array.from(packets.flatMap((bytes) => [...decoder.decode(bytes)]));
}

/** Mean power in dB below full scale of the pieces of 10 ms that are no pauses. */
function loudness(pcm: Int16Array): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const powers = Array.from({ length: Math.floor(pcm.length / 160) }, (_, i) =>
    mean([...pcm.subarray(i * 160, i * 160 + 160)].map((sample) => (sample / 32_768) ** 2)),
  ).filter((power) => power > 1e-6);
  return 10 * Math.log10(mean(powers.filter((power) => power > mean(powers) / 10)));
}

/** Samples at 16 kHz that libopus looks ahead. */
const PRE_SKIP_SAMPLES = 104;
/** Decoders may be this many samples apart. */
const LAG_SAMPLES_MAX = 20;

/** Power of what two recordings of one sound differ by, in dB of the first, at the shift that suits them best. */
function differenceDb(ours: Int16Array, theirs: Int16Array): number {
  const shares = Array.from({ length: 2 * LAG_SAMPLES_MAX + 1 }, (_, shift) => {
    let [signal, difference] = [0, 0];
    for (let at = LAG_SAMPLES_MAX; at < Math.min(ours.length, theirs.length) - LAG_SAMPLES_MAX; at++) {
      signal += ours[at]! ** 2;
      difference += (ours[at]! - theirs[at + shift - LAG_SAMPLES_MAX]!) ** 2;
    }
    return difference / signal;
  });
  return 10 * Math.log10(Math.min(...shares));
}

describe("LocalSpeech", () => {
  it("speaks in 60 ms packets that another decoder plays", async () => {
    const body = await bodyOf(TEXT);
    const decoder = new OggOpusDecoder();
    await decoder.ready;
    const { channelData, errors, samplesDecoded, sampleRate } = await decoder.decodeFile(
      new Uint8Array(body),
    );
    decoder.free();
    expect(errors).toEqual([]);
    expect(samplesDecoded / sampleRate).toBeGreaterThan(2.5);
    expect(samplesDecoded / sampleRate).toBeLessThan(5);
    const loudFrom = channelData[0]!.findIndex((sample) => Math.abs(sample) > 0.02) / sampleRate;
    expect(loudFrom).toBeLessThan(0.1);

    let packets = 0;
    for await (const read of opusPackets([body] as unknown as AsyncIterable<Uint8Array>)) {
      expect(read.shape).toEqual({ sampleRateHz: 16_000, packetMs: 60 });
      packets += read.packets.length;
    }
    expect(packets * 0.06 - samplesDecoded / sampleRate).toBeLessThan(0.07);
  });

  it.each([20, 40, 60] as const)("speaks in packets of %i ms for who likes them best", async (packetMs) => {
    const packets = await packetsOf(TEXT, { sampleRateHz: 48_000, packetMs });
    expect(new Set(packets.map(opusPacketDuration))).toEqual(new Set([packetMs]));
    expect(
      new Set((await packetsOf(TEXT, { sampleRateHz: 48_000, packetMs: 30 })).map(opusPacketDuration)),
    ).toEqual(new Set([60]));
  });

  it.each([20, 40, 60] as const)(
    "speaks in packets of %i ms that ffmpeg's own decoder plays",
    async (packetMs) => {
      const shape = { sampleRateHz: 16_000, packetMs };
      const body: Uint8Array[] = [];
      for await (const bytes of voice.synthesize({ text: TEXT, shape }, never)) body.push(bytes);
      const args = "-v error -c:a opus -i pipe:0 -f s16le -ar 16000 -ac 1 pipe:1".split(" ");
      const { stdout, error } = spawnSync("ffmpeg", args, { input: Buffer.concat(body) });
      if (error !== undefined)
        throw new Error("ffmpeg is not here: apt-get install -y ffmpeg", { cause: error });
      const theirs = new Int16Array(new Uint8Array(stdout).buffer);
      // ffmpeg leaves out the start, of which the header says that it is not played.
      expect(
        differenceDb(pcmOf(await packetsOf(TEXT, shape)).subarray(PRE_SKIP_SAMPLES), theirs),
      ).toBeLessThan(-15);
    },
  );

  it("speaks each sentence as loud as the next, with little silence around it", async () => {
    for (const text of ["Stop.", "Lock the press, then tag it out.", "Is anybody inside the machine?"]) {
      const pcm = pcmOf(await packetsOf(text));
      const loud = pcm.map((sample) => Math.abs(sample)).findIndex((sample) => sample > 1_000);
      expect(loud / 16).toBeLessThan(130);
      const last = pcm.findLastIndex((sample) => Math.abs(sample) > 1_000);
      expect((pcm.length - last) / 16).toBeLessThan(SENTENCE_PAUSE_MS + 160);
      expect(Math.abs(loudness(pcm) - LOUDNESS_DBFS)).toBeLessThan(1.5);
    }
  });

  it("speaks sentences that join without a click, though each has an encoder of its own", async () => {
    const bodies = [await packetsOf("Lock the press."), await packetsOf("Then tag it out.")];
    const pcm = pcmOf(bodies.flat());
    const joint = bodies[0]!.length * 960;
    // The pause around the joint: nothing in it is louder than the noise of the codec.
    const around = pcm.subarray(joint - 1_600, joint + 400);
    expect(Math.max(...around.map((sample) => Math.abs(sample)))).toBeLessThan(200);
  });

  it("gives the first sentence before the last", async () => {
    const pieces = voice.synthesize({ text: TEXT }, never);
    await pieces.next();
    const [beginning, first] = [await pieces.next(), await pieces.next()];
    // The beginning is sent before the rest of the sentence is encoded.
    expect((beginning.value as Uint8Array).length).toBeGreaterThan(50);
    expect((beginning.value as Uint8Array).length).toBeLessThan(600);
    expect((first.value as Uint8Array).length).toBeGreaterThan(1_000);
    await pieces.return();
    expect((await bodyOf("Again.")).length).toBeGreaterThan(500);
  });

  it("refuses what it cannot say, and survives what is hard to say", async () => {
    await expect(bodyOf("关闭阀门")).rejects.toMatchObject({ name: "SpeechFailure", kind: "unavailable" });
    await expect(bodyOf("a".repeat(TEXT_CHARS_MAX + 1))).rejects.toMatchObject({ kind: "unavailable" });
    expect((await bodyOf(`${"x".repeat(100)} -o /etc/passwd "; '`)).length).toBeGreaterThan(1_000);
  });

  it("stops when told to, waiting or speaking, and leaves no listener behind", async () => {
    const turn = new AbortController();
    const speaking = voice.synthesize({ text: TEXT }, turn.signal);
    await speaking.next();
    const waiting = voice.synthesize({ text: TEXT }, turn.signal).next();
    const reason = new Error("barge-in");
    turn.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await expect(
      (async () => {
        for (;;) if ((await speaking.next()).done) return;
      })(),
    ).rejects.toBe(reason);
    expect(getEventListeners(turn.signal, "abort")).toHaveLength(0);
    expect((await bodyOf("Go on.")).length).toBeGreaterThan(500);
  });

  it("gives up the oldest of too many that wait", async () => {
    const asked = Array.from({ length: 4 }, () => voice.synthesize({ text: TEXT }, never).next());
    const results = await Promise.allSettled(asked);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
    expect(results[1]).toMatchObject({ reason: { name: "SpeechFailure", kind: "unavailable" } });
  });

  it("ends what waits when it is closed", async () => {
    const waiting = expect(voice.synthesize({ text: TEXT }, never).next()).rejects.toMatchObject({
      name: "SpeechFailure",
    });
    await voice.close();
    await waiting;
    await expect(voice.warm(never)).rejects.toMatchObject({ name: "SpeechFailure" });
  });

  it("ends with its process, silently", async () => {
    const built = (path: string) => fileURLToPath(new URL(`../../dist/src/${path}`, import.meta.url));
    const directory = await mkdtemp(join(tmpdir(), "readback-"));
    const program = join(directory, "speak.mjs");
    await writeFile(
      program,
      `import { LocalSpeech } from ${JSON.stringify(built("speech/local.js"))};
      import { systemClock } from ${JSON.stringify(built("lib/clock.js"))};
      const voice = new LocalSpeech(systemClock, { offlineVoice: "slt", offlineQueueLengthMax: 2 });
      await voice.warm(new AbortController().signal);
      if (process.argv[2] === "close") await voice.close();`,
    );
    for (const end of ["close", "leave"]) {
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [program, end]);
      expect(stdout + stderr).toBe("");
    }
    await rm(directory, { recursive: true });
  });
});
