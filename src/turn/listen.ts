/** From what was spoken to its words: begins while the button is still held, ends within the question's turn. */
import { TurnFailure } from "../domain/failure.js";
import { distinctSources, type SourceRef } from "../domain/source-ref.js";
import type { ListeningResult, SpokenRequest } from "../domain/turn.js";
import type { Access } from "../domain/user.js";
import type { Utterance } from "../domain/utterance.js";
import { mend } from "../hearing/mend.js";
import { NO_WORDS } from "../hearing/vocabularies.js";
import type { KnownWord, Told, Vocabulary } from "../hearing/vocabulary.js";
import type { Clock } from "../lib/clock.js";
import { DeadlineExceeded, withDeadline } from "../lib/deadline.js";
import { RecognitionFailure, type RecognitionResult, type SpeechToText } from "../speech/speech-to-text.js";
import type { Telemetry } from "../telemetry/events.js";
import { NUMBER_WORDS } from "../words/number-words.js";
import type { Language } from "../words/polarity.js";
import { type GroupSources, turnAccess } from "./access.js";

/** From the press of the button to the words: the longest question there is, and time to understand it. */
export const LISTEN_MS_MAX = 90_000;

export interface ListenDeps {
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly recogniser: SpeechToText;
  readonly groups: GroupSources;
  /** What of the vocabulary the recogniser may be told. */
  readonly told: Told;
  /** The words of the documents that `access` may read, and names of things of the site; never rejects. */
  vocabulary(access: Access, signal: AbortSignal): Promise<Vocabulary>;
}

/** What `request` says. Never rejects; once `stop` aborts nobody asks any more. */
export async function listen(
  request: SpokenRequest,
  deps: ListenDeps,
  stop: AbortSignal,
): Promise<ListeningResult> {
  const { clock, recogniser, telemetry } = deps;
  const utterance = new TimedUtterance(request.utterance, clock);
  let result: string;
  let heard: ListeningResult;
  let vocabulary = NO_WORDS;
  try {
    const recognised = await withDeadline(clock, "the recogniser", LISTEN_MS_MAX, stop, async (signal) => {
      vocabulary = await vocabularyFor(request, deps, signal);
      const words = hintsOf(vocabulary, deps.told).map(({ text }) => text);
      return recogniser.recognise(utterance, { words, language: request.language }, signal);
    });
    result = recognised.type === "words" ? "words" : recognised.reason;
    heard =
      recognised.type === "words" && recognised.text.trim() !== ""
        ? heardIn(recognised, request.language, vocabulary, deps.told)
        : { type: "nothing" };
  } catch (error) {
    const failure = asTurnFailure(error, stop);
    result = failure.code;
    heard = { type: "failed", failure };
    if (!stop.aborted && !(error instanceof TurnFailure))
      telemetry.emit({ type: "recognition_failed", user: request.user, error: String(error) });
  }
  const { user, id: turn } = request;
  const { name: model } = recogniser;
  telemetry.emit({ type: "speech_recognised", user, turn, result, model, ...utterance.report() });
  return heard;
}

async function vocabularyFor(
  request: SpokenRequest,
  deps: ListenDeps,
  signal: AbortSignal,
): Promise<Vocabulary> {
  try {
    return await deps.vocabulary(await turnAccess(request, deps, signal), signal);
  } catch (error) {
    // Hints only help: whoever cannot be told apart is understood without them.
    if (signal.aborted || !(error instanceof TurnFailure)) throw error;
    return NO_WORDS;
  }
}

function hintsOf({ names, terms }: Vocabulary, told: Told): readonly KnownWord[] {
  if (told === "none") return [];
  return told === "terms" ? terms : names;
}

/** The recogniser's words, held against those that are known. */
function heardIn(
  { language, text: said, words }: RecognitionResult & { readonly type: "words" },
  spoken: string | undefined,
  vocabulary: Vocabulary,
  told: Told,
): ListeningResult {
  const mended = mend(said, words, vocabulary, languageOf(language ?? spoken));
  const { alternatives: unsure, isOther, text } = mended;
  const sources = distinctSources([...sourcesIn(said, hintsOf(vocabulary, told)), ...mended.sources]);
  return { type: "words", text, language, heardAs: isOther ? said : undefined, unsure, sources };
}

/** The language of which the number words are known, for a tag. */
function languageOf(tag: string | undefined): Language | undefined {
  const primary = tag?.split("-")[0]?.toLowerCase();
  return Object.keys(NUMBER_WORDS).find((language): language is Language => language === primary);
}

/** Whose words the recogniser may have out of what it was told, rather than out of what was said: nobody can tell. */
function sourcesIn(text: string, told: readonly KnownWord[]): readonly SourceRef[] {
  const said = plain(text);
  return told.filter(({ text: word }) => said.includes(plain(word))).map(({ source }) => source);
}

/** Between blanks, so that it is found as a whole only. */
function plain(text: string): string {
  return ` ${text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim()} `;
}

function asTurnFailure(error: unknown, stop: AbortSignal): TurnFailure {
  if (error instanceof TurnFailure) return error;
  if (stop.aborted && stop.reason instanceof TurnFailure) return stop.reason;
  const cause = { cause: error };
  if (error instanceof DeadlineExceeded)
    return new TurnFailure("timeout", "Understanding took too long. Say it again.", cause);
  if (error instanceof RecognitionFailure && error.kind === "not_audio")
    return new TurnFailure("unsupported_audio", "The voice message cannot be decoded. Say it again.", cause);
  return new TurnFailure(
    "transcription_unavailable",
    "Spoken questions cannot be understood now. Send text, or try again in a moment.",
    cause,
  );
}

/** Notes how much was spoken and when it was over. */
class TimedUtterance implements Utterance {
  readonly #startMs: number;
  #endMs: number | undefined;
  #packets = 0;

  constructor(
    private readonly utterance: Utterance,
    private readonly clock: Clock,
  ) {
    this.#startMs = clock.monotonic();
  }

  get shape() {
    return this.utterance.shape;
  }

  async *packets(): AsyncGenerator<Uint8Array, void, undefined> {
    let packets = 0;
    for await (const packet of this.utterance.packets()) {
      packets += 1;
      this.#packets = Math.max(this.#packets, packets);
      yield packet;
    }
    this.#endMs ??= this.clock.monotonic();
  }

  /** Length of what was read, and the time since it was over, or since it began where its end was not waited for. */
  report(): { audioMs: number; ms: number } {
    const sinceMs = this.#endMs ?? this.#startMs;
    return { audioMs: this.#packets * this.shape.packetMs, ms: this.clock.monotonic() - sinceMs };
  }
}
