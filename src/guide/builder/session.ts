/**
 * A session that builds a guide, as a value, and the one function that changes it. Phases and states follow each other as
 * the tables say and in no other way; each change counts the version up and is written into the trail. Pure.
 */
import { type GuideDraft, type Patch, type PatchAuthor, tryPatches } from "./patch.js";
import { blockers } from "./review.js";

export const PHASES = ["scoping", "discovery", "enrichment", "review", "generation"] as const;
export type BuilderPhase = (typeof PHASES)[number];

/** Which phase may follow which. */
const NEXT_PHASES: Readonly<Record<BuilderPhase, readonly BuilderPhase[]>> = {
  scoping: ["discovery"],
  discovery: ["enrichment", "review"],
  enrichment: ["discovery", "review"],
  review: ["discovery", "enrichment", "generation"],
  generation: ["review"],
};

/** What is asked of the model. */
export const BUILDER_ACTIONS = [
  ...(["generate_branch", "modify_node", "add_steps", "quick_action", "open_chat"] as const),
  ...(["generate_full", "variable_inference"] as const),
] as const;
export type BuilderAction = (typeof BUILDER_ACTIONS)[number];

/** Changes that can be taken back. */
export const UNDO_MAX = 10;
/** Lines of the trail; beyond that the oldest go. */
export const TRAIL_MAX = 1_000;

export type SessionState =
  | { readonly status: "open" }
  /** A second person has read it as it is now. */
  | { readonly status: "approved"; readonly by: string }
  | (InLibrary & { readonly status: "published" | "withdrawn" })
  | { readonly status: "archived" };

export interface BuilderMessage {
  readonly id: string;
  readonly role: "person" | "builder";
  readonly by: string;
  readonly text: string;
  readonly atMs: number;
  readonly action?: BuilderAction | undefined;
  /** Id of the step that it is about. */
  readonly focal?: string | undefined;
}

export interface BuilderSuggestion {
  readonly id: string;
  readonly patches: readonly Patch[];
  readonly action: BuilderAction;
  readonly status: "proposed" | "accepted" | "dismissed";
  /** Who accepted or dismissed it. */
  readonly by?: string | undefined;
  readonly atMs: number;
}

/** One line of what happened; `by`: a user name, `model` or `service`. */
export interface TrailLine {
  readonly atMs: number;
  readonly by: string;
  readonly what: string;
  readonly about?: string | undefined;
}

export type BuilderUsage = Readonly<Record<"inputTokens" | "outputTokens" | "costUsd", number>>;

export interface BuilderSession extends GuideDraft {
  readonly id: string;
  readonly network: string;
  readonly owner: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** Counts changes: who changes something says which version they saw. */
  readonly version: number;
  readonly state: SessionState;
  readonly phase: BuilderPhase;
  /** The guide that the next version is made of; absent: a new one. */
  readonly base?: string | undefined;
  /** What its owner says in a chat answers it. */
  readonly isSpoken?: boolean | undefined;
  readonly messages: readonly BuilderMessage[];
  /** Messages of people that count. */
  readonly said: number;
  /** Which fixed question is open; absent: none, or one of the model's own. */
  readonly asked?: string | undefined;
  readonly suggestions: readonly BuilderSuggestion[];
  /** What can be taken back, the last one last. */
  readonly undo: readonly GuideDraft[];
  readonly usage: BuilderUsage;
  readonly trail: readonly TrailLine[];
}

/** Something that is done to a session; `by`: a user name, or `model` or `service`. */
export type SessionEvent =
  | { readonly type: "said"; readonly message: BuilderMessage; readonly messagesMax: number }
  /** What was said got no answer: it does not count. */
  | { readonly type: "unsaid"; readonly id: string }
  | (Answer & { readonly type: "answered" })
  | { readonly type: "patched"; readonly author: PatchAuthor; readonly patches: readonly Patch[] }
  | { readonly type: "suggested"; readonly patches: readonly Patch[]; readonly action: BuilderAction }
  | (Resolution & { readonly type: "resolved"; readonly by: string })
  /** `declined`: a second person heard it read and did not approve it. */
  | { readonly type: "undone" | "declined"; readonly by: string }
  | { readonly type: "moved"; readonly by: string; readonly phase: BuilderPhase }
  | { readonly type: "spoken"; readonly by: string; readonly isSpoken: boolean }
  /** `isHeard`: it was read to them. */
  | { readonly type: "approved"; readonly by: string; readonly isHeard?: boolean | undefined }
  | (InLibrary & { readonly type: "published" | "withdrawn"; readonly by: string })
  | { readonly type: "archived" };

interface Answer {
  readonly message: Pick<BuilderMessage, "by" | "text">;
  /** The fixed question that is open then. */
  readonly asked?: string | undefined;
  readonly usage?: BuilderUsage | undefined;
}

interface Resolution {
  readonly suggestion: string;
  readonly resolution: "accepted" | "dismissed";
}

/** A version of a guide in the library. */
interface InLibrary {
  readonly guide: string;
  readonly guideVersion: number;
}

export type RefusalCode =
  | ("bad_parameter" | "forbidden" | "not_found" | "conflict" | "gone" | "rate_limited")
  | "assistant_unavailable";

/** What was asked for is not done, and the session is as it was. The message says what to do. */
export class SessionRefused extends Error {
  override readonly name = "SessionRefused";
  constructor(
    readonly code: RefusalCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export function conflict(message: string): SessionRefused {
  return new SessionRefused("conflict", message);
}

export function archivedSession(): SessionRefused {
  return new SessionRefused("gone", "This session is archived. Begin another one.");
}

/** The session after an event. Throws `SessionRefused`. */
export function stepSession(session: BuilderSession, event: SessionEvent, atMs: number): BuilderSession {
  assertTaken(session, event);
  const { next, ...line } = (CHANGES[event.type] as Change)(session, event, atMs);
  const trail = "what" in line ? [...session.trail, { atMs, ...line }].slice(-TRAIL_MAX) : session.trail;
  // Time that passes is no change of what people see.
  const updatedAtMs = event.type === "archived" ? session.updatedAtMs : atMs;
  return { ...session, ...next, trail, updatedAtMs, version: session.version + 1 };
}

/** Whether this phase may follow that one. */
export function mayFollow(from: BuilderPhase, to: BuilderPhase): boolean {
  return NEXT_PHASES[from].includes(to);
}

/** Takes a session to a later phase, through all that lie between; nothing where it is there already, or beyond. */
export function movesTo(to: BuilderPhase, from: BuilderPhase, by: string): readonly SessionEvent[] {
  const between = PHASES.slice(PHASES.indexOf(from) + 1, PHASES.indexOf(to) + 1);
  return between.map((phase) => ({ type: "moved", by, phase }));
}

function assertTaken({ state: { status } }: BuilderSession, { type }: SessionEvent): void {
  if (status === "archived") throw archivedSession();
  const isOver = status === "published" || status === "withdrawn";
  if (isOver && !(type === "withdrawn" && status === "published"))
    throw conflict(`This session is over: its guide is ${status}. Begin another one from that guide.`);
  if (!isOver && type === "withdrawn")
    throw conflict("Nothing was published yet, so there is nothing to withdraw.");
  if (type === "published" && status !== "approved")
    throw conflict("A second person has to approve the guide before it is published.");
}

/** What is another then, and the line of the trail that tells of it. */
type Changed = { readonly next: Partial<BuilderSession> } & (Omit<TrailLine, "atMs"> | object);

type EventOf<T extends SessionEvent["type"]> = SessionEvent & { readonly type: T };

type Change<E = SessionEvent> = (session: BuilderSession, event: E, atMs: number) => Changed;

/** What each event does to a session that takes it. */
const CHANGES: { readonly [T in SessionEvent["type"]]: Change<EventOf<T>> } = {
  said: heard,
  unsaid: ({ messages, said }, { id }) => {
    const next = { messages: messages.filter((one) => one.id !== id), said: said - 1 };
    return { next, by: "service", what: "not answered" };
  },
  answered: ({ messages, usage: before, version }, { asked, message: { by, text }, usage }, atMs) => {
    const message = { id: `${version}`, role: "builder", by, text, atMs } as const;
    const next = { messages: [...messages, message], asked, usage: usageSum(before, usage) };
    return { next, by, what: "answered" };
  },
  patched: (session, { author, patches }) => {
    const isStep = author.type === "person" && patches.some(({ op }) => op !== "describe");
    const begun = session.phase === "scoping" && isStep ? { phase: PHASES[1] } : {};
    const by = author.type === "person" ? author.name : "model";
    const next = { ...withDraft(session, patched(session, patches, author)), ...begun };
    return { next, by, what: "changed", about: aboutPatches(patches) };
  },
  suggested: ({ suggestions }, { action, patches }, atMs) => {
    const id = `s${suggestions.length + 1}`;
    const added = { id, patches, action, status: "proposed", atMs } as const;
    const next = { suggestions: [...suggestions, added] };
    return { next, by: "model", what: "suggested", about: `${id}: ${aboutPatches(patches)}` };
  },
  resolved,
  undone: (session, { by }) => {
    const draft = session.undo.at(-1);
    if (draft === undefined) throw conflict("There is no change left to take back.");
    return { next: { ...withDraft(session, draft), undo: session.undo.slice(0, -1) }, by, what: "undone" };
  },
  declined: (_, { by }) => ({ next: {}, by, what: "declined", about: "heard" }),
  moved: ({ phase: from }, { by, phase }) => {
    if (from === phase) return { next: {} };
    if (mayFollow(from, phase)) return { next: { phase }, by, what: "phase", about: phase };
    const legal = NEXT_PHASES[from].join(" or ");
    throw conflict(`${phase} does not follow ${from}: what may follow is ${legal}.`);
  },
  spoken: (_, { by, isSpoken }) => {
    return { next: { isSpoken }, by, what: "voice", about: isSpoken ? "begins" : "ends" };
  },
  approved,
  published: inLibrary,
  withdrawn: inLibrary,
  archived: () => ({ next: { state: { status: "archived" }, undo: [] }, by: "service", what: "archived" }),
};

function heard(session: BuilderSession, { message, messagesMax }: EventOf<"said">): Changed {
  const { guide, messages, said } = session;
  if (said >= messagesMax)
    throw new SessionRefused(
      "rate_limited",
      `This session has had its ${messagesMax} messages. Change the guide by hand, review it and publish it.`,
    );
  const { action, by, focal } = message;
  if (focal !== undefined && !guide.steps.some(({ id }) => id === focal))
    throw new SessionRefused("bad_parameter", `There is no step ${focal} any more. Name another one.`);
  return { next: { messages: [...messages, message], said: said + 1 }, by, what: "said", about: action };
}

/** Both together. */
export function usageSum(one: BuilderUsage, other: Partial<BuilderUsage> = {}): BuilderUsage {
  const sum = (what: keyof BuilderUsage) => one[what] + (other[what] ?? 0);
  return { inputTokens: sum("inputTokens"), outputTokens: sum("outputTokens"), costUsd: sum("costUsd") };
}

function patched(draft: GuideDraft, patches: readonly Patch[], author: PatchAuthor): GuideDraft {
  const tried = tryPatches(draft, patches, author);
  if (tried.type === "applied") return tried.draft;
  throw new SessionRefused("bad_parameter", ["The guide stays as it was:", ...tried.errors].join("\n"));
}

/** What was approved is no longer what there is. */
function withDraft(session: BuilderSession, { backing, guide }: GuideDraft): Partial<BuilderSession> {
  const undo = [...session.undo, { guide: session.guide, backing: session.backing }].slice(-UNDO_MAX);
  return { guide, backing, undo, state: { status: "open" } };
}

function resolved(session: BuilderSession, { by, resolution, suggestion }: EventOf<"resolved">): Changed {
  const { suggestions } = session;
  const found = suggestions.find(({ id }) => id === suggestion);
  if (found === undefined)
    throw new SessionRefused("not_found", `There is no suggestion ${suggestion} in this session.`);
  if (found.status !== "proposed") throw conflict(`${found.by} has ${found.status} this suggestion already.`);
  const next = suggestions.map((one) => (one === found ? { ...one, status: resolution, by } : one));
  const author = { type: "person", name: by } as const;
  const draft = resolution === "accepted" ? withDraft(session, patched(session, found.patches, author)) : {};
  return { next: { ...draft, suggestions: next }, by, what: resolution, about: suggestion };
}

function approved(session: BuilderSession, { by, isHeard }: EventOf<"approved">): Changed {
  if (by === session.owner)
    throw new SessionRefused("forbidden", "Somebody else than its owner has to approve a guide.");
  if (!isInReview(session))
    throw conflict("The guide is not in review yet: its owner has to review it first.");
  const problems = blockers(session);
  if (problems.length > 0) throw conflict(["The guide cannot be approved:", ...problems].join("\n"));
  const next = { state: { status: "approved", by }, phase: "generation" } as const;
  return { next, by, what: "approved", ...(isHeard && { about: "heard" }) };
}

function inLibrary(_: BuilderSession, event: EventOf<"published" | "withdrawn">): Changed {
  const { by, guide, guideVersion, type } = event;
  const next = { state: { status: type, guide, guideVersion } };
  return { next, by, what: type, about: `${guide} ${guideVersion}` };
}

/** Whether a second person may read it. */
export function isInReview({ phase }: Pick<BuilderSession, "phase">): boolean {
  return phase === "review" || phase === "generation";
}

/** UTF-16 units of what a line of the trail is about. */
const ABOUT_CHARS_MAX = 500;

function aboutPatches(patches: readonly Patch[]): string {
  const each = patches.map((patch) => {
    if (patch.op === "add") return `add ${String(patch.step.id)}`;
    return "id" in patch ? `${patch.op} ${patch.id}` : patch.op;
  });
  return each.join(", ").slice(0, ABOUT_CHARS_MAX);
}
