/** What the local OpenAI-shaped server can be told to answer: good replies and every fault that a client must survive. */
import { oggOpus, tonePackets } from "./naive-ogg.js";
import type { EmbeddingsBody, RerankBody } from "./openai-requests.js";

/** Pieces of a body in order. An async iterable lets a test decide when each piece leaves. */
export type Pieces<T> = Iterable<T> | AsyncIterable<T>;

/** What happens after the last piece: the normal end, silence with the connection open, or a cut connection. */
export type Ending = "complete" | "hang" | "cut";

export interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

export interface CalledTool {
  readonly id?: string;
  readonly name: string;
  /** JSON text, sent exactly so. */
  readonly arguments: string;
}

export type ChatReply =
  | {
      readonly type: "text";
      readonly pieces: Pieces<string>;
      readonly finishReason: "stop" | "length" | "content_filter";
      readonly ending: Ending;
      /** Streamed after the pieces: the model changes its mind. */
      readonly refusal?: string;
      readonly usage: Usage;
    }
  | { readonly type: "tool_calls"; readonly calls: readonly CalledTool[]; readonly usage: Usage }
  | { readonly type: "refusal"; readonly text: string; readonly usage: Usage }
  | Fault;

export type SpeechReply =
  | {
      readonly type: "audio";
      readonly contentType: string;
      readonly chunks: Pieces<Uint8Array>;
      /** Pause before each chunk but the first, on the server's clock. */
      readonly intervalMs: number;
      readonly ending: Ending;
    }
  | Fault;

/** One JSON body, made from the request; with the ending `cut` or `hang`, only half of it leaves. */
export interface JsonReply<Body> {
  readonly type: "json";
  readonly body: (request: Body) => object;
  readonly ending: Ending;
}

export type EmbeddingsReply = JsonReply<EmbeddingsBody> | Fault;
export type RerankReply = JsonReply<RerankBody> | Fault;

/** Faults that any route can have. */
export type Fault =
  | {
      readonly type: "error";
      readonly status: number;
      readonly code: string | null;
      readonly message: string;
      readonly retryAfterS?: number;
    }
  | {
      readonly type: "raw";
      readonly status: number;
      readonly contentType: string;
      readonly body: string | Uint8Array;
    }
  /** Takes the request and never answers. */
  | { readonly type: "hang" }
  /** Takes the request and closes the connection without a byte. */
  | { readonly type: "cut" };

const DEFAULT_USAGE: Usage = { prompt_tokens: 100, completion_tokens: 20 };

export interface TextOptions {
  readonly finishReason?: "stop" | "length" | "content_filter";
  readonly ending?: Ending;
  readonly refusal?: string;
  readonly usage?: Usage;
}

/** An answer. A string is streamed word by word, pieces as they are. */
export function textReply(text: string | Pieces<string>, options: TextOptions = {}): ChatReply {
  return {
    type: "text",
    pieces: typeof text === "string" ? (text.match(/\S+\s*|\s+/g) ?? []) : text,
    finishReason: options.finishReason ?? "stop",
    ending: options.ending ?? "complete",
    ...(options.refusal === undefined ? {} : { refusal: options.refusal }),
    usage: options.usage ?? DEFAULT_USAGE,
  };
}

/** A well-formed call of the retrieval tool for each query. */
export function searchReply(...queries: readonly string[]): ChatReply {
  return toolReply(
    queries.map((query) => ({
      name: "retrieve_relevant_documents",
      arguments: JSON.stringify({ search_query: query }),
    })),
  );
}

/** The same of a model that takes the message for an emergency. */
export function emergencyReply(query: string): ChatReply {
  const values = { search_query: query, emergency: true };
  return toolReply([{ name: "retrieve_relevant_documents", arguments: JSON.stringify(values) }]);
}

/** Tool calls exactly as given: also wrong names and broken JSON. */
export function toolReply(calls: readonly CalledTool[], usage: Usage = DEFAULT_USAGE): ChatReply {
  return { type: "tool_calls", calls, usage };
}

export function refusalReply(text = "I can't help with that."): ChatReply {
  return { type: "refusal", text, usage: DEFAULT_USAGE };
}

export interface ErrorOptions {
  readonly code?: string;
  readonly message?: string;
  readonly retryAfterS?: number;
}

export function errorReply(status: number, options: ErrorOptions = {}): Fault {
  return {
    type: "error",
    status,
    code: options.code ?? (status === 429 ? "rate_limit_exceeded" : null),
    message: options.message ?? `A scripted failure with status ${status}.`,
    ...(options.retryAfterS === undefined ? {} : { retryAfterS: options.retryAfterS }),
  };
}

export function rawReply(contentType: string, body: string | Uint8Array, status = 200): Fault {
  return { type: "raw", status, contentType, body };
}

export const hangReply: Fault = { type: "hang" };
export const cutReply: Fault = { type: "cut" };

/** The vector that `vectorOf` gives for each text, in the encoding that was asked for. */
export function embeddingsReply(
  vectorOf: (text: string) => readonly number[],
  { ending = "complete", reversed = false }: { ending?: Ending; reversed?: boolean } = {},
): EmbeddingsReply {
  const body = ({ model, input, encoding_format: format }: EmbeddingsBody) => {
    const data = input.map((text, index) => ({
      object: "embedding",
      index,
      embedding: format === "base64" ? base64(vectorOf(text)) : vectorOf(text),
    }));
    const usage = { prompt_tokens: input.length, total_tokens: input.length };
    return { object: "list", data: reversed ? data.reverse() : data, model, usage };
  };
  return { type: "json", body, ending };
}

function base64(vector: readonly number[]): string {
  return Buffer.from(Float32Array.from(vector).buffer).toString("base64");
}

/** The score that `scoreOf` gives for each document, best first. */
export function rerankReply(
  scoreOf: (document: string, query: string) => number,
  ending: Ending = "complete",
): RerankReply {
  const body = ({ model, query, documents, top_n: topN }: RerankBody) => {
    const results = documents.map((text, index) => ({ index, relevance_score: scoreOf(text, query) }));
    results.sort((a, b) => b.relevance_score - a.relevance_score);
    return { id: "rerank-test", model, results: results.slice(0, topN), usage: { total_tokens: 1 } };
  };
  return { type: "json", body, ending };
}

export interface SpeechOptions {
  /** How many packets the body holds; 0 is an Ogg stream with headers only. */
  readonly packets?: number;
  readonly packetMs?: 20 | 40 | 60;
  readonly packetsPerPage?: number;
  readonly channels?: number;
  /** Size of the pieces that the body is sent in. */
  readonly chunkBytes?: number;
  readonly intervalMs?: number;
  readonly contentType?: string;
  /** Only this many bytes are sent before `ending` happens. */
  readonly bytesMax?: number;
  readonly ending?: Ending;
}

/** Speech: 48 kHz, 20 ms, mono unless told otherwise. */
export function speechReply(options: SpeechOptions = {}): SpeechReply {
  const packetMs = options.packetMs ?? 20;
  const body = oggOpus(tonePackets(options.packets ?? 50, packetMs), {
    packetMs,
    ...(options.packetsPerPage === undefined ? {} : { packetsPerPage: options.packetsPerPage }),
    ...(options.channels === undefined ? {} : { channels: options.channels }),
  });
  return {
    type: "audio",
    contentType: options.contentType ?? "audio/opus",
    chunks: slices(body.subarray(0, options.bytesMax), options.chunkBytes ?? 1_024),
    intervalMs: options.intervalMs ?? 0,
    ending: options.ending ?? "complete",
  };
}

/** Speech of about the length in which `text` would be spoken: 15 characters a second. */
export function speechFor(text: string, options: SpeechOptions = {}): SpeechReply {
  const durationMs = (text.length / 15) * 1_000;
  return speechReply({ packets: Math.max(1, Math.ceil(durationMs / (options.packetMs ?? 20))), ...options });
}

function slices(bytes: Uint8Array, size: number): Uint8Array[] {
  const result: Uint8Array[] = [];
  for (let from = 0; from < bytes.length; from += size) result.push(bytes.subarray(from, from + size));
  return result;
}
