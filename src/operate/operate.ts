/**
 * Operate: what is wanted is frozen and read back, consent is passed on to who owns the operation, and what became of it is
 * said with the reading that shows it. It decides nothing itself: `operation/` does.
 */
import type { AskRequest, Capability, SiteCapability } from "../capability/capability.js";
import { USUAL_LIMITS } from "../capability/capability.js";
import { type DraftEnd, type DraftEvent, END } from "../capability/draft.js";
import type { Outcome } from "../domain/answer.js";
import { TurnFailure } from "../domain/failure.js";
import { CONSENT_MS_MAX, type OperationView, type Proposal } from "../domain/operation.js";
import { resourceSources } from "../domain/source-ref.js";
import { NO_TARGETS } from "../domain/target-context.js";
import type { ConsentPath } from "../domain/turn.js";
import type { User } from "../domain/user.js";
import type { Clock } from "../lib/clock.js";
import { DeadlineExceeded, withDeadline } from "../lib/deadline.js";
import type { Locale } from "../locale/locale.js";
import { type Meant, type MeantDeps, meantOnce } from "./meant.js";
import { freeze } from "./orders/freeze.js";
import { orderOn } from "./orders/order.js";
import type { SaidOrder } from "./orders/said-order.js";
import {
  alreadyParts,
  notProposedInWords,
  outcomeParts,
  readbackParts,
  readbackText,
  refusalInWords,
  replyInWords,
  unreadableInWords,
  voidInWords,
} from "./speech/operations.js";
import type { SaidStatement } from "./speech/statements.js";
import { whichOf } from "./speech/statements.js";
import { afterResolution } from "./targets/resolution.js";
import type { Tellings } from "./tellings.js";

export interface OperateDeps extends MeantDeps {
  /** Name of the route that leads to it. */
  readonly route: string;
  readonly dryRun: boolean;
  /** Whether speech is understood too roughly for more than plain consent. */
  readonly isRough: boolean;
  /** Who was told what. */
  readonly tellings: Tellings;
}

/** How long a turn waits for what it set going, in milliseconds; what comes later is announced. */
export const OUTCOME_MS_MAX = 12_000;

type Drafted = AsyncGenerator<DraftEvent, void, undefined>;
type MeantAs<Type extends Meant["type"]> = Extract<Meant, { readonly type: Type }>;

/** One turn, with all that it needs. */
interface Turn extends OperateDeps {
  readonly request: AskRequest;
  readonly signal: AbortSignal;
}

export function createOperate(deps: OperateDeps): SiteCapability {
  return {
    name: "operate",
    route: deps.route,
    limits: USUAL_LIMITS,
    draft: (request, signal) => operate({ ...deps, request, signal }),
    heard: (report) => deps.tellings.heard(report),
    async claims(request) {
      deps.tellings.news(request.access);
      const meant = await meantOnce(request, deps);
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
      return yield* ordered(meant, turn);
    case "reply":
      return yield* replied(meant, turn);
    case "request":
      return yield* requested(meant.view, turn);
    case "stop":
      operations.stop(userOf(request));
      // Of what was begun, what came of it is told when that is known.
      return yield* said(meant.isBegun ? locale.say("stopped") : voidInWords("stopped", locale), "answered");
    case "nothing":
      return yield* said(locale.say("operate_no_target"), "not_offered");
  }
}

async function* ordered({ order }: MeantAs<"order">, turn: Turn): Drafted {
  const { clock, request, signal, writer } = turn;
  const { locale, targets: context = NO_TARGETS } = request;
  const targets = "target" in order ? afterResolution(context, order.target, clock.now()) : context;
  if (order.type === "ask") {
    const { options, text } = whichOf(order.between, locale);
    yield { type: "phrase", text };
    return yield { ...END, outcome: "ambiguous", options, targets };
  }
  if (order.type !== "order") return yield* said(refusalInWords(order, locale), "not_offered", { targets });
  const frozen = await freeze(order, writer, signal);
  if (frozen.type === "unreadable")
    return yield* said(unreadableInWords(frozen.names, locale), "search_unavailable", { targets });
  yield { type: "readings", tools: [], values: frozen.readings };
  if (frozen.already.length > 0) yield* parts(alreadyParts(frozen.already, frozen.readings, locale));
  if (frozen.type === "already") return yield { ...END, targets };
  yield* proposed({ action: order.action, ...frozen }, targets, turn);
}

/** What is wanted by something else than words, such as a step of a guide. `target`: id of the resource. */
export interface WantedOperation extends Pick<SaidOrder, "action" | "value" | "unit"> {
  readonly target: string;
}

/** Proposes it with all that an order by voice takes; the last event is the `end`, which `opens` what was proposed. */
export async function* propose(
  { target: id, ...wanted }: WantedOperation,
  request: AskRequest,
  deps: OperateDeps,
  signal: AbortSignal,
): Drafted {
  const turn = { ...deps, request, signal };
  const { levels, registry, writer } = deps;
  const { access, locale } = request;
  const resource = registry().knownTo(access).byId(id);
  if (resource === undefined) return yield* said(locale.say("operate_no_target"), "not_offered");
  const saidOrder = { ...wanted, things: resource.names[0], language: locale.language };
  const from = { actingTools: writer.toolsFor(access), levels };
  const order = writer.isOff()
    ? ({ type: "refused", why: "off", action: wanted.action } as const)
    : orderOn(saidOrder, { type: "one", resource, how: "name" }, from);
  yield* ordered({ type: "order", order }, turn);
}

async function* proposed(
  { action, calls, level }: Pick<Proposal, "action" | "calls" | "level">,
  targets: DraftEnd["targets"] & object,
  { clock, dryRun, operations, request, tellings }: Turn,
): Drafted {
  const { access, locale, responseType } = request;
  const askedOf = userOf(request);
  const draft = { action, calls, level, askedOf, language: locale.language, dryRun };
  const readbackOf = (frozen: Proposal) => readbackText(frozen, locale);
  const askedAs = { groups: access.groups, features: access.kiosk ? ["kiosk"] : [], responseType };
  const result = await operations.propose(draft, readbackOf, askedAs);
  if (result.type !== "waiting")
    return yield* said(notProposedInWords(result, locale), "not_offered", { targets });
  const { operation } = result;
  yield { type: "proposed", operation };
  yield* parts(readbackParts(operation.proposal, locale));
  tellings.tells(request.turn, { what: "readback", operation: operation.proposal.id, to: askedOf });
  yield { ...END, outcome: "proposed", opens: opened(operation, clock), targets };
}

/** A second person, or once more the first, hears the same and is asked. */
async function* requested(view: OperationView | undefined, turn: Turn): Drafted {
  const { clock, request } = turn;
  const { locale } = request;
  if (view === undefined) return yield* said(locale.say("operate_unknown_request"), "not_offered");
  if (view.phase === "waiting_second" && view.proposal.askedOf.username === request.access.username)
    return yield* said(locale.say("operate_same_person"), "not_offered");
  yield { type: "proposed", operation: view };
  yield* readAgain(view, turn);
  yield { ...END, outcome: "proposed", opens: opened(view, clock) };
}

/** What was read when it was proposed is told as what it was then, and claims nothing of now. */
async function* readAgain({ phase, proposal }: OperationView, { request, tellings }: Turn): Drafted {
  const parts = readbackParts(proposal, request.locale, phase === "waiting" ? "asker" : "second");
  for (const { text } of parts) yield { type: "phrase", text, ...namesOf(proposal) };
  tellings.tells(request.turn, { what: "readback", operation: proposal.id, to: userOf(request) });
}

async function* replied(meant: MeantAs<"reply">, asked: Turn): Drafted {
  const { pending, verdict, view } = meant;
  const { operations, request, tellings } = asked;
  const { locale, question, turn } = request;
  const { proposal } = view;
  const consent = pathOf(meant, asked);
  if (consent === undefined) return yield* said(locale.say("operate_not_here"), "not_offered");
  const by = userOf(request);
  const isRough = consent.via === "voice" && asked.isRough;
  tellings.tells(turn, { what: "outcome", operation: proposal.id, to: by });
  const result = await operations.reply(proposal.id, { ...consent, by, words: question, isRough }, verdict);
  // A dry run is no doing: its outcome is there at once, and says so.
  if (result.type !== "accepted" || !proposal.dryRun)
    yield { type: "phrase", text: replyInWords(result, proposal, locale), ...namesOf(proposal) };
  if (result.type === "not_counted") {
    tellings.forget(turn);
    if (result.why === "readback_not_heard") yield* readAgain(view, asked);
    return yield { ...END, outcome: "proposed" };
  }
  if (result.type === "needs_second_person") tellings.forget(turn);
  if (result.type !== "accepted") return yield { ...END, closes: pending };
  const ended = await outcomeOf(proposal.id, asked);
  if (ended !== undefined) {
    yield { type: "proposed", operation: ended };
    return yield* outcomeEvents(ended, locale, { closes: pending });
  }
  tellings.forget(turn);
  yield { type: "phrase", text: locale.say("operate_told_later") };
  yield { ...END, outcome: "proposed", closes: pending };
}

/** How a reply came in; undefined: over a door that carries none like it. A denial counts over every door. */
function pathOf({ verdict, view }: MeantAs<"reply">, { clock, request }: Turn) {
  const denial: ConsentPath = { via: "text", isTrusted: false, pressedMs: clock.monotonic() };
  const { isShared = false, ...path } = request.consent ?? denial;
  if (verdict === "denied") return path;
  const isAnybody = isShared || request.access.kiosk;
  return request.consent === undefined || (isAnybody && view.phase === "waiting_second") ? undefined : path;
}

/** Undefined: that takes longer. Rejects with the signal's reason. */
async function outcomeOf(
  id: string,
  { clock, operations, signal }: Turn,
): Promise<OperationView | undefined> {
  const ended = (within: AbortSignal) => operations.outcome(id, within);
  return withDeadline(clock, "the outcome", OUTCOME_MS_MAX, signal, ended).catch((error: unknown) => {
    if (error instanceof DeadlineExceeded) return undefined;
    throw error;
  });
}

/** Says unasked what became of an operation, to whoever may still know of its things. */
export function outcomeTold(
  view: OperationView,
  { operations, registry, tellings }: Pick<OperateDeps, "operations" | "registry" | "tellings">,
): Capability {
  const { askedOf: to, calls, id: operation } = view.proposal;
  return {
    name: "operate",
    limits: USUAL_LIMITS,
    async *draft({ access, locale, turn }) {
      const targets = calls.map(({ target }) => target);
      if (registry().readable(targets, access).size < targets.length) {
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
function* outcomeEvents(
  view: OperationView,
  locale: Locale,
  more: Pick<DraftEnd, "closes"> = {},
): Generator<DraftEvent> {
  const { after, outcomes, proposal, reason } = view;
  const { action, calls, id: operation } = proposal;
  const facts = calls.map(({ name, target }, at) => {
    return { operation, target, name, action, outcome: outcomes[at] ?? reason ?? ("unknown" as const) };
  });
  yield { type: "operations", facts };
  yield { type: "readings", tools: [], values: after.flatMap((one) => one ?? []) };
  for (const one of outcomeParts(view, locale)) yield event(one, proposal);
  yield { ...END, outcome: outcomeName(view), ...more };
}

/** As an answer counts it. */
function outcomeName({ outcomes }: OperationView): Outcome {
  if (outcomes.every((one) => one === "verified")) return "verified";
  if (outcomes.some((one) => one === "contradicted" || one === "failed")) return "contradicted";
  return outcomes.includes("unknown") ? "unknown" : "answered";
}

function* said(text: string, outcome: Outcome, more: Pick<DraftEnd, "targets"> = {}): Generator<DraftEvent> {
  yield { type: "phrase", text };
  yield { ...END, outcome, ...more };
}

function* parts(all: readonly SaidStatement[]): Generator<DraftEvent> {
  for (const one of all) yield event(one);
}

function event({ did, says, text }: SaidStatement, proposal?: Proposal): DraftEvent {
  if (did !== undefined) return { type: "statement", text, did };
  if (says.length > 0) return { type: "statement", text, says };
  return { type: "phrase", text, ...(proposal === undefined ? {} : namesOf(proposal)) };
}

/** Things that are named: whoever may not know of them is not told it again. */
function namesOf({ calls }: Proposal) {
  return { sources: resourceSources(calls.map(({ target }) => target)) };
}

function opened({ proposal }: OperationView, clock: Clock) {
  return { operation: proposal.id, untilMs: clock.monotonic() + 2 * CONSENT_MS_MAX };
}

function userOf({ access: { network, username } }: AskRequest): User {
  return { network, username };
}
