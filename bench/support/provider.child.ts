/**
 * The model server and the speech server of the benchmarks, in a process of its own: shaped like the OpenAI API, with
 * think times and bodies at network speed, as light as can be. For answers that are checked there is
 * `test/support/openai-server.ts`; this one is there to be fast and to note when things happened.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { serve } from "./child.js";
import { answerText, NEXT_SENTENCE, tagIn } from "./exchange.js";
import { type PacketMs, type SpeechBody, speechBody } from "./speech-body.js";
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
}

/** When what happened to one turn, on the shared clock. */
export interface Marks {
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

const QUERY = "pressure and lockout before work on a machine";
const HEAD = { id: "chatcmpl-1", created: 1_700_000_000, model: "gpt-4.1-mini" };
const USAGE = { prompt_tokens: 900, completion_tokens: 60, total_tokens: 960 };
const SPEECH_HEADERS = { "content-type": "audio/opus" };
const STREAM_HEADERS = { "content-type": "text/event-stream; charset=utf-8" };

let behaviour: Behaviour;
let body: SpeechBody;
let marks = new Map<string, Marks>();

serve<ProviderCalls>({
  start: async () => {
    const server = createServer((request, response) => void receive(request, response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", 4_096, resolve));
    return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
  },
  behave: (next) => {
    behaviour = next;
    body = speechBody(next.packetMs, next.sentenceMs);
    return { bodyBytes: body.bytes.length };
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
  if (request.url?.endsWith("/audio/speech")) {
    if (tag !== undefined) marksOf(tag).speechAskedMs = arrivedMs;
    await speak(response, tag);
  } else if (text.includes('"tool_choice":"required"')) {
    await plan(response);
  } else {
    await compose(response, tag ?? "");
  }
}

function marksOf(tag: string): Marks {
  const known = marks.get(tag) ?? {};
  marks.set(tag, known);
  return known;
}

async function plan(response: ServerResponse): Promise<void> {
  await sleep(within(behaviour.planMs));
  const call = {
    id: "call_1",
    type: "function",
    function: { name: "retrieve_relevant_documents", arguments: JSON.stringify({ search_query: QUERY }) },
  };
  const message = { role: "assistant", content: null, refusal: null, tool_calls: [call] };
  const choices = [{ index: 0, message, logprobs: null, finish_reason: "tool_calls" }];
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ ...HEAD, object: "chat.completion", choices, usage: USAGE }));
}

async function compose(response: ServerResponse, tag: string): Promise<void> {
  await sleep(within(behaviour.composeMs));
  response.writeHead(200, STREAM_HEADERS);
  response.write(delta({ role: "assistant", content: "" }));
  let told = false;
  for (const word of answerText(tag, behaviour.sentences).split(/(?= )/)) {
    if (behaviour.wordMs > 0) await sleep(behaviour.wordMs);
    if (!told && word === NEXT_SENTENCE) {
      told = true;
      marksOf(tag).sentenceWrittenMs = sharedNowMs();
    }
    response.write(delta({ content: word }));
  }
  response.write(delta({}, "stop"));
  response.write(event({ choices: [], usage: USAGE }));
  response.end("data: [DONE]\n\n");
}

/** A first chunk as soon as it is made, the rest at the server's speed. */
async function speak(response: ServerResponse, tag: string | undefined): Promise<void> {
  response.writeHead(200, SPEECH_HEADERS);
  response.flushHeaders();
  await sleep(within(behaviour.speechMs));
  const { bytes, durationMs, firstPacketEnd } = body;
  const startMs = sharedNowMs();
  if (tag !== undefined) marksOf(tag).packetWrittenMs = startMs;
  const bytesPerMs = (bytes.length / durationMs) * BODY_SPEED;
  const { chunkMs, firstChunk } = behaviour;
  const firstEnd =
    firstChunk === "packet" ? firstPacketEnd : firstPacketEnd + Math.floor(chunkMs * bytesPerMs);
  let sent = Math.min(bytes.length, firstEnd);
  response.write(bytes.subarray(0, sent));
  const timer = setInterval(() => {
    const due = Math.min(bytes.length, firstEnd + Math.floor((sharedNowMs() - startMs) * bytesPerMs));
    if (due > sent) response.write(bytes.subarray(sent, due));
    sent = due;
    if (sent === bytes.length) response.end();
  }, chunkMs);
  response.on("close", () => clearInterval(timer));
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
