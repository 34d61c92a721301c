/**
 * The capability that leads people through guides. What it says is the guide's own text as it was reviewed, what a site
 * reads, and fixed texts, each as a phrase: nothing here writes. A message that is none of a guide's goes elsewhere.
 */
import type { AskRequest, GuideCapability, HeardReport, SiteRequest } from "../capability/capability.js";
import { USUAL_LIMITS } from "../capability/capability.js";
import { type DraftEnd, type DraftEvent, END, type SaidLast } from "../capability/draft.js";
import type { Option } from "../domain/dialogue.js";
import { type ConsentPath, isOwnVoice } from "../domain/turn.js";
import type { Access } from "../domain/user.js";
import { pattern } from "../lib/pattern.js";
import { utterance } from "../routing/normalized-message.js";
import { take } from "../routing/take.js";
import { StoreUnusable, withStore } from "../store/dead-letters.js";
import type { Colleagues } from "./colleagues.js";
import type { GuideLibrary } from "./library/library.js";
import type { NameMatch } from "./library/naming.js";
import { nameOf, stepAt } from "./run/places.js";
import type { OperatedOutcome } from "./run/run.js";
import {
  type GuideRunner,
  type GuideRunnerDeps,
  type Moved,
  type OpenRun,
  opened,
  sourcesOf,
  unproposed,
} from "./runner.js";
import type { Guide, StepOf } from "./schema/guide.js";
import { type GuideOrder, orderOf, secondedIn } from "./speech/orders.js";

/** Guides that are named where several may be meant, and where somebody asks which there are. */
const NAMED_MAX = 4;
const LISTED_MAX = 8;

/** What operates a site, with consent. */
export interface GuideOperations {
  /** Proposes what a step wants done, as an order that was said: the last event is its `end`. */
  propose(step: StepOf<"operate">, request: AskRequest, signal: AbortSignal): AsyncIterable<DraftEvent>;
  /** Reads a proposal back once more; undefined: it does not wait for who asked for it. */
  readAgain(operation: string, request: AskRequest, signal: AbortSignal): Iterable<DraftEvent> | undefined;
  /** What came of an operation; undefined: it has not ended. */
  outcome(operation: string, access: Access): OperatedOutcome | undefined;
  /** How a turn was heard that read a proposal back. */
  heard(report: HeardReport): void;
}

export interface LeadDeps extends Pick<GuideRunnerDeps, "library" | "locales" | "clock" | "runs"> {
  /** Name of the route that leads to it. */
  readonly route: string;
  readonly runner: GuideRunner;
  readonly operations?: GuideOperations | undefined;
  readonly colleagues: Colleagues;
}

type Drafted = AsyncGenerator<DraftEvent, void, undefined>;

/** What a guide says to a message that is its own. */
type Draft = (turn: Turn) => Drafted;

interface Turn extends LeadDeps {
  readonly request: AskRequest;
  readonly signal: AbortSignal;
}

export function createLead(deps: LeadDeps): GuideCapability {
  const { signal: never } = new AbortController();
  return {
    name: "guide",
    route: deps.route,
    limits: USUAL_LIMITS,
    leads: (user) => deps.runner.leads(user),
    draft: (request, signal) => lead({ ...deps, request, signal }),
    async claims(request) {
      return (await meantBy(request, deps, never)) !== undefined;
    },
    heard(report) {
      deps.runner.heardIn(report);
      deps.operations?.heard(report);
    },
    comesBack: (request, signal) => withStore(comesBack(deps, request, signal), []),
    callsHelp: (request, signal) => withStore(callsHelp(deps, request, signal), []),
  };
}

/** A store that cannot be read leads nobody: documents and sites answer as they would. */
function meantBy(request: SiteRequest, deps: LeadDeps, signal: AbortSignal): Promise<Draft | undefined> {
  return withStore(understood(request, deps, signal), undefined);
}

async function understood(
  request: SiteRequest,
  deps: LeadDeps,
  signal: AbortSignal,
): Promise<Draft | undefined> {
  const { access, pending = [], question } = request;
  const { library, locales, runner } = deps;
  const waiting = await secondOf(request, deps);
  if (waiting !== undefined) return (turn) => seconded(waiting, turn);
  // A question back of somebody else has the first claim on a short answer.
  const taken = take(pending, question).type;
  if (taken !== "not_about_it" && taken !== "answers_nothing") return undefined;
  const { command } = utterance(question);
  if (command?.intent === "guide_list") {
    const guides = await library.list(access, signal);
    return guides.length === 0 ? undefined : (turn) => listed(guides, turn);
  }
  const open = runner.leads(access) ? await runner.open(access) : undefined;
  const start = command?.intent === "guide_start" ? command : undefined;
  if (open === undefined) {
    if (start === undefined) return offered(request, library, signal);
    const { about, procedure } = start.slots;
    const meant = await library.named(`${procedure?.text ?? ""} ${about?.text ?? ""}`, access, signal);
    return meant.sure.length + meant.near.length === 0 ? undefined : (turn) => begun(meant, turn);
  }
  const { guide } = open.index;
  const order = orderOf(question, open.index, open.run);
  if (order === undefined && start === undefined) return undefined;
  if (!(await library.mayUse(guide, access, signal))) return (turn) => forbidden(open, turn);
  if (order !== undefined) return (turn) => ordered(open, order, turn);
  return () => said(locales.of(guide.language).say("guide_busy", { name: guide.name }), guide);
}

/** "How do I clear a jam?", in the words before what is to be done. */
const HOW = pattern("iu")`
  ^\P{L}*(?:how (?:to|(?:do|can|should|must|would) (?:i|we|you|one))|cómo|comment|jak|як|wie (\p{L}+) (?:ich|wir|man|sie))
  (?= )
`;

/** A guide that is exactly what somebody asks how to do: whether it is wanted is asked. */
async function offered({ access, question }: SiteRequest, library: GuideLibrary, signal: AbortSignal) {
  if (!HOW.test(question)) return undefined;
  const { isWhole, sure } = await library.named(question.replace(HOW, "$1"), access, signal);
  return isWhole && sure.length > 0 ? (turn: Turn) => asked(sure, turn, "guide_offer") : undefined;
}

/** The run of a colleague at a hold point which somebody confirms by name. */
async function secondOf({ access, question }: SiteRequest, { runs, runner }: LeadDeps) {
  const name = runner.leadsAnybody ? secondedIn(question)?.toLowerCase() : undefined;
  if (name === undefined) return undefined;
  const { network } = access;
  const all = await runs.list({ network, statuses: ["running"], limit: SECONDED_MAX });
  const stored = all.find(({ user }) => user.toLowerCase() === name);
  const open = stored && opened(stored);
  return open && stepAt(open.index, open.run.place)?.kind === "hold_point" ? open : undefined;
}

/** Runs of a network that are looked through for a hold point. */
const SECONDED_MAX = 500;

async function* lead(turn: Turn): Drafted {
  const { request, signal } = turn;
  const draft = await meantBy(request, turn, signal);
  try {
    yield* draft === undefined ? said(request.locale.say("guide_over")) : draft(turn);
  } catch (error) {
    if (!(error instanceof StoreUnusable)) throw error;
    yield* said(request.locale.say("guide_not_kept"));
  }
}

/** A run ends whose user may not use its guide any more. */
async function* forbidden(open: OpenRun, { request, runner, signal }: Turn): Drafted {
  const { access, locale } = request;
  const asked = await runner.act(open, { type: "quit" }, access, signal);
  runner.heard(asked);
  await runner.act(asked.open, { type: "yes" }, access, signal);
  yield* said(locale.say("guide_not_permitted"));
}

/** The guides that somebody may use; who is led through one hears where they are. */
async function* listed(guides: readonly Guide[], turn: Turn): Drafted {
  const { locale } = turn.request;
  const some = guides.slice(0, LISTED_MAX);
  const names = some.map(({ name }) => name).join(", ");
  const more = guides.length - some.length;
  const text =
    more > 0
      ? locale.say("guide_list_more", { names, count: `${more}` })
      : locale.say("guide_list", { names });
  yield { type: "phrase", text, sources: some.flatMap(sourcesOf) };
  yield { ...END, last: await withStore(comesBack(turn, turn.request, turn.signal), []) };
}

/** The one that is meant begins. Of several, or where one is near to what was said, it is asked. */
async function* begun({ near, sure }: NameMatch<Guide>, turn: Turn): Drafted {
  const { request, runner, signal } = turn;
  const [guide, ...others] = sure;
  if (guide === undefined || others.length > 0) return yield* asked([...sure, ...near], turn, "guide_near");
  const moved = await runner.begin(guide, request.access, signal);
  yield* moved === undefined ? said(request.locale.say("guide_busy", guide), guide) : told(moved, turn);
}

/** `alone`: how one alone is asked about. */
async function* asked(between: readonly Guide[], turn: Turn, alone: "guide_near" | "guide_offer"): Drafted {
  const some = between.slice(0, NAMED_MAX);
  const names = some.map(({ name }) => name).join(", ");
  const options = some.map(({ name }): Option => {
    return { words: name, means: { type: "question", question: `walk me through ${name}` } };
  });
  const sources = some.flatMap(sourcesOf);
  const text = turn.request.locale.say(some.length === 1 ? alone : "guide_which", { names });
  yield { type: "phrase", text, sources };
  yield { ...END, outcome: "ambiguous", options };
}

/** A second person confirms: the person who works is led on by their own next word, or at once where they are told. */
async function* seconded(open: OpenRun, turn: Turn): Drafted {
  const { access, consent, locale } = turn.request;
  const { groups } = access;
  if (!maySecond(consent, access)) return yield* said(locale.say("guide_second_not_here"), open.index.guide);
  const moved = await turn.runner.act(open, { type: "second", groups }, access, turn.signal);
  if (nameOf(moved.open.run.place) === nameOf(open.run.place)) {
    const text = moved.parts.map((part) => part.text).join(" ") || locale.say("guide_second_none");
    return yield* said(text, open.index.guide);
  }
  turn.colleagues.leadOn(moved);
  yield* said(locale.say("guide_second_done", { name: open.run.user }), open.index.guide);
}

/** As for a second person's consent to an operation; over HTTP it is the key that is somebody's own. */
function maySecond(consent: ConsentPath | undefined, access: Access): boolean {
  return (
    consent !== undefined && isOwnVoice(consent, access) && (consent.isTrusted || consent.via === "http")
  );
}

async function* ordered(open: OpenRun, order: GuideOrder, turn: Turn): Drafted {
  const { clock, colleagues, operations, request, runner, signal } = turn;
  const { asks, status } = open.run;
  const isAwaited = status === "running" && asks?.type === "operation" && !BESIDES.has(order.type);
  const { operation = "" } = isAwaited ? open.besides : {};
  const again = operation === "" ? undefined : operations?.readAgain(operation, request, signal);
  if (again !== undefined) return yield* again;
  const isToBegin = unproposed(open) !== undefined && (order.type === "next" || order.type === "yes");
  const wanted = isToBegin ? ({ type: "repeat" } as const) : order;
  const { pressedMs } = request.consent ?? {};
  const saidMs = pressedMs === undefined ? undefined : clock.now() - clock.monotonic() + pressedMs;
  const { access, locale } = request;
  const moved = await colleagues.act(open, { ...wanted, saidMs }, access, signal, locale);
  yield* told(moved ?? { open, parts: [runner.phrase(open, "guide_unknown_colleague")] }, turn);
}

/** What is answered though a proposal waits; all else has that read back once more. */
const BESIDES: ReadonlySet<GuideOrder["type"]> = new Set<GuideOrder["type"]>([
  ...(["commands", "hand_over", "help", "left", "note", "options", "pause", "quit"] as const),
  ...(["timer", "values", "where", "why"] as const),
]);

/** What a run says now, and what it wants operated: that is said by its readback. */
async function* told(moved: Moved, turn: Turn): Drafted {
  const { operations, request, runner } = turn;
  runner.tells(request.turn, moved);
  const step = unproposed(moved.open);
  const isReadBack = step !== undefined && operations !== undefined;
  const parts = isReadBack ? moved.parts.slice(0, -1) : moved.parts;
  for (const part of parts) yield { type: "phrase", ...part };
  yield* step === undefined ? [END] : proposed(moved.open, step, turn);
}

/** The existing path of an operation, with its full consent. What is not proposed is not done. */
async function* proposed(open: OpenRun, step: StepOf<"operate">, turn: Turn): Drafted {
  const { colleagues, operations, request, runner, signal } = turn;
  let end: DraftEnd = { ...END, outcome: "not_offered" };
  let operation: string | undefined;
  if (operations !== undefined)
    for await (const event of operations.propose(step, request, signal)) {
      if (event.type === "end") end = event;
      else yield event;
      if (event.type === "proposed") operation = event.operation.proposal.id;
    }
  if (operation !== undefined && end.opens !== undefined) {
    colleagues.watch(await runner.note(open, { operation }));
    return yield end;
  }
  // Where it is so already, there is nothing to consent to.
  const outcome: OperatedOutcome = end.outcome === "answered" ? "already" : "refused";
  const moved = await runner.act(open, { type: "operated", outcome }, request.access, signal);
  const { opens: _, outcome: __, ...rest } = end;
  for await (const event of told(moved, turn)) yield event.type === "end" ? { ...rest, ...event } : event;
}

/**
 * Leads on behind an answer of another capability: what came of an operation and the step behind it, nothing as long as it
 * has not ended, or else where the run is.
 */
async function comesBack(
  deps: LeadDeps,
  request: Parameters<GuideCapability["comesBack"]>[0],
  signal: AbortSignal,
): Promise<readonly SaidLast[]> {
  const { runner } = deps;
  const open = await runner.open(request.access);
  if (open?.run.status !== "running") return [];
  const isOperating = open.run.asks?.type === "operation";
  const moved = isOperating
    ? await afterOperation(open, request, deps, signal)
    : await runner.act(open, { type: "aside" }, request.access, signal);
  if (moved === undefined) return [];
  runner.tells(request.turn, moved);
  return moved.parts;
}

/** Who denies an operation by leaving the guide leaves it. */
async function afterOperation(
  open: OpenRun,
  { access, question }: Parameters<GuideCapability["comesBack"]>[0],
  { operations, runner }: LeadDeps,
  signal: AbortSignal,
): Promise<Moved | undefined> {
  const { operation } = open.besides;
  const outcome = operation === undefined ? undefined : operations?.outcome(operation, access);
  if (outcome === undefined) return undefined;
  const moved = await runner.act(open, { type: "operated", outcome }, access, signal);
  const type = orderOf(question, open.index, open.run)?.type;
  const leaves = type === "quit" || type === "pause";
  return leaves ? runner.act(moved.open, { type }, access, signal) : moved;
}

/** In an emergency nothing waits for a record: those who are to help are told before it is written down. */
async function callsHelp(
  { colleagues, runner }: LeadDeps,
  { access, locale }: Pick<AskRequest, "access" | "locale">,
  signal: AbortSignal,
): Promise<readonly SaidLast[]> {
  const open = await runner.open(access);
  if (open === undefined) return [];
  const helpers = await colleagues.callHelp(open, signal);
  await withStore(runner.act(open, { type: "help" }, access, signal), undefined);
  const names = helpers.slice(0, NAMED_MAX).join(", ");
  if (names === "") return [];
  return [{ text: locale.say("guide_helpers", { names }), sources: sourcesOf(open.index.guide) }];
}

async function* said(text: string, guide?: Guide): Drafted {
  yield { type: "phrase", text, ...(guide === undefined ? {} : { sources: sourcesOf(guide) }) };
  yield END;
}
