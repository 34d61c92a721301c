/**
 * `/v1/audio/transcriptions` of the local OpenAI-shaped server: the form as it came, read by Node's own parser; the
 * checks of the real API on its fields, by model; the audio taken out of its file and decoded; and answers in each
 * format that can be asked for.
 */
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { OggOpusDemuxer, OpusPacketDecoder, SAMPLES_PER_MS } from "@readback/audio";
import type { Ending, Fault, Pieces } from "./openai-replies.js";
import type { Checked, Refusal } from "./openai-requests.js";
import { eachPiece, sendEnding, sendFault, written } from "./openai-send.js";
import { errorBody, sse } from "./openai-shapes.js";

/** The audio of an upload, all of which was decoded. */
export interface UploadedAudio {
  /** The file. */
  readonly bytes: Uint8Array;
  readonly packets: readonly Uint8Array[];
  /** What is to be heard: without the pre-skip. */
  readonly durationMs: number;
  readonly sampleRateHz: number;
  readonly channels: number;
  readonly preSkipSamples: number;
  /** Mono at 48 kHz, with the pre-skip. */
  readonly pcm: Int16Array;
}

export interface TranscriptionBody {
  readonly model: string;
  readonly responseFormat: "json" | "verbose_json";
  readonly stream: boolean;
  readonly language?: string;
  readonly prompt?: string;
  readonly temperature?: number;
  /** Whether it was asked for how sure the model is of each token. */
  readonly logprobs: boolean;
  readonly audio: UploadedAudio;
  /** Whether the body came without its length, in pieces. */
  readonly chunked: boolean;
}

export interface ReplySegment {
  readonly text: string;
  readonly no_speech_prob?: number;
  readonly avg_logprob?: number;
  readonly compression_ratio?: number;
}

/** A token of the transcript, and the natural logarithm of its probability. */
export interface ReplyToken {
  readonly token: string;
  readonly logprob: number;
}

export type TranscriptReply =
  | {
      readonly type: "transcript";
      /** Streamed one by one where a stream was asked for. */
      readonly pieces: Pieces<string>;
      /** English name, as the real server has it. */
      readonly language: string;
      readonly segments?: readonly ReplySegment[];
      readonly logprobs?: readonly ReplyToken[];
      readonly ending: Ending;
    }
  | Fault;

export interface TranscriptOptions {
  readonly language?: string;
  readonly segments?: readonly ReplySegment[];
  readonly logprobs?: readonly ReplyToken[];
  readonly ending?: Ending;
}

/** A transcript. A string is streamed word by word, pieces as they are. */
export function transcriptReply(
  text: string | Pieces<string>,
  { language = "english", segments, logprobs, ending = "complete" }: TranscriptOptions = {},
): TranscriptReply {
  const pieces = typeof text === "string" ? (text.match(/\S+\s*|\s+/g) ?? []) : text;
  const sure = logprobs === undefined ? {} : { logprobs };
  return {
    type: "transcript",
    pieces,
    language,
    ending,
    ...sure,
    ...(segments === undefined ? {} : { segments }),
  };
}

/** How servers other than OpenAI's treat a request that OpenAI takes. */
export interface TranscriptionQuirks {
  /** Fields that are refused when they are sent; `verbose_json` is refused as a format. */
  readonly refuses?: readonly (
    | "verbose_json"
    | "stream"
    | "prompt"
    | "temperature"
    | "language"
    | "logprobs"
  )[];
  /** In which words: OpenAI's, FastAPI's, or none that name a field. */
  readonly words?: "openai" | "fastapi" | "none";
  /** Bodies without a length are answered with 411 at once. */
  readonly chunked?: "refused";
}

/** The refusal that the quirks have for this request. */
export function withTranscriptionQuirks(
  body: TranscriptionBody,
  { refuses = [], words = "openai" }: TranscriptionQuirks,
): { readonly status: number; readonly body: object } | undefined {
  const refused = refuses.find((what) =>
    what === "verbose_json" ? body.responseFormat === what : body[what] !== undefined && body[what] !== false,
  );
  if (refused === undefined) return undefined;
  const params: Readonly<Record<string, string>> = { verbose_json: "response_format", logprobs: "include" };
  const param = params[refused] ?? refused;
  if (words === "fastapi") {
    return {
      status: 422,
      body: { detail: [{ type: "enum", loc: ["body", param], msg: "Input should be ..." }] },
    };
  }
  if (words === "none")
    return { status: 400, body: errorBody("Bad request.", "invalid_request_error", null, null) };
  return {
    status: 400,
    body: errorBody(`Unsupported value for ${param}.`, "invalid_request_error", param, "unsupported_value"),
  };
}

const FIELDS = [
  "file",
  "model",
  "language",
  "prompt",
  "response_format",
  "temperature",
  "stream",
  "include[]",
];
const FORMATS = ["json", "verbose_json"];
const FILE_TYPES: Readonly<Record<string, RegExp>> = { ogg: /^(?:audio|application)\/ogg$/ };
const AUDIO_MS_MIN = 100;
const PROMPT_CHARS_MAX = 10_000;

/** The form, checked field by field as the real API does, and its audio. */
export async function checkTranscription(request: {
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Uint8Array;
}): Promise<Checked<TranscriptionBody>> {
  const form = await parseForm(request.headers["content-type"] ?? "", request.bytes);
  if (form === undefined) return refused("Could not parse multipart form", null);
  const unknown = [...form.keys()].find((name) => !FIELDS.includes(name));
  if (unknown !== undefined) return refused(`Unrecognized request argument supplied: ${unknown}`, unknown);
  const field = (name: string) => {
    const value = form.get(name);
    return typeof value === "string" ? value : undefined;
  };
  const model = field("model");
  if (model === undefined || model === "") return refused("you must provide a model parameter", "model");
  const format = field("response_format") ?? "json";
  if (!FORMATS.includes(format)) return refused(`Invalid value: '${format}'.`, "response_format");
  if (format === "verbose_json" && /^gpt-/.test(model)) {
    const message = `response_format 'verbose_json' is not compatible with model '${model}'. Use 'json' or 'text' instead.`;
    return refused(message, "response_format", "unsupported_value");
  }
  if (field("include[]") !== undefined && (format !== "json" || !/^gpt-/.test(model)))
    return refused("logprobs are not supported here", "include", "unsupported_value");
  const fault = fieldFault(field);
  if (fault !== undefined) return { refusal: fault };
  const file = form.get("file");
  if (!(file instanceof File)) return refused("Missing required parameter: 'file'.", "file");
  const audio = await decodedFile(file);
  if ("refusal" in audio) return audio;
  return {
    body: {
      model,
      responseFormat: format as TranscriptionBody["responseFormat"],
      stream: field("stream") === "true",
      ...optional("language", field("language")),
      ...optional("prompt", field("prompt")),
      ...(field("temperature") === undefined ? {} : { temperature: Number(field("temperature")) }),
      logprobs: field("include[]") === "logprobs",
      audio: audio.body,
      chunked: request.headers["content-length"] === undefined,
    },
  };
}

async function parseForm(contentType: string, bytes: Uint8Array): Promise<FormData | undefined> {
  if (!/^multipart\/form-data; *boundary=/.test(contentType)) return undefined;
  try {
    return await new Response(bytes, { headers: { "content-type": contentType } }).formData();
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function fieldFault(field: (name: string) => string | undefined): Refusal | undefined {
  const {
    language,
    prompt = "",
    temperature = "0",
    stream = "false",
  } = {
    language: field("language"),
    prompt: field("prompt"),
    temperature: field("temperature"),
    stream: field("stream"),
  };
  if (language !== undefined && !/^[a-z]{2}$/.test(language)) {
    return refusal(
      `Invalid language '${language}'. Language parameter must be specified in ISO-639-1 format.`,
      "language",
    );
  }
  if (prompt.length > PROMPT_CHARS_MAX) return refusal("prompt is too long", "prompt");
  if (!(Number(temperature) >= 0 && Number(temperature) <= 1)) {
    return refusal(`Invalid value: '${temperature}'.`, "temperature");
  }
  return ["true", "false"].includes(stream) ? undefined : refusal(`Invalid value: '${stream}'.`, "stream");
}

/** Takes the file apart and decodes each packet; the real server refuses what it cannot decode or what is too short. */
async function decodedFile(file: File): Promise<Checked<UploadedAudio>> {
  const extension = file.name.split(".").at(-1) ?? "";
  if (FILE_TYPES[extension]?.test(file.type) !== true) return refused(BAD_FORMAT, "file");
  const bytes = new Uint8Array(await file.arrayBuffer());
  const demuxer = new OggOpusDemuxer();
  const events = [...demuxer.push(bytes), ...demuxer.end()];
  const head = events.flatMap((event) => (event.type === "head" ? [event.head] : []));
  const totals = events.flatMap((event) => (event.type === "end" ? [event.totals] : []));
  const isWhole = events.every(({ type }) => type !== "malformed" && type !== "truncated");
  if (!isWhole || head.length !== 1 || totals.length !== 1)
    return refused(BAD_AUDIO, "file", "invalid_value");
  const packets = events.flatMap((event) => (event.type === "packet" ? [event.data] : []));
  const durationMs = totals[0]!.playableSamples / SAMPLES_PER_MS;
  if (durationMs < AUDIO_MS_MIN) {
    return refused(
      "Audio file is too short. Minimum audio length is 0.1 seconds.",
      "file",
      "audio_too_short",
    );
  }
  const { inputSampleRateHz: sampleRateHz, channels, preSkipSamples } = head[0]!;
  const pcm = decodedPackets(packets);
  return { body: { bytes, packets, durationMs, sampleRateHz, channels, preSkipSamples, pcm } };
}

const BAD_FORMAT =
  "Invalid file format. Supported formats: ['flac', 'm4a', 'mp3', 'mp4', 'mpeg', 'mpga', 'oga', 'ogg', 'wav', 'webm']";
const BAD_AUDIO = "Audio file might be corrupted or unsupported";

function decodedPackets(packets: readonly Uint8Array[]): Int16Array {
  const decoder = new OpusPacketDecoder();
  const parts = packets.map((packet) => decoder.decode(packet));
  const whole = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export async function sendTranscript(
  response: ServerResponse,
  request: TranscriptionBody,
  reply: TranscriptReply,
): Promise<void> {
  if (reply.type !== "transcript") {
    sendFault(response, reply);
  } else if (request.stream && request.model !== "whisper-1") {
    await streamTranscript(response, request, reply);
  } else {
    let text = "";
    for await (const piece of reply.pieces) text += piece;
    await sendEnding(response, transcriptBody(request, text, reply), reply.ending);
  }
}

type Words = TranscriptReply & { readonly type: "transcript" };

/** Only where they were asked for. */
function logprobsOf({ logprobs }: TranscriptionBody, reply: Words): object {
  return logprobs && reply.logprobs !== undefined ? { logprobs: reply.logprobs } : {};
}

function transcriptBody(request: TranscriptionBody, text: string, reply: Words): object {
  const { audio, responseFormat } = request;
  const seconds = Math.ceil(audio.durationMs / 1_000);
  const usage = { type: "duration", seconds };
  if (responseFormat === "json") return { text, ...logprobsOf(request, reply), usage };
  const duration = audio.durationMs / 1_000;
  const segments = (reply.segments ?? [{ text }]).map((segment, id) => ({
    id,
    seek: 0,
    start: 0,
    end: duration,
    tokens: [50_364],
    temperature: 0,
    avg_logprob: -0.2,
    compression_ratio: 0.9,
    no_speech_prob: 0.02,
    ...segment,
  }));
  return { task: "transcribe", language: reply.language, duration, text, segments, usage };
}

/** Server-sent events: a delta for each piece, and the whole text at the end. */
async function streamTranscript(
  response: ServerResponse,
  request: TranscriptionBody,
  reply: Words,
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  let text = "";
  await eachPiece(response, reply.pieces, async (delta) => {
    text += delta;
    await written(response, sse({ type: "transcript.text.delta", delta }));
  });
  if (reply.ending === "cut") {
    response.destroy();
  } else if (reply.ending === "complete") {
    const usage = { type: "tokens", input_tokens: 30, output_tokens: 10, total_tokens: 40 };
    response.end(sse({ type: "transcript.text.done", text, ...logprobsOf(request, reply), usage }));
  }
}

function optional<K extends string>(name: K, value: string | undefined): { readonly [P in K]?: string } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [P in K]?: string };
}

function refusal(message: string, param: string | null, code: string | null = null): Refusal {
  return { status: 400, message, param, code };
}

function refused(
  message: string,
  param: string | null,
  code: string | null = null,
): { readonly refusal: Refusal } {
  return { refusal: refusal(message, param, code) };
}
