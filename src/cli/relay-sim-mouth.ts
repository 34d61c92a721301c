/** What simulated users say, made by the voice that comes with the service, or read from Ogg Opus files. */
import { resolve } from "node:path";
import type { Clock } from "../lib/clock.js";
import type { Mouth } from "../sim/voice.js";
import { LocalSpeech } from "../speech/local.js";
import { readVoiceFile, voiceIn } from "./voice-file.js";

/** `folder`: where files are looked for. Rejects with `VoiceFileProblem` where one cannot be used. */
export async function withMouth<T>(
  clock: Clock,
  folder: string,
  signal: AbortSignal,
  work: (mouth: Mouth) => Promise<T>,
): Promise<T> {
  const speech = new LocalSpeech(clock, { offlineVoice: "rms", offlineQueueLengthMax: 1 });
  try {
    return await work({
      speak: (text) => voiceIn(speech.synthesize({ text }, signal)),
      play: (file) => readVoiceFile(resolve(folder, file)),
    });
  } finally {
    await speech.close();
  }
}
