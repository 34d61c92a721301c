/**
 * What a server of the OpenAI API answers, taken as what it is: whole or chunk by chunk, in the promised shape or not.
 * Pure.
 */
import { z } from "zod";
import { LeakFilter } from "./artifacts.js";
import {
  type EndReason,
  type ModelEvent,
  ModelFailure,
  type ModelReply,
  type ModelRequest,
  type TokenUsage,
  type ToolCall,
} from "./port.js";
import { ReasoningFilter, withoutReasoning } from "./reasoning-text.js";
import { toolCallFault } from "./tool-call.js";

const usageSchema = z
  .object({ prompt_tokens: z.number(), completion_tokens: z.number() })
  .transform(
    (usage): TokenUsage => ({ inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens }),
  );

const callSchema = z.object({
  id: z.string().nullish(),
  function: z.object({ name: z.string(), arguments: z.string() }),
});

const replySchema = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({
          content: z.string().nullish(),
          refusal: z.string().nullish(),
          tool_calls: z.array(callSchema).nullish(),
        }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
  usage: usageSchema.nullish(),
});

const chunkSchema = z.object({
  choices: z.array(
    z.object({
      delta: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }).nullish(),
      finish_reason: z.string().nullish(),
    }),
  ),
  usage: usageSchema.nullish(),
});

/**
 * Characters of a reply at the most, for each token that was allowed and altogether at the least: several times what any
 * language comes to. A server that keeps to the limit in tokens never comes near.
 */
const CHARS_PER_TOKEN_MAX = 16;
const REPLY_CHARS_MAX_MIN = 4_000;

/** UTF-16 units of a reply that are read: its text with what the model thinks aloud, or the arguments of its calls. */
export function replyCharsMax({ outputTokensMax }: Pick<ModelRequest, "outputTokensMax">): number {
  return Math.max(REPLY_CHARS_MAX_MIN, outputTokensMax * CHARS_PER_TOKEN_MAX);
}

/** The model was made to call a tool, and did not. */
export class NoToolCall extends ModelFailure {
  constructor(message: string) {
    super("malformed", message);
  }
}

/** Where a call that the model is made to make stands in its answer. */
export type CallPlace = "tool_calls" | "text";

/** The reply, if it is what the request's tool choice promises. */
export function replyOf(request: ModelRequest, answer: unknown, place: CallPlace): ModelReply {
  const { choices, usage } = parsed(replySchema, answer);
  const { message, finish_reason: finishReason } = choices[0]!;
  if (message.refusal || finishReason === "content_filter") {
    throw new ModelFailure("rejected", "the model refuses to answer");
  }
  const content = message.content ?? "";
  const written = (message.tool_calls ?? []).reduce((sum, call) => sum + call.function.arguments.length, 0);
  if (content.length + written > replyCharsMax(request)) {
    throw new ModelFailure("malformed", "the answer is too long");
  }
  const answered = withoutReasoning(content);
  const text = leaksOf(request, place)?.take(answered, { isLast: true }) ?? answered;
  const given = (message.tool_calls ?? []).map(({ id, function: called }, i) => ({
    id: id || `call_${i + 1}`,
    ...called,
  }));
  const calls = given.length === 0 && place === "text" ? callsInText(request, text) : given;
  if (request.toolChoice === "required") {
    if (calls.length === 0) throw new NoToolCall("the model did not call the tool");
    for (const call of calls) {
      const fault = toolCallFault(call, request.tools);
      if (fault !== undefined) throw new ModelFailure("malformed", fault);
    }
  } else if (request.toolChoice === "auto" && calls.length > 0) {
    return { calls, text, usage: usage ?? NO_USAGE };
  } else if (finishReason === "length") {
    throw new ModelFailure("malformed", "the answer is too long");
  } else if (text.trim() === "") {
    throw new ModelFailure("malformed", "the answer is empty");
  }
  return { calls, text: place === "text" ? "" : text, usage: usage ?? NO_USAGE };
}

/** What cuts leaked calls off; nothing where JSON is asked for, which quotes what it likes. */
function leaksOf({ responseFormat, tools }: ModelRequest, place: CallPlace): LeakFilter | undefined {
  const isJson = place === "text" || responseFormat !== undefined;
  return isJson ? undefined : new LeakFilter(tools.map(({ name }) => name));
}

/** The call of the only tool whose arguments were asked for as structured output, broken or not. */
function callsInText({ tools }: ModelRequest, text: string): ToolCall[] {
  // Models that are only told to write JSON like to put it in a fence, and a word before it.
  const begun = text.indexOf("{");
  const tool = tools[0];
  if (begun < 0 || tool === undefined) return [];
  const json = text.slice(begun, text.lastIndexOf("}") + 1) || text.slice(begun);
  return [{ id: "call_1", name: tool.name, arguments: json }];
}

/** Servers that do not count. */
const NO_USAGE: TokenUsage = { inputTokens: 0, outputTokens: 0 };

/** What has come of a streamed answer so far. */
export interface ReplyProgress {
  readonly filter: ReasoningFilter;
  readonly leaks: LeakFilter | undefined;
  hasText: boolean;
  refused: boolean;
  reason?: EndReason;
  usage: TokenUsage;
  /** Characters that may still come. */
  charsLeft: number;
}

export function emptyProgress(request: ModelRequest): ReplyProgress {
  const charsLeft = replyCharsMax(request);
  const [filter, leaks] = [new ReasoningFilter(), leaksOf(request, "tool_calls")];
  return { filter, leaks, hasText: false, refused: false, usage: NO_USAGE, charsLeft };
}

/** Takes in one chunk; returns the text that it adds. An answer that is too long ends there, for length. */
export function note(progress: ReplyProgress, raw: unknown): string {
  const { choices, usage } = parsed(chunkSchema, raw);
  if (usage) progress.usage = usage;
  const choice = choices[0];
  if (choice === undefined) return "";
  if (choice.delta?.refusal) progress.refused = true;
  if (choice.finish_reason) progress.reason = endReasonOf(choice.finish_reason, progress.refused);
  const content = choice.delta?.content ?? "";
  const answered = progress.filter.take(content.slice(0, Math.max(0, progress.charsLeft)));
  const text = progress.leaks?.take(answered) ?? answered;
  progress.charsLeft -= content.length;
  if (progress.charsLeft < 0) progress.reason = "length";
  if (text.trim() !== "") progress.hasText = true;
  return text;
}

/** What was held back, once nothing more comes. */
export function restOf(progress: ReplyProgress): string {
  const answered = progress.filter.take("", { isLast: true });
  const text = progress.leaks?.take(answered, { isLast: true }) ?? answered;
  if (text.trim() !== "") progress.hasText = true;
  return text;
}

function endReasonOf(finishReason: string, refused: boolean): EndReason {
  if (refused) return "refusal";
  return finishReason === "length" || finishReason === "content_filter" ? finishReason : "complete";
}

export function endOf({ reason, hasText, usage }: ReplyProgress): ModelEvent {
  if (reason === undefined) throw new ModelFailure("cut", "the answer broke off");
  if (reason === "complete" && !hasText) throw new ModelFailure("malformed", "the answer is empty");
  return { type: "end", reason, usage };
}

/** `value` in the shape that the API promises. */
function parsed<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const where = result.error.issues[0]?.path.join(".") ?? "";
  throw new ModelFailure("malformed", `the answer does not have the shape of the API (at "${where}")`);
}
