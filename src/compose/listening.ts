/** How spoken questions are understood, put together: the recogniser, and the words that help it. */
import type { Listen } from "../chat/chat.js";
import type { Config } from "../config/schema.js";
import type { SpeechToText } from "../speech/speech-to-text.js";
import { type ListenDeps, listen } from "../turn/listen.js";
import { createRecogniser } from "./recogniser.js";

export interface Listening {
  readonly recogniser: SpeechToText;
  readonly listen: Listen;
}

/** `undefined`: nobody here understands speech. */
export async function createListening(
  config: Config,
  deps: Omit<ListenDeps, "recogniser">,
): Promise<Listening | undefined> {
  const recogniser = await createRecogniser(config, deps.clock);
  if (recogniser === undefined) return undefined;
  const listenDeps = { ...deps, recogniser };
  return { recogniser, listen: (request, stop) => listen(request, listenDeps, stop) };
}
