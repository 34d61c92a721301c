/** The offline voice in its real thread, from the build's output. */
import { execFile } from "node:child_process";
import { getEventListeners } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { OggOpusDecoder } from "ogg-opus-decoder";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../lib/clock.js";
import { LocalSpeech, TEXT_CHARS_MAX } from "./local.js";
import { opusPackets } from "./packets.js";

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
    for await (const packet of opusPackets([body] as unknown as AsyncIterable<Uint8Array>)) {
      expect(packet.shape).toEqual({ sampleRateHz: 16_000, packetMs: 60 });
      packets += 1;
    }
    expect(packets * 0.06 - samplesDecoded / sampleRate).toBeLessThan(0.07);
  });

  it("gives the first sentence before the last", async () => {
    const pieces = voice.synthesize({ text: TEXT }, never);
    await pieces.next();
    const first = await pieces.next();
    expect((first.value as Uint8Array).length).toBeGreaterThan(1_000);
    await pieces.return();
    expect((await bodyOf("Again.")).length).toBeGreaterThan(500);
  });

  it("refuses what it cannot say, and survives what is hard to say", async () => {
    await expect(bodyOf("关闭阀门")).rejects.toMatchObject({ name: "SpeechFailure", kind: "unavailable" });
    await expect(bodyOf("a".repeat(TEXT_CHARS_MAX + 1))).rejects.toMatchObject({ kind: "unavailable" });
    expect((await bodyOf(`${"x".repeat(300)} -o /etc/passwd "; '`)).length).toBeGreaterThan(1_000);
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

  it("takes no more than may wait", async () => {
    const asked = Array.from({ length: 4 }, () => voice.synthesize({ text: TEXT }, never).next());
    const results = await Promise.allSettled(asked);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled", "rejected"]);
    expect(results[3]).toMatchObject({ reason: { name: "SpeechFailure", kind: "unavailable" } });
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
