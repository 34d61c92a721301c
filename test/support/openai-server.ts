/**
 * A faithful local server of the OpenAI API for tests and benchmarks: real sockets, real Opus, the real server's
 * checks, shapes and error bodies. It is scripted: each expected call consumes one reply, in order per route; a call
 * that nobody expected gets a 500 and fails `verify()`, and so does an expected one that never came.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Clock, systemClock } from "../../src/lib/clock.js";
import { type Quirks, withQuirks } from "./openai-quirks.js";
import type {
  ChatReply,
  EmbeddingsReply,
  Ending,
  Fault,
  JsonReply,
  Pieces,
  RerankReply,
  SpeechReply,
} from "./openai-replies.js";
import {
  type ChatBody,
  type Checked,
  checkAuthorization,
  checkChat,
  checkEmbeddings,
  checkRerank,
  checkSpeech,
  type EmbeddingsBody,
  type Refusal,
  type RerankBody,
  type SpeechBody,
} from "./openai-requests.js";
import { chunk, completion, errorBody, sse, toolCalls, usageChunk } from "./openai-shapes.js";

/** One call as it was received, whatever it was answered with. */
export interface ReceivedRequest<Body = unknown> {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  /** The parsed JSON body; for a body that is no JSON, its text. */
  readonly body: Body;
  /** Resolves when the exchange is over: `aborted` when the client went away before the end of the reply. */
  readonly over: Promise<"answered" | "aborted">;
}

export interface OpenAiServerOptions {
  readonly apiKey?: string;
  readonly models?: readonly string[];
  /** What the server is known to do differently with the fields of a chat completion; see docs/models.md. */
  readonly quirks?: Quirks;
  /** Paces dripped bodies. */
  readonly clock?: Clock;
  /** Answers every call for which nothing was scripted: for benchmarks, and for tests about something else. */
  readonly respond?: {
    readonly chat?: (request: ReceivedRequest<ChatBody>) => ChatReply;
    readonly speech?: (request: ReceivedRequest<SpeechBody>) => SpeechReply;
    readonly embeddings?: (request: ReceivedRequest<EmbeddingsBody>) => EmbeddingsReply;
  };
}

/** A scripted call: the reply, and what the request has to look like (throws when it does not). */
interface Expectation<Body, Reply> {
  readonly reply: Reply;
  readonly check: ((body: Body) => void) | undefined;
}

export class OpenAiServer {
  /** Every request in order of arrival, refused ones included. */
  readonly requests: ReceivedRequest[] = [];
  /** Bodies of the well-formed requests of each route, in order of arrival. */
  readonly chats: ChatBody[] = [];
  readonly speeches: SpeechBody[] = [];
  readonly apiKey: string;
  readonly #options: OpenAiServerOptions;
  readonly #clock: Clock;
  readonly #server = createServer((request, response) => this.#serve(request, response));
  readonly #expectedChats: Expectation<ChatBody, ChatReply>[] = [];
  readonly #expectedSpeeches: Expectation<SpeechBody, SpeechReply>[] = [];
  readonly #expectedEmbeddings: Expectation<EmbeddingsBody, EmbeddingsReply>[] = [];
  readonly #expectedReranks: Expectation<RerankBody, RerankReply>[] = [];
  readonly #failures: string[] = [];
  #port = 0;
  #waiters: { count: number; resolve: () => void }[] = [];

  private constructor(options: OpenAiServerOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.apiKey = options.apiKey ?? "sk-test-key-0123456789";
  }

  static async start(options: OpenAiServerOptions = {}): Promise<OpenAiServer> {
    const server = new OpenAiServer(options);
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
    server.#port = (server.#server.address() as AddressInfo).port;
    return server;
  }

  /** What a client takes as `base_url`. */
  get baseUrl(): string {
    return `http://127.0.0.1:${this.#port}/v1`;
  }

  /** Scripts the answer to the next chat completion that has none yet. */
  expectChat(reply: ChatReply, check?: (body: ChatBody) => void): this {
    this.#expectedChats.push({ reply, check });
    return this;
  }

  /** Scripts the answer to the next speech request that has none yet. */
  expectSpeech(reply: SpeechReply, check?: (body: SpeechBody) => void): this {
    this.#expectedSpeeches.push({ reply, check });
    return this;
  }

  /** Scripts the answer to the next request for embeddings that has none yet. */
  expectEmbeddings(reply: EmbeddingsReply, check?: (body: EmbeddingsBody) => void): this {
    this.#expectedEmbeddings.push({ reply, check });
    return this;
  }

  /** Scripts the answer to the next rerank request that has none yet. */
  expectRerank(reply: RerankReply, check?: (body: RerankBody) => void): this {
    this.#expectedReranks.push({ reply, check });
    return this;
  }

  /** Resolves when `count` requests have arrived since the start. */
  async received(count: number): Promise<void> {
    if (this.requests.length >= count) return;
    await new Promise<void>((resolve) => this.#waiters.push({ count, resolve }));
  }

  /** Throws when calls came that nobody expected, or were refused, or did not come. */
  verify(): void {
    const missing = [
      ...this.#expectedChats.map((expected) => `chat completion that never came (${expected.reply.type})`),
      ...this.#expectedSpeeches.map((expected) => `speech request that never came (${expected.reply.type})`),
      ...this.#expectedEmbeddings.map(({ reply }) => `embedding request that never came (${reply.type})`),
      ...this.#expectedReranks.map(({ reply }) => `rerank request that never came (${reply.type})`),
    ];
    const problems = [...this.#failures, ...missing];
    if (problems.length > 0) throw new Error(`The script was not followed:\n- ${problems.join("\n- ")}`);
  }

  /** Closes the door and every connection, hanging ones too. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    this.#answer(request, response).catch((error: unknown) => {
      this.#failures.push(`the server itself failed: ${String(error)}`);
      response.destroy();
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const received = await receive(request, response);
    this.#record(received);
    const route = `${request.method} ${received.path}`;
    const refusal = checkAuthorization(request.headers.authorization, this.apiKey);
    if (refusal !== undefined) {
      this.#refuse(response, route, refusal);
    } else if (route === "POST /v1/chat/completions") {
      await this.#answerChat(response, received);
    } else if (route === "POST /v1/audio/speech") {
      await this.#answerSpeech(response, received);
    } else if (route === "POST /v1/embeddings") {
      await this.#answerEmbeddings(response, received);
    } else if (route === "POST /v1/rerank") {
      await this.#answerRerank(response, received);
    } else if (route === "GET /v1/models") {
      const models = this.#options.models ?? ["gpt-4.1-mini", "tts-1"];
      sendJson(response, 200, {
        object: "list",
        data: models.map((id) => ({ id, object: "model", owned_by: "test" })),
      });
    } else {
      this.#refuse(response, route, {
        status: 404,
        message: `Invalid URL (${route})`,
        param: null,
        code: null,
      });
    }
  }

  async #answerChat(response: ServerResponse, received: ReceivedRequest): Promise<void> {
    const heeded = withQuirks(received.body, this.#options.quirks ?? {});
    if ("refusal" in heeded) {
      sendJson(response, 400, heeded.refusal);
      return;
    }
    const checked = this.#check(response, "chat completion", checkChat(heeded.body));
    if (checked === undefined) return;
    this.chats.push(checked);
    const reply =
      this.#nextReply("chat completion", this.#expectedChats, checked) ??
      this.#options.respond?.chat?.(received as ReceivedRequest<ChatBody>);
    if (reply === undefined) this.#unexpected(response, "chat completion");
    else await sendChat(response, checked, reply);
  }

  async #answerSpeech(response: ServerResponse, received: ReceivedRequest): Promise<void> {
    const checked = this.#check(response, "speech request", checkSpeech(received.body));
    if (checked === undefined) return;
    this.speeches.push(checked);
    const reply =
      this.#nextReply("speech request", this.#expectedSpeeches, checked) ??
      this.#options.respond?.speech?.(received as ReceivedRequest<SpeechBody>);
    if (reply === undefined) this.#unexpected(response, "speech request");
    else await sendSpeech(response, reply, this.#clock);
  }

  async #answerEmbeddings(response: ServerResponse, received: ReceivedRequest): Promise<void> {
    const checked = this.#check(response, "embedding request", checkEmbeddings(received.body));
    if (checked === undefined) return;
    const reply =
      this.#nextReply("embedding request", this.#expectedEmbeddings, checked) ??
      this.#options.respond?.embeddings?.(received as ReceivedRequest<EmbeddingsBody>);
    if (reply === undefined) this.#unexpected(response, "embedding request");
    else await sendObject(response, checked, reply);
  }

  async #answerRerank(response: ServerResponse, received: ReceivedRequest): Promise<void> {
    const checked = this.#check(response, "rerank request", checkRerank(received.body));
    if (checked === undefined) return;
    const reply = this.#nextReply("rerank request", this.#expectedReranks, checked);
    if (reply === undefined) this.#unexpected(response, "rerank request");
    else await sendObject(response, checked, reply);
  }

  #check<T>(response: ServerResponse, what: string, checked: Checked<T>): T | undefined {
    if ("body" in checked) return checked.body;
    this.#refuse(response, what, checked.refusal);
    return undefined;
  }

  #nextReply<Body, Reply>(what: string, queue: Expectation<Body, Reply>[], body: Body): Reply | undefined {
    const expected = queue.shift();
    try {
      expected?.check?.(body);
    } catch (error) {
      this.#failures.push(`a ${what} is not as expected: ${String(error)}`);
    }
    return expected?.reply;
  }

  #record(received: ReceivedRequest): void {
    this.requests.push(received);
    for (const waiter of this.#waiters) if (this.requests.length >= waiter.count) waiter.resolve();
    this.#waiters = this.#waiters.filter((waiter) => this.requests.length < waiter.count);
  }

  #unexpected(response: ServerResponse, what: string): void {
    this.#failures.push(`unexpected ${what}`);
    sendJson(response, 500, errorBody(`Unexpected ${what}.`, "server_error", null, null));
  }

  #refuse(response: ServerResponse, what: string, refusal: Refusal): void {
    this.#failures.push(`${what} refused with ${refusal.status}: ${refusal.message}`);
    sendJson(
      response,
      refusal.status,
      errorBody(refusal.message, "invalid_request_error", refusal.param, refusal.code),
    );
  }
}

async function receive(request: IncomingMessage, response: ServerResponse): Promise<ReceivedRequest> {
  const over = new Promise<"answered" | "aborted">((resolve) => {
    response.once("close", () => resolve(response.writableFinished ? "answered" : "aborted"));
  });
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString("utf8");
  const path = new URL(request.url ?? "/", "http://localhost").pathname;
  return { path, headers: request.headers, body: parseJson(text), over };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

async function sendChat(response: ServerResponse, request: ChatBody, reply: ChatReply): Promise<void> {
  if (reply.type === "text") {
    if (request.stream === true) await streamText(response, request, reply);
    else await sendText(response, request, reply);
  } else if (reply.type === "tool_calls" || reply.type === "refusal") {
    sendWhole(response, request, reply);
  } else {
    sendFault(response, reply);
  }
}

/** A text answer in one JSON body; a fault strikes in the middle of that body. */
async function sendText(
  response: ServerResponse,
  request: ChatBody,
  reply: ChatReply & { type: "text" },
): Promise<void> {
  let content = "";
  for await (const piece of reply.pieces) content += piece;
  const message = { role: "assistant", content, refusal: null };
  await sendEnding(response, completion(request, message, reply.finishReason, reply.usage), reply.ending);
}

async function sendObject<Body>(
  response: ServerResponse,
  request: Body,
  reply: JsonReply<Body> | Fault,
): Promise<void> {
  if (reply.type === "json") await sendEnding(response, reply.body(request), reply.ending);
  else sendFault(response, reply);
}

/** The whole body, or half of it and then what the ending says. */
async function sendEnding(response: ServerResponse, value: object, ending: Ending): Promise<void> {
  const body = JSON.stringify(value);
  response.writeHead(200, { "content-type": "application/json" });
  if (ending === "complete") {
    response.end(body);
    return;
  }
  await written(response, body.slice(0, body.length / 2));
  if (ending === "cut") response.destroy();
}

/** Tool calls or a refusal, in the shape that was asked for. */
function sendWhole(
  response: ServerResponse,
  request: ChatBody,
  reply: ChatReply & { type: "tool_calls" | "refusal" },
): void {
  const calls = reply.type === "tool_calls" ? { tool_calls: toolCalls(reply.calls) } : {};
  const message = {
    role: "assistant",
    content: null,
    refusal: reply.type === "refusal" ? reply.text : null,
    ...calls,
  };
  const finishReason = reply.type === "tool_calls" ? "tool_calls" : "stop";
  if (request.stream !== true) {
    sendJson(response, 200, completion(request, message, finishReason, reply.usage));
    return;
  }
  const indexed =
    reply.type === "tool_calls"
      ? { tool_calls: calls.tool_calls?.map((call, index) => ({ index, ...call })) }
      : {};
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  for (const event of [
    chunk(request, { ...message, ...indexed }, null),
    chunk(request, {}, finishReason),
    ...usageChunk(request, reply.usage),
  ]) {
    response.write(sse(event));
  }
  response.end("data: [DONE]\n\n");
}

/** Server-sent events: the role, the pieces, the finish reason, the usage when asked for, `[DONE]`. */
async function streamText(
  response: ServerResponse,
  request: ChatBody,
  reply: ChatReply & { type: "text" },
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  await written(response, sse(chunk(request, { role: "assistant", content: "", refusal: null }, null)));
  await eachPiece(response, reply.pieces, (piece) =>
    written(response, sse(chunk(request, { content: piece }, null))),
  );
  if (reply.ending === "hang" || response.destroyed) return;
  if (reply.ending === "cut") {
    response.destroy();
    return;
  }
  if (reply.refusal !== undefined) {
    await written(response, sse(chunk(request, { refusal: reply.refusal }, null)));
  }
  await written(response, sse(chunk(request, {}, reply.finishReason)));
  for (const event of usageChunk(request, reply.usage)) await written(response, sse(event));
  response.end("data: [DONE]\n\n");
}

async function sendSpeech(response: ServerResponse, reply: SpeechReply, clock: Clock): Promise<void> {
  if (reply.type !== "audio") {
    sendFault(response, reply);
    return;
  }
  response.writeHead(200, { "content-type": reply.contentType });
  let first = true;
  await eachPiece(response, reply.chunks, async (piece) => {
    if (!first && reply.intervalMs > 0)
      await new Promise<void>((resolve) => clock.after(reply.intervalMs, resolve));
    first = false;
    await written(response, piece);
  });
  if (reply.ending === "cut") response.destroy();
  else if (reply.ending === "complete") response.end();
}

function sendFault(response: ServerResponse, fault: Fault): void {
  switch (fault.type) {
    case "error": {
      if (fault.retryAfterS !== undefined) response.setHeader("retry-after", String(fault.retryAfterS));
      const type =
        fault.status === 429
          ? "rate_limit_error"
          : fault.status >= 500
            ? "server_error"
            : "invalid_request_error";
      sendJson(response, fault.status, errorBody(fault.message, type, null, fault.code));
      return;
    }
    case "raw":
      response.writeHead(fault.status, { "content-type": fault.contentType }).end(fault.body);
      return;
    case "cut":
      response.destroy();
      return;
    case "hang":
      return;
  }
}

/** Hands over each piece until the client is gone. */
async function eachPiece<T>(
  response: ServerResponse,
  pieces: Pieces<T>,
  send: (piece: T) => Promise<void>,
): Promise<void> {
  for await (const piece of pieces) {
    if (response.destroyed) return;
    await send(piece);
  }
}

/** Resolves when the bytes were handed to the socket, or the connection is gone. */
function written(response: ServerResponse, data: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => response.write(data, () => resolve()));
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
