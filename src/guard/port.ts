/** What the service asks of a guard: a look at a text that somebody else wrote, before a provider sees it. */
import { TurnFailure } from "../domain/failure.js";
import type { Destination, ForeignText } from "../domain/foreign-text.js";

export interface Guard {
  /** Whether a scan may take time: there is a server. */
  readonly waits: boolean;
  /** The scanner that refuses the text, if one does. Rejects with `GuardUnavailable`, or with the signal's reason. */
  scan(text: ForeignText, to: Destination, signal: AbortSignal): Promise<string | undefined>;
  /** For operators; never rejects. `local`: there is no server. */
  state(signal: AbortSignal): Promise<"local" | "ready" | "unavailable">;
}

/** A text could not be scanned and may not leave; the message says why, and quotes nothing of it. */
export class GuardUnavailable extends Error {
  override readonly name = "GuardUnavailable";
}

/** What a user asks or attaches was refused; users are told so by the text `guard_refused`. */
export class GuardRefusal extends TurnFailure {
  constructor() {
    super("blocked", "This message was refused. Ask in other words.");
  }
}
