/** Remembers what a directory said of a user for a known time, so that a busy chat asks it once. */
import { type User, userKey } from "../../domain/user.js";
import type { Clock } from "../../lib/clock.js";
import type { GroupDirectory } from "./port.js";

/** Users who are remembered; the one who was asked for least recently goes first. */
export const USERS_MAX = 10_000;

interface GroupsEntry {
  readonly atMs: number;
  readonly groups: readonly string[];
}

export class CachedGroups implements GroupDirectory {
  /** In order of use, the least recent first. */
  readonly #known = new Map<string, GroupsEntry>();

  constructor(
    private readonly clock: Clock,
    private readonly directory: GroupDirectory,
    private readonly refreshMs: number,
  ) {}

  async groupsOf(user: User, signal: AbortSignal): Promise<readonly string[]> {
    const key = userKey(user);
    // The age counts from before the question: what changes while it is under way is not older than that.
    const atMs = this.clock.monotonic();
    let known = this.#known.get(key);
    if (known === undefined || atMs - known.atMs >= this.refreshMs) {
      this.#known.delete(key);
      known = { atMs, groups: await this.directory.groupsOf(user, signal) };
    }
    this.#known.delete(key);
    this.#known.set(key, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > USERS_MAX && oldest !== undefined) this.#known.delete(oldest);
    return known.groups;
  }
}
