/**
 * Puts a question to a chat, for doors that get requests of their own. A session's questions share one chat and its
 * memory; a question without a session gets a chat of its own, which is closed when it is answered.
 */

import { type CallerEvent, hear } from "../chat/door.js";
import type { ChatRegistry } from "../chat/registry.js";
import type { AnswerReport } from "../domain/answer-report.js";
import { HISTORY_ENTRIES_MAX } from "../domain/dialogue.js";
import { TurnFailure } from "../domain/failure.js";
import type {
  AttachedContext,
  ChatRequest,
  ConsentPath,
  HistoryEntry,
  ResponseType,
} from "../domain/turn.js";
import type { Utterance } from "../domain/utterance.js";
import type { Clock } from "../lib/clock.js";
import type { Random } from "../lib/random.js";
import type { Route } from "../routing/routes.js";
import type { Identity } from "./claims.js";
import type { GivenAnswers, SaidBefore } from "./given-answers.js";
import { Rejection } from "./rejection.js";
import { untilStop } from "./stop.js";

/** Before the name that a caller gives a conversation. */
export const SESSION_PREFIX = "session:";

export interface CallerAskDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly chats: ChatRegistry;
  readonly given: GivenAnswers;
  /** Those that a caller may declare. */
  readonly routes: readonly Route[];
}

/** A question, whatever its words are. */
interface Asking extends Identity {
  readonly responseType: ResponseType;
  readonly language?: string | null | undefined;
  readonly route?: string | null | undefined;
  /** Ids of resources of a site that the caller marked. */
  readonly mentions?: readonly string[] | null | undefined;
  readonly context?: Attachments | null | undefined;
  /** What was said before, oldest first, where the caller keeps that. */
  readonly history?: readonly SaidBefore[] | null | undefined;
  /** The caller's name for the conversation that this belongs to. */
  readonly sessionId?: string | null | undefined;
  /** How it may consent to what waits, where the door carries consent; its time is that of this call. */
  readonly consent?: Omit<ConsentPath, "pressedMs"> | undefined;
  /** What the caller may name the answer by later, where the protocol has names. */
  readonly answerName?: string | undefined;
}

export interface CallerQuestion extends Asking {
  readonly text: string;
  /** The answer is told until the first of these, where the protocol has them. */
  readonly stop?: readonly string[] | undefined;
}

/** A question whose words are found out within its turn. */
export interface SpokenQuestion extends Asking {
  readonly utterance: Utterance;
}

/** As requests name them. */
export interface Attachments {
  readonly editor_content?: string | null | undefined;
  readonly selected_text?: string | null | undefined;
  readonly extra_context?: string | null | undefined;
  /** How old it was when it was attached, in seconds. */
  readonly extra_context_age_s?: number | null | undefined;
  readonly user_info?: Readonly<Record<string, string>> | null | undefined;
}

const MS_PER_SECOND = 1_000;

/** Of a spoken question: doors other than the relays' do not number them. */
const MESSAGE_ID = 0;

export interface TellingOptions {
  /** What is told goes to the user at once, and cannot be taken back. */
  readonly streams: boolean;
}

/**
 * What comes of a question, to its end; see `hear`. Leaving the loop, or `signal`, stops the answer. Throws `Rejection`
 * when there is no room for it.
 */
export async function* ask(
  { chats, clock, given: givenAnswers, random }: CallerAskDeps,
  question: CallerQuestion | SpokenQuestion,
  signal: AbortSignal,
  options: TellingOptions,
): AsyncGenerator<CallerEvent, void, undefined> {
  const { features, groups, responseType, sessionId, user } = question;
  const id = random.id();
  // Neither is a session of the relays', nor one of the other kind.
  const session = sessionId == null ? `once:${id}` : sessionOf(sessionId);
  const common = { id, user, responseType, groups, features, ...optionalOf(question, givenAnswers, clock) };
  const request: ChatRequest =
    "text" in question
      ? { ...common, text: question.text }
      : { ...common, utterance: question.utterance, messageId: MESSAGE_ID };
  try {
    for await (const heard of hear(chats, request, session, signal, options)) {
      if (heard.type === "event" && heard.event.type === "finished")
        keep(givenAnswers, question, heard.event.report);
      yield heard;
    }
  } catch (error) {
    throw error instanceof TurnFailure ? new Rejection(error.code, error.message) : error;
  } finally {
    if (sessionId == null) closeSession(chats, question, session);
  }
}

/** Ends a session, and with it all that its chat remembers; an answer under way is stopped. */
export function forget({ chats }: CallerAskDeps, identity: Identity, sessionId: string): void {
  closeSession(chats, identity, sessionOf(sessionId));
}

function sessionOf(sessionId: string): string {
  return `${SESSION_PREFIX}${sessionId}`;
}

/** Without waiting for it: what is left of the turn ends by itself. */
function closeSession(chats: ChatRegistry, { user }: Identity, session: string): void {
  const chat = chats.find(user, session);
  if (chat !== undefined) void chats.close(chat, "closed");
}

/** An answer may come back where the caller keeps what was said. */
function keep(answers: GivenAnswers, question: CallerQuestion | SpokenQuestion, report: AnswerReport): void {
  const { answerName, history, sessionId } = question;
  const { answer, sources } = report;
  if (answer === undefined || (sessionId != null && history == null)) return;
  const [asked, stop] =
    "text" in question ? [[{ role: "user", text: question.text } as const], question.stop] : [[], []];
  const conversation = [...(history ?? []), ...asked].slice(-HISTORY_ENTRIES_MAX);
  const named = answerName === undefined ? undefined : { name: answerName, conversation };
  answers.keep(question, { answer, told: untilStop(answer.text, stop), sources, named });
}

function optionalOf(asking: Asking, answers: GivenAnswers, clock: Clock) {
  const { consent, context, history, language, mentions, mode, route } = asking;
  return presentFields({
    mode,
    language,
    route,
    mentions,
    consent: consent && { ...consent, pressedMs: clock.monotonic() },
    context: context == null ? undefined : attachedContext(context, clock),
    history: history?.slice(-HISTORY_ENTRIES_MAX).map((line) => asEntry(line, asking, answers)),
  });
}

/** What the caller says was said rests on no document that we know of, unless it is an answer of ours. */
function asEntry({ role, text }: SaidBefore, identity: Identity, answers: GivenAnswers): HistoryEntry {
  const ours = role === "assistant" ? answers.recognise(identity, text) : undefined;
  return ours ?? { role, text, sources: [] };
}

/** Undefined when nothing is attached. */
function attachedContext(attached: Attachments, clock: Clock): AttachedContext | undefined {
  const context = presentFields({
    selectedText: attached.selected_text,
    editorContent: attached.editor_content,
    extraContext: attached.extra_context,
    userInfo: attached.user_info,
  });
  if (context.extraContext === undefined) return Object.keys(context).length === 0 ? undefined : context;
  const ageMs = (attached.extra_context_age_s ?? 0) * MS_PER_SECOND;
  return { ...context, readAtMs: clock.now() - ageMs };
}

type PresentFields<T> = { [K in keyof T]?: NonNullable<T[K]> };

/** The fields that say something. */
export function presentFields<T extends object>(fields: T): PresentFields<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null)) as PresentFields<T>;
}
