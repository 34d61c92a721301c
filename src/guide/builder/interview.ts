/**
 * The interview in a chat: whoever may write guides says which one, and what they say next answers its questions, until it is
 * published. The session is one like all others and goes on over HTTP and at the page. What a model writes is not said, but for
 * its question, where the gate lets it through.
 */
import { isDeepStrictEqual } from "node:util";
import { type SiteCapability, USUAL_LIMITS } from "../../capability/capability.js";
import { type DraftEvent, END } from "../../capability/draft.js";
import { UsageProblem } from "../../lib/usage-problem.js";
import { commands } from "../../routing/commands.js";
import { utterance } from "../../routing/normalized-message.js";
import { StoreUnusable, withStore } from "../../store/dead-letters.js";
import type { GuideLibrary } from "../library/library.js";
import { type GuideRunner, sourcesOf } from "../runner.js";
import { idOf } from "../schema/guide.js";
import { LANGUAGES } from "../schema/schema.js";
import {
  createReadings,
  inReview,
  oneOf,
  type Reaction,
  type ReviewTurn,
  reviewing,
  type SaidOfSession,
} from "./approval.js";
import type { EventFor } from "./builder.js";
import { DRAFTING_MS_MAX } from "./drafting.js";
import { questionText, readBack } from "./questions.js";
import { oneQuestion } from "./reply.js";
import { blockers } from "./review.js";
import { type BuilderSession, isInReview, movesTo, SessionRefused } from "./session.js";

export interface InterviewDeps extends Omit<ReviewTurn, "readings" | "request" | "signal"> {
  /** Name of the route that leads to it. */
  readonly route: string;
  readonly library: Pick<GuideLibrary, "versions">;
  readonly runner: Pick<GuideRunner, "leads" | "open">;
  /** User names of those who may write guides in a chat. */
  readonly authors: readonly string[];
}

type Drafted = AsyncGenerator<DraftEvent, void, undefined>;
type Turn = InterviewDeps & ReviewTurn;

/** A model has its time to write, and the service some to say what came of it. */
const DRAFTING_LIMITS = { ...USUAL_LIMITS, beginMs: DRAFTING_MS_MAX + USUAL_LIMITS.beginMs };

export function createInterview(given: InterviewDeps): SiteCapability {
  const { signal: never } = new AbortController();
  const readings = createReadings(given.clock);
  const deps = { ...given, readings };
  return {
    ...{ name: "build", route: deps.route, limits: deps.builder.drafts ? DRAFTING_LIMITS : USUAL_LIMITS },
    draft: (request, signal) => interview({ ...deps, request, signal }),
    heard: ({ isWhole, lastDueMs = given.clock.monotonic(), turn }) => {
      if (isWhole) readings.heardMs.set(turn, lastDueMs);
    },
    // Sessions that cannot be read take nobody's words: all else answers as it would.
    claims: async (request) =>
      (await withStore(meantBy({ ...deps, request, signal: never }), undefined)) !== undefined,
  };
}

/** Undefined: nothing of it. A relay that may not be trusted with consent is not with whose words these are either. */
async function meantBy(turn: Turn): Promise<Reaction | undefined> {
  const { authors, builder, request, reviewers, signal } = turn;
  const { access, consent, pending = [], question } = request;
  const isTrusted = consent?.isTrusted === true && consent.via !== "http" && consent.isShared !== true;
  if (!isTrusted || access.kiosk || pending.some(({ type }) => type === "proposal")) return undefined;
  const { said } = utterance(question);
  const [order] = commands.orders(said, "build");
  const name = order?.slots.name?.text;
  const meant: readonly string[] = [...commands.of(said), ...(order ? [order] : [])].map(
    ({ intent }) => intent,
  );
  if (reviewers.includes(access.username)) {
    const toRead = order?.intent === "review" ? (name ?? "") : undefined;
    const answer = await reviewing(turn, toRead, meant.includes("repeat"));
    if (answer !== undefined) return answer;
  }
  if (!authors.includes(access.username)) return undefined;
  const session = await builder.spoken(access, signal);
  if (order?.intent === "begin") return () => begun(name ?? "", session, turn);
  if (order?.intent === "publish") {
    const own = await inReview(turn, name, true);
    const some = session !== undefined && (name === undefined || own.length === 0) ? [session] : own;
    const approved = some.filter(({ state }) => state.status === "approved");
    const sessions = approved.length > 0 ? approved : some;
    return sessions.length === 0 ? undefined : () => published(sessions, turn);
  }
  const word = Object.keys(WORDS).find((one) => meant.includes(one));
  return session && (() => (WORDS[word ?? ""] ?? told)(session, turn));
}

async function* interview(turn: Turn): Drafted {
  const { locale } = turn.request;
  try {
    const answer = await meantBy(turn);
    yield* said((await answer?.()) ?? { texts: [locale.say("guide_over")] }, turn);
  } catch (error) {
    if (error instanceof StoreUnusable) return yield* said({ texts: [locale.say("guide_not_kept")] }, turn);
    if (!(error instanceof SessionRefused || error instanceof UsageProblem)) throw error;
    const why = error instanceof SessionRefused ? REFUSALS[error.code] : undefined;
    yield* said({ texts: [locale.say(why ?? "guide_build_refused")] }, turn);
  }
}

/** What is said where a session takes something not. */
const REFUSALS: { readonly [why: string]: "guide_build_full" | "guide_build_writing" } = {
  rate_limited: "guide_build_full",
  conflict: "guide_build_writing",
};

/** What is done about words that are no answer. */
const WORDS: Readonly<Record<string, typeof told>> = {
  done: complete,
  read_back: async (session) => ({ texts: readBack(session.guide), session, asks: true }),
  undo: async (session, turn) => {
    const locale = turn.locales.of(session.guide.language);
    if (session.undo.length === 0)
      return { texts: [locale.say("guide_build_nothing_undone")], session, asks: true };
    const before = await changed(session, turn, (_, by) => ({ type: "undone", by }));
    return { texts: [locale.say("guide_build_undone")], session: before, asks: true };
  },
  ...{ leave, stop: leave, never_mind: leave },
  repeat: async (session) => ({ texts: [], session, asks: true }),
};

async function leave(session: BuilderSession, turn: Turn): Promise<SaidOfSession> {
  await spoken(session, false, turn);
  return { texts: [turn.locales.of(session.guide.language).say("guide_build_left")], session };
}

/** Goes on with what is open under this name, or makes the next version of what there is. */
async function begun(name: string, before: BuilderSession | undefined, turn: Turn): Promise<SaidOfSession> {
  const { builder, library, request, runner, signal } = turn;
  const { access, locale } = request;
  const leading = runner.leads(access) ? await runner.open(access) : undefined;
  if (leading !== undefined) return { texts: [locale.say("guide_busy", { name: leading.index.guide.name })] };
  const title = name.replace(/\p{L}/u, (letter) => letter.toUpperCase());
  const id = idOf(title);
  const own = await builder.list(access, signal, false);
  const same = own.find(({ guide, state }) => state.status === "open" && idOf(guide.name) === id);
  const [version] = same === undefined ? await library.versions(access, signal, id) : [];
  const language = LANGUAGES.find((one) => one === locale.language) ?? "en";
  const asked = { name: title, flowType: "procedural", language, from: version?.id } as const;
  const session = same ?? (await builder.create(asked, access, signal));
  if (before !== undefined && before.id !== session.id) await spoken(before, false, turn);
  const begins = session.id === before?.id ? session : await spoken(session, true, turn);
  return { texts: [locale.say("guide_build_begun", { name: title })], session: begins, asks: true };
}

/** Publishes what a second person has approved, or says who has to do what before. */
async function published(sessions: readonly BuilderSession[], turn: Turn): Promise<SaidOfSession> {
  const { builder, locales, request, reviewers, signal } = turn;
  const one = oneOf(sessions, request);
  const { session } = one;
  if (session === undefined) return one;
  const { guide, owner, state } = session;
  const locale = locales.of(guide.language);
  const about = (text: string, asks = false): SaidOfSession => ({ texts: [text], session, asks });
  if (state.status === "approved") {
    try {
      await builder.publish({ ...session, access: request.access, signal });
      return about(locale.say("guide_build_published", { name: guide.name }));
    } catch (error) {
      const isTaken = error instanceof SessionRefused && session.base === undefined;
      if (!isTaken && !(error instanceof UsageProblem)) throw error;
      return about(locale.say(isTaken ? "guide_build_taken" : "guide_build_blocked"));
    }
  }
  if (!isInReview(session)) return about(locale.say("guide_build_unfinished"), true);
  if (blockers(session).length > 0) return about(locale.say("guide_build_blocked"));
  const names = reviewers.filter((name) => name !== owner).join(", ");
  return about(
    names === "" ? locale.say("guide_build_ready") : locale.say("guide_build_approve_first", { names }),
  );
}

/** Where a model asks, it is the author who says that it is complete: all of it is read, and asked about. */
async function complete(session: BuilderSession, turn: Turn): Promise<SaidOfSession> {
  if (!turn.builder.drafts || session.asked === "review") return told(session, turn);
  const text = questionText("review", session.guide, turn.locales.of(session.guide.language));
  const answered = { type: "answered", message: { by: "service", text }, asked: "review" } as const;
  const event: EventFor = ({ phase }, by) => [...movesTo("review", phase, by), answered];
  return { texts: [], session: await changed(session, turn, event), asks: true };
}

/** Says it to the session; what is over waits for no more words. */
async function told(before: BuilderSession, turn: Turn): Promise<SaidOfSession> {
  const { builder, request, signal } = turn;
  const said = { text: request.question, action: "open_chat" } as const;
  const { errors, session } = await builder.say({ ...before, access: request.access, signal }, said);
  const last = session.messages.at(-1);
  const isOver = session.asked === undefined && session.phase === "generation" && last?.by === "service";
  const what =
    errors.length > 0
      ? "guide_build_refused"
      : session.suggestions.length > before.suggestions.length
        ? "guide_build_suggested"
        : !isDeepStrictEqual(session.guide, before.guide) && "guide_build_changed";
  const isSaid = last?.by === "model" && what !== false;
  const locale = turn.locales.of(session.guide.language);
  const texts = isSaid ? [locale.say(what)] : [];
  return { texts, session: isOver ? await spoken(session, false, turn) : session, asks: true };
}

/** From now on it waits for what its owner says, or no more. */
function spoken(session: BuilderSession, isSpoken: boolean, turn: Turn): Promise<BuilderSession> {
  return changed(session, turn, (_, by) => ({ type: "spoken", by, isSpoken }));
}

function changed(session: BuilderSession, { builder, request, signal }: Turn, event: EventFor) {
  return builder.change({ ...session, access: request.access, signal }, event);
}

/** With what the session asks: in our words as they are, in a model's where the gate finds nothing in them. */
async function* said({ asks, session, texts }: SaidOfSession, { locales }: Turn): Drafted {
  const asked = asks ? session?.messages.findLast(({ role }) => role === "builder") : undefined;
  const isOurs = asked?.by !== "model";
  const sources = session === undefined ? [] : sourcesOf(session.guide);
  const all = isOurs && asked !== undefined ? [...texts, ...asked.text.split("\n")] : texts;
  for (const text of all) yield { type: "phrase", text, sources };
  if (isOurs || session === undefined) return yield END;
  const people = session.messages.filter(({ role }) => role === "person").map(({ text }) => text);
  const known = [...people, ...readBack(session.guide)].map((text, at) => {
    return { type: "user_input", source: `said ${at + 1}`, text } as const;
  });
  yield { type: "evidence", texts: known };
  yield { type: "text", text: oneQuestion(asked.text).question };
  yield { ...END, asks: locales.of(session.guide.language).say("guide_build_ask_next") };
}
