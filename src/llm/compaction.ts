/**
 * Makes room in a long conversation with tools: results of older turns give way to one line each, with the facts that
 * are remembered of them. Pure.
 */
import type { ModelMessage } from "./port.js";
import { toolArguments } from "./tool-call.js";

/** Turns before the present one whose results stay whole. */
const KEPT_TURNS = 2;
/** UTF-16 units of a result that is short enough to stay. */
const KEPT_CHARS = 300;
/** Arguments in the line of a call, and UTF-16 units of one. */
const ARGUMENTS_MAX = 4;
const ARGUMENT_CHARS_MAX = 60;

type CallArguments = Readonly<Record<string, unknown>>;

interface CompactionLimits {
  readonly turnsKept: number;
  readonly charsKept: number;
}

/**
 * The messages, of which those from `turnStart` on are the present turn. A turn begins with the model's calls. `factsOf`:
 * what is remembered of a call, by its id; empty when nothing is.
 */
export function compacted(
  messages: readonly ModelMessage[],
  turnStart: number,
  factsOf: (call: string) => string,
  { charsKept, turnsKept }: CompactionLimits = { turnsKept: KEPT_TURNS, charsKept: KEPT_CHARS },
): readonly ModelMessage[] {
  const turns = messages.slice(0, turnStart).flatMap(({ role }, at) => (role === "tool_calls" ? [at] : []));
  const end = turnsKept === 0 ? turnStart : (turns.at(-turnsKept) ?? 0);
  const calls = new Map(
    messages
      .flatMap((message) => (message.role === "tool_calls" ? message.calls : []))
      .map((call) => [call.id, call]),
  );
  return messages.map((message, at) => {
    if (message.role !== "tool" || at >= end) return message;
    const call = calls.get(message.callId);
    if (call === undefined || message.content.length <= charsKept) return message;
    const about = { tool: call.name, args: toolArguments(call) ?? {}, chars: message.content.length };
    return { ...message, content: summaryOfCall(about, factsOf(call.id)) };
  });
}

/** One line that stands for a result. */
export function summaryOfCall(
  { args, chars, tool }: { readonly tool: string; readonly args: CallArguments; readonly chars: number },
  facts: string,
): string {
  const named = argumentsInWords(args);
  const called = named === "" ? tool : `${tool}(${named})`;
  return `[${called}: ${chars} chars, left out]${facts === "" ? "" : ` Key facts: ${facts}`}`;
}

/** The arguments that tell most: `type=performance, resource_id=101`. */
export function argumentsInWords(args: CallArguments): string {
  const telling = Object.entries(args).filter((entry): entry is [string, string] => {
    const value = entry[1];
    return typeof value === "string" && value.trim() !== "";
  });
  const isFirst = ([key]: [string, string]) => key === "type" || key === "action";
  return [...telling.filter(isFirst), ...telling.filter((one) => !isFirst(one))]
    .slice(0, ARGUMENTS_MAX)
    .map(([key, value]) => `${key}=${value.slice(0, ARGUMENT_CHARS_MAX)}`)
    .join(", ");
}
