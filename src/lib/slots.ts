/** So many pieces of work at once and no more; a bounded line of others waits for them, first come, first served. */
import { abortable } from "./deadline.js";

export class SlotsFull extends Error {
  override readonly name = "SlotsFull";
  constructor(readonly waitingMax: number) {
    super(`${waitingMax} wait already`);
  }
}

export class Slots {
  #free: number;
  readonly #line: (() => void)[] = [];

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
    if (this.#line.length >= this.waitingMax) throw new SlotsFull(this.waitingMax);
    let turn = () => {};
    const mine = new Promise<void>((resolve) => {
      turn = resolve;
    });
    this.#line.push(turn);
    try {
      await abortable(mine, signal);
    } catch (error) {
      const at = this.#line.indexOf(turn);
      if (at >= 0) this.#line.splice(at, 1);
      // The turn came and the signal in the same moment.
      else this.#giveBack();
      throw error;
    }
  }

  #giveBack(): void {
    const next = this.#line.shift();
    if (next === undefined) this.#free++;
    else next();
  }
}
