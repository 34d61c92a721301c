/**
 * A language model behind the OpenAI API (Chat Completions), at OpenAI or any server that speaks it. The only file
 * that imports the `openai` SDK. Retries, time limits and logging of the SDK are switched off: we retry (`retry.ts`)
 * and wait (`idle-fetch.ts`) on our own clock, and no error leaves this file with a prompt or a key in it.
 */
import OpenAI from "openai";
import type { Clock } from "../lib/clock.js";
import { DeadlineExceeded } from "../lib/deadline.js";
import { BodyTooLarge, idleFetch } from "../lib/idle-fetch.js";
import { nextRound } from "../lib/pause.js";
import type { Key } from "../lib/secret.js";
import {
  type Dialect,
  dialectOf,
  LESSONS_MAX,
  lessonOf,
  lessonOfNoCall,
  type Refusal,
  schemaInWords,
} from "./openai-dialect.js";
import { withErrorsInShape } from "./openai-errors.js";
import { type CallPlace, emptyProgress, endOf, NoToolCall, note, replyOf, restOf } from "./openai-reply.js";
import {
  type LanguageModel,
  type ModelEvent,
  ModelFailure,
  type ModelMessage,
  type ModelReply,
  type ModelRequest,
  type ResponseFormat,
  type ToolSpec,
} from "./port.js";

export const OPENAI_BASE_URL = "https://api.openai.com/v1";

/** Bytes of one answer at the most: many times what `outputTokensMax` comes to, with all that streaming adds. */
export const ANSWER_BYTES_MAX = 8 * 1_048_576;

/** How long a streamed answer may take from the request on; what comes later is cut off, as for length. */
export const STREAM_MS_MAX = 120_000;

/** How many events of a stream, some hundred bytes each, are read before others have their turn. */
const EVENTS_IN_ONE_PIECE = 16;

export type ServiceTier = "auto" | "default" | "priority" | "flex";

export interface OpenAiModelOptions {
  readonly model: string;
  /** What the model is called here, if not by its own name. */
  readonly name?: string;
  /** What the server is known to take; OpenAI's own unless given. */
  readonly dialect?: Dialect;
  readonly baseUrl?: string | undefined;
  /** Servers at home often need none. */
  readonly apiKey?: Key | undefined;
  readonly organization?: string | undefined;
  readonly project?: string | undefined;
  /** Null leaves it to the server. */
  readonly temperature: number | null;
  /** How urgent requests are, for servers that have classes of service; absent: left to the server. */
  readonly serviceTier?: ServiceTier | undefined;
  readonly firstByteTimeoutMs: number;
  readonly idleTimeoutMs: number;
  /** What requests go through; Node's own `fetch` unless given. */
  readonly fetch?: typeof fetch | undefined;
}

export class OpenAiModel implements LanguageModel {
  readonly name: string;
  readonly #client: OpenAI;
  /** As far as it is known: corrected by what the server refuses, for as long as this process lives. */
  #dialect: Dialect;
  /** Whether the way in which the dialect makes the model call a tool has brought a call. */
  #isCallProven = false;

  constructor(
    private readonly clock: Clock,
    private readonly options: OpenAiModelOptions,
  ) {
    this.name = options.name ?? options.model;
    this.#dialect = options.dialect ?? dialectOf("openai", undefined);
    // What is left out here, the SDK takes from the environment.
    this.#client = new OpenAI({
      apiKey: async () => String(options.apiKey ?? "none"),
      adminAPIKey: null,
      baseURL: options.baseUrl ?? OPENAI_BASE_URL,
      organization: options.organization ?? null,
      project: options.project ?? null,
      webhookSecret: null,
      maxRetries: 0,
      timeout: NO_TIMEOUT_MS,
      logLevel: "off",
      fetch: withErrorsInShape(
        idleFetch(
          clock,
          {
            firstByteMs: options.firstByteTimeoutMs,
            idleMs: options.idleTimeoutMs,
            bodyBytesMax: ANSWER_BYTES_MAX,
          },
          options.fetch,
        ),
      ),
    });
  }

  async complete(request: ModelRequest, signal: AbortSignal): Promise<ModelReply> {
    const call = new Call(signal);
    try {
      const { answer, dialect } = await this.#asked<unknown>(request, { streamed: false }, (body) =>
        this.#client.chat.completions.create({ ...body, stream: false }, { signal: call.signal }),
      );
      return this.#read(request, answer, dialect);
    } catch (error) {
      const failure = signal.aborted ? signal.reason : failureOf(error);
      if (isLate(failure)) this.#learnFromSilence(request);
      throw failure;
    } finally {
      call.end();
    }
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void, undefined> {
    const call = new Call(signal);
    const progress = emptyProgress(request);
    const timer = this.clock.after(STREAM_MS_MAX, () => {
      progress.reason ??= "length";
      call.end();
    });
    try {
      const { answer: chunks } = await this.#asked(request, { streamed: true }, (body) =>
        this.#client.chat.completions.create({ ...body, stream: true }, { signal: call.signal }),
      );
      let inOnePiece = 0;
      for await (const raw of chunks) {
        const text = note(progress, raw);
        if (text !== "") yield { type: "text", text };
        if (progress.charsLeft < 0) break;
        if (++inOnePiece < EVENTS_IN_ONE_PIECE) continue;
        inOnePiece = 0;
        await nextRound();
      }
    } catch (error) {
      // Once the finish reason is known, only the count of tokens can be missing.
      if (!signal.aborted && progress.reason === undefined) throw failureOf(error);
    } finally {
      timer.cancel();
      call.end();
    }
    if (signal.aborted) throw signal.reason;
    const rest = restOf(progress);
    if (rest !== "") yield { type: "text", text: rest };
    yield endOf(progress);
  }

  /**
   * The answer to the request in the server's own dialect, which is found out by what it refuses. A lesson is kept
   * once a request that heeds it has been taken.
   */
  async #asked<T>(
    request: ModelRequest,
    form: { readonly streamed: boolean },
    send: (body: Body) => Promise<T>,
  ): Promise<{ readonly answer: T; readonly dialect: Dialect }> {
    let dialect = this.#dialect;
    for (let lessons = 0; ; lessons++) {
      const body = { ...this.#body(request, dialect), ...(form.streamed ? streamOptions(dialect) : {}) };
      try {
        const answer = await send(body);
        if (lessons > 0) this.#dialect = dialect;
        return { answer, dialect };
      } catch (error) {
        const refusal = lessons < LESSONS_MAX ? refusalOf(error) : undefined;
        const learnt = refusal === undefined ? undefined : lessonOf(refusal, dialect, { ...body });
        if (learnt === undefined) throw error;
        dialect = learnt;
      }
    }
  }

  #read(request: ModelRequest, answer: unknown, dialect: Dialect): ModelReply {
    try {
      const reply = replyOf(request, answer, placeOfCall(request, dialect));
      this.#isCallProven ||= request.toolChoice === "required";
      return reply;
    } catch (error) {
      // The next attempt makes it call in another way.
      if (error instanceof NoToolCall) this.#callOtherwise(dialect);
      throw error;
    }
  }

  /** A small model that is not held to its call may write on until its time is over: then no reply tells of it. */
  #learnFromSilence({ toolChoice }: ModelRequest): void {
    if (toolChoice === "required" && !this.#isCallProven) this.#callOtherwise(this.#dialect);
  }

  #callOtherwise(spoken: Dialect): void {
    this.#dialect = lessonOfNoCall(spoken);
    this.#isCallProven = false;
  }

  #body(request: ModelRequest, dialect: Dialect): Body {
    const { model, serviceTier, temperature } = this.options;
    const format = formatOf(request, dialect);
    return {
      model,
      messages: messagesOf(request, format, dialect),
      [dialect.maxTokensField]: request.outputTokensMax,
      ...(temperature === null || !dialect.temperature ? {} : { temperature }),
      ...(serviceTier === undefined || !dialect.serviceTier ? {} : { service_tier: serviceTier }),
      ...toolFields(request, dialect),
      ...formatFields(format, dialect),
    };
  }
}

type Body = Omit<OpenAI.Chat.ChatCompletionCreateParams, "stream">;

function toolFields({ tools, toolChoice }: ModelRequest, dialect: Dialect): Partial<Body> {
  const isHeeded = dialect.toolForcing === "tool_choice";
  if (tools.length === 0 || (!isHeeded && toolChoice !== "auto")) return {};
  return {
    tools: tools.map(({ name, description, parameters }) => ({
      type: "function" as const,
      function: { name, description, parameters: { ...parameters } },
    })),
    ...(isHeeded ? { tool_choice: toolChoice } : {}),
    ...(dialect.parallelToolCalls && toolChoice !== "auto" ? { parallel_tool_calls: false } : {}),
  };
}

function placeOfCall({ toolChoice }: ModelRequest, { toolForcing }: Dialect): CallPlace {
  return toolChoice === "required" && toolForcing === "structured_output" ? "text" : "tool_calls";
}

/** The shape of the text that is asked for: the request's own, or that of the arguments of the tool to be called. */
function formatOf(request: ModelRequest, dialect: Dialect): ResponseFormat | undefined {
  if (placeOfCall(request, dialect) === "tool_calls") return request.responseFormat;
  const tool = onlyTool(request);
  // Strict output knows no argument that may be left out.
  const required = Object.keys(tool.parameters.properties ?? {});
  return { type: "json_schema", name: tool.name, schema: { ...tool.parameters, required } };
}

function onlyTool({ tools }: ModelRequest): ToolSpec {
  const [tool, ...others] = tools;
  if (tool !== undefined && others.length === 0) return tool;
  throw new ModelFailure("rejected", "this server cannot be made to call one of several tools");
}

function formatFields(format: ResponseFormat | undefined, { structuredOutput }: Dialect): Partial<Body> {
  if (format === undefined || structuredOutput === "prompt") return {};
  if (structuredOutput === "json_object") return { response_format: { type: "json_object" } };
  const { name, schema } = format;
  return {
    response_format: { type: "json_schema", json_schema: { name, schema: { ...schema }, strict: true } },
  };
}

function streamOptions(dialect: Dialect): Partial<Body> {
  return dialect.streamOptions ? { stream_options: { include_usage: true } } : {};
}

/** The SDK's own limit ends at the headers and runs on the system's clock: ours count, this one is out of reach. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;

/** One request's abort signal: the SDK leaves its listener on the signal that it gets, and this one is thrown away. */
class Call {
  readonly #controller = new AbortController();
  readonly #onAbort = () => this.#controller.abort(this.parent.reason);

  constructor(private readonly parent: AbortSignal) {
    parent.throwIfAborted();
    parent.addEventListener("abort", this.#onAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Lets go of the parent, and of the connection if it is still busy. */
  end(): void {
    this.parent.removeEventListener("abort", this.#onAbort);
    this.#controller.abort();
  }
}

/**
 * The messages. What no field tells the model is put into words, in the first message: some servers take no second one
 * of the system.
 */
function messagesOf(
  request: ModelRequest,
  format: ResponseFormat | undefined,
  dialect: Dialect,
): OpenAI.Chat.ChatCompletionMessageParam[] {
  const { messages } = request;
  const messageOf = (message: ModelMessage) => messageIn(dialect, message);
  const told: string[] = [];
  if (placeOfCall(request, dialect) === "text") told.push(onlyTool(request).description);
  if (format !== undefined && (told.length > 0 || dialect.structuredOutput !== "json_schema"))
    told.push(schemaInWords(format));
  if (told.length === 0) return messages.map(messageOf);
  const [first, ...rest] = messages;
  return first?.role === "system"
    ? [{ role: "system", content: [first.content, ...told].join("\n\n") }, ...rest.map(messageOf)]
    : [{ role: "system", content: told.join("\n\n") }, ...messages.map(messageOf)];
}

function messageIn(dialect: Dialect, message: ModelMessage): OpenAI.Chat.ChatCompletionMessageParam {
  switch (message.role) {
    case "tool_calls":
      return {
        role: "assistant",
        content: dialect.contentBesideCalls,
        tool_calls: message.calls.map(({ id, name, arguments: text }) => ({
          id,
          type: "function",
          function: { name, arguments: text },
        })),
      };
    case "tool":
      return { role: "tool", tool_call_id: message.callId, content: message.content };
    default:
      return { role: message.role, content: message.content };
  }
}

/** The server's words on a request that it does not take; they stay in this file. */
function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof OpenAI.APIError) || error.status === undefined) return undefined;
  return { status: error.status, param: error.param || undefined, message: error.message };
}

/** Whether its time was over: the caller's, or that to the first byte. */
function isLate(failure: unknown): boolean {
  return (
    failure instanceof DeadlineExceeded || (failure instanceof ModelFailure && failure.kind === "timeout")
  );
}

/** What an error of the SDK or of the network means to us, in words that quote nothing that was sent. */
function failureOf(error: unknown): unknown {
  if (error instanceof ModelFailure) return error;
  const chain = causesOf(error);
  const late = chain.find((cause) => cause instanceof DeadlineExceeded);
  if (late !== undefined) return new ModelFailure("timeout", late.message);
  const large = chain.find((cause) => cause instanceof BodyTooLarge);
  if (large !== undefined) return new ModelFailure("malformed", large.message);
  if (error instanceof OpenAI.APIConnectionError) {
    return new ModelFailure("unavailable", `no connection to the model server${networkCode(chain)}`);
  }
  if (error instanceof OpenAI.APIError) return statusFailure(error);
  if (error instanceof SyntaxError) return new ModelFailure("malformed", "the answer is not JSON");
  if (error instanceof TypeError && networkCode(chain) !== "") {
    return new ModelFailure("cut", `the connection to the model server broke${networkCode(chain)}`);
  }
  return error;
}

/** An HTTP error; without a status, one that the server reports in the middle of its stream. */
function statusFailure(error: InstanceType<typeof OpenAI.APIError>): ModelFailure {
  if (error.status === undefined) return new ModelFailure("unavailable", "the model server reports an error");
  const code = typeof error.code === "string" && /^[\w.-]{1,64}$/.test(error.code) ? ` (${error.code})` : "";
  const message = `the model server answers ${error.status}${code}`;
  if (error.status === 429 && error.code !== "insufficient_quota") {
    return new ModelFailure("rate_limited", message, retryAfterMs(error.headers));
  }
  const passing = error.status >= 500 || error.status === 408 || error.status === 409;
  return new ModelFailure(passing ? "unavailable" : "rejected", message, retryAfterMs(error.headers));
}

/** `retry-after` in seconds, or OpenAI's finer `retry-after-ms`. */
function retryAfterMs(headers: Headers | undefined): number | undefined {
  const ms = Number.parseFloat(headers?.get("retry-after-ms") ?? "");
  const seconds = Number.parseFloat(headers?.get("retry-after") ?? "");
  const waitMs = Number.isNaN(ms) ? seconds * 1_000 : ms;
  return Number.isNaN(waitMs) || waitMs < 0 ? undefined : waitMs;
}

const CAUSES_MAX = 8;

function causesOf(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let cause = error; cause instanceof Error && chain.length < CAUSES_MAX; cause = cause.cause)
    chain.push(cause);
  return chain;
}

/** The code that Node or undici gives a network error, such as ` (ECONNREFUSED)`. */
function networkCode(chain: readonly Error[]): string {
  for (const cause of chain) {
    if ("code" in cause && typeof cause.code === "string" && /^[A-Z_0-9]+$/.test(cause.code))
      return ` (${cause.code})`;
  }
  return "";
}
