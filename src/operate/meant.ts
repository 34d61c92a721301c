/** What a message is to operations: a reply to what waits, the word of a second person, an order, a stop, or nothing. */
import { isDeepStrictEqual } from "node:util";
import type { SiteRequest } from "../capability/capability.js";
import type { PendingProposal } from "../domain/dialogue.js";
import { isWaiting, type Proposal, type ReplyVerdict } from "../domain/operation.js";
import { NO_TARGETS } from "../domain/target-context.js";
import type { Access } from "../domain/user.js";
import { gently, WorkBudget } from "../lib/steps.js";
import type { Command, Commands } from "../locale/commands/commands.js";
import { judgeReply, type ReplyReason } from "./consent/judge.js";
import type { Operations, OperationView } from "./operations.js";
import type { LevelOptions } from "./orders/call.js";
import { type Order, orderIn } from "./orders/order.js";
import type { GuardedSiteWriter } from "./safety/site-writer.js";
import type { KnownResources } from "./targets/registry.js";
import type { UnderstandingDeps } from "./understood.js";

export type Meant =
  | {
      readonly type: "reply";
      readonly verdict: ReplyVerdict;
      readonly pending: PendingProposal;
      readonly view: OperationView;
    }
  /** A second person wants to hear what they are asked for. */
  | { readonly type: "request"; readonly view: OperationView | undefined }
  | { readonly type: "stop" }
  | { readonly type: "order"; readonly order: Exclude<Order, { readonly type: "not_an_order" }> }
  | { readonly type: "nothing" };

export interface MeantDeps extends UnderstandingDeps {
  readonly operations: Operations;
  readonly writer: Pick<GuardedSiteWriter, "toolsFor" | "isOff" | "observe">;
  readonly levels: LevelOptions;
}

/** Computing time for one message, in milliseconds. */
const MEANT_MS_MAX = 2_000;

const NOTHING: Meant = { type: "nothing" };

/** Replies that say something else altogether: the question that they may be has its own route. */
const OTHER_MATTER: ReadonlySet<ReplyReason> = new Set(["unexplained", "too_long", "nothing_said"]);

/** The message of each turn, by the turn's own access: whether it is claimed, and what is answered, need the same. */
const ofTurns = new WeakMap<Access, { readonly question: string; readonly meant: Promise<Meant> }>();

export function meantOnce(request: SiteRequest, deps: MeantDeps): Promise<Meant> {
  const { access, question } = request;
  const before = ofTurns.get(access);
  if (before?.question === question) return before.meant;
  const meant = meantBy(request, deps);
  ofTurns.set(access, { question, meant });
  return meant;
}

async function meantBy(request: SiteRequest, deps: MeantDeps): Promise<Meant> {
  const { access, pending = [], question } = request;
  const known = deps.registry().knownTo(access);
  const commands = deps.commandsFor(known);
  const said = commands.of(commands.hear(question));
  const own = deps.operations.list(access).filter(isWaiting);
  if (said.some(({ intent }) => intent === "stop" || intent === "never_mind"))
    return own.some(({ proposal: { askedOf } }) => askedOf.username === access.username)
      ? { type: "stop" }
      : NOTHING;
  const last = pending.at(-1);
  const waiting =
    last?.type === "proposal" ? own.find(({ proposal }) => proposal.id === last.operation) : undefined;
  if (last?.type === "proposal" && waiting !== undefined) {
    const { challenge, language, level } = waiting.proposal;
    const asked = { level, challenge, languages: [language, request.locale.language] };
    const { besides = "", verdict, why } = judgeReply(question, asked);
    const reply = { type: "reply", pending: last, view: waiting } as const;
    const isSame = besides === "" ? undefined : await isRepeated(besides, waiting.proposal, request, deps);
    if (isSame !== undefined) return { ...reply, verdict: isSame ? "approved" : "unclear" };
    if (!OTHER_MATTER.has(why)) return { ...reply, verdict };
  }
  const wanted = said.find(({ intent }) => intent === "request");
  if (wanted !== undefined) return { type: "request", view: requested(wanted, own) };
  return orderMeant(request, known, commands, deps);
}

/** Whether words beside a yes say once more what is proposed. Undefined: they name no request, and order nothing. */
async function isRepeated(
  question: string,
  { action, calls, id }: Proposal,
  request: SiteRequest,
  deps: MeantDeps,
): Promise<boolean | undefined> {
  const { pending: _, ...rest } = request;
  const again = await meantBy({ ...rest, question }, deps);
  if (again.type === "request") return again.view?.proposal.id === id;
  if (again.type !== "order") return undefined;
  const { order } = again;
  // "Restart it": nothing is named, and what is proposed is what was spoken of.
  if (order.type === "refused" && order.why === "no_target") return order.action === action;
  if (order.type !== "order" || order.action !== action || order.drafts.length !== calls.length) return false;
  return order.drafts.every(({ call: { args, target, tool } }, at) => {
    const call = calls[at]!;
    return call.target === target && call.tool === tool && isDeepStrictEqual(call.args, args);
  });
}

/** The request of this number, of a thing with this name, or the only one. */
function requested({ slots }: Command, waiting: readonly OperationView[]): OperationView | undefined {
  const asked = waiting.filter(({ phase }) => phase === "waiting_second");
  const [only, ...others] = asked.filter(({ proposal: { calls, number } }) => {
    if (slots.value !== undefined) return slots.value.value === number;
    const told = ` ${slots.target?.text.toLowerCase()} `;
    return slots.target === undefined || calls.some(({ name }) => told.includes(` ${name.toLowerCase()} `));
  });
  return others.length === 0 ? only : undefined;
}

async function orderMeant(
  request: SiteRequest,
  known: KnownResources,
  commands: Commands,
  { clock, levels, writer }: MeantDeps,
): Promise<Meant> {
  const { access, locale, mentions = [], question, targets: context = NO_TARGETS } = request;
  const actingTools = writer.toolsFor(access);
  const from = { question, mentions, commands, known, context, actingTools, levels, locale };
  const steps = orderIn({ ...from, isOff: writer.isOff(), nowMs: clock.now() });
  const order = await gently(steps, new WorkBudget(MEANT_MS_MAX));
  return order === undefined || order.type === "not_an_order" ? NOTHING : { type: "order", order };
}
