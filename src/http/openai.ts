/**
 * The door for OpenAI's clients: `/v1/chat/completions`, streamed or not, and `/v1/models`. The same turn as everybody's:
 * what is streamed are whole sentences that were checked.
 */
import { z } from "zod";
import { hearAll } from "../chat/door.js";
import type { Answer } from "../domain/answer.js";
import type { AnswerUsage } from "../domain/answer-report.js";
import { type AskDeps, ask, type Question } from "../door/ask.js";
import { callerNoteIn } from "../door/caller-note.js";
import type { DefaultUser } from "../door/claims.js";
import { questionIn, saidIn } from "../door/conversation.js";
import { parsed } from "../door/fields.js";
import { answerIn, sourcesOf } from "../door/outcome.js";
import { AnswerPieces } from "../door/pieces.js";
import { Rejection } from "../door/rejection.js";
import { type ApiDeps, ApiRouter, type Exchange, STATUS } from "./exchange.js";
import { type CompletionRequest, completionRequest } from "./openai-request.js";
import { SERVER_SENT_HEARTBEAT, serverSent, streamReply } from "./streamed-reply.js";

export interface ChatDoorDeps extends ApiDeps, AskDeps {
  /** Names by which the assistant is called; the first is its own. */
  readonly modelNames: readonly string[];
  readonly otherwise: DefaultUser;
}

const MS_PER_SECOND = 1_000;

export function openaiDoor(deps: ChatDoorDeps) {
  const createdS = secondsNow(deps);
  const model = (id: string) => ({ id, object: "model", created: createdS, owned_by: "readback" });
  return new ApiRouter(deps, "openai", openaiError)
    .get("/v1/models", async ({ response }) => {
      response.json({ object: "list", data: deps.modelNames.map(model) });
    })
    .get("/v1/models/*id", async ({ request, response }) => {
      const { id } = parsed(modelPath, request.params);
      response.json(model(knownModel(id.join("/"), deps)));
    })
    .post("/v1/chat/completions", (exchange) => complete(exchange, deps))
    .routesWithin("/v1");
}

/** A model's name may have slashes. */
const modelPath = z.object({ id: z.array(z.string()) });

function knownModel(name: string, { modelNames }: ChatDoorDeps): string {
  if (modelNames.includes(name)) return name;
  const known = modelNames.map((one) => `"${one}"`).join(", ");
  throw new Rejection("model_not_found", `There is no model "${name}" here; there is ${known}.`, "model");
}

/** https://platform.openai.com/docs/guides/error-codes */
export function openaiError({ code, field, message }: Rejection, status: number): object {
  return { error: { message, type: errorType(status), param: field ?? null, code } };
}

function errorType(status: number): string {
  if (status === 401) return "authentication_error";
  if (status === 403) return "permission_error";
  if (status === 429) return "rate_limit_error";
  return status >= 500 ? "server_error" : "invalid_request_error";
}

async function complete(exchange: Exchange, deps: ChatDoorDeps): Promise<void> {
  const { body, caller, response, signal } = exchange;
  const request = completionRequest(body);
  knownModel(request.model, deps);
  const question = questionIn(
    saidIn(request.messages),
    callerNoteIn(request.user, "user"),
    caller,
    deps.otherwise,
  );
  const reply = new Completion(`chatcmpl-${deps.random.id()}`, secondsNow(deps), request);
  if (request.stream) {
    await streamCompletion(exchange, question, reply, deps);
    return;
  }
  const { report } = await hearAll(ask(deps, question, signal, { streams: false }), signal);
  response.json(reply.whole(answerIn(report), report.usage));
}

function secondsNow({ clock }: ApiDeps): number {
  return Math.floor(clock.now() / MS_PER_SECOND);
}

async function streamCompletion(
  exchange: Exchange,
  question: Question,
  completion: Completion,
  deps: ChatDoorDeps,
): Promise<void> {
  const options = {
    clock: deps.clock,
    contentType: "text/event-stream; charset=utf-8",
    heartbeat: SERVER_SENT_HEARTBEAT,
  };
  const pieces = new AnswerPieces();
  await streamReply(
    exchange,
    options,
    async (reply) => {
      const send = (chunk: object) => reply.write(serverSent(JSON.stringify(chunk)));
      let opened = false;
      for await (const heard of ask(deps, question, exchange.signal, { streams: true })) {
        if (heard.type !== "event") continue;
        const { event } = heard;
        if (event.type === "text") {
          if (!opened) await send(completion.opening());
          opened = true;
          const piece = pieces.next(event.text);
          if (piece !== "") await send(completion.piece(piece));
        } else if (event.type === "finished") {
          const answer = answerIn(event.report);
          if (!opened) await send(completion.opening());
          for (const chunk of completion.closing(answer, event.report.usage)) await send(chunk);
          await reply.write(serverSent("[DONE]"));
        }
      }
    },
    (rejection) => serverSent(JSON.stringify(openaiError(rejection, STATUS[rejection.code]))),
  );
}

/** The objects of one completion: whole, or in chunks. */
class Completion {
  constructor(
    private readonly id: string,
    private readonly created: number,
    private readonly request: CompletionRequest,
  ) {}

  whole(answer: Answer, usage: AnswerUsage): object {
    const message = { role: "assistant", content: answer.text, refusal: null, annotations: [] };
    return {
      ...this.#head("chat.completion"),
      choices: [{ index: 0, message, logprobs: null, finish_reason: "stop" }],
      usage: usageBody(usage),
      readback: brief(answer),
    };
  }

  opening(): object {
    return this.#chunk({ role: "assistant", content: "", refusal: null }, null);
  }

  piece(content: string): object {
    return this.#chunk({ content }, null);
  }

  closing(answer: Answer, usage: AnswerUsage): readonly object[] {
    const last = { ...this.#chunk({}, "stop"), readback: brief(answer) };
    if (!this.request.includeUsage) return [last];
    const count = { ...this.#head("chat.completion.chunk"), choices: [], usage: usageBody(usage) };
    return [last, count];
  }

  #chunk(delta: object, finishReason: "stop" | null): object {
    return {
      ...this.#head("chat.completion.chunk"),
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
      ...(this.request.includeUsage ? { usage: null } : {}),
    };
  }

  #head(object: string) {
    return { id: this.id, object, created: this.created, model: this.request.model };
  }
}

function usageBody({ inputTokens, outputTokens }: AnswerUsage): object {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  };
}

/** What OpenAI's shape has no room for. */
function brief(answer: Answer): object {
  return { outcome: answer.outcome, confidence: answer.confidence, sources: sourcesOf(answer) };
}
