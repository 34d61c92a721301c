/** What the service asks of a guard: a look at a text that somebody else wrote, before a provider sees it. */
import { TurnFailure } from "../domain/failure.js";
import type { Destination, ForeignText } from "../domain/foreign-text.js";

export type GuardVerdict =
  | { readonly type: "allowed" }
  /** `scanner` is for logs and metrics; the user is told only that the text was refused. */
  | { readonly type: "refused"; readonly scanner: string };

export interface Guard {
  /** Whether a scan may take time: there is a server. */
  readonly waits: boolean;
  /** Rejects with `GuardUnavailable` where the text was not scanned and may not leave, or with the signal's reason. */
  scan(text: ForeignText, to: Destination, signal: AbortSignal): Promise<GuardVerdict>;
  /** For operators; never rejects. `local`: there is no server. */
  state(signal: AbortSignal): Promise<"local" | "ready" | "unavailable">;
}

/** A text could not be scanned; the message says why, and quotes nothing of it. */
export class GuardUnavailable extends Error {
  override readonly name = "GuardUnavailable";
}

/** What a user asks or attaches was refused; users are told so by the text `guard_refused`. */
export class GuardRefusal extends TurnFailure {
  constructor() {
    super("blocked", "This message was refused. Ask in other words.");
  }
}
