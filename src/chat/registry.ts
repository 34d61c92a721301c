/**
 * All chats, by user. Chats are opened by the first message that is taken, and closed by the user, by silence, for want
 * of room or at shutdown.
 */
import { TurnFailure } from "../domain/failure.js";
import type { ChatRequest } from "../domain/turn.js";
import { type User, userKey } from "../domain/user.js";
import { every, type Timer } from "../lib/clock.js";
import { currentOrigin } from "../lib/origin.js";
import type { Random } from "../lib/random.js";
import { lengthFailure } from "../turn/admit.js";
import type { Announcement } from "../turn/announce.js";
import { Line } from "../turn/line.js";
import type { Outlet } from "../turn/outlet.js";
import { Chat, type ChatDeps } from "./chat.js";
import { type ChatLimits, ChatShares } from "./chat-shares.js";
import { type VoiceLimits, Voices } from "./voices.js";

/** How often silent chats are looked for. */
export const EXPIRY_CHECK_MS = 60_000;

/** The session that a user has with the relays; there is one. */
const RELAY_SESSION = "";

function chatKey(user: User, session: string): string {
  return `${userKey(user)}\u0000${session}`;
}

export interface RegistryOptions extends ChatLimits, VoiceLimits {
  /** Silence after which a chat is closed. */
  readonly inactivityMsMax: number;
}

export interface RegistryDeps extends ChatDeps {
  readonly random: Random;
}

export class ChatRegistry {
  readonly voices: Voices;
  readonly #chats = new Map<string, Chat>();
  readonly #shares: ChatShares;
  readonly #expiry: Timer;
  #shuttingDown = false;

  constructor(
    private readonly deps: RegistryDeps,
    private readonly options: RegistryOptions,
  ) {
    this.voices = new Voices(options);
    this.#shares = new ChatShares(options);
    this.#expiry = every(deps.clock, EXPIRY_CHECK_MS, () => this.#closeSilent());
  }

  get size(): number {
    return this.#chats.size;
  }

  /** Networks with at least one chat. */
  get networks(): number {
    return this.#shares.networks;
  }

  /** The user's open chat; `session` names one of several that doors other than the relays' keep. */
  find(user: User, session = RELAY_SESSION): Chat | undefined {
    const chat = this.#chats.get(chatKey(user, session));
    return chat?.closed === undefined ? chat : undefined;
  }

  /** Whether spoken questions can be understood. */
  get listens(): boolean {
    return this.deps.listen !== undefined;
  }

  /** Where the user was seen last, as far as a chat remembers it: one that is closing too. */
  lastSeen(user: User, session = RELAY_SESSION): Outlet | undefined {
    return this.#chats.get(chatKey(user, session))?.line.outlet;
  }

  /** Users of a network who have a chat with the relays. */
  usersOf(network: string): readonly string[] {
    return [...this.#chats.values()].flatMap(({ closed, session, user }) =>
      closed === undefined && session === RELAY_SESSION && user.network === network ? user.username : [],
    );
  }

  /** Stops what is said to this user, or by this user; false when there is neither. At shutdown too. */
  cancel(user: User): boolean {
    return this.#chats.get(chatKey(user, RELAY_SESSION))?.cancel() ?? false;
  }

  /** The user was seen on `outlet`: whatever is being said goes there from now on. */
  seen(user: User, outlet: Outlet): void {
    this.#chats.get(chatKey(user, RELAY_SESSION))?.seen(outlet);
  }

  /** The relay behind `link` takes announcements from now on: whoever is on it may have some that wait. */
  announces(link: object): void {
    for (const chat of this.#chats.values()) {
      const { outlet } = chat.line;
      if (outlet.link === link) chat.seen(outlet);
    }
  }

  /** Says something unasked to a user of the relays; whoever has no chat with them is not there. */
  announce(announcement: Announcement): "taken" | "no_chat" {
    const chat = this.find(announcement.user);
    chat?.announce(announcement);
    return chat === undefined ? "no_chat" : "taken";
  }

  /**
   * Puts a message to its user's chat, opened if there is none. Throws `TurnFailure`, and opens none, when the message is
   * too long for any, or there is no room for a chat. What the chat itself refuses is told to the user by the chat.
   */
  accept(asked: ChatRequest, outlet: Outlet, session = RELAY_SESSION): Chat {
    try {
      const refusal = "text" in asked ? lengthFailure(asked.text) : undefined;
      if (refusal !== undefined) throw refusal;
      const chat = this.open(asked.user, outlet, session);
      chat.accept(asked);
      return chat;
    } catch (error) {
      throw error instanceof TurnFailure ? (this.deps.explained?.(error, asked) ?? error) : error;
    }
  }

  /**
   * The user's chat, opened if there is none. Throws `TurnFailure` when there is no room. At shutdown it is a closed one,
   * which refuses what it is given.
   */
  open(user: User, outlet: Outlet, session = RELAY_SESSION): Chat {
    const key = chatKey(user, session);
    const existing = this.#chats.get(key);
    if (existing !== undefined && (existing.closed === undefined || this.#shuttingDown)) {
      if (existing.closed === undefined) this.#shares.use(existing);
      return existing;
    }
    this.#makeRoom(user);
    const line = new Line(outlet, this.deps.clock, (mid, firstPid) =>
      this.deps.telemetry.emit({ type: "answer_moved", user, mid, firstPid }),
    );
    const chat = new Chat(
      this.deps.random.id(),
      user,
      session,
      line,
      this.deps,
      existing?.closed ?? Promise.resolve(),
    );
    this.#chats.set(key, chat);
    this.#shares.use(chat);
    this.deps.telemetry.emit({ type: "chat_opened", user });
    if (this.#shuttingDown) void this.close(chat, "shutdown");
    return chat;
  }

  /** Ends one chat; resolves when its user has been told. */
  async close(chat: Chat, ...args: Parameters<Chat["close"]>): Promise<void> {
    this.#shares.drop(chat);
    await chat.close(...args);
    const key = chatKey(chat.user, chat.session);
    if (this.#chats.get(key) === chat) this.#chats.delete(key);
  }

  /** When a chat that stays silent is closed, in wall-clock milliseconds. */
  expiresAtMs(lastUpdateMs: number): number {
    return lastUpdateMs + this.options.inactivityMsMax;
  }

  /** Ends every chat for good: answers under way may finish within the time given. */
  async shutdown(finishWithinMs: number): Promise<void> {
    this.#expiry.cancel();
    this.#shuttingDown = true;
    await Promise.all(
      [...this.#chats.values()].map((chat) => this.close(chat, "shutdown", { finishWithinMs })),
    );
  }

  #makeRoom({ network }: User): void {
    const origin = currentOrigin();
    for (;;) {
      const room = this.#shares.roomFor(network, origin);
      if (room === "free") return;
      if (room === "full")
        throw new TurnFailure(
          "assistant_unavailable",
          "Too many people are talking at once. Try again later.",
        );
      void this.close(room.gives, "expired");
    }
  }

  #closeSilent(): void {
    const nowMs = this.deps.clock.now();
    for (const chat of this.#chats.values()) {
      const { lastUpdateMs } = chat.describe();
      if (chat.idle && nowMs > this.expiresAtMs(lastUpdateMs)) void this.close(chat, "expired");
    }
  }
}
