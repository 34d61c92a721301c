/** What a user may ask for beside an answer: what can be asked, and what a text says in short. */
import type { HistoryEntry, TurnRequest } from "../domain/turn.js";

/** Who asks, as every door hands it in. */
export type OverviewRequest = Pick<TurnRequest, "user" | "mode" | "features" | "groups" | "language">;

/** What is to be summarised. */
export type SummarySubject =
  | { readonly type: "text"; readonly text: string }
  /** As a person would call it. */
  | { readonly type: "document"; readonly name: string }
  /** What the user's chat remembers. */
  | { readonly type: "chat"; readonly history: readonly HistoryEntry[] };

export interface Overview {
  /** Questions that this user could ask and would be answered, `count` at the most. Rejects with `TurnFailure`. */
  suggest(request: OverviewRequest, signal: AbortSignal, count?: number): Promise<readonly string[]>;
  /** What the subject says, in short. Rejects with `TurnFailure`. */
  summarize(request: OverviewRequest, subject: SummarySubject, signal: AbortSignal): Promise<string>;
}
