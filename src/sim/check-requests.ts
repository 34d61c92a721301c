/** Requests and what they cause: each has one outcome, and what belongs to it says so [LT-41, LT-111]. */
import type { ServiceCommand, UserIdentity } from "@readback/protocol";
import { keyOf, type SentCommand, type SentEvent } from "./trace.js";
import { type Fault, fault } from "./violation.js";

/** What a request must have come to when all is over. */
const OUTCOMES: Readonly<Record<SentCommand, "one" | "at_most_one">> = {
  ai_message: "one",
  message: "one",
  get_chat: "one",
  close_chat: "one",
  suggested_questions: "one",
  summarize: "one",
  // What they do shows in the request that they are about.
  cancel: "at_most_one",
  end_message: "at_most_one",
};

interface Request {
  readonly sent: SentEvent;
  outcomes: number;
}

export class RequestCheck {
  readonly #requests = new Map<string, Request>();
  /** Ids of spoken questions, by user. */
  readonly #spoken = new Map<string, Set<number>>();
  /** When a user was last without a connection. */
  readonly #absent = new Map<string, number>();

  sent(event: SentEvent): void {
    if (event.requestId !== undefined) this.#requests.set(event.requestId, { sent: event, outcomes: 0 });
    if (event.command !== "message" || event.messageId === undefined) return;
    const key = keyOf(event.user);
    const spoken = this.#spoken.get(key) ?? new Set();
    this.#spoken.set(key, spoken.add(event.messageId));
  }

  /** What was on its way to this user may be lost. */
  absent(user: string, atMs: number): void {
    this.#absent.set(user, atMs);
  }

  get(requestId: string | undefined): SentEvent | undefined {
    return requestId === undefined ? undefined : this.#requests.get(requestId)?.sent;
  }

  /** A command for `user`; `isOutcome`: it is the last that its request causes; `isUnasked`: there is none. */
  received(command: ServiceCommand, user: UserIdentity, isOutcome: boolean, isUnasked: boolean): Fault[] {
    if (command.command === "keep_alive") return [];
    const { requestId } = command;
    if (requestId === undefined)
      return isUnasked || mayComeUnasked(command)
        ? []
        : [fault("request_unknown", `${command.command} without a request_id`)];
    const request = this.#requests.get(requestId);
    if (request === undefined) return [fault("request_unknown", `${command.command} for ${requestId}`)];
    if (keyOf(request.sent.user) !== keyOf(user))
      return [
        fault(
          "foreign_user",
          `${command.command} for ${requestId}, which is ${request.sent.user.username}'s`,
        ),
      ];
    if (!isOutcome) return [];
    request.outcomes += 1;
    return request.outcomes === 1 ? [] : [fault("outcome_repeated", `${command.command} for ${requestId}`)];
  }

  /** What was understood of a spoken question. */
  understood(messageId: number, user: UserIdentity): Fault[] {
    if (this.#spoken.get(keyOf(user))?.has(messageId) === true) return [];
    return [fault("transcription_unexpected", `of a question ${messageId} that was not asked`)];
  }

  /** Requests without an outcome, those apart whose user was away. */
  finish(): readonly { readonly sent: SentEvent; readonly fault: Fault }[] {
    return [...this.#requests.values()]
      .filter(({ sent, outcomes }) => outcomes === 0 && OUTCOMES[sent.command] === "one")
      .filter(({ sent }) => (this.#absent.get(keyOf(sent.user)) ?? Number.NEGATIVE_INFINITY) < sent.atMs)
      .map(({ sent }) => ({ sent, fault: fault("outcome_missing", `${sent.command} ${sent.requestId}`) }));
  }
}

/** A chat may expire, the service may stop, and what cannot be read has no request_id. */
function mayComeUnasked({ command }: ServiceCommand): boolean {
  return command === "chat_closed" || command === "ai_message_error";
}
