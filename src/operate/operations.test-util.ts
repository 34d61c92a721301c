/** Operations for the tests of doors: views that a test puts there, and replies that it expects. Anything else fails. */
import type { OperationView, Proposal, Reply, ReplyResult, ReplyVerdict } from "../domain/operation.js";
import type { Access, User } from "../domain/user.js";
import type { Operations } from "./executor.js";

export const ANN: User = { network: "acme", username: "ann" };

/** A proposal to restart pump two, which waits; `changes` are to the proposal. */
export function waitingView(
  changes: Partial<Proposal> = {},
  more: Partial<OperationView> = {},
): OperationView {
  const proposal: Proposal = {
    id: "op-1",
    number: 7,
    action: "restart",
    calls: [
      {
        target: "plant/pump/p2",
        name: "Pump two",
        tool: "plant.restart_pump",
        args: { pump: "p2" },
        before: { value: "stopped" },
        postcondition: { tool: "plant.read_status", signal: "status", equals: "running", windowMs: 120_000 },
      },
    ],
    level: "challenge",
    challenge: "tango",
    askedOf: ANN,
    language: "en",
    dryRun: false,
    ...changes,
  };
  return {
    proposal,
    readback: "Restart pump two. It is stopped now. Say confirm tango.",
    phase: "waiting",
    untilMs: 0,
    outcomes: [undefined],
    after: [undefined],
    by: [],
    ...more,
  };
}

export interface GivenReply {
  readonly id: string;
  readonly reply: Reply;
  readonly verdict: ReplyVerdict;
}

export class ScriptedOperations implements Pick<Operations, "list" | "readback" | "reply" | "stop"> {
  views: OperationView[] = [];
  /** Who may know of what there is. */
  knownTo: (access: Access) => boolean = () => true;
  readonly heard: { readonly id: string; readonly to: User; readonly heardMs: number | undefined }[] = [];
  readonly given: GivenReply[] = [];
  readonly stopped: User[] = [];
  readonly #results: ReplyResult[] = [];

  /** The next reply comes to this. */
  expectReply(result: ReplyResult): this {
    this.#results.push(result);
    return this;
  }

  /** Replies that were expected and did not come. */
  get missing(): number {
    return this.#results.length;
  }

  list(access: Access): readonly OperationView[] {
    return this.knownTo(access) ? this.views : [];
  }

  readback(id: string, to: User, heardMs: number | undefined): void {
    this.heard.push({ id, to, heardMs });
  }

  stop(by: User): void {
    this.stopped.push(by);
  }

  async reply(id: string, reply: Reply, verdict: ReplyVerdict): Promise<ReplyResult> {
    const result = this.#results.shift();
    if (result === undefined) throw new Error(`an unexpected reply to ${id}: ${verdict}`);
    this.given.push({ id, reply, verdict });
    return result;
  }
}
