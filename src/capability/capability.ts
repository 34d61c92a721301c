/**
 * A capability drafts answers: one call down, one stream of events up. It is a value among others in a map; it speaks to
 * nobody, and a turn gives it no more time than its limits say.
 */
import type { ChosenDocument, Pending } from "../domain/dialogue.js";
import type { TargetContext } from "../domain/target-context.js";
import type { AttachedContext, ConsentPath, HistoryEntry, ResponseType } from "../domain/turn.js";
import type { Access, User } from "../domain/user.js";
import type { Emergency } from "../locale/emergency.js";
import type { Locale } from "../locale/locale.js";
import type { Telemetry } from "../telemetry/events.js";
import type { DraftEvent, SaidLast } from "./draft.js";

export interface Capability {
  readonly name: CapabilityName;
  readonly limits: CapabilityLimits;
  readonly draft: Draft;
  /** Told once for each draft how it ended. Must not throw. */
  readonly heard?: (report: HeardReport) => void;
}

export type CapabilityName =
  | "knowledge"
  | "conversational"
  | "platform"
  | "introduction"
  | "repeat"
  | "slower"
  | "source"
  | "emergency"
  /** What is it right now: asks the systems of a site. */
  | "check"
  /** Changes something of a site, with consent. */
  | "operate"
  /** Leads through a guide, step by step. */
  | "guide"
  /** Writes a guide down, by interview. */
  | "build"
  /** Says one fixed phrase, such as a question back. */
  | "phrase";

/** All that there are here, by name. */
export type Capabilities = Readonly<
  Record<Exclude<CapabilityName, "phrase" | "check" | "operate" | "guide" | "build">, Capability>
> & {
  /** Absent where no site is connected. */
  readonly check?: CheckCapability;
  /** Absent where nothing may be operated. */
  readonly operate?: OperateCapability;
  /** Absent where there are no guides. */
  readonly guide?: GuideCapability;
  /** Absent where there are no guides. */
  readonly build?: SiteCapability;
};

/** A capability that may be in the middle of leading somebody. */
export interface GuideCapability extends SiteCapability {
  /** Whether it leads this user: known at once. */
  leads(user: User): boolean;
  /** What is said behind an answer that another capability gave meanwhile: "Back to step four." */
  comesBack(
    request: Pick<AskRequest, "access" | "question" | "turn">,
    signal: AbortSignal,
  ): Promise<readonly SaidLast[]>;
  /** Tells those who are to help whom it leads, in an emergency; what is said of that behind the answer to it. */
  callsHelp(
    request: Pick<AskRequest, "access" | "locale">,
    signal: AbortSignal,
  ): Promise<readonly SaidLast[]>;
}

/** A capability that knows what a site has, as the router does not. */
export interface SiteCapability extends Capability {
  /** Name of the route that leads to it. */
  readonly route: string;
  /** Whether a message is one for the site's systems and nothing else: they have all that it names, or wait for it. */
  claims(request: SiteRequest): Promise<boolean>;
}

/** A capability that reads a site, and may have nothing of it to read for a question. */
export interface CheckCapability extends SiteCapability {
  /**
   * Undefined: there is something to read, or to ask back. Else the question is one for the documents, and `text` says why
   * it is none for the site, which is told where they do not help; absent: this user may know of none.
   */
  nothingFor(request: SiteRequest): Promise<{ readonly text?: string } | undefined>;
}

/** A capability that owes its users what came of what they asked for. */
export interface OperateCapability extends SiteCapability {
  /** Announces what this user has to be told; what no relay is there for is told by the capability that is returned. */
  owed(access: Access): Capability | undefined;
  /** A question may deny what waits: that is done and said ahead of its answer. */
  deniedBy(request: SiteRequest): Promise<Capability | undefined>;
  /** Voids whatever waits for a consent of this user. */
  stop(user: User): void;
}

export type SiteRequest = Pick<
  AskRequest,
  "question" | "access" | "locale" | "targets" | "mentions" | "pending" | "consent"
>;

export interface CapabilityLimits {
  /** From leaving the mailbox to the first packet or the text. */
  readonly beginMs: number;
  /** From the first packet to the end of the answer: its audio, with room for underruns and a change of relay. */
  readonly speechMs: number;
  /** From leaving the mailbox to the end, whatever was said by then; absent: the other two are all. */
  readonly deadlineMs?: number;
}

export const USUAL_LIMITS: CapabilityLimits = { beginMs: 20_000, speechMs: 180_000 };

/**
 * Drafts an answer. The stream tells what was searched and found, the text, and exactly one `end`; it throws
 * `TurnFailure` when there is no answer to give, or the signal's reason.
 */
export type Draft = (request: AskRequest, signal: AbortSignal) => AsyncIterable<DraftEvent>;

/** Who answers: see `prompts/`. */
export type Persona = "default" | "onboarding" | "kiosk";

export interface AskRequest {
  /** Id of the turn, as its `HeardReport` has it. */
  readonly turn?: string;
  readonly question: string;
  /** The one document that the user chose, where several were offered. */
  readonly chosen?: ChosenDocument | undefined;
  /** Resources that the user marked or chose, by id. */
  readonly mentions?: readonly string[] | undefined;
  /** Which resources the chat has dealt with. */
  readonly targets?: TargetContext | undefined;
  /** What waits for the user, the newest last. */
  readonly pending?: readonly Pending[] | undefined;
  /** How the message came in: whether it may be a consent, and when. Absent: it may not. */
  readonly consent?: ConsentPath | undefined;
  /** Parts of a list or a procedure that were said before: the answer goes on behind them. */
  readonly alreadySaid?: number | undefined;
  /** It wants something done or checked that cannot be: only what holds its own words answers, and nothing like it. */
  readonly isNotOffered?: boolean;
  /** What the message tells of an emergency, if it does. */
  readonly emergency?: Emergency | undefined;
  /** Oldest first; only what this turn's access may read. */
  readonly history: readonly HistoryEntry[];
  readonly access: Access;
  readonly persona: Persona;
  readonly responseType: ResponseType;
  /** The language that fixed phrases are said in. */
  readonly locale: Locale;
  /** The BCP 47 tag of the language to answer in; absent: that of the question, or of `locale` where that is not told. */
  readonly language?: string | undefined;
  /** What the caller attached, when the question refers to it. */
  readonly context?: AttachedContext | undefined;
  /** Told what this turn does: it measures the turn and passes everything on. */
  readonly telemetry: Telemetry;
  /** When the answer must have begun, on the clock's monotonic scale. */
  readonly beginByMs: number;
  /** Takes back the text given so far, if none of it has reached the user; false when it is too late. */
  rewind(): boolean;
}

/** What became of a draft. */
export interface HeardReport {
  /** Id of the turn. */
  readonly turn: string;
  /** The words that reached the user; empty when the turn failed before. */
  readonly heard: string;
  /** Whether the answer came to its end. */
  readonly isWhole: boolean;
  /** When the last packet that left was due (monotonic, in milliseconds); absent where none left. */
  readonly lastDueMs?: number | undefined;
}
