/**
 * How the doors other than the relays' ask: a message goes into a session's chat as a relay's does, and what comes of
 * it comes back as one stream. A session answers one message at a time, whoever is connected; each caller hears only
 * what its own message caused.
 */
import type { AnswerReport } from "../domain/answer-report.js";
import type { OperationView } from "../domain/operation.js";
import type { ChatRequest, TurnEvent } from "../domain/turn.js";
import { userKey } from "../domain/user.js";
import { Channel } from "../lib/channel.js";
import { currentOrigin, type Origin, workFor } from "../lib/origin.js";
import type { AudioShape, Outlet, OutletFrame, OutletLink, Revocation, SendResult } from "../turn/outlet.js";
import type { Chat } from "./chat.js";
import type { ChatRegistry } from "./registry.js";

/** What a caller hears: what the turn does, and the frames that a relay would get. The last event is `finished`. */
export type CallerEvent =
  | { readonly type: "event"; readonly event: TurnEvent }
  | { readonly type: "frame"; readonly frame: OutletFrame };

/** Events and frames that may wait for a caller who does not read: more than any answer has. */
const HEARD_MAX = 10_000;

export interface HearOptions {
  /** What is told goes on to the user at once: from its first words on the answer cannot start over. Default: it can. */
  readonly streams?: boolean;
}

/**
 * Puts `request` to the chat of its user and `session` and tells what comes of it. Ends after `finished`; a message that
 * the chat refuses ends with a report of that failure. Breaking out of the loop, or `signal`, stops the answer.
 * Throws `TurnFailure` when the message is too long, or there are too many chats.
 */
export async function* hear(
  chats: ChatRegistry,
  request: ChatRequest,
  session: string,
  signal: AbortSignal,
  { streams = false }: HearOptions = {},
): AsyncGenerator<CallerEvent, void, undefined> {
  const requestId = request.requestId ?? request.id;
  const asked = { ...request, requestId };
  const outlet = chats.lastSeen(request.user, session);
  const sessionOutlet = outlet instanceof SessionOutlet ? outlet : new SessionOutlet();
  const channel = sessionOutlet.listen(asked.id, requestId, streams);
  const [peer] = currentOrigin();
  const origin: Origin = [peer, session, userKey(request.user)];
  const onAbort = () => channel.close();
  signal.addEventListener("abort", onAbort, { once: true });
  let finished = false;
  let chat: Chat | undefined;
  try {
    if (signal.aborted) return;
    chat = workFor(origin, () => chats.accept(asked, sessionOutlet, session));
    for await (const heard of channel) {
      finished = heard.type === "event" && heard.event.type === "finished";
      yield heard;
      if (finished) return;
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
    sessionOutlet.leave(asked.id);
    if (!finished) chat?.withdraw(asked.id);
  }
}

/** A caller, and how far its answer is. */
interface Listener {
  readonly requestId: string;
  readonly channel: Channel<CallerEvent>;
  readonly streams: boolean;
  /** Whether any of the answer's words went out. */
  told: boolean;
}

/** Frames and events of one session, each handed to the caller whose message caused it. */
class SessionOutlet implements Outlet {
  readonly link: OutletLink = { paced: false, accepts: () => true };
  readonly #listeners = new Map<string, Listener>();

  listen(turn: string, requestId: string, streams: boolean): Channel<CallerEvent> {
    const channel = new Channel<CallerEvent>(HEARD_MAX);
    this.#listeners.set(turn, { requestId, channel, streams, told: false });
    return channel;
  }

  leave(turn: string): void {
    this.#listeners.delete(turn);
  }

  send(frame: OutletFrame): SendResult {
    for (const { requestId, channel } of this.#listeners.values()) {
      if (requestId !== frame.requestId) continue;
      return channel.put({ type: "frame", frame }) ? "accepted" : "refused";
    }
    return "accepted";
  }

  observe(turn: string, event: TurnEvent): void {
    const listener = this.#listeners.get(turn);
    if (listener === undefined) return;
    if (event.type === "text") listener.told = true;
    listener.channel.put({ type: "event", event });
  }

  committed(turn: string): boolean {
    const listener = this.#listeners.get(turn);
    return listener?.streams === true && listener.told;
  }

  /** All that was sent is with its caller already. */
  revoke(_mid: number): Revocation {
    return { frames: [], firstPid: undefined };
  }
}

/** What `hear` tells, put together; for callers who do not stream. */
export interface HeardAnswer {
  readonly report: AnswerReport;
  /** Packets of the spoken answer in order, with their shape; absent when there is no voice. */
  readonly audio: { readonly shape: AudioShape; readonly packets: readonly Uint8Array[] } | undefined;
  /** The operation that was proposed, or has got on, where one has. */
  readonly operation: OperationView | undefined;
}

/** The packets of a voice and the operation that the turn was about, put aside for the end. */
export class HeardCollector {
  /** As it was told last. */
  operation: OperationView | undefined;
  #shape: AudioShape | undefined;
  readonly #packets: Uint8Array[] = [];

  add(heard: CallerEvent): void {
    if (heard.type === "event") {
      if (heard.event.type === "proposed") this.operation = heard.event.operation;
      return;
    }
    if (heard.frame.type === "message") this.#shape = heard.frame.shape;
    if (heard.frame.type === "audio") this.#packets.push(heard.frame.packet);
  }

  get audio(): HeardAnswer["audio"] {
    if (this.#shape === undefined || this.#packets.length === 0) return undefined;
    return { shape: this.#shape, packets: this.#packets };
  }
}

/** Listens to the end. Rejects with the signal's reason when it was stopped. */
export async function hearAll(heard: AsyncIterable<CallerEvent>, signal: AbortSignal): Promise<HeardAnswer> {
  const collected = new HeardCollector();
  for await (const one of heard) {
    collected.add(one);
    if (one.type === "event" && one.event.type === "finished")
      return { report: one.event.report, audio: collected.audio, operation: collected.operation };
  }
  signal.throwIfAborted();
  throw new Error("the answer ended without a report");
}
