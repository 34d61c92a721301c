/** What a reading tool answers to the model's loop: one envelope for all tools, with the codes of the reference. */
import type { ReadFault } from "../../domain/known-fact.js";
import type { Reading } from "../../domain/reading.js";
import type { Resource } from "../../domain/resource.js";
import { withoutInjections } from "../../grounding/injection.js";
import { redactShapes } from "../../lib/secrets.js";
import { wellFormed } from "../../lib/well-formed.js";
import type { ToolSpec } from "../../llm/port.js";

/** After these the model can make a better call by itself. */
const RECOVERABLE = ["STRICT_RESOLUTION", "FSM_BLOCKED", "ROUTING_MISMATCH", "APPROVAL_REQUIRED"] as const;
/** These come again with the same call. */
const LASTING = ["NOT_FOUND", "EXECUTION_FAILED", "TOO_LARGE", "MALFORMED"] as const;

/** The last is the loop's own. */
export type LoopErrorCode =
  | (typeof RECOVERABLE | typeof LASTING)[number]
  | ("POLICY_BLOCKED" | "UNAVAILABLE" | "TIMEOUT" | "LOOP_DETECTED");

export interface LoopError extends ReadFault {
  readonly code: LoopErrorCode;
}

export interface LoopResult {
  readonly ok: boolean;
  /** JSON values; undefined where there was an error. */
  readonly data?: unknown;
  readonly error?: ReadFault;
  /** What the data says, as values. */
  readonly readings?: readonly Reading[];
  /** Up to which age all signals of it are said as present; absent: none has a limit. */
  readonly maxAgeMs?: number;
}

export type LoopArguments = Readonly<Record<string, unknown>>;

/** A call that may be made. */
export interface PlannedCall {
  /** What it is about; absent: the whole site. */
  readonly target?: Pick<Resource, "id" | "names"> | undefined;
  /** Rejects with the signal's reason; all else is an envelope. */
  run(signal: AbortSignal): Promise<LoopResult>;
}

/** A tool that only reads: nothing else is given to the loop. */
export interface LoopTool {
  readonly spec: ToolSpec;
  /** As `{site}.{tool}`. */
  readonly source: string;
  /** The call with these arguments, or why it is not made. */
  plan(args: LoopArguments): PlannedCall | LoopError;
}

/** The envelope of a call that was tried. */
export function failed(code: LoopErrorCode, message: string, more: Partial<LoopError> = {}): LoopResult {
  return { ok: false, error: { code, message, failed: true, ...more } };
}

export const isRecoverable = ({ code }: ReadFault): boolean => RECOVERABLE.some((one) => one === code);

/** What cannot be reached may be there in a moment: nothing is known of it. */
export function isLasting({ code, retryable }: ReadFault): boolean {
  return retryable !== true && LASTING.some((one) => one === code);
}

/** UTF-16 units of one result. */
const RESULT_CHARS_MAX = 8_000;
/** What a value counts at the least, with the marks around it. */
const VALUE_CHARS = 8;

/**
 * The envelope as text, and the data of it that a sentence may rest on: just what the model saw, if that is all of it.
 * Without secrets, and without what speaks to a model; names of fields are ours.
 */
export function toldResult({ data, error, ok }: LoopResult) {
  let left = RESULT_CHARS_MAX;
  const told = (_key: string, value: unknown) => {
    if (left < 0) return undefined;
    left -= typeof value === "string" ? value.length : VALUE_CHARS;
    if (typeof value !== "string") return value;
    return redactShapes(withoutInjections(value.slice(0, RESULT_CHARS_MAX)));
  };
  const content = JSON.stringify(ok ? { ok, data } : { ok, error }, told);
  if (left < 0 || content.length > RESULT_CHARS_MAX)
    return { content: `${wellFormed(content, RESULT_CHARS_MAX)}[cut]`, data: undefined };
  return { content, data: JSON.parse(content).data as unknown };
}
