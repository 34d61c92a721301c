/**
 * A chat's dialogue, of which what is durable is kept in a store. The store is asked once, before the first answer; one
 * that fails or takes long costs what was open, and never the chat.
 */
import { type Dialogue, NOTHING_OPEN, type Pending } from "../domain/dialogue.js";
import type { User } from "../domain/user.js";
import type { Clock } from "../lib/clock.js";
import { withDeadline } from "../lib/deadline.js";
import type { DialogueStore } from "../store/dialogue-store.js";
import type { Telemetry } from "../telemetry/events.js";

/** For the store to load or to save. */
export const STORE_MS_MAX = 1_000;

export interface KeptDialogueDeps {
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly dialogues: DialogueStore;
}

const FOREVER = new AbortController().signal;

export class KeptDialogue {
  #value = NOTHING_OPEN;
  #isRestored = false;

  constructor(
    private readonly user: User,
    private readonly session: string,
    private readonly deps: KeptDialogueDeps,
  ) {}

  get value(): Dialogue {
    return this.#value;
  }

  /** With what was open before this chat. Never rejects. */
  async restored(): Promise<Dialogue> {
    if (this.#isRestored) return this.#value;
    this.#isRestored = true;
    const { dialogues } = this.deps;
    const kept = (await this.#asked(() => dialogues.load(this.user, this.session))) ?? [];
    this.#value = { ...this.#value, pending: [...kept, ...this.#value.pending] };
    return this.#value;
  }

  /** Never rejects; resolves when what is durable is kept. */
  async keep(dialogue: Dialogue): Promise<void> {
    const [before, now] = [durableOf(this.#value), durableOf(dialogue)];
    this.#value = dialogue;
    if (now.length === before.length && now.every((one, i) => one === before[i])) return;
    await this.#asked(() => this.deps.dialogues.save(this.user, this.session, now));
  }

  async #asked<T>(work: () => Promise<T>): Promise<T | undefined> {
    const { clock, telemetry } = this.deps;
    try {
      return await withDeadline(clock, "the store of dialogues", STORE_MS_MAX, FOREVER, work);
    } catch (error) {
      telemetry.emit({ type: "service_fault", where: "the store of dialogues", error: String(error) });
      return undefined;
    }
  }
}

function durableOf({ pending }: Dialogue): readonly Pending[] {
  return pending.filter(({ durable }) => durable);
}
