/**
 * Speech understood by the OpenAI API (`POST /audio/transcriptions`), at OpenAI or any server that speaks it. The
 * packets go up as they came, in an Ogg Opus file that is built in memory: at once when the button is released, or
 * while it is still held. One form per question needs no SDK.
 */
import { AudioError, OggOpusMuxer } from "@readback/audio";
import type { Utterance } from "../domain/utterance.js";
import { backoffMs } from "../lib/backoff.js";
import { type Clock, sleep } from "../lib/clock.js";
import { Deadline, DeadlineExceeded, untilAborted } from "../lib/deadline.js";
import { BodyTooLarge, idleFetch } from "../lib/idle-fetch.js";
import { connectionCode, endpoint, retryAfterMs, STATUS_HINTS } from "../lib/json-client.js";
import type { Random } from "../lib/random.js";
import type { Key } from "../lib/secret.js";
import { OPENAI_BASE_URL } from "./openai.js";
import {
  RecognitionFailure,
  type RecognitionResult,
  type SpeechHints,
  type SpeechToText,
} from "./speech-to-text.js";
import {
  initialDialect,
  LESSONS_MAX,
  lessonOf,
  type TranscriptionDialect,
  type TranscriptionRefusal,
} from "./transcription/dialect.js";
import { type FormFrame, formFrame } from "./transcription/form.js";
import { promptOf } from "./transcription/prompt.js";
import { readRefusal, readTranscript } from "./transcription/reply.js";
import { type Transcript, understood } from "./transcription/transcript.js";

export interface OpenAiTranscriptionOptions {
  readonly model: string;
  readonly baseUrl?: string | undefined;
  readonly apiKey?: Key | undefined;
  /** Spoken when the hints name no language, as a tag. */
  readonly language?: string | undefined;
  readonly stream: "auto" | "on" | "off";
  readonly upload: "whole" | "streamed";
  /** From the release of the button to the whole transcript, a second attempt included. */
  readonly timeoutMs: number;
  /** The longest silence in the middle of an answer. */
  readonly idleTimeoutMs: number;
  readonly answerBytesMax: number;
}

const FILE = { field: "file", name: "question.ogg", type: "audio/ogg" };

/** No button is held so long: who gives the packets has a limit that is far below. */
const HELD_MS_MAX = 10 * 60_000;
/** One more attempt after a failure that may pass. */
const ATTEMPTS_MAX = 2;
const RETRY_DELAY = { delayMs: 400, delayMaxMs: 400 };
/** Audio that makes a page of the file; a streamed upload sends it when it is full. */
const STREAMED_PAGE_MS = 200;

export class OpenAiTranscription implements SpeechToText {
  readonly name: string;
  readonly #fetch: typeof fetch;
  /** As far as it has been learnt. */
  #dialect: TranscriptionDialect;

  constructor(
    private readonly deps: { readonly clock: Clock; readonly random: Random },
    private readonly options: OpenAiTranscriptionOptions,
  ) {
    this.name = options.model;
    this.#dialect = initialDialect(options);
    this.#fetch = idleFetch(deps.clock, {
      // The deadline of the question ends a wait earlier.
      firstByteMs: HELD_MS_MAX + options.timeoutMs,
      idleMs: options.idleTimeoutMs,
      bodyBytesMax: options.answerBytesMax,
    });
  }

  async recognise(utterance: Utterance, hints: SpeechHints, signal: AbortSignal): Promise<RecognitionResult> {
    const deadline = new Deadline(this.deps.clock, "the transcript", HELD_MS_MAX, signal);
    const question = new Question(utterance, deadline, this.options.timeoutMs);
    try {
      if (!(await question.hasBegun())) return { type: "nothing", reason: "too_short" };
      return await this.#ask(question, hints);
    } catch (error) {
      signal.throwIfAborted();
      throw failureOf(deadline.signal.aborted ? deadline.signal.reason : error);
    } finally {
      deadline.end(new Error("the question is over"));
    }
  }

  /** Nothing to prepare: the server is somebody else's. */
  async warm(): Promise<void> {}

  async close(): Promise<void> {}

  /** Asks until there is an answer: in other words where the server does not take these, once more where it fails. */
  async #ask(question: Question, hints: SpeechHints): Promise<RecognitionResult> {
    let spoken = this.#dialect;
    let learnt = spoken;
    let lessons = 0;
    for (let attempt = 1; ; ) {
      const fields = this.#fields(spoken, hints);
      const outcome = await this.#attempt(question, fields, spoken.chunked);
      if (outcome.type === "transcript") {
        this.#dialect = learnt;
        return understood(outcome.transcript, fields.prompt);
      }
      if (outcome.type === "refused") {
        const lesson = lessonOf(outcome.refusal, spoken, fields.language);
        if (lesson === undefined || lessons++ >= LESSONS_MAX) return refused(outcome.refusal);
        spoken = lesson;
        learnt = lesson;
        continue;
      }
      // That a connection failed says nothing of the server's ways: not learnt, but not tried again either.
      spoken = { ...spoken, chunked: false };
      const pauseMs = outcome.retryAfterMs ?? backoffMs(attempt, RETRY_DELAY, this.deps.random);
      if (attempt++ >= ATTEMPTS_MAX || pauseMs > this.options.timeoutMs) throw outcome.failure;
      await sleep(this.deps.clock, pauseMs, question.signal);
    }
  }

  #fields(dialect: TranscriptionDialect, hints: SpeechHints): Fields {
    const language = iso639(hints.language ?? this.options.language);
    const prompt = dialect.prompt ? promptOf(hints.words) : undefined;
    return {
      model: this.options.model,
      response_format: dialect.format,
      ...(dialect.temperature ? { temperature: "0" } : {}),
      ...(dialect.stream ? { stream: "true" } : {}),
      ...(dialect.logprobs ? { "include[]": "logprobs" } : {}),
      ...(language === undefined || dialect.languagesRefused.includes(language) ? {} : { language }),
      ...(prompt === undefined ? {} : { prompt }),
    };
  }

  /** One request. Rejects when there is no use in another one. */
  async #attempt(question: Question, fields: Fields, chunked: boolean): Promise<TranscriptionResult> {
    const boundary = `readback-${this.deps.random.id()}${this.deps.random.id()}`;
    const frame = formFrame(fields, FILE, boundary);
    const over = new AbortController();
    const signal = AbortSignal.any([question.signal, over.signal]);
    try {
      const body = chunked ? question.upload(frame, signal) : await question.form(frame);
      const response = await this.#request(frame, body, signal);
      if (response.ok) return { type: "transcript", transcript: await readTranscript(response) };
      return await failedOutcome(response);
    } catch (error) {
      question.signal.throwIfAborted();
      const isPassing = error instanceof TypeError || error instanceof DeadlineExceeded;
      const failure = failureOf(error);
      if (isPassing && failure instanceof RecognitionFailure) return { type: "failed", failure };
      throw failure;
    } finally {
      // Lets go of an upload that the server did not wait for.
      over.abort();
    }
  }

  #request(frame: FormFrame, body: Uint8Array | ReadableStream, signal: AbortSignal): Promise<Response> {
    const { baseUrl, apiKey } = this.options;
    return this.#fetch(endpoint(baseUrl ?? OPENAI_BASE_URL, "/audio/transcriptions"), {
      method: "POST",
      headers: { "content-type": frame.contentType, ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
      body,
      ...(body instanceof ReadableStream ? { duplex: "half" } : {}),
      signal,
    });
  }
}

/** The fields beside the file, as the API names them. */
type Fields = Readonly<Record<"model" | "response_format", string>> &
  Readonly<Partial<Record<"temperature" | "stream" | "include[]" | "language" | "prompt", string>>>;

type TranscriptionResult =
  | { readonly type: "transcript"; readonly transcript: Transcript }
  | { readonly type: "refused"; readonly refusal: TranscriptionRefusal }
  /** The same request may succeed a little later. */
  | {
      readonly type: "failed";
      readonly failure: RecognitionFailure;
      readonly retryAfterMs?: number | undefined;
    };

/** What the utterance threw, on its way through `fetch`. */
class UtteranceFailed extends Error {
  override readonly name = "UtteranceFailed";
}

/** One utterance on its way up, and the time that it has: it runs from the last packet on. */
class Question {
  #time: "held" | "released" = "held";

  constructor(
    private readonly utterance: Utterance,
    private readonly deadline: Deadline,
    private readonly timeoutMs: number,
  ) {}

  get signal(): AbortSignal {
    return this.deadline.signal;
  }

  /** Whether there is any packet. */
  async hasBegun(): Promise<boolean> {
    for await (const _packet of this.#packets()) return true;
    return false;
  }

  /** The form, when the button is released. */
  async form({ head, tail }: FormFrame): Promise<Uint8Array> {
    const parts = [head];
    for await (const page of this.#ogg({})) parts.push(page);
    return Buffer.concat([...parts, tail]);
  }

  /** The form, as it grows. */
  upload({ head, tail }: FormFrame, signal: AbortSignal): ReadableStream<Uint8Array> {
    const ogg = untilAborted(this.#ogg({ pageMsMax: STREAMED_PAGE_MS }), signal);
    async function* form() {
      yield head;
      yield* ogg;
      yield tail;
    }
    return ReadableStream.from(form());
  }

  async *#ogg(pages: { readonly pageMsMax?: number }): AsyncGenerator<Uint8Array, void, undefined> {
    const muxer = new OggOpusMuxer({ ...pages, inputSampleRateHz: this.utterance.shape.sampleRateHz });
    yield muxer.header();
    for await (const packet of this.#packets()) {
      const page = this.#pushed(muxer, packet);
      if (page.length > 0) yield page;
    }
    yield muxer.finish();
    if (this.#time === "held") this.deadline.restart(this.timeoutMs);
    this.#time = "released";
  }

  #pushed(muxer: OggOpusMuxer, packet: Uint8Array): Uint8Array {
    try {
      return muxer.push(packet);
    } catch (error) {
      if (!(error instanceof AudioError)) throw error;
      const failure = new RecognitionFailure("not_audio", `a packet of the question: ${error.message}`);
      this.deadline.end(failure);
      throw failure;
    }
  }

  /** Whatever becomes of a request that is under way: what the utterance throws ends the question. */
  async *#packets(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      yield* untilAborted(this.utterance.packets(), this.signal);
    } catch (error) {
      this.signal.throwIfAborted();
      const failed = new UtteranceFailed("the utterance was given up", { cause: error });
      this.deadline.end(failed);
      throw failed;
    }
  }
}

/** `de` of `de-AT`: the API takes codes of two letters. */
function iso639(tag: string | undefined): string | undefined {
  return /^([a-z]{2})(?:-|$)/i.exec(tag ?? "")?.[1]?.toLowerCase();
}

async function failedOutcome(response: Response): Promise<TranscriptionResult> {
  const { status, headers } = response;
  const refusal = await readRefusal(response);
  const isPassing = (status >= 500 && status !== 501) || status === 408 || status === 429;
  if (!isPassing) return { type: "refused", refusal };
  return { type: "failed", failure: statusFailure(status), retryAfterMs: retryAfterMs(headers) };
}

/** What a refusal that cannot be helped means: OpenAI refuses audio of less than 0.1 s. */
function refused({ status, code, message }: TranscriptionRefusal): RecognitionResult {
  if (code === "audio_too_short" || /\bis shorter than [\d.]+ seconds\b/.test(message)) {
    return { type: "nothing", reason: "too_short" };
  }
  throw statusFailure(status);
}

const HINTS: typeof STATUS_HINTS = { ...STATUS_HINTS, 413: ": the question is too long for it" };

function statusFailure(status: number): RecognitionFailure {
  const hint =
    HINTS[status] ??
    (status < 500 && status !== 429 ? "; check the address, the model and its settings" : "");
  return new RecognitionFailure("unavailable", `the transcription server answers ${status}${hint}`);
}

/** Network errors and limits as failures; they quote nothing that was sent. */
function failureOf(error: unknown): unknown {
  if (error instanceof RecognitionFailure) return error;
  if (error instanceof UtteranceFailed) return error.cause;
  if (error instanceof DeadlineExceeded) return new RecognitionFailure("unavailable", error.message);
  if (error instanceof BodyTooLarge)
    return new RecognitionFailure("unavailable", `the answer of the transcription server: ${error.message}`);
  if (!(error instanceof TypeError)) return error;
  const what = "no connection to the transcription server, or it broke";
  return new RecognitionFailure("unavailable", `${what}${connectionCode(error)}`);
}
