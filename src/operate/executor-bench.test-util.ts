/** An executor on a virtual clock, with a site whose tools do what a test says, and a ledger in memory. */

import { RecordedEvents } from "../../test/support/events.js";
import { settle, VirtualClock } from "../../test/support/virtual-clock.js";
import type {
  CallReply,
  ConsentLevel,
  OperationCall,
  OperationView,
  Proposal,
  Proposed,
  Reply,
  ReplyResult,
  ReplyVerdict,
} from "../domain/operation.js";
import type { Reading, ReadingValue } from "../domain/reading.js";
import type { User } from "../domain/user.js";
import { Executor } from "./executor.js";
import { MemoryLedger } from "./ledger/memory-ledger.test-util.js";
import type { LedgerRow } from "./ledger/port.js";
import type { SiteWriter } from "./safety/site-writer.js";

export const ANN: User = { network: "plant", username: "ann" };
export const BEN: User = { network: "plant", username: "ben" };
export const STRANGER: User = { network: "depot", username: "ann" };
export const WINDOW_MS = 120_000;

/** Pumps that are started and read. Each tool can be told to do otherwise. */
export class ScriptedSite implements SiteWriter {
  readonly values = new Map<string, ReadingValue>();
  readonly executed: string[] = [];
  reads = 0;
  /** What a call does and answers. */
  onExecute = (call: OperationCall): Promise<CallReply> => {
    this.values.set(call.target, call.postcondition.equals);
    return Promise.resolve({ type: "ok" });
  };
  /** What a look at a value gives. */
  onObserve = (_call: OperationCall, fresh: Reading): Promise<Reading | undefined> => Promise.resolve(fresh);
  onForbidden = (_call: OperationCall): "off" | "locked_out" | undefined => undefined;

  constructor(private readonly clock: VirtualClock) {}

  execute(call: OperationCall, key: string): Promise<CallReply> {
    if (this.forbidden(call) !== undefined) return Promise.resolve({ type: "refused", message: "forbidden" });
    this.executed.push(key);
    return this.onExecute(call);
  }

  observe(call: OperationCall): Promise<Reading | undefined> {
    this.reads++;
    const { signal, tool } = call.postcondition;
    const value = this.values.get(call.target) ?? "off";
    return this.onObserve(call, { target: call.target, signal, value, takenAtMs: this.clock.now(), tool });
  }

  forbidden(call: OperationCall): "off" | "locked_out" | undefined {
    return this.onForbidden(call);
  }
}

export class ExecutorBench {
  readonly clock: VirtualClock;
  readonly ledger: MemoryLedger;
  /** What its users were told, each once; `isTold`: and heard. */
  readonly ended: OperationView[] = [];
  isTold = true;
  /** The word of every proposal that takes one; undefined: there is none left. */
  challenge: string | undefined = "tango";
  readonly written: string[] = [];
  readonly executor: Executor;
  readonly #end = new AbortController();
  #ids = 0;

  constructor(
    rows: LedgerRow[] = [],
    clock = new VirtualClock(),
    readonly site = new ScriptedSite(clock),
  ) {
    this.clock = clock;
    this.ledger = new MemoryLedger(rows);
    this.executor = new Executor({
      ledger: this.ledger,
      writer: this.site,
      clock,
      telemetry: new RecordedEvents(),
      id: () => `op-${rows.length}-${++this.#ids}`,
      challengeFor: () => this.challenge,
      mayKnow: (access, targets) => access.groups.includes("all") || targets.every((id) => id.endsWith("p1")),
      onNews: (user) => {
        for (const { view } of this.executor.untold(user)) {
          this.ended.push(view);
          if (this.isTold) this.executor.told(view.proposal.id, user);
        }
      },
      onWrite: (targets) => this.written.push(...targets),
      signal: this.#end.signal,
    });
  }

  /** The process ends; another one starts on the same rows, the same site and the same clock. */
  async restarted({ isTold = true } = {}): Promise<ExecutorBench> {
    this.#end.abort(new Error("the process ends"));
    await settle();
    const next = new ExecutorBench(this.ledger.written, this.clock, this.site);
    next.isTold = isTold;
    await next.executor.recover();
    await settle();
    return next;
  }

  draft(targets: readonly string[] = ["p1"], rest: Partial<Proposal> = {}): Omit<Proposal, "id" | "number"> {
    const calls = targets.map((name) => callOn(name));
    return {
      action: "start",
      calls: calls as [OperationCall, ...OperationCall[]],
      level: "plain" satisfies ConsentLevel,
      askedOf: ANN,
      language: "en",
      dryRun: false,
      ...rest,
    };
  }

  propose(targets?: readonly string[], rest?: Partial<Proposal>): Promise<Proposed> {
    const readback = ({ challenge, number }: Proposal) => `Request ${number}, ${challenge ?? "yes"}?`;
    return this.executor.propose(this.draft(targets, rest), readback, {
      groups: ["crew"],
      features: [],
      responseType: "text",
    });
  }

  /** The id of a proposal that was read back to its asker to the end. */
  async asked(targets?: readonly string[], rest?: Partial<Proposal>): Promise<string> {
    const proposed = await this.propose(targets, rest);
    if (proposed.type !== "waiting") throw new Error(proposed.type);
    const { id } = proposed.operation.proposal;
    await this.hears(id, rest?.askedOf ?? ANN);
    return id;
  }

  async hears(id: string, who: User): Promise<void> {
    await this.clock.advance(1);
    this.executor.readback(id, who, this.clock.monotonic());
    await this.clock.advance(1);
  }

  says(id: string, verdict: ReplyVerdict, by = ANN, how: Partial<Reply> = {}): Promise<ReplyResult> {
    const pressedMs = this.clock.monotonic();
    const reply: Reply = {
      by,
      pressedMs,
      words: verdict,
      via: "voice",
      isRough: false,
      isTrusted: true,
      ...how,
    };
    return this.executor.reply(id, reply, verdict);
  }

  /** Those that have ended. */
  over(): readonly OperationView[] {
    return this.#views().filter(({ phase }) => phase === "ended");
  }

  #views(): readonly OperationView[] {
    return this.executor.list({ ...ANN, groups: ["all"], kiosk: false });
  }

  view(id: string): OperationView {
    return this.#views().find(({ proposal }) => proposal.id === id)!;
  }
}

export function callOn(name: string, before: ReadingValue = "off"): OperationCall {
  const postcondition = { tool: "plant.read", signal: "status", equals: "on", windowMs: WINDOW_MS };
  return {
    target: `plant/pump/${name}`,
    name,
    tool: "plant.start",
    args: { speed: 1 },
    before: { value: before },
    postcondition,
  };
}
