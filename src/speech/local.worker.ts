/** The thread of the offline voice: text to speech to Opus to Ogg, a sentence at a time. `local.ts` is the other side. */
import { workerData } from "node:worker_threads";
import { OggOpusMuxer, OpusPacketEncoder } from "@readback/audio";
import { serveCalls } from "../lib/worker-thread.js";
import { FLITE_SAMPLE_RATE_HZ, Flite, type FliteVoice } from "./flite.js";
import { plainEnglish } from "./plain-english.js";
import { polished } from "./polish.js";
import { SentenceSplitter } from "./sentences.js";

/** What the thread is asked to do. `speak` sends the bytes of one Ogg Opus stream or nothing when the text is not English. */
export type LocalSpeechCalls = {
  readonly speak: { readonly input: LocalSpeechInput; readonly output: undefined };
  readonly warm: { readonly input: undefined; readonly output: undefined };
};

export interface LocalSpeechInput {
  readonly text: string;
  readonly packetMs: LocalPacketMs;
}

export type LocalPacketMs = 20 | 40 | 60;

export interface LocalSpeechData {
  readonly voice: FliteVoice;
}

const WARM_UP = { text: "The voice is ready.", packetMs: 60 } as const;

/** What wideband speech needs to sound like the voice that it is. */
const BITRATE_BPS = 24_000;

/**
 * Behind a relay there is a radio link: with in-band error correction a lost packet is still understood from the next.
 * Opus spends on it by how much loss it is told to expect. Packets of 40 or 60 ms have none: ffmpeg's own decoder takes
 * the wrong frames from those that hold more than one.
 */
const EXPECTED_LOSS_PERCENT: Readonly<Record<LocalPacketMs, number>> = { 20: 5, 40: 0, 60: 0 };

/** Audio that is encoded and sent before the rest of its sentence: two packets, as a page waits for the next one. */
const FIRST_PACKETS = 2;

const flite = Flite.load((workerData as LocalSpeechData).voice);

serveCalls<LocalSpeechCalls>({
  async speak({ text, packetMs }, context) {
    const plain = plainEnglish(text);
    if (plain === undefined) return undefined;
    for (const bytes of oggSpeech(await flite, plain, packetMs)) await context.send(bytes);
    return undefined;
  },
  async warm() {
    const pages = oggSpeech(await flite, WARM_UP.text, WARM_UP.packetMs);
    while (!pages.next().done);
    return undefined;
  },
});

/**
 * An Ogg Opus stream in pieces: the header, the beginning and the rest of each sentence, the end. The work is done as
 * the pieces are taken. Each stream has an encoder of its own, which begins and ends in silence: streams can follow
 * one another in one message without a click.
 */
function* oggSpeech(
  voice: Flite,
  text: string,
  packetMs: LocalPacketMs,
): Generator<Uint8Array<ArrayBuffer>, void, undefined> {
  const encoder = new OpusPacketEncoder({
    sampleRateHz: FLITE_SAMPLE_RATE_HZ,
    packetMs,
    bitrateBps: BITRATE_BPS,
    expectedLossPercent: EXPECTED_LOSS_PERCENT[packetMs],
  });
  const muxer = new OggOpusMuxer({
    inputSampleRateHz: FLITE_SAMPLE_RATE_HZ,
    preSkipSamples: encoder.preSkipSamples,
    packetsPerPageMax: 1,
  });
  yield owned([muxer.header()]);
  const splitter = new SentenceSplitter();
  for (const sentence of [...splitter.push(text), ...splitter.flush()]) {
    const samples = polished(voice.speak(sentence), FLITE_SAMPLE_RATE_HZ, sentence);
    const beginning = FIRST_PACKETS * packetMs * (FLITE_SAMPLE_RATE_HZ / 1_000);
    for (const part of [samples.subarray(0, beginning), samples.subarray(beginning)])
      yield owned(encoder.encode(part).map((packet) => muxer.push(packet)));
  }
  const { packets, endTrimSamples } = encoder.finish();
  yield owned([...packets.map((packet) => muxer.push(packet)), muxer.finish(endTrimSamples)]);
}

/** The parts end to end, in a buffer of their own, as it is given away. */
function owned(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(parts));
}
