/** Stage 1: the model must say what to search for. All of its tool calls count. */
import { EMERGENCY_ARGUMENT } from "../llm/emergency-argument.js";
import {
  ModelFailure,
  type ModelMessage,
  strictObject,
  type TokenUsage,
  type ToolCall,
  type ToolSpec,
} from "../llm/port.js";
import type { Prompts } from "../llm/prompts.js";
import { completeWithRetry, type RetryDeps } from "../llm/retry.js";
import { toolArguments } from "../llm/tool-call.js";

/** Searches of one turn; calls beyond that are left out, here and in what the model is shown. */
export const SEARCHES_MAX = 4;

const QUERY_ARGUMENT = "search_query";

export interface PlannedSearch {
  readonly call: ToolCall;
  readonly query: string;
}

export interface SearchPlan {
  /** Whether the model says that the message tells of an emergency. */
  readonly isEmergency: boolean;
  readonly searches: readonly PlannedSearch[];
  readonly usage: TokenUsage;
}

/** The search tool as the model is told of it. */
export function searchTool(name: string, prompts: Prompts, searchLanguage: string): ToolSpec {
  return {
    name,
    description: prompts.render("retrieve-tool"),
    parameters: strictObject(
      {
        [QUERY_ARGUMENT]: {
          type: "string",
          description: prompts.render("retrieve-tool-query", { search_language: searchLanguage }),
        },
        [EMERGENCY_ARGUMENT]: { type: "boolean", description: prompts.render("emergency-argument") },
      },
      [QUERY_ARGUMENT],
    ),
  };
}

/** A search as the model would have called for it. */
export function searchFor(query: string, { name }: ToolSpec): PlannedSearch {
  const call = { id: "call_1", name, arguments: JSON.stringify({ [QUERY_ARGUMENT]: query }) };
  return { call, query };
}

/** Rejects with `ModelFailure` when no attempt before `giveUpAtMs` brings a usable call. */
export async function plan(
  messages: readonly ModelMessage[],
  tool: ToolSpec,
  outputTokensMax: number,
  giveUpAtMs: number,
  deps: RetryDeps,
  signal: AbortSignal,
): Promise<SearchPlan> {
  const request = { messages, tools: [tool], toolChoice: "required", outputTokensMax } as const;
  const reply = await completeWithRetry(deps, request, giveUpAtMs, signal);
  const searches = reply.calls.slice(0, SEARCHES_MAX).map((call) => ({ call, query: queryOf(call) }));
  const isEmergency = reply.calls.some((call) => toolArguments(call)?.[EMERGENCY_ARGUMENT] === true);
  return { isEmergency, searches, usage: reply.usage };
}

/** The adapter lets no call through without its required argument; this holds the type checker to it. */
function queryOf(call: ToolCall): string {
  const query = toolArguments(call)?.[QUERY_ARGUMENT];
  if (typeof query !== "string") throw new ModelFailure("malformed", "a tool call without its query");
  return query;
}
