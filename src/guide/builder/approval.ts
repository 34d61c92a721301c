/**
 * A second person hears a guide read in a chat and approves it there. As with the consent to an operation, a yes counts once
 * all of it was heard, for so long, and where it was said after that; it is void once anybody has changed the session.
 */
import type { AskRequest, SiteRequest } from "../../capability/capability.js";
import { CONSENT_MS_MAX, type ReplyVerdict } from "../../domain/operation.js";
import { userKey } from "../../domain/user.js";
import type { Clock } from "../../lib/clock.js";
import { ExpiringCache } from "../../lib/expiring-cache.js";
import type { Locales } from "../../locale/locales.js";
import { named } from "../library/naming.js";
import type { Guide } from "../schema/guide.js";
import { speechSeconds } from "../validation/speech-length.js";
import type { EventFor, GuideBuilder } from "./builder.js";
import { readBack } from "./questions.js";
import { blockers } from "./review.js";
import { type BuilderSession, SessionRefused } from "./session.js";

/** People who are asked at once, and turns that were heard; the oldest make room. */
const ASKED_MAX = 1_000;
/** Guides that are named where several may be meant. */
const NAMED_MAX = 4;
/** Seconds that a guide may take to be read; a turn has no more time to speak than its capability's `speechMs`. */
const READ_SECONDS_MAX = 150;

/** What a second person was read, and in which turn. */
interface Asked {
  readonly session: BuilderSession;
  readonly turn: string;
}

/** Who was read which guide, by user, and when a turn was heard to its end. Not kept: after a restart it is read again. */
export function createReadings(clock: Clock) {
  const limits = { entriesMax: ASKED_MAX, ageMsMax: Infinity };
  return { read: new ExpiringCache<Asked>(clock, limits), heardMs: new ExpiringCache<number>(clock, limits) };
}

/** Whether a press came after all of it was heard, and not too long after. */
function isInTime({ turn }: Asked, { clock, readings, request: { consent } }: ReviewTurn): boolean {
  const nowMs = clock.monotonic();
  const heardMs = readings.heardMs.get(turn) ?? Infinity;
  return nowMs < heardMs + CONSENT_MS_MAX && Math.min(consent?.pressedMs ?? 0, nowMs) > heardMs;
}

/** What a step may have besides where it is read: nothing in it leads elsewhere, or is shown and not said. */
const HEARD = new Set([
  ...["id", "kind", "title", "text", "warning", "unit", "expectedOutcome", "verificationPrompt", "helpText"],
  ...["contentType", "verificationType", "critical", "minSeconds", "notesEnabled", "estimatedMinutes"],
  ...["variable", "valueType", "source", "extra"],
]);

/** All of a guide, for the ear. Undefined: it takes too long, or what is not heard has a part in it. */
function readAloud(guide: Guide): readonly string[] | undefined {
  const fields = guide.steps.flatMap((step) => Object.entries(step));
  if (fields.some(([name, value]) => value !== undefined && !HEARD.has(name))) return undefined;
  const texts = [guide.description ?? "", ...guide.intake.map(({ label }) => label), ...readBack(guide)];
  const seconds = texts.reduce((sum, text) => sum + speechSeconds(text, guide.language), 0);
  return seconds > READ_SECONDS_MAX ? undefined : texts.filter((text) => text !== "");
}

/** A message, with all that it takes to answer it. */
export interface ReviewTurn {
  readonly request: SiteRequest & Pick<AskRequest, "turn">;
  readonly signal: AbortSignal;
  readonly builder: GuideBuilder;
  readonly locales: Locales;
  /** User names of those who may review guides in a chat. */
  readonly reviewers: readonly string[];
  /** What words are as a reply to "do you approve it?"; undefined: something else altogether. */
  readonly judge: (words: string, languages: readonly string[]) => ReplyVerdict | undefined;
  readonly clock: Clock;
  readonly readings: ReturnType<typeof createReadings>;
}

/** What is said of a session, and with `asks` behind it what that session asks. */
export interface SaidOfSession {
  readonly texts: readonly string[];
  readonly session?: BuilderSession | undefined;
  readonly asks?: boolean;
}

/** What is done about a message. Rejects with `StoreUnusable`, or `SessionRefused`. */
export type Reaction = () => Promise<SaidOfSession>;

/** Of the sessions in review, one's own or those of others, the ones that a name means; without one, all. */
export async function inReview(
  { builder, request: { access }, signal }: ReviewTurn,
  name: string | undefined,
  isOwn: boolean,
): Promise<readonly BuilderSession[]> {
  const all = await builder.list(access, signal, true);
  const some = all.filter(({ owner }) => (owner === access.username) === isOwn);
  if (name === undefined) return some;
  const namesOf = ({ guide }: BuilderSession) => [guide.name];
  return named(name, some, namesOf, ({ guide }) => guide.language).sure;
}

/** The one session, or the question which one is meant. */
export function oneOf(
  sessions: readonly BuilderSession[],
  { locale }: Pick<SiteRequest, "locale">,
): SaidOfSession {
  if (sessions.length === 1) return { texts: [], session: sessions[0] };
  const names = sessions
    .slice(0, NAMED_MAX)
    .map(({ guide }) => guide.name)
    .join(", ");
  return { texts: [names === "" ? locale.say("guide_review_none") : locale.say("guide_which", { names })] };
}

/** To read a guide, `name`, or to take the word of who heard one; undefined: nothing of it, which ends what they were asked. */
export async function reviewing(
  turn: ReviewTurn,
  name: string | undefined,
  isRepeat: boolean,
): Promise<Reaction | undefined> {
  const { judge, readings, request } = turn;
  const { access, locale, question } = request;
  const asked = readings.read.get(userKey(access));
  if (name === undefined && asked === undefined) return undefined;
  const verdict = asked && judge(question, [asked.session.guide.language, locale.language]);
  const isTooEarly = verdict === "approved" && !isInTime(asked!, turn);
  if (name !== undefined || isRepeat || isTooEarly) {
    const others = await inReview(turn, name, false);
    return async () =>
      read(name === undefined ? others.filter(({ id }) => id === asked!.session.id) : others, turn);
  }
  if (verdict === undefined) readings.read.delete(userKey(access));
  return verdict && (() => replied(asked!.session, verdict, turn));
}

async function replied(
  session: BuilderSession,
  verdict: ReplyVerdict,
  { builder, locales, readings, request: { access }, signal }: ReviewTurn,
): Promise<SaidOfSession> {
  const { guide, owner } = session;
  const locale = locales.of(guide.language);
  const about = (text: string): SaidOfSession => ({ texts: [text], session });
  if (verdict === "unclear") return about(locale.say("guide_review_ask"));
  readings.read.delete(userKey(access));
  const isApproved = verdict === "approved";
  const type = isApproved ? "approved" : "declined";
  const event: EventFor = (_, by) => ({ type, by, isHeard: true });
  try {
    await builder.change({ ...session, access, signal, reviews: true }, event);
  } catch (error) {
    if (!(error instanceof SessionRefused)) throw error;
    if (isApproved) return about(locale.say("guide_review_changed"));
  }
  const done = locale.say("guide_review_done", { name: guide.name, owner });
  return about(isApproved ? done : locale.say("guide_review_left"));
}

function read(
  sessions: readonly BuilderSession[],
  { locales, readings, request }: ReviewTurn,
): SaidOfSession {
  const { session, texts } = oneOf(sessions, request);
  if (session === undefined) return { texts };
  const { guide, owner, state } = session;
  const { name } = guide;
  const locale = locales.of(guide.language);
  const about = (...told: readonly string[]): SaidOfSession => ({ texts: told, session });
  if (state.status === "approved") return about(locale.say("guide_review_done", { name, owner }));
  if (blockers(session).length > 0) return about(locale.say("guide_build_blocked"));
  const aloud = readAloud(guide);
  if (aloud === undefined) return about(locale.say("guide_review_unheard"));
  const key = userKey(request.access);
  const isAgain = readings.read.get(key)?.session.id === session.id;
  readings.read.set(key, { session, turn: request.turn ?? "" });
  const begun = isAgain ? locale.say("guide_review_again") : locale.say("guide_review_begun", { name });
  return about(begun, ...aloud, locale.say("guide_review_ask"));
}
