/**
 * The door for Ollama's clients: `/api/chat` and `/api/generate`, streamed as lines of JSON unless told otherwise, and
 * what clients ask for before they ask a question.
 */
import { createHash } from "node:crypto";
import type { CallerQuestion } from "../api/ask.js";
import { callerNoteIn } from "../api/caller-note.js";
import { questionIn, saidIn } from "../api/conversation.js";
import { Rejection } from "../api/rejection.js";
import { tellInPieces, tellWhole } from "../api/tell.js";
import type { AnswerReport } from "../domain/answer-report.js";
import { type ApiExchange, ApiRouter } from "./exchange.js";
import { chatRequest, generateRequest, type OllamaRequest, showRequest } from "./ollama-request.js";
import type { ChatDoorDeps } from "./openai-reply.js";
import { streamReply } from "./streamed-reply.js";

/** The release of Ollama whose API this is; some clients insist on a certain one. */
const OLLAMA_VERSION = "0.6.4";

/** Clients of a protocol without a field for it may send the caller's note as a header, too. */
const NOTE_HEADER = "x-readback-user";

const NS_PER_MS = 1e6;

/** How long the assistant counts as loaded, for clients that ask: it always is. */
const KEPT_MS = 365 * 24 * 3_600_000;

/** How the words of an answer stand in a reply: `message` of a chat, `response` of a generation. */
type Words = (text: string) => object;
const chatWords: Words = (content) => ({ message: { role: "assistant", content } });
const generatedWords: Words = (response) => ({ response });

export function ollamaDoor(deps: ChatDoorDeps) {
  const sinceMs = deps.clock.now();
  const models = deps.modelNames.map((name) => modelBody(name, sinceMs));
  const running = models.map((model) => ({
    ...model,
    expires_at: timestamp(sinceMs + KEPT_MS),
    size_vram: 0,
    context_length: 0,
  }));
  const errorBody = ({ message }: Rejection) => ({ error: message });
  return new ApiRouter(deps, "ollama", errorBody, "any but a browser's")
    .get("/", async ({ response }) => {
      response.type("text/plain").send("Ollama is running");
    })
    .post("/api/chat", (exchange) => reply(exchange, chatRequest(exchange.body), chatWords, deps))
    .post("/api/generate", (exchange) =>
      reply(exchange, generateRequest(exchange.body), generatedWords, deps),
    )
    .get("/api/tags", async ({ response }) => {
      response.json({ models });
    })
    .get("/api/ps", async ({ response }) => {
      response.json({ models: running });
    })
    .get("/api/version", async ({ response }) => {
      response.json({ version: OLLAMA_VERSION });
    })
    .post("/api/show", async ({ body, response }) => {
      const name = knownModel(showRequest(body), deps);
      response.json(showBody(name, sinceMs));
    })
    .routes();
}

/** A name without a tag is the one with the tag `latest`. */
function knownModel(name: string, { modelNames }: ChatDoorDeps): string {
  const known = modelNames.find((one) => tagged(one) === tagged(name));
  if (known === undefined) throw new Rejection("model_not_found", `model '${name}' not found`, "model");
  return known;
}

function tagged(name: string): string {
  return name.includes(":") ? name : `${name}:latest`;
}

async function reply(
  exchange: ApiExchange,
  request: OllamaRequest,
  words: Words,
  deps: ChatDoorDeps,
): Promise<void> {
  const { caller, response, signal } = exchange;
  knownModel(request.model, deps);
  const head = () => ({ model: request.model, created_at: timestamp(deps.clock.now()) });
  if (request.messages.length === 0) {
    response.json({ ...head(), ...words(""), done: true, done_reason: "load" });
    return;
  }
  const note = callerNoteIn(request.user ?? headerNote(exchange), "user", deps.routes);
  const question = questionIn(saidIn(request.messages), note, caller, deps.otherwise, request.stop);
  if (request.stream) {
    await streamLines(exchange, question, words, head, deps);
    return;
  }
  const { report, text } = await tellWhole(deps, question, signal);
  response.json({ ...head(), ...words(text), ...doneBody(report) });
}

async function streamLines(
  exchange: ApiExchange,
  question: CallerQuestion,
  words: Words,
  head: () => object,
  deps: ChatDoorDeps,
): Promise<void> {
  const options = { clock: deps.clock, contentType: "application/x-ndjson" };
  await streamReply(
    exchange,
    options,
    async (stream) => {
      for await (const told of tellInPieces(deps, question, exchange.signal)) {
        const isPiece = told.type === "piece";
        const done = isPiece ? { done: false } : doneBody(told.report);
        await stream.write(line({ ...head(), ...words(isPiece ? told.text : ""), ...done }));
      }
    },
    ({ message }) => line({ error: message }),
  );
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

/** A header holds no more than Latin letters: others are written as JSON's or an address's escapes. */
function headerNote({ request }: ApiExchange): string | undefined {
  const text = request.get(NOTE_HEADER);
  return text?.startsWith("%") ? decodedNote(text) : text;
}

function decodedNote(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Rejection("bad_parameter", `The header ${NOTE_HEADER} has a % that is no escape.`, NOTE_HEADER);
  }
}

/** Durations in nanoseconds; nothing is loaded. */
function doneBody({ timingsMs, usage }: AnswerReport): object {
  const nanoseconds = (ms: number | undefined) => Math.round((ms ?? 0) * NS_PER_MS);
  return {
    done: true,
    done_reason: "stop",
    total_duration: nanoseconds(timingsMs.total),
    load_duration: 0,
    prompt_eval_count: usage.inputTokens,
    prompt_eval_duration: nanoseconds(timingsMs.plan),
    eval_count: usage.outputTokens,
    eval_duration: nanoseconds(timingsMs.compose),
  };
}

function timestamp(nowMs: number): string {
  return new Date(nowMs).toISOString();
}

const DETAILS = {
  parent_model: "",
  format: "",
  family: "readback",
  families: ["readback"],
  parameter_size: "",
  quantization_level: "",
};

function modelBody(name: string, sinceMs: number): object {
  const model = tagged(name);
  return {
    name: model,
    model,
    modified_at: timestamp(sinceMs),
    size: 0,
    digest: createHash("sha256").update(model).digest("hex"),
    details: DETAILS,
  };
}

function showBody(name: string, sinceMs: number): object {
  return {
    license: "",
    modelfile: "",
    parameters: "",
    template: "",
    modified_at: timestamp(sinceMs),
    details: DETAILS,
    model_info: { "general.architecture": "readback", "general.basename": name },
    capabilities: ["completion"],
  };
}
