/** `POST /v1/chat/completions`, streamed or not. */

import type { CallerQuestion } from "../api/ask.js";
import { callerNoteIn } from "../api/caller-note.js";
import { questionIn, saidIn } from "../api/conversation.js";
import { type CallerAnswer, tellInPieces, tellWhole } from "../api/tell.js";
import type { AnswerUsage } from "../domain/answer-report.js";
import { type ApiExchange, STATUS } from "./exchange.js";
import { brief, type ChatDoorDeps, knownModel, openaiError, secondsNow } from "./openai-reply.js";
import { type CompletionRequest, completionRequest } from "./openai-request.js";
import { eventStream, serverSent, streamReply } from "./streamed-reply.js";

export async function complete(exchange: ApiExchange, deps: ChatDoorDeps): Promise<void> {
  const { body, caller, response, signal } = exchange;
  const request = completionRequest(body);
  knownModel(request.model, deps);
  const note = callerNoteIn(request.user, "user", deps.routes);
  const question = questionIn(saidIn(request.messages), note, caller, deps.otherwise, request.stop);
  const reply = new Completion(`chatcmpl-${deps.random.id()}`, secondsNow(deps), request);
  if (request.stream) await streamCompletion(exchange, question, reply, deps);
  else response.json(reply.whole(await tellWhole(deps, question, signal)));
}

async function streamCompletion(
  exchange: ApiExchange,
  question: CallerQuestion,
  completion: Completion,
  deps: ChatDoorDeps,
): Promise<void> {
  await streamReply(
    exchange,
    eventStream(deps.clock),
    async (reply) => {
      const send = (chunk: object) => reply.write(serverSent(JSON.stringify(chunk)));
      let opened = false;
      for await (const told of tellInPieces(deps, question, exchange.signal)) {
        if (!opened) await send(completion.opening());
        opened = true;
        if (told.type === "piece") await send(completion.piece(told.text));
        else for (const chunk of completion.closing(told)) await send(chunk);
      }
      await reply.write(serverSent("[DONE]"));
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

  whole({ answer, report, text }: CallerAnswer): object {
    const message = { role: "assistant", content: text, refusal: null, annotations: [] };
    return {
      ...this.#head("chat.completion"),
      choices: [{ index: 0, message, logprobs: null, finish_reason: "stop" }],
      usage: usageBody(report.usage),
      readback: brief(answer),
    };
  }

  opening(): object {
    return this.#chunk({ role: "assistant", content: "", refusal: null }, null);
  }

  piece(content: string): object {
    return this.#chunk({ content }, null);
  }

  closing({ answer, report }: CallerAnswer): readonly object[] {
    const last = { ...this.#chunk({}, "stop"), readback: brief(answer) };
    if (!this.request.includeUsage) return [last];
    const count = { ...this.#head("chat.completion.chunk"), choices: [], usage: usageBody(report.usage) };
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
