/**
 * Sessions that build guides: kept, found by who may know of them, and taken on by one change after the other. A message is
 * answered by a model where there is one, and by fixed questions otherwise; who goes on while a model writes loses nothing.
 */
import { isDeepStrictEqual } from "node:util";
import type { HistoryEntry } from "../../domain/turn.js";
import type { Access } from "../../domain/user.js";
import type { Clock } from "../../lib/clock.js";
import { InTurn } from "../../lib/in-turn.js";
import type { Random } from "../../lib/random.js";
import type { Locale } from "../../locale/locale.js";
import type { Locales } from "../../locale/locales.js";
import type { GuideSessions, StoredGuideSession } from "../../store/guide-sessions.js";
import { stepsSaid } from "../document/said-steps.js";
import type { GuideLibrary } from "../library/library.js";
import { type Guide, idOf } from "../schema/guide.js";
import { guideFile, parseGuide } from "../schema/read-guide.js";
import { GUIDE_FORMAT } from "../schema/schema.js";
import { type DraftingDeps, draftTurn, type OnWritten } from "./drafting.js";
import type { Backing, GuideDraft } from "./patch.js";
import {
  firstQuestion,
  firstSteps,
  isRight,
  offlineTurn,
  phaseOfQuestion,
  questionText,
} from "./questions.js";
import {
  archivedSession,
  type BuilderAction,
  type BuilderMessage,
  type BuilderSession,
  conflict,
  isInReview,
  type SessionEvent,
  SessionRefused,
  stepSession,
} from "./session.js";

/** Sessions of one person that are neither over nor archived. */
export const SESSIONS_OPEN_MAX = 50;
/** Sessions of one list. */
export const SESSIONS_LISTED_MAX = 200;
/** Idle for so long, a session is archived: 30 days, looked at daily. */
export const IDLE_MS_MAX = 2_592_000_000;
/** Sessions that are archived in one go. */
const ARCHIVED_AT_ONCE_MAX = 1_000;
/** So long after its last change a session still waits for what its owner says in a chat. */
const SPOKEN_MS_MAX = 1_800_000;
/** Actions that nothing can be done about without a step. */
const NEED_STEP: readonly BuilderAction[] = ["generate_branch", "modify_node"];
/** Actions whose text may answer a fixed question. */
const ANSWERS: readonly BuilderAction[] = ["open_chat", "generate_full"];

export interface GuideBuilderDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly locales: Locales;
  readonly library: Pick<GuideLibrary, "mayUse" | "save" | "stateOf" | "versions">;
  readonly sessions: GuideSessions;
  /** Absent: fixed questions ask. */
  readonly drafting?: DraftingDeps | undefined;
  /** Messages of people in one session, by network. */
  readonly messagesMax: (network: string) => number;
}

export interface NewSession {
  readonly name: string;
  readonly flowType: Guide["flowType"];
  readonly language: Guide["language"];
  /** Id of the guide to go on from; then the three above are its own. */
  readonly from?: string | undefined;
  /** What was said in a chat: the steps of documents in it are those that a new procedure begins with. */
  readonly chat?: readonly HistoryEntry[] | undefined;
}

export interface SaidMessage {
  readonly text: string;
  readonly action: BuilderAction;
  readonly focal?: string | undefined;
  readonly onWritten?: OnWritten | undefined;
}

/** A session as somebody saw it. */
export interface Seen extends Pick<BuilderSession, "id" | "version"> {
  readonly access: Access;
  readonly signal: AbortSignal;
  /** As who reviews it; absent: as its owner. */
  readonly reviews?: boolean | undefined;
}

/** A session, and what of a message was not taken into the guide. */
export interface SessionTurn {
  readonly session: BuilderSession;
  readonly errors: readonly string[];
}

/** What is to be done to a session as it is now; `by`: who does it. */
export type EventFor = (session: BuilderSession, by: string) => SessionEvent | readonly SessionEvent[];

export class GuideBuilder {
  /** One change of a session after the other. */
  readonly #inTurn = new InTurn();
  /** Sessions that a model writes for. */
  readonly #writing = new Set<string>();

  constructor(private readonly deps: GuideBuilderDeps) {}

  /** Messages that are left. */
  messagesLeft({ network, said }: BuilderSession): number {
    return Math.max(0, this.deps.messagesMax(network) - said);
  }

  /** Rejects with `SessionRefused`, or with `GuideProblem` where no guide can be called so. */
  async create(asked: NewSession, access: Access, signal: AbortSignal): Promise<BuilderSession> {
    const { clock, locales, random } = this.deps;
    const { network, username: owner } = access;
    if ((await this.#open(access)).length === SESSIONS_OPEN_MAX)
      throw conflict(`You have ${SESSIONS_OPEN_MAX} open sessions: publish some of them first.`);
    const base = asked.from === undefined ? undefined : await this.#base(asked.from, access, signal);
    const locale = locales.of(base?.language ?? asked.language);
    const guide =
      base === undefined ? newGuide(asked, owner, locale) : { ...base, status: "draft" as const, owner };
    const first = firstQuestion(guide, base === undefined);
    const atMs = clock.now();
    const text = questionText(first, guide, locale);
    const session: BuilderSession = {
      ...{ id: `build-${random.id()}`, network, owner, createdAtMs: atMs, updatedAtMs: atMs, version: 1 },
      ...{ state: { status: "open" }, phase: phaseOfQuestion(first) },
      ...{ guide, backing: backingOf(guide, owner, base) },
      ...(base !== undefined && { base: base.id }),
      messages: [{ id: random.id(), role: "builder", by: "service", text, atMs }],
      ...{ said: 0, asked: first, suggestions: [], undo: [] },
      usage: { inputTokens: 0, outputTokens: 0, costUsd: 0 },
      trail: [{ atMs, by: owner, what: "begun", about: base?.id ?? (asked.chat && "chat") }],
    };
    return this.#kept(session);
  }

  /** Whether a model asks, and not fixed questions. */
  get drafts(): boolean {
    return this.deps.drafting !== undefined;
  }

  /** The session that waits for what its owner says in a chat. Rejects with `StoreUnusable`. */
  async spoken(access: Access, signal: AbortSignal): Promise<BuilderSession | undefined> {
    const afterMs = this.deps.clock.now() - SPOKEN_MS_MAX;
    const kept = (await this.#open(access)).filter(({ updatedAtMs }) => updatedAtMs > afterMs);
    const session = kept.map(restoredSession).find(({ isSpoken }) => isSpoken);
    return session !== undefined && (await this.#mayKnow(session, access, signal)) ? session : undefined;
  }

  /** One's own, or all that are there to be reviewed; what was changed last first. */
  async list(access: Access, signal: AbortSignal, reviews: boolean): Promise<readonly BuilderSession[]> {
    const { network, username: owner } = access;
    const query = reviews ? { network, statuses: OPEN } : { network, owner };
    const stored = await this.deps.sessions.list({ ...query, limit: SESSIONS_LISTED_MAX });
    const listed: BuilderSession[] = [];
    for (const session of stored.map(restoredSession)) {
      if (reviews && !isInReview(session)) continue;
      if (await this.#mayKnow(session, access, signal)) listed.push(session);
    }
    return listed;
  }

  /** Does one thing to a session, or several. Throws `SessionRefused`. */
  async change(seen: Seen, event: EventFor): Promise<BuilderSession> {
    const by = seen.access.username;
    return this.#onVersion(seen, (session) => this.#saved(session, [event(session, by)].flat()));
  }

  /**
   * Says something, and answers it. It goes on when its sender is gone: whoever looks again finds the answer. What people
   * changed meanwhile stays; the model's patches wait as a suggestion then. Rejects with `SessionRefused`, or as a guard does.
   */
  async say(seen: Seen, asked: SaidMessage): Promise<SessionTurn> {
    const { clock, drafting, messagesMax, random } = this.deps;
    const { action, focal, text } = asked;
    const { id } = seen;
    if (focal === undefined && NEED_STEP.includes(action))
      throw new SessionRefused("bad_parameter", `${action} is about a step: name it.`);
    if (drafting === undefined && !ANSWERS.includes(action))
      throw new SessionRefused(
        "assistant_unavailable",
        `${action} needs a language model: change the step by hand.`,
      );
    if (this.#writing.has(id))
      throw conflict("Your last message is still being answered. Look again in a moment.");
    const { network, username: by } = seen.access;
    const message = { id: random.id(), role: "person", by, text, action, focal, atMs: clock.now() } as const;
    const said = { type: "said", message, messagesMax: messagesMax(network) } as const;
    this.#writing.add(id);
    try {
      const heard = await this.change(seen, () => said);
      const turn = await this.#turn(heard, message, asked);
      let errors: readonly string[] = [];
      const session = await this.#later(heard, (now) => {
        const taken = turn(now);
        errors = taken.errors;
        return taken.events;
      });
      return { session, errors };
    } finally {
      this.#writing.delete(id);
    }
  }

  /** Puts the approved guide into the library, as the next version. Throws `SessionRefused`. */
  async publish(seen: Seen): Promise<BuilderSession> {
    const { clock, library } = this.deps;
    const { access, signal } = seen;
    return this.#onVersion(seen, async (session) => {
      const guide = session.base ?? idOf(session.guide.name);
      const [newest] = await library.versions(access, signal, guide);
      const version = newest?.version ?? 1;
      const whole: Guide = { ...session.guide, id: guide, status: "published", version };
      // It is there already where the last try could not be kept here.
      const isThere = isDeepStrictEqual(newest, whole);
      const guideVersion = isThere || newest === undefined ? version : version + 1;
      const published = { type: "published", by: access.username, guide, guideVersion } as const;
      const done = stepSession(session, published, clock.now());
      const isOurs = session.base !== undefined || library.stateOf(session.network, whole) === "gone";
      const save = () => library.save(session.network, { ...whole, version: guideVersion }, () => false);
      if (!isThere && !(isOurs && (await save())))
        throw conflict(
          `There is a guide ${guide} already: give this one another name, or begin a session from that guide.`,
        );
      return this.#kept(done);
    });
  }

  /** Withdraws the version that the session has published: it stays, and says so. Throws `SessionRefused`. */
  async withdraw(seen: Seen): Promise<BuilderSession> {
    return this.#onVersion(seen, async (session) => {
      const { guide = "", guideVersion = 1 } = session.state.status === "published" ? session.state : {};
      const event = { type: "withdrawn", by: seen.access.username, guide, guideVersion } as const;
      const done = stepSession(session, event, this.deps.clock.now());
      const whole: Guide = { ...session.guide, id: guide, version: guideVersion, status: "withdrawn" };
      await this.deps.library.save(session.network, whole);
      return this.#kept(done);
    });
  }

  /** Archives what nobody touched for 30 days, and tells how many that were. Rejects with `StoreUnusable`. */
  async archiveIdle(): Promise<number> {
    const updatedBeforeMs = this.deps.clock.now() - IDLE_MS_MAX;
    const idle = { statuses: OPEN, updatedBeforeMs, limit: ARCHIVED_AT_ONCE_MAX };
    const found = await this.deps.sessions.list(idle);
    for (const { id, network } of found)
      await this.#inTurn.run(id, async () => {
        const stored = await this.deps.sessions.byId(network, id);
        if (stored !== undefined && stored.updatedAtMs < updatedBeforeMs)
          await this.#saved(restoredSession(stored), [{ type: "archived" }]);
      });
    return found.length;
  }

  /** What comes of a message, to the session as it is by then: a model is asked before, where there is one. */
  async #turn(session: BuilderSession, message: BuilderMessage, { onWritten }: SaidMessage) {
    const { drafting, locales } = this.deps;
    const { id, text } = message;
    const locale = locales.of(session.guide.language);
    const isAgreed = session.asked === "review" && isRight(text);
    if (drafting === undefined || isAgreed) return (now: BuilderSession) => offlineTurn(now, text, locale);
    try {
      return await draftTurn(drafting, { session, message, locale, onWritten });
    } catch (error) {
      await this.#later(session, () => [{ type: "unsaid", id }]);
      throw error;
    }
  }

  /** Goes on with a session as it is when its turn comes. */
  #later({ id, network }: BuilderSession, events: (now: BuilderSession) => readonly SessionEvent[]) {
    return this.#inTurn.run(id, async () => {
      const session = restoredSession((await this.deps.sessions.byId(network, id))!);
      return this.#saved(session, events(session));
    });
  }

  async #saved(session: BuilderSession, events: readonly SessionEvent[]): Promise<BuilderSession> {
    return this.#kept(events.reduce((now, event) => stepSession(now, event, this.deps.clock.now()), session));
  }

  async #kept(session: BuilderSession): Promise<BuilderSession> {
    await this.deps.sessions.save(storedSession(session));
    return session;
  }

  #open({ network, username: owner }: Access): Promise<readonly StoredGuideSession[]> {
    return this.deps.sessions.list({ network, owner, statuses: OPEN, limit: SESSIONS_OPEN_MAX });
  }

  /** Work on a session, one after the other. Throws `SessionRefused` where it was changed since it was seen. */
  #onVersion(
    { access, id, reviews, signal, version }: Seen,
    work: (session: BuilderSession) => Promise<BuilderSession>,
  ): Promise<BuilderSession> {
    return this.#inTurn.run(id, async () => {
      const session = await this.get(id, access, signal, reviews);
      if (session.version === version) return work(session);
      const at = `The session is at version ${session.version}, and you saw ${version}`;
      throw conflict(`${at}: look at it again, then repeat your change.`);
    });
  }

  /** The session, for its owner, or for who reviews. Throws `SessionRefused`. */
  async get(id: string, access: Access, signal: AbortSignal, reviews = false): Promise<BuilderSession> {
    const stored = await this.deps.sessions.byId(access.network, id);
    if (stored === undefined) throw new SessionRefused("not_found", "There is no such session.");
    const session = restoredSession(stored);
    if (stored.owner !== access.username && !(reviews && isInReview(session)))
      throw new SessionRefused("forbidden", "This session is somebody else's, and not in review.");
    if (!(await this.#mayKnow(session, access, signal)))
      throw new SessionRefused("not_found", "There is no such session that this person may know of.");
    if (session.state.status === "archived") throw archivedSession();
    return session;
  }

  /** Who may not read a document that the guide says may not read it here either. */
  #mayKnow({ guide }: BuilderSession, access: Access, signal: AbortSignal): Promise<boolean> {
    return this.deps.library.mayUse({ ...guide, visibility: "network" }, access, signal);
  }

  async #base(id: string, access: Access, signal: AbortSignal): Promise<Guide> {
    const [newest] = await this.deps.library.versions(access, signal, id);
    if (newest !== undefined) return newest;
    throw new SessionRefused("not_found", "There is no such guide that this person may use.");
  }
}

const OPEN: readonly StoredGuideSession["status"][] = ["open", "approved"];

/** Throws `GuideProblem`, such as for a name that is too long. */
function newGuide({ chat = [], flowType, language, name }: NewSession, owner: string, locale: Locale): Guide {
  const said = flowType === "troubleshooting" ? [] : stepsSaid(chat);
  return parseGuide({
    ...{ readback_guide: GUIDE_FORMAT, id: idOf(name), name, flow_type: flowType, language, owner },
    steps: [...said, ...firstSteps(flowType, name, locale)],
  });
}

/** Whoever names a guide stands behind its end, of a guide that is there already its author; passages behind their steps. */
function backingOf({ steps }: Guide, owner: string, base: Guide | undefined): readonly Backing[] {
  return steps.flatMap(({ id, kind, source }) => {
    if (source !== undefined) return { step: id };
    if (base === undefined) return kind === "end" ? { step: id, who: owner } : [];
    return { step: id, who: base.owner ?? owner };
  });
}

/** A session as a text that can be kept: its guides stand in it as their files write them. */
function storedSession(session: BuilderSession): StoredGuideSession {
  const { id, network, owner, state, undo, updatedAtMs } = session;
  const written = ({ backing, guide }: GuideDraft) => ({ guide: guideFile(guide), backing });
  const text = JSON.stringify({ ...session, ...written(session), undo: undo.map(written) });
  return { id, network, owner, status: state.status, updatedAtMs, text };
}

function restoredSession({ text }: StoredGuideSession): BuilderSession {
  const kept = JSON.parse(text) as BuilderSession;
  const read = ({ backing, guide }: GuideDraft) => ({ guide: parseGuide(guide), backing });
  return { ...kept, ...read(kept), undo: kept.undo.map(read) };
}
