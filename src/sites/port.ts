/** What the service asks of a system of a site. What it tells is data, never an instruction; `operate/safety` alone asks. */
import type { SiteOptions } from "./options.js";

export interface Site {
  /** Connects, and connects again when the connection is lost. Never rejects: what is wrong stands in `status`. */
  start(): Promise<void>;
  status(): SiteStatus;
  /** Calls a tool that is on, bounded in time and size. Rejects with `SiteFailure`, or with the signal's reason. */
  call(tool: string, args: SiteArguments, signal: AbortSignal): Promise<SiteReply>;
  /** What it found by itself that can be asked about by name, as of late; absent: the settings name all that there is. */
  resources?(): readonly SiteResource[];
  /** What changes rarely about it, for a prompt: lines with their dates, text of a stranger. Absent: it tells no such thing. */
  readonly steadyState?: { text(charsMax: number): string } | undefined;
  close(): Promise<void>;
}

export type SiteArguments = Readonly<Record<string, unknown>>;

/** As in the settings. */
export type SiteResource = Pick<SiteOptions["resources"][number], "kind" | "address" | "names">;

export interface SiteStatus {
  readonly state: "connected" | "connecting" | "failed" | "closed";
  /** Why it is not connected, for an operator. */
  readonly error?: string;
  /** Every configured tool, and every other one that the system offers. */
  readonly tools: readonly ToolStatus[];
}

export interface ToolStatus {
  readonly name: string;
  readonly isOn: boolean;
  /** Why it is off, and what to do, for an operator. */
  readonly reason?: string | undefined;
  /** SHA-256 of its schema as it is offered now, in hexadecimal digits: what the settings declare. */
  readonly schema?: string | undefined;
}

export interface SiteReply {
  /** Structured content as JSON values, validated against the tool's output schema; plain text where there is none. */
  readonly content: unknown;
  /** When the call returned, in Unix milliseconds. */
  readonly takenAtMs: number;
}

/** Codes of the reference's error envelopes; the last four are those of a connection. */
export type SiteFailureCode =
  | ("NOT_FOUND" | "POLICY_BLOCKED" | "EXECUTION_FAILED")
  | ("UNAVAILABLE" | "TIMEOUT" | "TOO_LARGE" | "MALFORMED");

/** What other errors come to, by their names. */
const CODES: Readonly<Record<string, SiteFailureCode>> = {
  DeadlineExceeded: "TIMEOUT",
  OutputTooLarge: "TOO_LARGE",
  ProcessEnded: "UNAVAILABLE",
  ProgramMissing: "NOT_FOUND",
};

/** A message may quote what a system sent. */
const MESSAGE_CHARS_MAX = 300;

export class SiteFailure extends Error {
  override readonly name = "SiteFailure";
  /** Whether the same call may work in a moment. */
  readonly retryable: boolean;

  constructor(
    readonly code: SiteFailureCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message.slice(0, MESSAGE_CHARS_MAX), options);
    this.retryable = code === "UNAVAILABLE" || code === "TIMEOUT";
  }

  /** The error if it is one already, else one with the code that its name has, or with this one, and its message. */
  static of(error: unknown, code: SiteFailureCode): SiteFailure {
    if (error instanceof SiteFailure) return error;
    const { message, name } = error instanceof Error ? error : { message: String(error), name: "" };
    return new SiteFailure(CODES[name] ?? code, message, { cause: error });
  }
}
