import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { atOnce, failing, hanging, opusSample, ScriptedSpeech, Tap } from "../../test/support/fake-speech.js";
import { settle } from "../../test/support/virtual-clock.js";
import { watch } from "../../test/support/watch.js";
import { CachedSpeech, type SpeechCacheOptions, WARM_PHRASES_MAX } from "./cached-speech.js";
import { SpeechFailure, type SpeechRequest } from "./port.js";

const never = new AbortController().signal;
const { ogg } = opusSample(5);
const LOCK = { text: "Lock the press." };

let voice: ScriptedSpeech;
let lookUps: string[];
beforeEach(() => {
  voice = new ScriptedSpeech();
  lookUps = [];
});
afterEach(() => voice.verify());

const cached = (options: Partial<SpeechCacheOptions> = {}) =>
  new CachedSpeech(voice, {
    entriesMax: 10,
    bytesMax: 1_000_000,
    phrases: () => [],
    onLookUp: (result) => lookUps.push(result),
    onFailed: (error) => lookUps.push(String(error)),
    ...options,
  });

async function said(speech: CachedSpeech, request: SpeechRequest = LOCK, signal = never): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const bytes of speech.synthesize(request, signal)) parts.push(bytes);
  return Buffer.concat(parts);
}

describe("CachedSpeech", () => {
  it("speaks the same words once, and gives the same bytes again", async () => {
    voice.expect(LOCK.text, atOnce(ogg.subarray(0, 100), ogg.subarray(100)));
    const speech = cached();
    expect(await said(speech)).toEqual(Buffer.from(ogg));
    expect(await said(speech)).toEqual(Buffer.from(ogg));
    expect([lookUps, speech.bytes, speech.name]).toEqual([["miss", "hit"], ogg.length, "scripted"]);
  });

  it.each<[string, SpeechRequest]>([
    ["other words", { text: "Lock the press" }],
    ["another language", { ...LOCK, language: "en" }],
  ])("speaks %s anew", async (_name, other) => {
    voice.expect(LOCK.text, atOnce(ogg)).expect(other.text, atOnce(ogg));
    const speech = cached();
    await said(speech);
    await said(speech, other);
    expect(lookUps).toEqual(["miss", "miss"]);
  });

  it("tells shapes apart only where the voice heeds them, and takes its usual one for none", async () => {
    const inPackets = (packetMs: number) => ({ ...LOCK, shape: { sampleRateHz: 16_000, packetMs } });
    voice.expect(LOCK.text, atOnce(ogg));
    const heedless = cached();
    for (const request of [LOCK, inPackets(60), inPackets(20)]) await said(heedless, request);
    expect(lookUps.splice(0)).toEqual(["miss", "hit", "hit"]);
    voice.usualPacketMs = 60;
    voice.expect(LOCK.text, atOnce(ogg)).expect(LOCK.text, atOnce(ogg));
    const heedful = cached();
    for (const request of [LOCK, inPackets(60), inPackets(20)]) await said(heedful, request);
    expect(lookUps).toEqual(["miss", "hit", "miss"]);
  });

  it("gives what is being spoken to all who ask for it, each from the beginning", async () => {
    const tap = new Tap();
    voice.expect(LOCK.text, tap.body);
    const speech = cached();
    const first = said(speech);
    tap.pour(ogg.subarray(0, 200));
    await settle();
    const second = said(speech);
    await settle();
    tap.pour(ogg.subarray(200));
    tap.close();
    expect(await Promise.all([first, second])).toEqual([Buffer.from(ogg), Buffer.from(ogg)]);
    expect(lookUps).toEqual(["miss", "shared"]);
    expect(voice.calls).toBe(1);
  });

  it("hands bytes on as they come", async () => {
    const tap = new Tap();
    voice.expect(LOCK.text, tap.body);
    const pieces = cached().synthesize(LOCK, never);
    const first = pieces.next();
    tap.pour(ogg.subarray(0, 200));
    expect((await first).value).toHaveLength(200);
    await pieces.return();
    expect(voice.signals[0]?.aborted).toBe(true);
  });

  it("goes on for who stays, and stops when the last has left", async () => {
    const tap = new Tap();
    voice.expect(LOCK.text, tap.body).expect(LOCK.text, atOnce(ogg));
    const speech = cached();
    const leaves = new AbortController();
    const stays = new AbortController();
    const left = watch(said(speech, LOCK, leaves.signal));
    const stayed = watch(said(speech, LOCK, stays.signal));
    await settle();
    const reason = new Error("barge-in");
    leaves.abort(reason);
    await settle();
    expect(left.now).toEqual({ type: "rejected", error: reason });
    expect(voice.signals[0]?.aborted).toBe(false);
    stays.abort(reason);
    await settle();
    expect(stayed.now).toEqual({ type: "rejected", error: reason });
    expect(voice.signals[0]?.aborted).toBe(true);
    expect(getEventListeners(leaves.signal, "abort")).toEqual([]);
    expect(getEventListeners(stays.signal, "abort")).toEqual([]);
    // Nothing of it was kept.
    expect(await said(speech)).toEqual(Buffer.from(ogg));
    expect(lookUps).toEqual(["miss", "shared", "miss"]);
  });

  it.each([
    ["fails in the middle", failing(new SpeechFailure("cut", "no more"), ogg.subarray(0, 300)), "cut"],
    ["fails at once", failing(new SpeechFailure("unavailable", "busy")), "unavailable"],
  ])("keeps nothing of a synthesis that %s", async (_name, body, kind) => {
    voice.expect(LOCK.text, body).expect(LOCK.text, atOnce(ogg));
    const speech = cached();
    await expect(said(speech)).rejects.toMatchObject({ kind });
    expect(speech.bytes).toBe(0);
    expect(await said(speech)).toEqual(Buffer.from(ogg));
  });

  it.each([
    ["is no audio", Buffer.from('{"error": 1}')],
    ["was cut without a word", ogg.subarray(0, ogg.length - 5)],
    ["is empty", new Uint8Array(0)],
  ])("passes on, but does not keep, a body that %s", async (_name, bytes) => {
    voice.expect(LOCK.text, atOnce(bytes)).expect(LOCK.text, atOnce(ogg));
    const speech = cached();
    expect(await said(speech)).toEqual(Buffer.from(bytes));
    expect(await said(speech)).toEqual(Buffer.from(ogg));
    expect(lookUps).toEqual(["miss", "miss"]);
  });

  it("forgets the longest unused when there are too many, or too large", async () => {
    const [a, b, c] = ["One.", "Two.", "Three."].map((text) => ({ text }));
    for (const limits of [{ entriesMax: 2 }, { bytesMax: 2 * ogg.length }]) {
      for (const { text } of [a!, b!, c!, b!]) voice.expect(text, atOnce(ogg));
      const speech = cached(limits);
      for (const request of [a!, b!, a!, c!, a!, b!]) await said(speech, request);
      expect(lookUps.splice(0)).toEqual(["miss", "miss", "hit", "miss", "hit", "miss"]);
      expect(speech.bytes).toBe(2 * ogg.length);
    }
    voice.expect(LOCK.text, atOnce(ogg));
    const small = cached({ bytesMax: ogg.length - 1 });
    await said(small);
    expect(small.bytes).toBe(0);
  });

  it("speaks phrases ahead, within a bound, and keeps them out of the count", async () => {
    const phrases = Array.from({ length: WARM_PHRASES_MAX + 1 }, (_, i) => `Phrase ${i}.`);
    for (const text of phrases.slice(0, WARM_PHRASES_MAX)) voice.expect(text, atOnce(ogg));
    const speech = cached({ phrases: () => phrases, entriesMax: 1_000 });
    await speech.warm(never);
    await speech.ahead;
    expect(lookUps).toEqual([]);
    await said(speech, { text: "Phrase 0." });
    expect(lookUps).toEqual(["hit"]);
  });

  it("is warm before a phrase is spoken, and tells of one that cannot be", async () => {
    const tap = new Tap();
    voice.expect("One.", tap.body);
    const speech = cached({ phrases: () => ["One.", "Two."] });
    await speech.warm(never);
    tap.fail(new SpeechFailure("unavailable", "busy"));
    await speech.ahead;
    expect(lookUps).toEqual(["SpeechFailure: busy"]);
  });

  it("stops what is under way when it is closed", async () => {
    voice.expect(LOCK.text, hanging);
    const speech = cached();
    const waiting = watch(said(speech));
    await settle();
    await speech.close();
    await settle();
    expect(waiting.now.type).toBe("rejected");
    expect(voice.signals[0]?.aborted).toBe(true);
  });
});
