/** Who understands spoken questions, by the settings. */
import type { Config } from "../config/schema.js";
import type { Clock } from "../lib/clock.js";
import { systemRandom } from "../lib/random.js";
import { chosenProvider } from "../llm/options.js";
import { OpenAiTranscription } from "../speech/openai-transcription.js";
import type { SpeechToText } from "../speech/speech-to-text.js";
import { modelServer } from "./model-server.js";

/** `undefined`: nobody does. */
export async function createRecogniser(
  { llm, transcription }: Config,
  clock: Clock,
): Promise<SpeechToText | undefined> {
  const { provider } = transcription;
  if (provider === "none" || provider === "local") return undefined;
  const server = modelServer(transcription, llm);
  if (chosenProvider({ provider, ...server }) === "offline") return undefined;
  return new OpenAiTranscription({ clock, random: systemRandom }, { ...transcription, ...server });
}
