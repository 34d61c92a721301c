/** What a reading tool answers to the model's loop: one envelope for all tools, with the codes of the reference. */
import type { Reading } from "../../domain/reading.js";
import type { Resource } from "../../domain/resource.js";
import type { ToolSpec } from "../../llm/port.js";

/** The last is the loop's own. */
export type LoopErrorCode =
  | keyof typeof RECOVERABLE
  | "NOT_FOUND"
  | "POLICY_BLOCKED"
  | "EXECUTION_FAILED"
  | "UNAVAILABLE"
  | "TIMEOUT"
  | "TOO_LARGE"
  | "MALFORMED"
  | "LOOP_DETECTED";

/** Errors after which the model can make a better call by itself, and what is wrong. */
const RECOVERABLE = {
  STRICT_RESOLUTION: "it names a resource that nobody has found",
  FSM_BLOCKED: "something else has to be done first",
  ROUTING_MISMATCH: "it names the parent of what is meant",
  APPROVAL_REQUIRED: "a person has to agree",
} as const;

export interface LoopError {
  readonly code: LoopErrorCode;
  /** For the model, in words that quote nothing secret. */
  readonly message: string;
  /** It was not tried. */
  readonly blocked?: boolean;
  /** It was tried, and what came of it is an error. */
  readonly failed?: boolean;
  /** The same call may work in a moment. */
  readonly retryable?: boolean;
  /** JSON values, such as `recovery_hint`. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** A reading with the age up to which it is said as the present value. */
export interface KeepableReading extends Reading {
  readonly maxAgeMs: number;
}

export interface LoopResult {
  readonly ok: boolean;
  /** JSON values; undefined where there was an error. */
  readonly data?: unknown;
  readonly error?: LoopError;
  /** What the data says, as values; where there are any, facts are made of them alone. */
  readonly meta?: { readonly readings?: readonly KeepableReading[] };
}

export type LoopArguments = Readonly<Record<string, unknown>>;

/** A tool that only reads: nothing else is given to the loop. No function of it but `run` may throw. */
export interface LoopTool {
  readonly spec: ToolSpec;
  /** As `{site}.{tool}`. */
  readonly source: string;
  /** The facts that this call tells, as `factKey` writes them; none: only the call itself is remembered. */
  keysOf(args: LoopArguments): readonly string[];
  /** What the call is about; undefined: the whole site. */
  targetOf?(args: LoopArguments): Pick<Resource, "id" | "names"> | undefined;
  /** Rejects with the signal's reason; all else is an envelope. */
  run(args: LoopArguments, signal: AbortSignal): Promise<LoopResult>;
}

export function failed(code: LoopErrorCode, message: string, more: Partial<LoopError> = {}): LoopResult {
  return { ok: false, error: { code, message, ...more } };
}

/** Whether the model can make a better call by itself. */
export function isRecoverable({ code, details }: LoopError): boolean {
  return code in RECOVERABLE || details?.auto_recoverable === true;
}
