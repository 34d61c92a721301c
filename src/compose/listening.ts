/** How spoken questions are understood, put together: the recogniser, and the words that help it. */
import type { Listen } from "../chat/chat.js";
import type { Config } from "../config/schema.js";
import type { Access } from "../domain/user.js";
import { guardedRecogniser } from "../guard/guarded-providers.js";
import type { Guard } from "../guard/port.js";
import { Vocabularies } from "../hearing/vocabularies.js";
import { type KnownWord, withThings } from "../hearing/vocabulary.js";
import type { Retrieval } from "../retrieval/port.js";
import type { SpeechToText } from "../speech/speech-to-text.js";
import { type ListenDeps, listen } from "../turn/listen.js";
import { createRecogniser, isHeardByServer } from "./recogniser.js";

export interface Listening {
  readonly recogniser: SpeechToText;
  readonly listen: Listen;
}

export interface ListeningDeps extends Pick<ListenDeps, "clock" | "telemetry" | "groups"> {
  readonly retrieval: Retrieval;
  readonly guard: Guard;
  /** Names of things of a site that an access may know of. */
  readonly hints?: ((access: Access) => Promise<readonly KnownWord[]>) | undefined;
}

/** `undefined`: nobody here understands speech. */
export async function createListening(config: Config, deps: ListeningDeps): Promise<Listening | undefined> {
  const ears = await createRecogniser(config, deps.clock);
  if (ears === undefined) return undefined;
  const recogniser = isHeardByServer(config) ? guardedRecogniser(ears, deps.guard) : ears;
  const vocabularies = new Vocabularies(deps);
  const vocabulary: ListenDeps["vocabulary"] = async (access, signal) =>
    withThings(await vocabularies.of(access, signal), (await deps.hints?.(access)) ?? []);
  const listenDeps = { ...deps, recogniser, told: config.transcription.hints, vocabulary };
  return { recogniser, listen: (request, stop) => listen(request, listenDeps, stop) };
}
