/**
 * A faithful local server of the OpenAI API for tests and benchmarks: real sockets, real Opus, the real server's
 * checks, shapes and error bodies. It is scripted: each expected call consumes one reply, in order per route; a call
 * that nobody expected gets a 500 and fails `verify()`, and so does an expected one that never came.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Clock, systemClock } from "../../src/lib/clock.js";
import { type Quirks, withQuirks } from "./openai-quirks.js";
import type { ChatReply, EmbeddingsReply, RerankReply, SpeechReply } from "./openai-replies.js";
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
import { sendChat, sendJson, sendObject, sendSpeech } from "./openai-send.js";
import { errorBody } from "./openai-shapes.js";
import {
  checkTranscription,
  sendTranscript,
  type TranscriptionBody,
  type TranscriptionQuirks,
  type TranscriptReply,
  withTranscriptionQuirks,
} from "./openai-transcriptions.js";

/** One call as it was received, whatever it was answered with. */
export interface ReceivedRequest<Body = unknown> {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  /** The parsed JSON body; for a body that is no JSON, its text. */
  readonly body: Body;
  /** The body as it came. */
  readonly bytes: Uint8Array;
  /** Resolves when the exchange is over: `aborted` when the client went away before the end of the reply. */
  readonly over: Promise<"answered" | "aborted">;
}

export interface OpenAiServerOptions {
  readonly apiKey?: string;
  readonly models?: readonly string[];
  /** What the server is known to do differently with the fields of a chat completion; see docs/models.md. */
  readonly quirks?: Quirks;
  readonly transcriptionQuirks?: TranscriptionQuirks;
  /** Paces dripped bodies. */
  readonly clock?: Clock;
  /** Answers every call for which nothing was scripted: for benchmarks, and for tests about something else. */
  readonly respond?: {
    readonly chat?: (request: ReceivedRequest<ChatBody>) => ChatReply;
    readonly speech?: (request: ReceivedRequest<SpeechBody>) => SpeechReply;
    readonly embeddings?: (request: ReceivedRequest<EmbeddingsBody>) => EmbeddingsReply;
    readonly rerank?: (request: ReceivedRequest<RerankBody>) => RerankReply;
    readonly transcription?: (request: ReceivedRequest<TranscriptionBody>) => TranscriptReply;
  };
}

/** A scripted call: the reply, and what the request has to look like (throws when it does not). */
interface Expectation<Body, Reply> {
  readonly reply: Reply;
  readonly check: ((body: Body) => void) | undefined;
}

const SPEECH_ROUTE = "POST /v1/audio/speech";

/** Requests that are made at once arrive within this time, in milliseconds. */
const ARRIVAL_MS = 15;

export class OpenAiServer {
  /** Every request in order of arrival, refused ones included. */
  readonly requests: ReceivedRequest[] = [];
  /** Bodies of the well-formed requests of each route, in order of arrival. */
  readonly chats: ChatBody[] = [];
  readonly speeches: SpeechBody[] = [];
  readonly transcriptions: TranscriptionBody[] = [];
  /** The key that is good; from a moment on it may be another. */
  apiKey: string;
  readonly #options: OpenAiServerOptions;
  readonly #clock: Clock;
  readonly #server = createServer((request, response) => this.#serve(request, response));
  readonly #expectedChats: Expectation<ChatBody, ChatReply>[] = [];
  readonly #expectedSpeeches: Expectation<SpeechBody, SpeechReply>[] = [];
  readonly #expectedTranscriptions: Expectation<TranscriptionBody, TranscriptReply>[] = [];
  readonly #expectedEmbeddings: Expectation<EmbeddingsBody, EmbeddingsReply>[] = [];
  readonly #expectedReranks: Expectation<RerankBody, RerankReply>[] = [];
  readonly #failures: string[] = [];
  /** What models have written so far, and requests for the voice of it that came in these milliseconds. */
  #written = "";
  readonly #arrived: { readonly at: number; readonly resolve: () => void }[] = [];
  #port = 0;
  #waiters: { count: number; resolve: () => void }[] = [];
  #bodyBytes = 0;
  #byteWaiters: { count: number; resolve: () => void }[] = [];

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

  /** Scripts the answer to the next request for a transcript that has none yet. */
  expectTranscription(reply: TranscriptReply, check?: (body: TranscriptionBody) => void): this {
    this.#expectedTranscriptions.push({ reply, check });
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

  /** Resolves when `count` bytes of bodies have arrived since the start, those of unfinished requests included. */
  async receivedBytes(count: number): Promise<void> {
    if (this.#bodyBytes >= count) return;
    await new Promise<void>((resolve) => this.#byteWaiters.push({ count, resolve }));
  }

  /** Throws when calls came that nobody expected, or were refused, or did not come. */
  verify(): void {
    const missing = [
      ...this.#expectedChats.map((expected) => `chat completion that never came (${expected.reply.type})`),
      ...this.#expectedSpeeches.map((expected) => `speech request that never came (${expected.reply.type})`),
      ...this.#expectedTranscriptions.map(({ reply }) => `transcription that never came (${reply.type})`),
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
    if (refusesBody(request, this.#options.transcriptionQuirks)) {
      // Not read: the connection closes with the answer, as such servers do it.
      response.setHeader("connection", "close");
      sendJson(response, 411, errorBody("Length Required", "invalid_request_error", null, null));
      return;
    }
    const received = await receive(request, response, (bytes) => this.#count(bytes));
    const route = `${request.method} ${received.path}`;
    if (route === SPEECH_ROUTE) await this.#inOrderOfText(received.body);
    this.#record(received);
    const refusal = checkAuthorization(request.headers.authorization, this.apiKey);
    if (refusal !== undefined) {
      this.#refuse(response, route, refusal);
    } else if (route === "POST /v1/chat/completions") {
      await this.#answerChat(response, received);
    } else if (route === SPEECH_ROUTE) {
      await this.#answerSpeech(response, received);
    } else if (route === "POST /v1/audio/transcriptions") {
      await this.#answerTranscription(response, received);
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
    if (reply?.type === "text" && Array.isArray(reply.pieces)) this.#written += reply.pieces.join("");
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

  /** Sentences whose voices are asked for at once come over several connections, and so in any order. */
  async #inOrderOfText(body: unknown): Promise<void> {
    const input = String((body as { readonly input?: unknown } | undefined)?.input);
    await new Promise<void>((resolve) => {
      this.#arrived.push({ at: this.#placeOf(input), resolve });
      if (this.#arrived.length > 1) return;
      setTimeout(() => {
        for (const one of this.#arrived.splice(0).sort((a, b) => a.at - b.at)) one.resolve();
      }, ARRIVAL_MS);
    });
  }

  /** Where the text has most of the first words of `input`: the voice is asked for "B twelve" where it has "B12". */
  #placeOf(input: string): number {
    for (let end = input.length; end > 0; end = input.lastIndexOf(" ", end - 1)) {
      const at = this.#written.lastIndexOf(input.slice(0, end));
      if (at >= 0) return at;
    }
    return -1;
  }

  async #answerTranscription(response: ServerResponse, received: ReceivedRequest): Promise<void> {
    const body = this.#check(response, "transcription", await checkTranscription(received));
    if (body === undefined) return;
    const quirk = withTranscriptionQuirks(body, this.#options.transcriptionQuirks ?? {});
    if (quirk !== undefined) {
      sendJson(response, quirk.status, quirk.body);
      return;
    }
    this.transcriptions.push(body);
    const reply =
      this.#nextReply("transcription", this.#expectedTranscriptions, body) ??
      this.#options.respond?.transcription?.({ ...received, body });
    if (reply === undefined) this.#unexpected(response, "transcription");
    else await sendTranscript(response, body, reply);
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
    const reply =
      this.#nextReply("rerank request", this.#expectedReranks, checked) ??
      this.#options.respond?.rerank?.(received as ReceivedRequest<RerankBody>);
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

  #count(bytes: number): void {
    this.#bodyBytes += bytes;
    for (const waiter of this.#byteWaiters) if (this.#bodyBytes >= waiter.count) waiter.resolve();
    this.#byteWaiters = this.#byteWaiters.filter((waiter) => this.#bodyBytes < waiter.count);
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

function refusesBody({ headers }: IncomingMessage, quirks: TranscriptionQuirks | undefined): boolean {
  return quirks?.chunked === "refused" && headers["transfer-encoding"] === "chunked";
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  onBytes: (count: number) => void,
): Promise<ReceivedRequest> {
  const over = new Promise<"answered" | "aborted">((resolve) => {
    response.once("close", () => resolve(response.writableFinished ? "answered" : "aborted"));
  });
  const parts: Buffer[] = [];
  for await (const part of request) {
    parts.push(part as Buffer);
    onBytes((part as Buffer).length);
  }
  const bytes = Buffer.concat(parts);
  const path = new URL(request.url ?? "/", "http://localhost").pathname;
  return { path, headers: request.headers, body: parseJson(bytes.toString("utf8")), bytes, over };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}
