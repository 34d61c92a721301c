/**
 * The model server and the speech server of the benchmarks, in a process of its own: shaped like the OpenAI API, with
 * think times and bodies at network speed, as light as can be. For answers that are checked there is
 * `test/support/openai-server.ts`; this one is there to be fast and to note when things happened.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { BodyPump } from "./body-pump.js";
import { serve } from "./child.js";
import {
  answerText,
  type Exchange,
  MACHINE_QUERY,
  NEXT_SENTENCE,
  tagIn,
  tokensOf,
  withTag,
} from "./exchange.js";
import { type PacketMs, pcmBody, type SpeechBody, speechBody } from "./speech-body.js";
import { sharedNowMs } from "./stats.js";

/** From and to, in milliseconds; evenly distributed between. */
export type Range = readonly [fromMs: number, toMs: number];

/** How the servers behave until told otherwise. */
export interface Behaviour {
  /** Stage 1: from the request to the answer. */
  readonly planMs: Range;
  /** Stage 2: from the request to the first piece of text, and from word to word. */
  readonly composeMs: Range;
  readonly wordMs: number;
  /** Speech: from the request to the first packet. */
  readonly speechMs: Range;
  /** From chunk to chunk of a body. */
  readonly chunkMs: number;
  /** Whether the first chunk ends with the first packet, or is as long as the others. */
  readonly firstChunk: "packet" | "full";
  readonly sentences: number;
  readonly sentenceMs: number;
  readonly packetMs: PacketMs;
  /** What is asked and answered instead of `sentences` sentences, one turn after the other. */
  readonly exchange?: Exchange;
  /** Audio of each word that is to be spoken; absent: every request gets `sentenceMs`. */
  readonly spokenWordMs?: number;
}

/** When what happened to one turn, on the shared clock. */
export interface Marks {
  /** Requests of stage 1; more than one where what was found did not seem to hold the answer. */
  plans: number;
  planAskedMs?: number;
  planWrittenMs?: number;
  composeAskedMs?: number;
  /** The last word was written of what a voice can say by itself. */
  firstUnitWrittenMs?: number;
  /** The model server wrote the word that shows that the first sentence is over. */
  sentenceWrittenMs?: number;
  /** The request to speak it reached the speech server. */
  speechAskedMs?: number;
  /** The speech server wrote the last byte of the first packet. */
  packetWrittenMs?: number;
}

export type ProviderCalls = {
  start: { input: undefined; output: { readonly baseUrl: string } };
  behave: { input: Behaviour; output: { readonly bodyBytes: number } };
  /** The marks of all turns since the last time, by tag. */
  marks: { input: undefined; output: ReadonlyMap<string, Marks> };
};

/** How fast bodies come, in seconds of audio a second: OpenAI's speed. */
const BODY_SPEED = 6.5;

const HEAD = { id: "chatcmpl-1", created: 1_700_000_000, model: "gpt-4.1-mini" };
const USAGE = { prompt_tokens: 900, completion_tokens: 60, total_tokens: 960 };
const SPEECH_HEADERS = { "content-type": "audio/opus" };
const STREAM_HEADERS = { "content-type": "text/event-stream; charset=utf-8" };
const JSON_HEADERS = { "content-type": "application/json" };

let behaviour: Behaviour;
let marks = new Map<string, Marks>();
/** The turn that was asked last, for requests that do not name theirs; of use where turns do not overlap. */
let latestTag = "";
/** By duration and shape: made once. */
const bodies = new Map<string, SpeechBody>();
const pump = new BodyPump();

serve<ProviderCalls>({
  start: async () => {
    const server = createServer((request, response) => void receive(request, response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", 4_096, resolve));
    return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
  },
  behave: (next) => {
    behaviour = next;
    return { bodyBytes: bodyOf(next.sentenceMs, false).bytes.length };
  },
  marks: () => {
    const noted = marks;
    marks = new Map();
    return noted;
  },
});

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const arrivedMs = sharedNowMs();
  // Asked by a service that keeps its connections open, as soon as it starts.
  if (request.url?.endsWith("/models")) {
    response.end('{"object":"list","data":[]}');
    return;
  }
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString("latin1");
  const tag = tagIn(text);
  if (request.url?.endsWith("/audio/speech")) await speak(response, text, tag, arrivedMs);
  else if (text.includes('"tool_choice":"required"')) await plan(response, tag ?? "", arrivedMs);
  else if (text.includes('"stream":true')) await compose(response, tag ?? "", arrivedMs);
  else await composeWhole(response, tag ?? "", arrivedMs);
}

function marksOf(tag: string): Marks {
  const known = marks.get(tag) ?? { plans: 0 };
  marks.set(tag, known);
  return known;
}

async function plan(response: ServerResponse, tag: string, arrivedMs: number): Promise<void> {
  latestTag = tag;
  const noted = marksOf(tag);
  noted.plans += 1;
  noted.planAskedMs ??= arrivedMs;
  await sleep(within(behaviour.planMs));
  const query = withTag(behaviour.exchange?.query ?? MACHINE_QUERY, tag);
  const call = {
    id: "call_1",
    type: "function",
    function: { name: "retrieve_relevant_documents", arguments: JSON.stringify({ search_query: query }) },
  };
  noted.planWrittenMs = sharedNowMs();
  complete(response, { content: null, tool_calls: [call] }, "tool_calls");
}

/** How an answer is written: piece by piece, with the times noted on the way. */
async function* written(tag: string, arrivedMs: number): AsyncGenerator<string, void, undefined> {
  const { composeMs, exchange, sentences, wordMs } = behaviour;
  const noted = marksOf(tag);
  noted.composeAskedMs = arrivedMs;
  const startMs = sharedNowMs();
  const firstMs = within(composeMs);
  await sleep(firstMs);
  yield "";
  const text = exchange === undefined ? answerText(tag, sentences) : withTag(exchange.answer, tag);
  const firstUnit = exchange === undefined ? text : withTag(exchange.firstUnit, tag);
  let length = 0;
  for (const [i, piece] of (exchange === undefined ? text.split(/(?= )/) : tokensOf(text)).entries()) {
    // By the time that each piece is due: what a timer is late does not add up. The first piece is the first token.
    const sinceFirst = exchange === undefined ? i + 1 : i;
    await sleep(wordMs === 0 ? 0 : startMs + firstMs + sinceFirst * wordMs - sharedNowMs());
    length += piece.length;
    if (piece === NEXT_SENTENCE) noted.sentenceWrittenMs ??= sharedNowMs();
    if (length >= firstUnit.length) noted.firstUnitWrittenMs ??= sharedNowMs();
    yield piece;
  }
}

async function compose(response: ServerResponse, tag: string, arrivedMs: number): Promise<void> {
  let begun = false;
  for await (const piece of written(tag, arrivedMs)) {
    if (!begun) {
      response.writeHead(200, STREAM_HEADERS);
      response.write(delta({ role: "assistant", content: "" }));
      begun = true;
    } else response.write(delta({ content: piece }));
  }
  response.write(delta({}, "stop"));
  response.write(event({ choices: [], usage: USAGE }));
  response.end("data: [DONE]\n\n");
}

/** For a caller that does not stream: the same time, and then all of it. */
async function composeWhole(response: ServerResponse, tag: string, arrivedMs: number): Promise<void> {
  let content = "";
  for await (const piece of written(tag, arrivedMs)) content += piece;
  complete(response, { content }, "stop");
}

/** A first chunk as soon as it is made, the rest at the server's speed. */
async function speak(
  response: ServerResponse,
  text: string,
  tag: string | undefined,
  arrivedMs: number,
): Promise<void> {
  const noted = marksOfSpeech(tag);
  if (noted !== undefined) noted.speechAskedMs = arrivedMs;
  const { chunkMs, firstChunk, sentenceMs, speechMs, spokenWordMs } = behaviour;
  const startMs = sharedNowMs();
  const request = JSON.parse(text) as { readonly input: string; readonly response_format?: string };
  const words = request.input.trim().split(/\s+/).length;
  const durationMs = spokenWordMs === undefined ? sentenceMs : words * spokenWordMs;
  const { bytes, firstPacketEnd } = bodyOf(durationMs, request.response_format === "pcm");
  response.writeHead(200, SPEECH_HEADERS);
  response.flushHeaders();
  const waitMs = within(speechMs);
  await sleep(waitMs === 0 ? 0 : startMs + waitMs - sharedNowMs());
  const bytesPerMs = (bytes.length / durationMs) * BODY_SPEED;
  const firstEnd =
    firstChunk === "packet" ? firstPacketEnd : firstPacketEnd + Math.floor(chunkMs * bytesPerMs);
  if (noted !== undefined) noted.packetWrittenMs = sharedNowMs();
  pump.start({ response, bytes, firstEnd, bytesPerMs }, chunkMs);
}

/** Of the turn whose first sentence this is; undefined for a later one. */
function marksOfSpeech(tag: string | undefined): Marks | undefined {
  if (tag !== undefined) return marksOf(tag);
  if (behaviour.exchange === undefined) return undefined;
  const latest = marksOf(latestTag);
  return latest.speechAskedMs === undefined ? latest : undefined;
}

function bodyOf(durationMs: number, isPcm: boolean): SpeechBody {
  const { packetMs } = behaviour;
  const wholeMs = Math.ceil(durationMs / packetMs) * packetMs;
  const key = `${wholeMs} ${isPcm ? "pcm" : packetMs}`;
  const body = bodies.get(key) ?? (isPcm ? pcmBody(wholeMs) : speechBody(packetMs, wholeMs));
  bodies.set(key, body);
  return body;
}

function complete(response: ServerResponse, content: object, finishReason: string): void {
  const message = { role: "assistant", refusal: null, ...content };
  const choices = [{ index: 0, message, logprobs: null, finish_reason: finishReason }];
  response.writeHead(200, JSON_HEADERS);
  response.end(JSON.stringify({ ...HEAD, object: "chat.completion", choices, usage: USAGE }));
}

function delta(content: object, finishReason: string | null = null): string {
  return event({
    choices: [{ index: 0, delta: content, logprobs: null, finish_reason: finishReason }],
    usage: null,
  });
}

function event(rest: object): string {
  return `data: ${JSON.stringify({ ...HEAD, object: "chat.completion.chunk", ...rest })}\n\n`;
}

function within([fromMs, toMs]: Range): number {
  return fromMs + random() * (toMs - fromMs);
}

/** A small generator with a fixed seed (mulberry32), so that every run sees the same think times. */
let seed = 1;
function random(): number {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}

function sleep(ms: number): Promise<void> {
  return ms <= 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, ms));
}
