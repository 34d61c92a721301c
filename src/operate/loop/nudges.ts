/** Tells a model that reads on and on to come to its answer: once after many calls, and firmly after more. Pure. */
import type { ModelMessage } from "../../llm/port.js";

/** Calls after which a model is asked to come to its answer, and after which it is told to. */
export const NUDGE_CALLS = 12;
export const FIRM_NUDGE_CALLS = 18;

export type Nudge = "loop-nudge" | "loop-firm";

/** The nudge that is due, by the name of its prompt. `given`: those that the model was told before. */
export function nudgeAfter(calls: number, given: readonly Nudge[]): Nudge | undefined {
  if (calls >= FIRM_NUDGE_CALLS) return given.includes("loop-firm") ? undefined : "loop-firm";
  return calls >= NUDGE_CALLS && given.length === 0 ? "loop-nudge" : undefined;
}

/** With the text behind the last result that is no error; undefined where there is none. */
export function withNudge(
  messages: readonly ModelMessage[],
  text: string,
  isError: (callId: string) => boolean,
): readonly ModelMessage[] | undefined {
  const at = messages.findLastIndex((message) => message.role === "tool" && !isError(message.callId));
  const message = messages[at];
  if (message?.role !== "tool") return undefined;
  return messages.with(at, { ...message, content: `${message.content}\n\n${text}` });
}
