/**
 * The interview in a chat: whoever may write guides says which one, and what they say next answers its questions. The
 * session is one like all others and goes on over HTTP and at the page. What a model writes is not said, but for its question,
 * where the gate lets it through.
 */
import { isDeepStrictEqual } from "node:util";
import {
  type AskRequest,
  type SiteCapability,
  type SiteRequest,
  USUAL_LIMITS,
} from "../../capability/capability.js";
import { type DraftEvent, END } from "../../capability/draft.js";
import type { Clock } from "../../lib/clock.js";
import { splitSentences } from "../../lib/sentence-end.js";
import type { Locale } from "../../locale/locale.js";
import type { Locales } from "../../locale/locales.js";
import { commands } from "../../routing/commands.js";
import { utterance } from "../../routing/normalized-message.js";
import { StoreUnusable } from "../../store/dead-letters.js";
import type { GuideLibrary } from "../library/library.js";
import { type GuideRunner, sourcesOf } from "../runner.js";
import { idOf } from "../schema/guide.js";
import { LANGUAGES } from "../schema/schema.js";
import type { GuideBuilder } from "./builder.js";
import { DRAFTING_MS_MAX } from "./drafting.js";
import { phasesTo, questionText, readBack } from "./questions.js";
import { questionIn } from "./reply.js";
import { type BuilderSession, type SessionEvent, SessionRefused } from "./session.js";

export interface InterviewDeps {
  /** Name of the route that leads to it. */
  readonly route: string;
  readonly clock: Clock;
  readonly builder: GuideBuilder;
  readonly library: Pick<GuideLibrary, "versions">;
  readonly runner: Pick<GuideRunner, "leads" | "open">;
  readonly locales: Locales;
  /** User names of those who may write guides in a chat. */
  readonly authors: readonly string[];
}

/** What a message is to the interview. */
type Heard =
  /** `session`: the one before, which it takes the place of. */
  | { readonly type: "begin"; readonly name: string; readonly session: BuilderSession | undefined }
  | { readonly type: "repeat" | "read_back" | "undo" | "leave"; readonly session: BuilderSession }
  | { readonly type: "done" | "none" | "yes" | "answer"; readonly session: BuilderSession };

type Drafted = AsyncGenerator<DraftEvent, void, undefined>;

interface Turn extends InterviewDeps {
  readonly request: AskRequest;
  readonly signal: AbortSignal;
}

/** A model has its time to write, and the service some to say what came of it. */
const DRAFTING_LIMITS = { ...USUAL_LIMITS, beginMs: DRAFTING_MS_MAX + USUAL_LIMITS.beginMs };

export function createInterview(deps: InterviewDeps): SiteCapability {
  const { signal: never } = new AbortController();
  return {
    ...{ name: "build", route: deps.route, limits: deps.builder.drafts ? DRAFTING_LIMITS : USUAL_LIMITS },
    draft: (request, signal) => interview({ ...deps, request, signal }),
    claims: (request) => isHeard(request, deps, never),
  };
}

/** Sessions that cannot be read take nobody's words: all else answers as it would. */
async function isHeard(request: SiteRequest, deps: InterviewDeps, signal: AbortSignal): Promise<boolean> {
  try {
    return (await heardAs(request, deps, signal)) !== undefined;
  } catch (error) {
    if (error instanceof StoreUnusable) return false;
    throw error;
  }
}

/** Undefined: nothing of it. A relay that may not be trusted with consent is not with whose words these are either. */
async function heardAs(
  { access, consent, pending = [], question }: SiteRequest,
  { authors, builder }: InterviewDeps,
  signal: AbortSignal,
): Promise<Heard | undefined> {
  const isTrusted = consent?.isTrusted === true && consent.via !== "http" && !access.kiosk;
  const waitsForConsent = pending.some(({ type }) => type === "proposal");
  if (!isTrusted || waitsForConsent || !authors.includes(access.username)) return undefined;
  const session = await builder.spoken(access, signal);
  const { said } = utterance(question);
  const [order] = commands.orders(said, "build");
  if (order?.intent === "begin") return { type: "begin", name: order.slots.name?.text ?? "", session };
  if (session === undefined) return undefined;
  if (order !== undefined && order.intent !== "about_step") return { type: order.intent, session };
  const intents = commands.of(said).map(({ intent }) => intent);
  if (intents.includes("stop") || intents.includes("never_mind")) return { type: "leave", session };
  if (intents.includes("repeat")) return { type: "repeat", session };
  if (intents.includes("yes")) return { type: "yes", session };
  return { type: intents.includes("no") ? "none" : "answer", session };
}

async function* interview(turn: Turn): Drafted {
  const { locale } = turn.request;
  try {
    const heard = await heardAs(turn.request, turn, turn.signal);
    yield* heard === undefined ? said([locale.say("guide_over")]) : answered(heard, turn);
  } catch (error) {
    if (!(error instanceof StoreUnusable || error instanceof SessionRefused)) throw error;
    const isWriting = error instanceof SessionRefused && error.code === "conflict";
    const isFull = error instanceof SessionRefused && error.code === "rate_limited";
    const kept = error instanceof StoreUnusable ? "guide_not_kept" : "guide_build_refused";
    yield* said([locale.say(isFull ? "guide_build_full" : isWriting ? "guide_build_writing" : kept)]);
  }
}

async function* answered(heard: Heard, turn: Turn): Drafted {
  if (heard.type === "begin") return yield* begun(heard, turn);
  const { builder, request } = turn;
  const { session, type } = heard;
  const locale = turn.locales.of(session.guide.language);
  const by = request.access.username;
  switch (type) {
    case "leave":
      await changed(session, [{ type: "spoken", by, isSpoken: false }], turn);
      return yield* said([locale.say("guide_build_left")], session);
    case "repeat":
      return yield* asking([], session, turn);
    case "read_back":
      return yield* asking(readBack(session.guide), session, turn);
    case "undo": {
      if (session.undo.length === 0)
        return yield* asking([locale.say("guide_build_nothing_undone")], session, turn);
      const before = await changed(session, [{ type: "undone", by }], turn);
      return yield* asking([locale.say("guide_build_undone")], before, turn);
    }
    default: {
      const isReviewed = builder.drafts && type === "done" && session.asked !== "review";
      yield* isReviewed ? reviewed(session, locale, turn) : told(session, type, locale, turn);
    }
  }
}

/** Goes on with what is open under this name, or makes the next version of what there is. */
async function* begun({ name, session: before }: Heard & { readonly type: "begin" }, turn: Turn): Drafted {
  const { builder, library, request, runner, signal } = turn;
  const { access, locale } = request;
  const leading = runner.leads(access) ? await runner.open(access) : undefined;
  if (leading !== undefined)
    return yield* said([locale.say("guide_busy", { name: leading.index.guide.name })]);
  const title = name.replace(/\p{L}/u, (letter) => letter.toUpperCase());
  const id = idOf(title);
  const own = await builder.list(access, signal, false);
  const same = own.find(({ guide, state }) => state.status === "open" && idOf(guide.name) === id);
  const [version] = same === undefined ? await library.versions(access, signal, id) : [];
  const language = LANGUAGES.find((one) => one === locale.language) ?? "en";
  const asked = { name: title, flowType: "procedural", language, from: version?.id } as const;
  const session = same ?? (await builder.create(asked, access, signal));
  const spoken = (isSpoken: boolean) => [{ type: "spoken", by: access.username, isSpoken }] as const;
  if (before !== undefined && before.id !== session.id) await changed(before, spoken(false), turn);
  const begins = session.id === before?.id ? session : await changed(session, spoken(true), turn);
  yield* asking([locale.say("guide_build_begun", { name: title })], begins, turn);
}

/** Where a model asks, it is the author who says that it is complete: all of it is read, and asked about. */
async function* reviewed(session: BuilderSession, locale: Locale, turn: Turn): Drafted {
  const moved = phasesTo(session.phase, "review").map(
    (phase) => ({ type: "moved", by: session.owner, phase }) as const,
  );
  const text = questionText("review", session.guide, locale);
  const message = {
    id: turn.request.turn ?? "",
    role: "builder",
    by: "service",
    text,
    atMs: turn.clock.now(),
  } as const;
  const asked = { type: "answered", message, asked: "review" } as const;
  yield* asking([], await changed(session, [...moved, asked], turn), turn);
}

/** Says it to the session; what is over waits for no more words. */
async function* told(
  before: BuilderSession,
  type: Exclude<Heard["type"], "begin">,
  locale: Locale,
  turn: Turn,
): Drafted {
  const { builder, request, signal } = turn;
  const { access, question } = request;
  const isFixed = !builder.drafts || before.asked === "review";
  const text = isFixed ? fixedWords(before.asked, type, question, locale) : question;
  const { errors, session } = await builder.say(
    before.id,
    before.version,
    { text, action: "open_chat" },
    access,
    signal,
  );
  const isOver =
    session.asked === undefined &&
    session.phase === "generation" &&
    session.messages.at(-1)?.by === "service";
  const after = isOver
    ? await changed(session, [{ type: "spoken", by: session.owner, isSpoken: false }], turn)
    : session;
  const isFromModel = after.messages.at(-1)?.by === "model";
  if (!isFromModel) return yield* asking([], after, turn);
  const hasMore = after.suggestions.length > before.suggestions.length;
  const isChanged = !isDeepStrictEqual(after.guide, before.guide);
  const what =
    errors.length > 0
      ? "guide_build_refused"
      : hasMore
        ? "guide_build_suggested"
        : isChanged
          ? "guide_build_changed"
          : undefined;
  yield* asking(what === undefined ? [] : [locale.say(what)], after, turn);
}

/** The words that the fixed questions know, for what was said in other words, and "2: …" for what is said of a step. */
function fixedWords(
  asked: string | undefined,
  type: Exclude<Heard["type"], "begin">,
  question: string,
  locale: Locale,
): string {
  const isOfSteps = asked === "steps" || asked === "more";
  const isReview = asked === "review";
  if (isReview && (type === "yes" || type === "done")) return locale.say("guide_word.yes");
  if (isOfSteps && type === "done") return locale.say("guide_build_word.done");
  if (!isOfSteps && !isReview && asked !== "purpose" && (type === "none" || type === "done"))
    return locale.say("guide_build_word.none");
  return asked === "dangers" || asked === "results" || isReview ? byNumber(question) : question;
}

function byNumber(question: string): string {
  const sentences = question.split("\n").flatMap(splitSentences);
  const lines = sentences.map((sentence) => {
    const order = commands
      .orders(utterance(sentence).said, "build")
      .find(({ intent }) => intent === "about_step");
    const { number, text } = order?.slots ?? {};
    if (number === undefined || text === undefined) return sentence.trim();
    return `${number.value}: ${text.text}${/[.!]$/.exec(sentence.trim())?.[0] ?? ""}`;
  });
  return lines.join("\n");
}

function changed(
  { id, version }: BuilderSession,
  events: readonly SessionEvent[],
  { builder, request, signal }: Turn,
): Promise<BuilderSession> {
  return builder.change(id, version, () => events, request.access, signal);
}

/** Behind `before`, what the session asks: in our words as they are, in a model's where the gate finds nothing in them. */
async function* asking(before: readonly string[], session: BuilderSession, { locales }: Turn): Drafted {
  const asked = session.messages.findLast(({ role }) => role === "builder");
  if (asked?.by !== "model") return yield* said([...before, ...(asked?.text.split("\n") ?? [])], session);
  yield* phrases(before, session);
  const people = session.messages.filter(({ role }) => role === "person").map(({ text }) => text);
  const texts = [...people, ...readBack(session.guide)].map((text, at) => {
    return { type: "user_input", source: `said ${at + 1}`, text } as const;
  });
  yield { type: "evidence", texts };
  yield { type: "text", text: questionIn(asked.text) };
  yield { ...END, asks: locales.of(session.guide.language).say("guide_build_ask_next") };
}

async function* said(texts: readonly string[], session?: BuilderSession): Drafted {
  yield* phrases(texts, session);
  yield END;
}

function* phrases(texts: readonly string[], session?: BuilderSession): Generator<DraftEvent> {
  const sources = session === undefined ? [] : sourcesOf(session.guide);
  for (const text of texts) yield { type: "phrase", text, sources };
}
