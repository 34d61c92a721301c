/**
 * What a transcription server answers, read: a transcript as JSON or as server-sent events
 * (https://platform.openai.com/docs/api-reference/audio), or a refusal in any of the forms that servers have.
 */
import { z } from "zod";
import { type HeardWord, RecognitionFailure } from "../speech-to-text.js";
import type { TranscriptionRefusal } from "./dialect.js";
import type { Transcript } from "./transcript.js";

const number = z.number().optional().catch(undefined);

const logprobsSchema = z
  .array(z.object({ token: z.string(), logprob: z.number() }))
  .optional()
  .catch(undefined);

/** Not in OpenAI's own answers, but in those of servers around Whisper. */
const wordsSchema = z
  .array(z.object({ word: z.string(), probability: z.number() }))
  .optional()
  .catch(undefined);

const transcriptSchema = z.object({
  text: z.string(),
  logprobs: logprobsSchema,
  words: wordsSchema,
  language: z.string().optional().catch(undefined),
  segments: z
    .array(
      z.object({
        text: z.string(),
        no_speech_prob: number,
        avg_logprob: number,
        compression_ratio: number,
        words: wordsSchema,
      }),
    )
    .optional()
    .catch(undefined),
});

const eventSchema = z.union([
  z.object({ type: z.literal("transcript.text.done"), text: z.string(), logprobs: logprobsSchema }),
  z.object({ type: z.literal("transcript.text.delta"), delta: z.string() }),
  z.object({ error: z.object({}) }),
]);

/** The transcript of a successful answer. Rejects with `RecognitionFailure`, or as reading the body does. */
export async function readTranscript(response: Response): Promise<Transcript> {
  const type = (response.headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase();
  if (type === "text/event-stream") return await streamedTranscript(response);
  const text = await response.text();
  const parsed = transcriptSchema.safeParse(parseJson(text));
  if (!parsed.success) {
    const isJson = /^application\/(?:[\w.-]+\+)?json$/.test(type);
    throw unusable(isJson ? "JSON without a transcript" : "something that is no transcript");
  }
  const { text: said, language, logprobs, segments } = parsed.data;
  const words = parsed.data.words ?? segments?.flatMap((segment) => segment.words ?? []);
  return {
    text: said,
    language,
    words: wordsOf(logprobs) ?? words?.map(({ probability, word }) => ({ text: word, probability })),
    segments: segments?.map((segment) => ({
      text: segment.text,
      noSpeechProbability: segment.no_speech_prob,
      meanLogProbability: segment.avg_logprob,
      compressionRatio: segment.compression_ratio,
    })),
  };
}

/** Tokens put together to words: one that begins with a blank begins a word. A word is as likely as all of its tokens. */
function wordsOf(
  tokens: readonly { readonly token: string; readonly logprob: number }[] | undefined,
): readonly HeardWord[] | undefined {
  if (tokens === undefined) return undefined;
  const words: { text: string; logprob: number }[] = [];
  for (const { logprob, token } of tokens) {
    const last = words.at(-1);
    if (last === undefined || /^\s/.test(token)) words.push({ text: token, logprob });
    else if (/[\p{L}\p{N}]/u.test(token)) {
      last.text += token;
      last.logprob += logprob;
    }
  }
  return words.map(({ logprob, text }) => ({ text: text.trim(), probability: Math.exp(logprob) }));
}

/** Up to the event that has the whole text; what a server may send after it is not waited for. */
async function streamedTranscript(response: Response): Promise<Transcript> {
  for await (const data of eventData(response)) {
    if (data === "[DONE]") break;
    const event = eventSchema.safeParse(parseJson(data));
    // Kinds of events that are added later are nothing to us.
    if (!event.success || "delta" in event.data) continue;
    if ("error" in event.data) throw unusable("an error in the middle of the transcript");
    return { text: event.data.text, words: wordsOf(event.data.logprobs) };
  }
  throw unusable("a transcript without an end");
}

/** The data of each server-sent event (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
async function* eventData(response: Response): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  let data: string[] = [];
  for await (const bytes of response.body ?? []) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop()!;
    for (const line of lines) {
      if (line.startsWith("data:")) data.push(line.slice(5).trimStart());
      if (line !== "" || data.length === 0) continue;
      yield data.join("\n");
      data = [];
    }
  }
}

/** The server's words on a request that it does not take: OpenAI's form, FastAPI's, or any text. */
export async function readRefusal(response: Response): Promise<TranscriptionRefusal> {
  const text = await response.text();
  const { status } = response;
  const parsed = refusalSchema.safeParse(parseJson(text));
  if (!parsed.success) return { status, param: undefined, code: undefined, message: text };
  if ("error" in parsed.data) {
    const { error } = parsed.data;
    if (typeof error === "string") return { status, param: undefined, code: undefined, message: error };
    const { message, param, code } = error;
    return { status, param: param ?? undefined, code: code ?? undefined, message };
  }
  const [first] = parsed.data.detail;
  const param = first?.loc.at(-1);
  return {
    status,
    param: param === undefined ? undefined : String(param),
    code: undefined,
    message: first?.msg ?? "",
  };
}

const name = z.string().nullish().catch(undefined);

const refusalSchema = z.union([
  z.object({
    error: z.union([z.string(), z.object({ message: z.string().catch(""), param: name, code: name })]),
  }),
  z.object({
    detail: z.array(z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string().catch("") })),
  }),
]);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function unusable(what: string): RecognitionFailure {
  return new RecognitionFailure("unavailable", `the transcription server answers with ${what}`);
}
