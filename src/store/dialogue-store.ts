/** Where what a user has open outlives the process: only what must, such as a proposal that waits for consent. */
import type { Pending } from "../domain/dialogue.js";
import { type User, userKey } from "../domain/user.js";

export interface DialogueStore {
  /** What was saved last of this session of the user; empty when nothing was. */
  load(user: User, session: string): Promise<readonly Pending[]>;
  /** Takes the place of what was saved before; nothing open leaves nothing behind. Resolves when it is kept. */
  save(user: User, session: string, pending: readonly Pending[]): Promise<void>;
}

/** Sessions that are kept in memory; the one that was saved longest ago makes room. */
export const SESSIONS_MAX = 10_000;

/** Keeps it as long as the process lives: longer than a chat, and no longer. */
export class MemoryDialogueStore implements DialogueStore {
  /** As JSON: what is loaded is a value, and nobody can change what is kept. */
  readonly #bySession = new Map<string, string>();

  async load(user: User, session: string): Promise<readonly Pending[]> {
    return JSON.parse(this.#bySession.get(keyOf(user, session)) ?? "[]");
  }

  async save(user: User, session: string, pending: readonly Pending[]): Promise<void> {
    const key = keyOf(user, session);
    this.#bySession.delete(key);
    if (pending.length > 0) this.#bySession.set(key, JSON.stringify(pending));
    const [oldest] = this.#bySession.keys();
    if (this.#bySession.size > SESSIONS_MAX && oldest !== undefined) this.#bySession.delete(oldest);
  }
}

function keyOf(user: User, session: string): string {
  return `${userKey(user)}\u0000${session}`;
}
