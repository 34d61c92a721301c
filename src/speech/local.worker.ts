/** The thread of the offline voice: text to speech to Opus to Ogg, a sentence at a time. `local.ts` is the other side. */
import { workerData } from "node:worker_threads";
import { OggOpusMuxer, OpusPacketEncoder } from "@readback/audio";
import { serveCalls } from "../lib/worker-thread.js";
import { FLITE_SAMPLE_RATE_HZ, Flite, type FliteVoice } from "./flite.js";
import { plainEnglish } from "./plain-english.js";
import { SentenceSplitter } from "./sentences.js";

/** What the thread is asked to do. `speak` sends the bytes of one Ogg Opus stream or nothing when the text is not English. */
export type LocalSpeechCalls = {
  readonly speak: { readonly input: string; readonly output: undefined };
  readonly warm: { readonly input: undefined; readonly output: undefined };
};

export interface LocalSpeechData {
  readonly voice: FliteVoice;
}

export const PACKET_MS = 60;

/** flite begins with about 200 ms of silence, which a waiting listener does not need. */
const LEAD_IN_MS = 40;
/** Between two sentences there should be a breath. */
const TAIL_MS = 200;
/** Samples below this are silence. */
const SILENCE_LEVEL = 200;

const flite = Flite.load((workerData as LocalSpeechData).voice);

serveCalls<LocalSpeechCalls>({
  async speak(text, context) {
    const plain = plainEnglish(text);
    if (plain !== undefined) for (const bytes of oggSpeech(await flite, plain)) await context.send(bytes);
    return undefined;
  },
  async warm() {
    const pages = oggSpeech(await flite, "The voice is ready.");
    while (!pages.next().done);
    return undefined;
  },
});

/** An Ogg Opus stream in pieces: the header, each sentence, the end. The work is done as the pieces are taken. */
function* oggSpeech(voice: Flite, text: string): Generator<Uint8Array<ArrayBuffer>, void, undefined> {
  const encoder = new OpusPacketEncoder({ sampleRateHz: FLITE_SAMPLE_RATE_HZ, packetMs: PACKET_MS });
  const muxer = new OggOpusMuxer({
    inputSampleRateHz: FLITE_SAMPLE_RATE_HZ,
    preSkipSamples: encoder.preSkipSamples,
    packetsPerPageMax: 1,
  });
  yield owned([muxer.header()]);
  const splitter = new SentenceSplitter();
  for (const sentence of [...splitter.push(text), ...splitter.flush()]) {
    yield owned(encoder.encode(paced(voice.speak(sentence))).map((packet) => muxer.push(packet)));
  }
  const { packets, endTrimSamples } = encoder.finish();
  yield owned([...packets.map((packet) => muxer.push(packet)), muxer.finish(endTrimSamples)]);
}

/** The same speech with little silence before it and enough behind it. */
function paced(samples: Int16Array): Int16Array {
  const isLoud = (sample: number) => Math.abs(sample) >= SILENCE_LEVEL;
  const first = samples.findIndex(isLoud);
  if (first === -1) return samples;
  const start = Math.max(0, first - milliseconds(LEAD_IN_MS));
  const end = samples.findLastIndex(isLoud) + 1 + milliseconds(TAIL_MS);
  const speech = new Int16Array(end - start);
  speech.set(samples.subarray(start, Math.min(end, samples.length)));
  return speech;
}

function milliseconds(duration: number): number {
  return (duration * FLITE_SAMPLE_RATE_HZ) / 1_000;
}

/** The parts end to end, in a buffer of their own, as it is given away. */
function owned(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
