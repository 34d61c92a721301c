/**
 * `POST /v1/responses`, streamed or not: https://platform.openai.com/docs/api-reference/responses. What a request names
 * by an id is an answer that is kept for its caller for a while, in memory (`api/given-answers.ts`).
 */

import { type CallerNote, callerNoteIn } from "../api/caller-note.js";
import { type Identity, identityOf } from "../api/claims.js";
import { type ChatMessage, questionIn, saidIn } from "../api/conversation.js";
import type { SaidBefore } from "../api/given-answers.js";
import { Rejection } from "../api/rejection.js";
import { type CallerAnswer, tellInPieces, tellWhole } from "../api/tell.js";
import type { AnswerUsage } from "../domain/answer-report.js";
import { type ApiExchange, STATUS } from "./exchange.js";
import { brief, type ChatDoorDeps, knownModel, openaiError, secondsNow } from "./openai-reply.js";
import { type ResponsesRequest, responsesRequest } from "./responses-request.js";
import { eventStream, serverSent, streamReply } from "./streamed-reply.js";

export async function respond(exchange: ApiExchange, deps: ChatDoorDeps): Promise<void> {
  const { body, caller, response, signal } = exchange;
  const request = responsesRequest(body);
  knownModel(request.model, deps);
  const note = callerNoteIn(request.user, "user", deps.routes);
  const identity = identityOf(caller, note, deps.otherwise);
  const said = saidBy(request, note, identity, deps);
  const id = deps.random.id();
  const question = {
    ...questionIn(said, note, caller, deps.otherwise),
    answerName: request.store ? id : undefined,
  };
  const reply = new ResponseReply(id, secondsNow(deps), request);
  if (!request.stream) {
    response.json(reply.whole(await tellWhole(deps, question, signal)));
    return;
  }
  await streamReply(
    exchange,
    eventStream(deps.clock),
    async (stream) => {
      let opened = false;
      for await (const told of tellInPieces(deps, question, signal)) {
        const events = [
          ...(opened ? [] : reply.opening()),
          ...(told.type === "piece" ? [reply.piece(told.text)] : reply.closing(told)),
        ];
        opened = true;
        for (const event of events) await stream.write(event);
      }
    },
    (rejection) => reply.failed(rejection),
  );
}

/** The question, and all that was said. In a session the service's own memory counts, and what is named does not. */
function saidBy(
  { items, previous }: ResponsesRequest,
  { session_id }: CallerNote,
  identity: Identity,
  { given }: ChatDoorDeps,
) {
  const named = (name: string, field: string): readonly SaidBefore[] => {
    if (session_id != null) return [];
    const known = given.conversation(identity, name.replace(/^(?:resp|msg)_/, ""));
    if (known !== undefined) return known;
    throw new Rejection("not_found", `"${field}": there is no "${name}" here, or not any more.`, field);
  };
  const before = previous === undefined ? [] : named(previous, "previous_response_id");
  const messages = items.flatMap((item): readonly ChatMessage[] =>
    "reference" in item ? named(item.reference, item.field).slice(-1) : [item],
  );
  const { history, text } = saidIn(messages, "input");
  return { text, history: [...before, ...history] };
}

const PLACE = { output_index: 0, content_index: 0 };

/** The objects of one response: whole, or as events. */
class ResponseReply {
  #number = 0;

  constructor(
    private readonly id: string,
    private readonly createdS: number,
    private readonly request: ResponsesRequest,
  ) {}

  whole({ answer, report, text }: CallerAnswer): object {
    const output = [this.#message("completed", [outputText(text)])];
    return {
      ...this.#head("completed"),
      output,
      usage: usageBody(report.usage),
      readback: brief(answer),
    };
  }

  opening(): readonly string[] {
    const response = this.#head("in_progress");
    return [
      this.#event("response.created", { response }),
      this.#event("response.in_progress", { response }),
      this.#event("response.output_item.added", { output_index: 0, item: this.#message("in_progress", []) }),
      this.#event("response.content_part.added", { ...this.#place, part: outputText("") }),
    ];
  }

  piece(delta: string): string {
    return this.#event("response.output_text.delta", { ...this.#place, delta, logprobs: [] });
  }

  closing(told: CallerAnswer): readonly string[] {
    const { text } = told;
    const part = outputText(text);
    const item = this.#message("completed", [part]);
    return [
      this.#event("response.output_text.done", { ...this.#place, text, logprobs: [] }),
      this.#event("response.content_part.done", { ...this.#place, part }),
      this.#event("response.output_item.done", { output_index: 0, item }),
      this.#event("response.completed", { response: this.whole(told) }),
    ];
  }

  failed(rejection: Rejection): string {
    const { error } = openaiError(rejection, STATUS[rejection.code]);
    return this.#event("response.failed", { response: { ...this.#head("failed"), error } });
  }

  get #place() {
    return { item_id: `msg_${this.id}`, ...PLACE };
  }

  #event(type: string, fields: object): string {
    const event = { type, sequence_number: this.#number, ...fields };
    this.#number += 1;
    return serverSent(JSON.stringify(event), type);
  }

  #message(status: string, content: readonly object[]): object {
    return { id: `msg_${this.id}`, type: "message", status, role: "assistant", content };
  }

  #head(status: "in_progress" | "completed" | "failed") {
    const { instructions, metadata, model, previous, store } = this.request;
    return {
      id: `resp_${this.id}`,
      object: "response",
      created_at: this.createdS,
      status,
      error: null,
      incomplete_details: null,
      instructions,
      metadata,
      model,
      output: [],
      parallel_tool_calls: true,
      previous_response_id: previous ?? null,
      store,
      temperature: null,
      text: { format: { type: "text" } },
      tool_choice: "auto",
      tools: [],
      top_p: null,
      truncation: "disabled",
      usage: null,
    };
  }
}

function outputText(text: string): object {
  return { type: "output_text", text, annotations: [], logprobs: [] };
}

function usageBody({ inputTokens, outputTokens }: AnswerUsage): object {
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: inputTokens + outputTokens,
  };
}
