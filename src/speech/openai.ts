/**
 * Speech from the OpenAI API (`POST /audio/speech`), at OpenAI or any server that speaks it: the body is handed on as
 * it arrives. One plain request needs no SDK.
 */
import type { Clock } from "../lib/clock.js";
import { DeadlineExceeded } from "../lib/deadline.js";
import { BodyTooLarge, idleFetch } from "../lib/idle-fetch.js";
import { connectionCode, endpoint } from "../lib/json-client.js";
import type { Key } from "../lib/secret.js";
import { SpeechFailure, type SpeechRequest, type TextToSpeech } from "./port.js";

export const OPENAI_BASE_URL = "https://api.openai.com/v1";

/** Characters that the API takes in one request. */
export const INPUT_CHARS_MAX = 4_096;

export interface OpenAiSpeechOptions {
  readonly model: string;
  readonly voice: string;
  readonly format: "opus";
  readonly baseUrl?: string | undefined;
  readonly apiKey?: Key | undefined;
  readonly firstByteTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly bodyBytesMax: number;
  /** What requests go through; Node's own `fetch` unless given. */
  readonly fetch?: typeof fetch | undefined;
}

export class OpenAiSpeech implements TextToSpeech {
  readonly name: string;
  readonly #fetch: typeof fetch;

  constructor(
    clock: Clock,
    private readonly options: OpenAiSpeechOptions,
  ) {
    this.name = `${options.model}/${options.voice}`;
    const limits = {
      firstByteMs: options.firstByteTimeoutMs,
      idleMs: options.idleTimeoutMs,
      bodyBytesMax: options.bodyBytesMax,
    };
    this.#fetch = idleFetch(clock, limits, options.fetch);
  }

  /** The API takes neither a language nor a shape: its voices hear the one, and its packets are passed on as they are. */
  async *synthesize(
    { text }: SpeechRequest,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    let begun = false;
    try {
      const response = await this.#request(text, signal);
      for await (const bytes of await audioBody(response)) {
        begun = true;
        yield bytes;
      }
    } catch (error) {
      throw signal.aborted ? signal.reason : failureOf(error, begun);
    }
  }

  /** Nothing to prepare: the server is somebody else's. */
  async warm(): Promise<void> {}

  async close(): Promise<void> {}

  #request(text: string, signal: AbortSignal): Promise<Response> {
    const { model, voice, format, baseUrl, apiKey } = this.options;
    return this.#fetch(endpoint(baseUrl ?? OPENAI_BASE_URL, "/audio/speech"), {
      method: "POST",
      headers: { "content-type": "application/json", ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
      body: JSON.stringify({ model, voice, input: text.slice(0, INPUT_CHARS_MAX), response_format: format }),
      signal,
    });
  }
}

/** The body of a response that is a success and says that it is audio. What it really is, the packets tell. */
async function audioBody(response: Response): Promise<AsyncIterable<Uint8Array>> {
  if (response.ok && response.body !== null && isAudio(response)) return response.body;
  await response.body?.cancel();
  if (!response.ok) throw new SpeechFailure("unavailable", `the speech server answers ${response.status}`);
  throw new SpeechFailure(
    "not_audio",
    `the speech server answers with ${contentType(response) || "nothing"}`,
  );
}

/** Servers label Opus in many ways, and some not at all. */
function isAudio(response: Response): boolean {
  const type = contentType(response);
  return (
    type === "" ||
    type.startsWith("audio/") ||
    type === "application/ogg" ||
    type === "application/octet-stream"
  );
}

function contentType(response: Response): string {
  const type = (response.headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase();
  return /^[\w.+/-]{0,100}$/.test(type) ? type : "something else";
}

/** Network errors and time limits as speech failures; they quote nothing that was sent. */
function failureOf(error: unknown, begun: boolean): unknown {
  if (error instanceof SpeechFailure) return error;
  if (error instanceof BodyTooLarge) return new SpeechFailure("cut", error.message);
  const kind = begun ? "cut" : "unavailable";
  if (error instanceof DeadlineExceeded) return new SpeechFailure(kind, error.message);
  if (!(error instanceof TypeError)) return error;
  const what = begun ? "the connection to the speech server broke" : "no connection to the speech server";
  return new SpeechFailure(kind, `${what}${connectionCode(error)}`);
}
