/** So many pieces of work at once and no more; a bounded line of others waits for them, whose origins take turns. */
import { abortable } from "./deadline.js";
import { FairQueue } from "./fair-queue.js";
import { currentOrigin } from "./origin.js";

/** Too many waited, and this was the oldest of the origin that had most of them. */
export class SlotsFull extends Error {
  override readonly name = "SlotsFull";
  constructor(readonly waitingMax: number) {
    super(`more than ${waitingMax} wait`);
  }
}

interface Waiting {
  begin(): void;
  giveUp(failure: SlotsFull): void;
}

export class Slots {
  #free: number;
  readonly #line = new FairQueue<Waiting>();

  constructor(
    atOnceMax: number,
    private readonly waitingMax: number,
  ) {
    this.#free = atOnceMax;
  }

  /** Does the work in its turn. Rejects with `SlotsFull`, with the signal's reason while it waits, or as the work does. */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#take(signal);
    try {
      return await work();
    } finally {
      this.#giveBack();
    }
  }

  async #take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free--;
      return;
    }
    const origin = currentOrigin();
    let begun = false;
    let waiting: Waiting | undefined;
    const turn = new Promise<void>((resolve, giveUp) => {
      const begin = () => {
        begun = true;
        resolve();
      };
      waiting = { begin, giveUp };
      this.#line.push(origin, waiting);
    });
    if (this.#line.size > this.waitingMax) this.#line.shed()?.giveUp(new SlotsFull(this.waitingMax));
    try {
      await abortable(turn, signal);
    } catch (error) {
      // The turn may have come in the moment of the signal.
      if (begun) this.#giveBack();
      else this.#line.remove(origin, waiting!);
      throw error;
    }
  }

  #giveBack(): void {
    const next = this.#line.shift();
    if (next === undefined) this.#free++;
    else next.begin();
  }
}
