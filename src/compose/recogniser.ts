/** Who understands spoken questions, by the settings. */
import type { Config } from "../config/schema.js";
import type { Clock } from "../lib/clock.js";
import { systemRandom } from "../lib/random.js";
import { chosenProvider } from "../llm/options.js";
import { AudibleOnly } from "../speech/audible.js";
import { LocalRecogniser } from "../speech/local-recogniser.js";
import { OpenAiTranscription } from "../speech/openai-transcription.js";
import type { SpeechToText } from "../speech/speech-to-text.js";
import { keyed, modelServer } from "./model-server.js";

/**
 * A transcription server when a key or an address for one is set, else the local recogniser where it is installed;
 * `undefined` where nobody understands speech. Rejects with a readable error when the settings ask for the local one
 * and it is not there.
 */
export async function createRecogniser(config: Config, clock: Clock): Promise<SpeechToText | undefined> {
  const recogniser = await chosenRecogniser(config, clock);
  return recogniser === undefined ? undefined : new AudibleOnly(recogniser);
}

/** Whether a server understands speech, and not the local recogniser. */
export function isHeardByServer({ llm, transcription }: Pick<Config, "llm" | "transcription">): boolean {
  const { provider } = transcription;
  if (provider === "none" || provider === "local") return false;
  return chosenProvider({ provider, ...modelServer(transcription, llm) }) === "openai";
}

async function chosenRecogniser(config: Config, clock: Clock): Promise<SpeechToText | undefined> {
  const { llm, transcription } = config;
  const { provider } = transcription;
  if (provider === "none") return undefined;
  if (isHeardByServer(config)) {
    const options = { ...transcription, ...keyed("transcription", modelServer(transcription, llm)) };
    return new OpenAiTranscription({ clock, random: systemRandom }, options);
  }
  const local = await LocalRecogniser.find(clock, transcription, new AbortController().signal);
  if (local === undefined && provider === "local") throw new Error(NOT_INSTALLED);
  return local;
}

const NOT_INSTALLED =
  "transcription.provider is local, but there is no local recogniser: install the Debian packages pocketsphinx and " +
  "pocketsphinx-en-us, set transcription.local_command and transcription.local_model_dir, or choose another provider";
