/** The voice as the settings want it: whose it is, and what it remembers of what it said. */
import type { Config } from "../config/schema.js";
import { guardedSpeech } from "../guard/guarded-providers.js";
import type { Guard } from "../guard/port.js";
import { chosenProvider } from "../llm/options.js";
import type { Locale } from "../locale/locale.js";
import type { Locales } from "../locale/locales.js";
import { CachedSpeech } from "../speech/cached-speech.js";
import { LocalSpeech } from "../speech/local.js";
import { OpenAiSpeech } from "../speech/openai.js";
import type { TextToSpeech } from "../speech/port.js";
import { SentenceSplitter } from "../speech/sentences.js";
import { spokenWords } from "../turn/spoken-words.js";
import { keyed, modelServer } from "./model-server.js";
import type { ModelsDeps } from "./models.js";

/** A speech server when a key or an address for one is set, the voice that comes with the service otherwise. */
export function createSpeech(
  { llm, speech }: Config,
  locales: Locales,
  { clock, fetch, guard, telemetry }: ModelsDeps & { readonly guard: Guard },
): TextToSpeech {
  const server = modelServer(speech, llm);
  const isServer = chosenProvider({ provider: speech.provider, ...server }) === "openai";
  // Worded as it is spoken, which takes a while: only where looking at it would take longer.
  const own = isServer && guard.waits ? locales.all.flatMap(fixedSentences).join("\n") : "";
  const voice = isServer
    ? guardedSpeech(new OpenAiSpeech(clock, { ...speech, ...keyed("speech", server), fetch }), guard, own)
    : new LocalSpeech(clock, speech);
  if (speech.cacheBytesMax === 0) return voice;
  const speaksAhead = speech.speakAhead === "on" || (speech.speakAhead === "auto" && !isServer);
  return new CachedSpeech(voice, {
    entriesMax: speech.cacheEntriesMax,
    bytesMax: speech.cacheBytesMax,
    phrases: () => (speaksAhead ? fixedSentences(locales.usual) : []),
    onLookUp: (result) => telemetry.emit({ type: "speech_looked_up", result }),
    onFailed: (error) =>
      telemetry.emit({ type: "service_fault", where: "speaking phrases ahead", error: String(error) }),
  });
}

/** The fixed phrases of a language, cut into sentences and worded as a turn does it. */
function fixedSentences({ language, phrases }: Locale): readonly string[] {
  const sentences = phrases.flatMap((phrase) => {
    const splitter = new SentenceSplitter();
    return [...splitter.push(phrase), ...splitter.flush()];
  });
  return [...new Set(sentences.map((sentence) => spokenWords(sentence, language)))].filter(
    (words) => words !== "",
  );
}
