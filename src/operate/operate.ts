/** Operate: freezes what is wanted and reads it back, passes consent on, and says what became of it. `operation/` decides. */
import type { AskRequest, Capability, OperateCapability } from "../capability/capability.js";
import { USUAL_LIMITS } from "../capability/capability.js";
import { type DraftEnd, type DraftEvent, END } from "../capability/draft.js";
import type { Outcome } from "../domain/answer.js";
import type { PendingProposal } from "../domain/dialogue.js";
import { TurnFailure } from "../domain/failure.js";
import {
  CONSENT_MS_MAX,
  type OperationCall,
  type OperationView,
  type Proposal,
} from "../domain/operation.js";
import { resourceSources } from "../domain/source-ref.js";
import { NO_TARGETS, type TargetContext } from "../domain/target-context.js";
import { type ConsentPath, isOwnVoice } from "../domain/turn.js";
import { userOf } from "../domain/user.js";
import { orElse, withDeadline } from "../lib/deadline.js";
import type { Locale } from "../locale/locale.js";
import { type Meant, type MeantDeps, meantOnce } from "./meant.js";
import type { OrderedAction } from "./orders/call.js";
import { freeze } from "./orders/freeze.js";
import { type Order, orderOn } from "./orders/order.js";
import { OperationSpeech, textOf } from "./speech/operations.js";
import { type SaidStatement, whichOf } from "./speech/statements.js";
import { afterResolution } from "./targets/registry.js";
import type { Tellings } from "./tellings.js";

export interface OperateDeps extends MeantDeps {
  readonly route: string;
  readonly dryRun: boolean;
  /** Whether speech is understood too roughly for more than plain consent. */
  readonly isRough: boolean;
  readonly tellings: Tellings;
}

/** How long a turn waits for what it set going, in milliseconds; what comes later is announced. */
export const OUTCOME_MS_MAX = 12_000;

type Drafted = AsyncGenerator<DraftEvent, void, undefined>;
type Said = Generator<DraftEvent>;
type MeantReply = Extract<Meant, { readonly type: "reply" }>;

interface Turn extends OperateDeps {
  readonly request: AskRequest;
  readonly signal: AbortSignal;
}

export function createOperate(deps: OperateDeps): OperateCapability {
  return {
    name: "operate",
    route: deps.route,
    limits: USUAL_LIMITS,
    draft: (request, signal) => operate({ ...deps, request, signal }),
    heard: (report) => deps.tellings.heard(report),
    stop: (user) => deps.operations.stop(user),
    owed(access) {
      const [view] = deps.tellings.news(access).filter((one) => deps.operations.mayKnow(one, access));
      return view && outcomeTold(view, deps);
    },
    async deniedBy(request) {
      const meant = await meantOnce(request, deps);
      if (meant.type !== "reply" || meant.isQuestion !== true) return undefined;
      return { ...this, draft: (asked, signal) => replied(meant, { ...deps, request: asked, signal }) };
    },
    async claims(request) {
      const meant = await meantOnce(request, deps);
      if (meant.type === "reply" && meant.isQuestion === true) return false;
      // What nobody here knows may stand in the documents.
      return meant.type === "order" ? meant.order.type !== "unknown_target" : meant.type !== "nothing";
    },
  };
}

async function* operate(turn: Turn): Drafted {
  const { operations, request } = turn;
  const { locale } = request;
  const meant = await meantOnce(request, turn);
  switch (meant.type) {
    case "order":
      return yield* ordered(meant.order, turn);
    case "reply":
      return yield* replied(meant, turn);
    case "request": {
      // A second person, or once more the first, hears the same and is asked.
      const { view } = meant;
      if (view === undefined) return yield* said(locale.say("operate_unknown_request"), "not_offered");
      if (view.phase === "waiting_second" && view.proposal.askedOf.username === request.access.username)
        return yield* said(locale.say("operate_same_person"), "not_offered");
      return yield* readBack(view, turn);
    }
    case "stop":
      operations.stop(userOf(request.access));
      // Of what was begun, what came of it is told when that is known.
      return yield* said(
        meant.isBegun ? locale.say("operate_stopped_begun") : new OperationSpeech(locale).over("stopped"),
        "answered",
      );
    case "nothing":
      return yield* said(locale.say("operate_no_target"), "not_offered");
  }
}

async function* ordered(order: Order, turn: Turn): Drafted {
  const { clock, dryRun, operations, request, signal, writer } = turn;
  const { access, locale, responseType, targets: context = NO_TARGETS } = request;
  const speech = new OperationSpeech(locale);
  const targets = "target" in order ? afterResolution(context, order.target, clock.now()) : context;
  if (order.type === "ask") {
    const { options, text } = whichOf(order.between, locale);
    return yield* said(text, "ambiguous", { options, targets });
  }
  if (order.type !== "order") return yield* said(speech.refusal(order), "not_offered", { targets });
  const frozen = await freeze(order, writer, signal);
  if (frozen.type === "unreadable")
    return yield* said(speech.unreadable(frozen.names), "search_unavailable", { targets });
  const { already, readings } = frozen;
  yield { type: "readings", tools: [], values: readings };
  yield* parts(speech.already(already, readings), already);
  if (frozen.type === "already") return yield { ...END, targets };
  const draft = { ...frozen.wanted, askedOf: userOf(request.access), language: locale.language, dryRun };
  const readbackOf = (proposal: Proposal) => textOf(speech.readback(proposal));
  const askedAs = { groups: access.groups, features: access.kiosk ? ["kiosk"] : [], responseType };
  const result = await operations.propose(draft, readbackOf, askedAs);
  if (result.type !== "waiting") return yield* said(speech.notProposed(result), "not_offered", { targets });
  yield* readBack(result.operation, turn, targets);
}

/** What is wanted by something else than words, such as a step of a guide. `target`: id of the resource. */
export type WantedOperation = Omit<OrderedAction, "quantity"> & { readonly target: string };

/** Proposes it with all that an order by voice takes; the last event is the `end`, which `opens` what was proposed. */
export async function* propose({ target, ...wanted }: WantedOperation, turn: Turn): Drafted {
  const { levels, registry, writer } = turn;
  const { access, locale } = turn.request;
  const resource = registry().knownTo(access).byId(target);
  if (resource === undefined) return yield* said(locale.say("operate_no_target"), "not_offered");
  const from = { actingTools: writer.toolsFor(access), levels, isOff: writer.isOff() };
  yield* ordered(orderOn(wanted, { type: "one", resource, how: "name" }, from), turn);
}

/** What waits for a yes of who asked for it, read back once more; undefined: it does not wait for that. */
export function readAgain(id: string, turn: Turn): Said | undefined {
  const view = turn.operations.list(turn.request.access).find(({ proposal }) => proposal.id === id);
  return view?.phase === "waiting" ? readBack(view, turn) : undefined;
}

/** Who is asked hears it, and may answer. `targets`: of an order just given; else what was read before claims nothing of now. */
function* readBack(view: OperationView, turn: Turn, targets?: TargetContext): Said {
  const { clock, request, tellings } = turn;
  const { calls, id: operation } = view.proposal;
  const { locale } = request;
  const to = view.phase === "waiting" ? "asker" : "second";
  const all = new OperationSpeech(locale).readback(view.proposal, to);
  const elsewhere = { text: locale.say("operate_not_here"), says: [] };
  const said = mayConsent(view, request) ? all : [...all.slice(0, -1), elsewhere];
  // As it is once it was heard.
  yield { type: "proposed", operation: { ...view, untilMs: clock.now() + CONSENT_MS_MAX } };
  yield* parts(targets === undefined ? said.map(({ text }) => ({ text, says: [] })) : said, calls);
  tellings.tells(request.turn, { what: "readback", operation, to: userOf(request.access) });
  const opens = { operation, untilMs: clock.monotonic() + 2 * CONSENT_MS_MAX };
  yield { ...END, outcome: "proposed", opens, ...(targets && { targets }) };
}

async function* replied(meant: MeantReply, asked: Turn): Drafted {
  const { order, pending: closes, verdict, view } = meant;
  const { clock, operations, request, tellings } = asked;
  const { locale, question: words, turn } = request;
  const speech = new OperationSpeech(locale);
  const { proposal } = view;
  if (view.phase === "ended") {
    tellings.tells(turn, { what: "outcome", operation: proposal.id, to: userOf(request.access) });
    return yield* outcomeEvents(view, locale, closes);
  }
  // A denial counts over every door.
  if (verdict !== "denied" && !mayConsent(view, request))
    return yield* said(locale.say("operate_not_here"), "not_offered");
  const denial: ConsentPath = { via: "text", isTrusted: false, pressedMs: clock.monotonic() };
  const { isShared: _, ...consent } = request.consent ?? denial;
  const by = userOf(request.access);
  const isRough = consent.via === "voice" && asked.isRough;
  tellings.tells(turn, { what: "outcome", operation: proposal.id, to: by });
  const result = await operations.reply(proposal.id, { ...consent, by, words, isRough }, verdict);
  if (order?.type === "refused") yield { type: "phrase", text: speech.refusal(order) };
  // A dry run is no doing: its outcome is there at once, and says so.
  if (result.type !== "accepted" || !proposal.dryRun)
    yield { type: "phrase", text: speech.reply(result, proposal), ...namesOf(proposal.calls) };
  const ended = result.type === "accepted" ? await outcomeOf(proposal.id, asked) : undefined;
  if (ended !== undefined) {
    yield { type: "proposed", operation: ended };
    return yield* outcomeEvents(ended, locale, closes);
  }
  if (result.type === "ended" || result.type === "unknown_operation") {
    if (order === undefined || order.type === "refused") return yield { ...END, closes };
    for await (const event of ordered(order, asked))
      yield event.type === "end" ? { ...event, closes } : event;
    return;
  }
  tellings.forget(turn);
  if (result.type === "needs_second_person") return yield { ...END, closes };
  if (result.type === "accepted")
    return yield* said(locale.say("operate_told_later"), "proposed", { closes });
  if (result.why === "readback_not_heard") return yield* readBack(view, asked);
  yield { ...END, outcome: "proposed", opens: closes };
}

/** Whether a yes can be given over the door that a message came in by. */
function mayConsent({ phase }: OperationView, { access, consent }: AskRequest): boolean {
  return consent !== undefined && (phase !== "waiting_second" || isOwnVoice(consent, access));
}

/** Undefined: that takes longer. Rejects with the signal's reason. */
function outcomeOf(id: string, { clock, operations, signal }: Turn): Promise<OperationView | undefined> {
  const ended = (within: AbortSignal) => operations.outcome(id, within);
  const inTime = withDeadline(clock, "the outcome", OUTCOME_MS_MAX, signal, ended);
  return orElse(inTime, signal, () => undefined);
}

/** Says unasked what became of an operation, to whoever may still know of its things. */
export function outcomeTold(view: OperationView, { operations, tellings }: OperateDeps): Capability {
  const { askedOf: to, id: operation } = view.proposal;
  return {
    name: "operate",
    limits: USUAL_LIMITS,
    async *draft({ access, locale, turn }) {
      if (!operations.mayKnow(view, access)) {
        operations.told(operation, to, "not_permitted");
        throw new TurnFailure("not_found", "What it was about is not for this user any more.");
      }
      tellings.tells(turn, { what: "news", operation, to });
      yield* outcomeEvents(view, locale);
    },
    heard: (report) => tellings.heard(report),
  };
}

/** What became of an operation, with the readings that show it. */
function* outcomeEvents(view: OperationView, locale: Locale, closes?: PendingProposal): Said {
  const { after, outcomes, proposal, reason } = view;
  const { action, calls, id: operation } = proposal;
  const facts = calls.map(({ target }, at) => {
    return { operation, target, action, outcome: outcomes[at] ?? reason ?? ("unknown" as const) };
  });
  yield { type: "operations", facts };
  yield { type: "readings", tools: [], values: after.flatMap((one) => one ?? []) };
  yield* parts(new OperationSpeech(locale).outcome(view), calls);
  yield { ...END, outcome: outcomeName(view), closes };
}

function outcomeName({ outcomes }: OperationView): Outcome {
  if (outcomes.every((one) => one === "verified")) return "verified";
  if (outcomes.some((one) => one === "contradicted" || one === "failed")) return "contradicted";
  return outcomes.includes("unknown") ? "unknown" : "answered";
}

function* said(text: string, outcome: Outcome, more: Partial<DraftEnd> = {}): Said {
  yield { type: "phrase", text };
  yield { ...END, outcome, ...more };
}

function* parts(all: readonly SaidStatement[], calls: readonly OperationCall[]): Said {
  for (const { did, says, text } of all)
    if (did !== undefined) yield { type: "statement", text, did };
    else if (says.length > 0) yield { type: "statement", text, says };
    else yield { type: "phrase", text, ...namesOf(calls) };
}

/** Things that are named: whoever may not know of them is not told it again. */
function namesOf(calls: readonly OperationCall[]) {
  return { sources: resourceSources(calls.map(({ target }) => target)) };
}
