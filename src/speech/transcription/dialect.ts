/**
 * What servers of the transcription API take differently, and how it is found out: by the model's name, and by what
 * they refuse. Pure: a refusal and the dialect that was spoken go in, the dialect to try next comes out.
 */

export interface TranscriptionDialect {
  /** `verbose_json` tells the language and how sure the model is; Whisper has it, its successors do not. */
  readonly format: "verbose_json" | "json";
  readonly stream: boolean;
  readonly prompt: boolean;
  readonly temperature: boolean;
  /** How sure the model is of each token: Whisper's successors tell, those that tell speakers apart do not. */
  readonly logprobs: boolean;
  /** Languages, as ISO 639-1, that the model does not take as a hint. */
  readonly languagesRefused: readonly string[];
  /** Whether the body may be sent in pieces, of which the length is not known beforehand. */
  readonly chunked: boolean;
}

export interface DialectSettings {
  readonly model: string;
  readonly stream: "auto" | "on" | "off";
  readonly upload: "whole" | "streamed";
}

/** `gpt-4o-transcribe`, `gpt-4o-mini-transcribe`, `gpt-transcribe` and their dated names: they stream, and know `json` only. */
const SUCCESSOR = /^gpt-(?:[\w.]+-)*transcribe\b/;

/** What to begin with. */
export function initialDialect({ model, stream, upload }: DialectSettings): TranscriptionDialect {
  const isSuccessor = SUCCESSOR.test(model);
  const streams = stream === "on" || (stream === "auto" && isSuccessor);
  return {
    format: isSuccessor || streams ? "json" : "verbose_json",
    stream: streams,
    // Not supported by the model that tells speakers apart.
    prompt: !/-diarize\b/.test(model),
    temperature: true,
    logprobs: isSuccessor && !/-diarize\b/.test(model),
    languagesRefused: [],
    chunked: upload === "streamed",
  };
}

/** What a server says of a request that it refuses, in its own words. */
export interface TranscriptionRefusal {
  readonly status: number;
  /** The field, as OpenAI names it. */
  readonly param: string | undefined;
  readonly code: string | undefined;
  readonly message: string;
}

/** A dialect is learnt in so many steps at the most. */
export const LESSONS_MAX = 6;

/** Bad request, length required, unsupported media type, unprocessable (as servers built on FastAPI have it), not implemented. */
const STATUSES_OF_A_BAD_REQUEST: readonly number[] = [400, 411, 415, 422, 501];

/**
 * The dialect to try after a refusal; `undefined` when another one would not help. Each step asks for one thing less,
 * until the plainest request is refused too.
 */
export function lessonOf(
  refusal: TranscriptionRefusal,
  spoken: TranscriptionDialect,
  language: string | undefined,
): TranscriptionDialect | undefined {
  const { status, param, message } = refusal;
  if (!STATUSES_OF_A_BAD_REQUEST.includes(status)) return undefined;
  // A server that cannot read the form cannot know what is wrong with a field.
  if (spoken.chunked) return { ...spoken, chunked: false };
  const isAbout = (field: string) =>
    param === undefined ? new RegExp(`\\b${field}\\b`, "i").test(message) : param.split(/[.[]/)[0] === field;
  if (param === "file") return undefined;
  if (spoken.format === "verbose_json" && (isAbout("response_format") || /verbose_json/.test(message)))
    return { ...spoken, format: "json" };
  if (spoken.stream && isAbout("stream")) return { ...spoken, stream: false };
  if (spoken.logprobs && isAbout("include")) return { ...spoken, logprobs: false };
  if (spoken.temperature && isAbout("temperature")) return { ...spoken, temperature: false };
  if (spoken.prompt && isAbout("prompt")) return { ...spoken, prompt: false };
  if (language !== undefined && !spoken.languagesRefused.includes(language) && isAbout("language"))
    return { ...spoken, languagesRefused: [...spoken.languagesRefused, language] };
  // Nothing that was sent is named.
  return param === undefined && isRich(spoken) ? { ...spoken, ...PLAIN } : undefined;
}

const PLAIN = { format: "json", stream: false, prompt: false, temperature: false, logprobs: false } as const;

function isRich(spoken: TranscriptionDialect): boolean {
  return (
    spoken.format !== PLAIN.format || spoken.stream || spoken.prompt || spoken.temperature || spoken.logprobs
  );
}
