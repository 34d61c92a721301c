/** Stage 1: the model must say what to search for. All of its tool calls count. */
import type { TokenUsage, ToolCall, ToolSpec } from "../llm/port.js";
import { ModelFailure, type ModelMessage } from "../llm/port.js";
import { completeWithRetry, type RetryDeps } from "../llm/retry.js";
import { toolArguments } from "../llm/tool-call.js";

/** Searches of one turn; calls beyond that are left out, here and in what the model is shown. */
export const SEARCHES_MAX = 4;

const QUERY_ARGUMENT = "search_query";

export interface PlannedSearch {
  readonly call: ToolCall;
  readonly query: string;
}

export interface Plan {
  readonly searches: readonly PlannedSearch[];
  readonly usage: TokenUsage;
}

/** The search tool as the model is told of it. */
export function searchTool(name: string, description: string, queryDescription: string): ToolSpec {
  return {
    name,
    description,
    parameters: {
      type: "object",
      properties: { [QUERY_ARGUMENT]: { type: "string", description: queryDescription } },
      required: [QUERY_ARGUMENT],
      additionalProperties: false,
    },
  };
}

/** Rejects with `ModelFailure` when no attempt before `giveUpAtMs` brings a usable call. */
export async function plan(
  messages: readonly ModelMessage[],
  tool: ToolSpec,
  outputTokensMax: number,
  giveUpAtMs: number,
  deps: RetryDeps,
  signal: AbortSignal,
): Promise<Plan> {
  const request = { messages, tools: [tool], toolChoice: "required", outputTokensMax } as const;
  const reply = await completeWithRetry(deps, request, giveUpAtMs, signal);
  const searches = reply.calls.slice(0, SEARCHES_MAX).map((call) => ({ call, query: queryOf(call) }));
  return { searches, usage: reply.usage };
}

/** The adapter lets no call through without its required argument; this holds the type checker to it. */
function queryOf(call: ToolCall): string {
  const query = toolArguments(call)?.[QUERY_ARGUMENT];
  if (typeof query !== "string") throw new ModelFailure("malformed", "a tool call without its query");
  return query;
}
