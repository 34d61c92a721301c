/** From what was spoken to its words: begins while the button is still held, ends within the question's turn. */
import type { DomainWord } from "../answer/domain-words.js";
import { TurnFailure } from "../domain/failure.js";
import type { ListeningResult, SpokenRequest } from "../domain/turn.js";
import type { Access } from "../domain/user.js";
import type { Utterance } from "../domain/utterance.js";
import type { Clock } from "../lib/clock.js";
import { DeadlineExceeded, withDeadline } from "../lib/deadline.js";
import { RecognitionFailure, type SpeechToText } from "../speech/speech-to-text.js";
import type { Telemetry } from "../telemetry/events.js";
import { type GroupSources, turnAccess } from "./access.js";

/** From the press of the button to the words: the longest question there is, and time to understand it. */
export const LISTEN_MS_MAX = 90_000;

export interface ListenDeps {
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly recogniser: SpeechToText;
  readonly groups: GroupSources;
  /** Words of the documents that `access` may read, most important first; never rejects. */
  domainWords(access: Access, signal: AbortSignal): Promise<readonly DomainWord[]>;
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
  let told: readonly DomainWord[] = [];
  try {
    const recognised = await withDeadline(clock, "the recogniser", LISTEN_MS_MAX, stop, async (signal) => {
      told = await hintsFor(request, deps, signal);
      const words = told.map(({ text }) => text);
      const hints = { words, ...(request.language === undefined ? {} : { language: request.language }) };
      return recogniser.recognise(utterance, hints, signal);
    });
    result = recognised.type === "words" ? "words" : recognised.reason;
    heard =
      recognised.type === "words" && recognised.text.trim() !== ""
        ? { ...recognised, documentIds: documentsIn(recognised.text, told) }
        : { type: "nothing" };
  } catch (error) {
    const failure = asTurnFailure(error, stop);
    result = failure.code;
    heard = { type: "failed", failure };
    if (!stop.aborted && !(error instanceof TurnFailure))
      telemetry.emit({ type: "recognition_failed", user: request.user, error: String(error) });
  }
  const { user, id: turn } = request;
  telemetry.emit({ type: "speech_recognised", user, turn, result, ...utterance.report() });
  return heard;
}

async function hintsFor(
  request: SpokenRequest,
  deps: ListenDeps,
  signal: AbortSignal,
): Promise<readonly DomainWord[]> {
  try {
    return await deps.domainWords(await turnAccess(request, deps, signal), signal);
  } catch (error) {
    // Hints only help: whoever cannot be told apart is understood without them.
    if (signal.aborted || !(error instanceof TurnFailure)) throw error;
    return [];
  }
}

/** Whose words the recogniser may have out of what it was told, rather than out of what was said: nobody can tell. */
function documentsIn(text: string, told: readonly DomainWord[]): readonly string[] {
  const said = plain(text);
  return [...new Set(told.filter((word) => said.includes(plain(word.text))).map((word) => word.documentId))];
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
