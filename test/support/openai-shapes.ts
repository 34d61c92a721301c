/** The bodies that the real API answers with, field by field. */
import type { CalledTool, Usage } from "./openai-replies.js";
import type { ChatBody } from "./openai-requests.js";

export function completion(request: ChatBody, message: object, finishReason: string, usage: Usage): object {
  return {
    id: "chatcmpl-test",
    object: "chat.completion",
    created: CREATED,
    model: request.model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason }],
    usage: withTotal(usage),
  };
}

export function chunk(request: ChatBody, delta: object, finishReason: string | null): object {
  return {
    id: "chatcmpl-test",
    object: "chat.completion.chunk",
    created: CREATED,
    model: request.model,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
    ...(request.stream_options?.include_usage === true ? { usage: null } : {}),
  };
}

/** The chunk after the last choice: usage, and no choices. */
export function usageChunk(request: ChatBody, usage: Usage): object[] {
  if (request.stream_options?.include_usage !== true) return [];
  return [{ ...chunk(request, {}, null), choices: [], usage: withTotal(usage) }];
}

const CREATED = 1_767_225_600;

function withTotal(usage: Usage): object {
  return { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens };
}

export function toolCalls(calls: readonly CalledTool[]): object[] {
  return calls.map((call, i) => ({
    id: call.id ?? `call_${i + 1}`,
    type: "function",
    function: { name: call.name, arguments: call.arguments },
  }));
}

export function sse(event: object): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}

export function errorBody(message: string, type: string, param: string | null, code: string | null): object {
  return { error: { message, type, param, code } };
}
