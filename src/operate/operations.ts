/** What turns and doors give the executor, and what it answers them. */
import type { NotCounted, OperationView, Proposal, VoidReason } from "../domain/operation.js";
import type { ResponseType } from "../domain/turn.js";

export type { NotCounted, OperationView } from "../domain/operation.js";

/** Proposals that wait for consent at once; a further one is refused. */
export const WAITING_MAX = 100;

/** Renders the sentences of a readback once its number and challenge word are known. */
export type ReadbackOf = (frozen: Proposal) => string;

/** What the asker's turn claimed of groups and features, for what is announced to them later. */
export interface AskedAs {
  readonly groups: readonly string[];
  readonly features: readonly string[];
  readonly responseType: ResponseType;
}

export type Proposed =
  | { readonly type: "waiting"; readonly operation: OperationView; readonly readback: string }
  | { readonly type: "refused"; readonly why: "too_many" | "not_recorded" }
  | { readonly type: "busy"; readonly with: OperationView };

/** What came of a reply. */
export type ReplyResult =
  /** It is being done. */
  | { readonly type: "accepted" }
  /** A second person is asked now. */
  | { readonly type: "needs_second_person"; readonly number: number }
  | { readonly type: "ended"; readonly reason: VoidReason }
  /** It did not count, and may be given once more. */
  | { readonly type: "not_counted"; readonly why: NotCounted; readonly missesLeft: number }
  | { readonly type: "unknown_operation" };
