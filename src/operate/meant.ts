/** What a message is to operations: a reply to what waits, the word of a second person, an order, a stop, or nothing. */
import { isDeepStrictEqual } from "node:util";
import type { SiteRequest } from "../capability/capability.js";
import type { PendingProposal } from "../domain/dialogue.js";
import { isWaiting, type OperationView, type Proposal, type ReplyVerdict } from "../domain/operation.js";
import { NO_TARGETS } from "../domain/target-context.js";
import type { User } from "../domain/user.js";
import { gently, WorkBudget } from "../lib/steps.js";
import type { Command } from "../locale/commands/commands.js";
import { take } from "../routing/take.js";
import { judgeReply, OTHER_MATTER } from "./consent/judge.js";
import type { Operations } from "./executor.js";
import type { LevelOptions } from "./orders/call.js";
import { type Order, orderIn } from "./orders/order.js";
import type { GuardedSiteWriter } from "./safety/site-writer.js";
import { oncePerTurn, UNDERSTANDING_MS_MAX, type UnderstandingDeps } from "./wanted.js";

export type Meant =
  | {
      readonly type: "reply";
      readonly verdict: ReplyVerdict;
      /** Absent: the chat does not have it open. */
      readonly pending?: PendingProposal | undefined;
      readonly view: OperationView;
      /** What a denial orders besides: "Stop pump four". */
      readonly order?: Order | undefined;
      /** A denial that asks something: "How do I stop pump two?" */
      readonly isQuestion?: boolean;
    }
  /** Somebody wants to hear what they are asked for. */
  | { readonly type: "request"; readonly view: OperationView | undefined }
  /** `isBegun`: some of it may have been done. */
  | { readonly type: "stop"; readonly isBegun: boolean }
  | { readonly type: "order"; readonly order: Order }
  | { readonly type: "nothing" };

export interface MeantDeps extends UnderstandingDeps {
  readonly operations: Operations;
  readonly writer: Pick<GuardedSiteWriter, "toolsFor" | "isOff" | "observe">;
  readonly levels: LevelOptions;
}

const NOTHING: Meant = { type: "nothing" };

const once = oncePerTurn<Meant>("question");

export function meantOnce(request: SiteRequest, deps: MeantDeps): Promise<Meant> {
  return once(request, () => meantBy(request, deps));
}

async function meantBy(request: SiteRequest, deps: MeantDeps): Promise<Meant> {
  const { pending = [], question } = request;
  const heard = await heardBy(request, deps);
  const { all, asked, intents, mine, named, proposed } = heard;
  const isLast = proposed === pending.at(-1);
  const own = proposed && all.find(({ proposal: { id } }) => id === proposed.operation);
  const open = own && asked.find((one) => one === own);
  if (intents.has("stop") || intents.has("never_mind")) {
    if (mine.length > 0) return { type: "stop", isBegun: !mine.every(isWaiting) };
    if (open === undefined) return NOTHING;
  }
  const { isQuestion = false, verdict: bare, why } = judgeReply(question, { level: "plain", languages: [] });
  const isDenied = bare === "denied";
  // "Second approval for request six" does not ask for a second's patience.
  if (named !== undefined && isDenied && why !== "wait")
    return { type: "reply", verdict: "denied", view: named };
  const view = open ?? (pending.length === 0 ? mine.find(({ phase }) => phase === "waiting") : undefined);
  // A question back has the first claim on all but a denial.
  const isAnswer = !isLast && (!isDenied || take(pending, question).type === "chosen");
  const verdict = view && !isAnswer ? await verdictOn(view, heard) : undefined;
  if (view === undefined || verdict === undefined) {
    const wanted = await wantedBy(heard);
    if (wanted.type !== "nothing") return wanted;
    if (pending.length === 0 && isDenied) return deniedOf(mine);
    return isLast && view === undefined ? overBy(heard, own) : NOTHING;
  }
  if (verdict === "denied") {
    const wanted = await wantedBy(heard);
    const order = wanted.type === "order" && isOwnMatter(wanted.order) ? wanted.order : undefined;
    return { type: "reply", verdict, view, pending: proposed, order, isQuestion: isQuestion && !order };
  }
  // What the chat has forgotten, as when the clock was set, is heard once more before a consent; and what a yes without a
  // word of its own may not be the reply to.
  const isOvertaken = proposed?.isOvertaken === true && view.proposal.challenge === undefined;
  if (open === undefined || (isOvertaken && verdict === "approved")) return { type: "request", view };
  return { type: "reply", verdict, view, pending: proposed };
}

/** Whether it says by itself what is to be done to what: "stop doing that" names nothing. */
function isOwnMatter(order: Order): boolean {
  return order.type !== "unknown_target" && !(order.type === "refused" && order.why === "no_target");
}

/** An answer to what is decided: to what this chat had open, or with the word of what was not done. */
async function overBy(heard: Heard, own: OperationView | undefined): Promise<Meant> {
  const { all, intents, proposed, request } = heard;
  const isVoid = ({ proposal, reason }: OperationView) =>
    reason !== undefined && proposal.challenge !== undefined;
  const past = all.filter((one) => isVoid(one) && isAskedOf(one, request.access));
  for (const view of own === undefined ? past.toReversed() : [own]) {
    const verdict = await verdictOn(view, heard);
    const isShort = own !== undefined && (intents.has("yes") || intents.has("no"));
    if (verdict !== "approved" && !isShort) continue;
    if (verdict === "denied" && view.phase !== "ended") return { type: "stop", isBegun: true };
    return { type: "reply", verdict: "approved", view, pending: proposed };
  }
  return NOTHING;
}

/** Who asked may deny it as long as it is not done, though nobody asks them any more. */
function deniedOf(mine: readonly OperationView[]): Meant {
  if (mine.some(({ phase }) => phase === "executing")) return { type: "stop", isBegun: true };
  const view = mine.find(({ phase }) => phase === "waiting_second");
  return view === undefined ? NOTHING : { type: "reply", verdict: "denied", view };
}

/** What somebody says to what waits for them. Undefined: something else altogether. */
async function verdictOn({ proposal }: OperationView, { deps, request }: Heard) {
  const { challenge, language, level } = proposal;
  const asked = { level, challenge, languages: [language, request.locale.language] };
  const { besides = "", verdict, why } = judgeReply(request.question, asked);
  const isSame = besides === "" ? undefined : await isRepeated(besides, proposal, request, deps);
  if (isSame !== undefined) return isSame ? "approved" : "unclear";
  return OTHER_MATTER.has(why) ? undefined : verdict;
}

/** Whether words beside a yes say once more what is proposed. Undefined: they name no request, and order nothing. */
async function isRepeated(question: string, proposal: Proposal, request: SiteRequest, deps: MeantDeps) {
  const { action, calls, id } = proposal;
  const again = await wantedBy(await heardBy({ ...request, question }, deps));
  if (again.type === "request") return again.view?.proposal.id === id;
  if (again.type !== "order") return undefined;
  const { order } = again;
  // "Restart it": nothing is named, and what is proposed is what was spoken of.
  if (order.type === "refused" && order.why === "no_target") return order.action === action && !order.areMany;
  if (order.type !== "order" || order.action !== action || order.drafts.length !== calls.length) return false;
  return order.drafts.every(({ call: { args, target, tool } }, at) => {
    const call = calls[at]!;
    return call.target === target && call.tool === tool && isDeepStrictEqual(call.args, args);
  });
}

type Heard = Awaited<ReturnType<typeof heardBy>>;

/** What a message is as a command, what waits for its user or is theirs, and which proposal the chat has open. */
async function heardBy(request: SiteRequest, deps: MeantDeps) {
  const { access, pending = [], question } = request;
  const known = deps.registry().knownTo(access);
  const commands = await deps.commandsFor(known);
  const said = commands.of(commands.hear(question));
  const all = deps.operations.list(access);
  const live = all.filter(({ phase }) => phase !== "ended");
  const mine = live.filter((one) => isAskedOf(one, access));
  const asked = live.filter(
    (one) => one.phase === "waiting_second" || (isWaiting(one) && mine.includes(one)),
  );
  const wanted = said.find(({ intent }) => intent === "request");
  const intents = new Set(said.map(({ intent }) => intent));
  const proposed = pending.findLast((one) => one.type === "proposal");
  const named = wanted && requested(wanted, asked);
  return { request, deps, all, known, commands, intents, mine, asked, named, proposed };
}

function isAskedOf({ by, proposal: { askedOf } }: OperationView, { username }: User): boolean {
  return [askedOf, ...by].some((one) => one.username === username);
}

/** The request of this number, of a thing with this name, or the only one. */
function requested({ slots }: Command, asked: readonly OperationView[]): OperationView | undefined {
  const [only, ...others] = asked.filter(({ proposal: { calls, number } }) => {
    if (slots.value !== undefined) return slots.value.value === number;
    const told = ` ${slots.target?.text.toLowerCase()} `;
    return slots.target === undefined || calls.some(({ name }) => told.includes(` ${name.toLowerCase()} `));
  });
  return others.length === 0 ? only : undefined;
}

/** What a message that replies to nothing asks for. */
async function wantedBy({ commands, deps, intents, known, named, request }: Heard): Promise<Meant> {
  const { clock, levels, writer } = deps;
  if (intents.has("request")) return { type: "request", view: named };
  const { access, locale, mentions = [], question, targets: context = NO_TARGETS } = request;
  const actingTools = writer.toolsFor(access);
  const from = { question, mentions, commands, known, context, actingTools, levels, locale };
  const steps = orderIn({ ...from, isOff: writer.isOff(), nowMs: clock.now() });
  const order = await gently(steps, new WorkBudget(UNDERSTANDING_MS_MAX));
  return order === undefined ? NOTHING : { type: "order", order };
}
