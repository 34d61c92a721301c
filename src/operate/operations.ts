/** Operations as turns and doors see them: proposed, consented to or denied, watched. Their executor outlives any turn. */
import type {
  CallReply,
  GivenUp,
  NotCounted,
  OperationCall,
  OperationView,
  Proposal,
  Reply,
  ReplyVerdict,
  VoidReason,
} from "../domain/operation.js";
import type { Reading } from "../domain/reading.js";
import type { ResponseType } from "../domain/turn.js";
import type { Access, User } from "../domain/user.js";

export type { NotCounted, OperationView } from "../domain/operation.js";

/** Proposals that wait for consent at once; a further one is refused. */
export const WAITING_MAX = 100;

export interface Operations {
  /**
   * Freezes a proposal that waits from now on for its readback and for consent. `id` and `number` are given here. A second
   * one that names a target of a live one voids neither: it is refused with the one that is in its way.
   */
  propose(
    draft: Omit<Proposal, "id" | "number" | "challenge">,
    readback: ReadbackOf,
    askedAs: AskedAs,
  ): Promise<Proposed>;
  /** A readback of it was played or shown to this user: to its end at `heardMs` (monotonic), or absent: it was cut off. */
  readback(id: string, to: User, heardMs: number | undefined): void;
  /** What this user said to it. Resolves when it is decided, not when it is done. */
  reply(id: string, reply: Reply, verdict: ReplyVerdict): Promise<ReplyResult>;
  /** Voids everything that waits for this user. What is being done is not undone. */
  stop(user: User): void;
  /** Those that this access may know of: all their things are readable under it. Newest last. */
  list(access: Access): readonly OperationView[];
  /** Resolves when it has ended and that is written down. */
  outcome(id: string, signal: AbortSignal): Promise<OperationView>;
  /** This user has heard what came of it; or why they will not. */
  told(id: string, to: User, givenUp?: GivenUp): void;
  /** What this user has to be told: what they asked for and have not heard the end of. */
  untold(user: User): readonly { readonly view: OperationView; readonly askedAs: AskedAs }[];
}

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

/** What actually touches a site: implemented by `safety/site-writer.ts`, called by the executor alone. */
export interface SiteWriter {
  /** Calls the tool once. Resolves whatever happens but an abort; a lost reply is told as such. `key`: idempotency key. */
  execute(call: OperationCall, key: string, signal: AbortSignal): Promise<CallReply>;
  /** Reads the signal of the postcondition afresh. Undefined: it cannot be read. Rejects with the signal's reason only. */
  observe(call: OperationCall, signal: AbortSignal): Promise<Reading | undefined>;
  /** Whether this may be done at all now: the mode, the switch for everything, a lockout. Undefined: it may. */
  forbidden(call: OperationCall): "off" | "locked_out" | undefined;
}
