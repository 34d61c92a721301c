/**
 * A second person hears a guide read in a chat and approves it there. As with the consent to an operation, a yes counts once
 * all of it was heard, for so long, and where it was said after that; it is void once anybody has changed the session.
 */
import type { AskRequest, HeardReport, SiteRequest } from "../../capability/capability.js";
import { CONSENT_MS_MAX, type ReplyVerdict } from "../../domain/operation.js";
import { type User, userKey } from "../../domain/user.js";
import type { Clock } from "../../lib/clock.js";
import type { Locales } from "../../locale/locales.js";
import { commands } from "../../routing/commands.js";
import { utterance } from "../../routing/normalized-message.js";
import { named } from "../library/naming.js";
import type { Guide } from "../schema/guide.js";
import { speechSeconds } from "../validation/speech-length.js";
import type { GuideBuilder } from "./builder.js";
import { readBack } from "./questions.js";
import { blockers } from "./review.js";
import { type BuilderSession, SessionRefused } from "./session.js";

/** People who are asked at once; the oldest make room. */
const ASKED_MAX = 1_000;
/** Guides that are named where several may be meant. */
const NAMED_MAX = 4;
/** Seconds that a guide may take to be read; a turn has no more time to speak than its capability's `speechMs`. */
const READ_SECONDS_MAX = 150;

/** What a second person was read. */
export interface Asked {
  readonly session: BuilderSession;
  /** The turn that reads it. */
  readonly turn: string | undefined;
  /** When they had heard all of it (monotonic, in milliseconds). */
  readonly heardMs?: number | undefined;
}

/** Who was read which guide, and how much of that they heard. Not kept: after a restart it is read again. */
export class Readings {
  readonly #byUser = new Map<string, Asked>();

  constructor(private readonly clock: Clock) {}

  of(user: User): Asked | undefined {
    return this.#byUser.get(userKey(user));
  }

  /** A turn is about to read it. */
  begin(user: User, session: BuilderSession, turn: string | undefined): void {
    this.end(user);
    this.#byUser.set(userKey(user), { session, turn });
    const [oldest] = this.#byUser.keys();
    if (this.#byUser.size > ASKED_MAX) this.#byUser.delete(oldest!);
  }

  end(user: User): void {
    this.#byUser.delete(userKey(user));
  }

  /** How the answer of a turn was heard. */
  heard({ isWhole, lastDueMs = this.clock.monotonic(), turn }: HeardReport): void {
    for (const [user, asked] of this.#byUser)
      if (asked.turn === turn && isWhole) this.#byUser.set(user, { ...asked, heardMs: lastDueMs });
  }

  /** Whether a press at `pressedMs` (monotonic) came after all of it was heard, and not too long after. */
  counts({ heardMs }: Asked, pressedMs: number): boolean {
    const nowMs = this.clock.monotonic();
    return heardMs !== undefined && nowMs < heardMs + CONSENT_MS_MAX && Math.min(pressedMs, nowMs) > heardMs;
  }
}

/** What words are as a reply to "do you approve it?"; undefined: something else altogether. */
export type JudgeReply = (words: string, languages: readonly string[]) => ReplyVerdict | undefined;

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

export interface ReviewDeps {
  readonly builder: GuideBuilder;
  readonly locales: Locales;
  /** User names of those who may review guides in a chat. */
  readonly reviewers: readonly string[];
  readonly judge: JudgeReply;
  readonly readings: Readings;
}

/** What is said of a session, and with `asks` behind it what that session asks. */
export interface Told {
  readonly texts: readonly string[];
  readonly session?: BuilderSession | undefined;
  readonly asks?: boolean;
}

/** What a message is to who may review guides. */
export type ReviewHeard =
  | { readonly type: "review"; readonly sessions: readonly BuilderSession[] }
  | { readonly type: ReplyVerdict; readonly asked: Asked };

/** Undefined: nothing of it, which ends what they were asked. */
export async function reviewHeard(
  request: SiteRequest,
  deps: ReviewDeps,
  signal: AbortSignal,
): Promise<ReviewHeard | undefined> {
  const { access, locale, question } = request;
  const { said } = utterance(question);
  const [order] = commands.orders(said, "build");
  const others = async () =>
    (await deps.builder.list(access, signal, true)).filter(({ owner }) => owner !== access.username);
  if (order?.intent === "review") {
    const name = order.slots.name?.text ?? "";
    return { type: "review", sessions: named(name, await others(), ({ guide }) => [guide.name]) };
  }
  const asked = deps.readings.of(access);
  if (asked === undefined) return undefined;
  const verdict = deps.judge(question, [asked.session.guide.language, locale.language]);
  const isTooEarly = verdict === "approved" && !deps.readings.counts(asked, request.consent?.pressedMs ?? 0);
  if (isTooEarly || commands.of(said).some(({ intent }) => intent === "repeat"))
    return { type: "review", sessions: (await others()).filter(({ id }) => id === asked.session.id) };
  if (verdict === undefined) deps.readings.end(access);
  return verdict && { type: verdict, asked };
}

/** Reads the guide, or takes the word of who heard it. Rejects with `StoreUnusable`. */
export async function reviewed(
  heard: ReviewHeard,
  request: AskRequest,
  deps: ReviewDeps,
  signal: AbortSignal,
): Promise<Told> {
  if (heard.type === "review") return read(heard.sessions, request, deps);
  const { asked, type } = heard;
  const { session } = asked;
  const { access } = request;
  const locale = deps.locales.of(session.guide.language);
  const about = (text: string): Told => ({ texts: [text], session });
  if (type === "unclear") return about(locale.say("guide_review_ask"));
  deps.readings.end(access);
  const by = access.username;
  const event =
    type === "denied"
      ? ({ type: "declined", by } as const)
      : ({ type: "approved", by, isHeard: true } as const);
  try {
    await deps.builder.change(session.id, session.version, () => event, access, signal, true);
  } catch (error) {
    if (!(error instanceof SessionRefused)) throw error;
    if (type === "approved") return about(locale.say("guide_review_changed"));
  }
  const { guide, owner } = session;
  const done = locale.say("guide_review_done", { name: guide.name, owner });
  return about(type === "approved" ? done : locale.say("guide_review_left"));
}

/** `session`, or which one is meant where there are several. */
export function oneOf(sessions: readonly BuilderSession[], { locale }: Pick<AskRequest, "locale">): Told {
  const names = sessions.slice(0, NAMED_MAX).map(({ guide }) => guide.name);
  if (sessions.length === 1) return { texts: [], session: sessions[0] };
  const text =
    names.length === 0
      ? locale.say("guide_review_none")
      : locale.say("guide_which", { names: names.join(", ") });
  return { texts: [text] };
}

function read(
  sessions: readonly BuilderSession[],
  request: AskRequest,
  { locales, readings }: ReviewDeps,
): Told {
  const one = oneOf(sessions, request);
  const { session } = one;
  if (session === undefined) return one;
  const { guide, owner, state } = session;
  const { name } = guide;
  const locale = locales.of(guide.language);
  const about = (...texts: readonly string[]): Told => ({ texts, session });
  if (state.status === "approved") return about(locale.say("guide_review_done", { name, owner }));
  if (blockers(session).length > 0) return about(locale.say("guide_build_blocked"));
  const aloud = readAloud(guide);
  if (aloud === undefined) return about(locale.say("guide_review_unheard"));
  const isAgain = readings.of(request.access)?.session.id === session.id;
  readings.begin(request.access, session, request.turn);
  const begun = isAgain ? locale.say("guide_review_again") : locale.say("guide_review_begun", { name });
  return about(begun, ...aloud, locale.say("guide_review_ask"));
}
