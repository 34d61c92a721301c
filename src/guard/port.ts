/** What the service asks of a prompt guard: a look at a text before any provider sees it. */

export type GuardVerdict =
  | { readonly type: "allowed" }
  /** `scanner` is for the log; the user is told only that the message was refused. */
  | { readonly type: "blocked"; readonly scanner: string };

export interface Guard {
  readonly name: string;
  /** Rejects when the text could not be scanned: the caller treats it as unscanned. */
  scan(text: string, signal: AbortSignal): Promise<GuardVerdict>;
}
