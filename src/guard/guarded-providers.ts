/** Embedder, reranker, recogniser and voice behind the guard: what does not pass does not reach them, and they fail. */
import type { Destination, ForeignText } from "../domain/foreign-text.js";
import { type Embedder, EmbeddingUnavailable } from "../retrieval/embedding/port.js";
import { type Reranker, RerankerUnavailable } from "../retrieval/rerank/port.js";
import { SpeechFailure, type TextToSpeech } from "../speech/port.js";
import type { SpeechToText } from "../speech/speech-to-text.js";
import { promptOf } from "../speech/transcription/prompt.js";
import { type Guard, GuardUnavailable } from "./port.js";
import { guardedTurn } from "./scope.js";

/** Why texts may not leave for `to`; `undefined`: they may. Rejects with the signal's reason. */
async function objection(guard: Guard, texts: readonly ForeignText[], to: Destination, signal: AbortSignal) {
  try {
    const refusals = await Promise.all(texts.map((text) => guard.scan(text, to, signal)));
    return refusals.every((scanner) => scanner === undefined) ? undefined : "the guard refuses the text";
  } catch (error) {
    if (error instanceof GuardUnavailable) return error.message;
    throw error;
  }
}

/** In turns queries are embedded, otherwise documents. */
export function guardedEmbedder(embedder: Embedder, guard: Guard): Embedder {
  return {
    ...embedder,
    async embed(texts, signal) {
      const what = guardedTurn() === undefined ? "passage" : "question";
      const foreign = texts.map((text) => ({ what, text }) as const);
      const held = await objection(guard, foreign, "embedder", signal);
      if (held !== undefined) throw new EmbeddingUnavailable(held);
      return embedder.embed(texts, signal);
    },
  };
}

/** Where a text is refused the order from before stands. */
export function guardedReranker(reranker: Reranker, guard: Guard): Reranker {
  return {
    name: reranker.name,
    async score(query, texts, signal) {
      const passages = texts.map((text) => ({ what: "passage", text }) as const);
      const foreign = [{ what: "question", text: query } as const, ...passages];
      const held = await objection(guard, foreign, "reranker", signal);
      if (held !== undefined) throw new RerankerUnavailable(held);
      return reranker.score(query, texts, signal);
    },
  };
}

/** Sets of hints that are remembered as harmless. */
const HINTS_KNOWN_MAX = 1_000;

/** Where a scan takes time, hints are told once it is over: a speaker may say "stop", which waits for nothing. */
export function guardedRecogniser(recogniser: SpeechToText, guard: Guard): SpeechToText {
  const harmless = new Set([""]);
  const scan = async (text: string): Promise<void> => {
    const { signal } = new AbortController();
    const held = await objection(guard, [{ what: "passage", text }], "recogniser", signal);
    if (harmless.size >= HINTS_KNOWN_MAX) harmless.clear();
    if (held === undefined) harmless.add(text);
  };
  return {
    name: recogniser.name,
    warm: (signal) => recogniser.warm(signal),
    async recognise(utterance, hints, signal) {
      const text = promptOf(hints.words) ?? "";
      const scanned = harmless.has(text) ? undefined : scan(text);
      if (!guard.waits) await scanned;
      return recogniser.recognise(utterance, harmless.has(text) ? hints : { ...hints, words: [] }, signal);
    },
    close: () => recogniser.close(),
  };
}

/** `own`: fixed texts of the service, which are said without being looked at, whole or in parts. */
export function guardedSpeech(voice: TextToSpeech, guard: Guard, own: string): TextToSpeech {
  return {
    name: voice.name,
    usualPacketMs: voice.usualPacketMs,
    warm: (signal) => voice.warm(signal),
    async *synthesize(speech, signal) {
      const foreign = own.includes(speech.text) ? [] : [{ what: "answer", text: speech.text } as const];
      const held = await objection(guard, foreign, "voice", signal);
      if (held !== undefined) throw new SpeechFailure("unavailable", held);
      yield* voice.synthesize(speech, signal);
    },
    close: () => voice.close(),
  };
}
