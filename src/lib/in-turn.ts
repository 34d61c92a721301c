/** Work that is done one after the other for each key, and at once for different ones. */
export class InTurn {
  readonly #last = new Map<string, Promise<unknown>>();

  /** What `work` comes to, once all is over that was begun for `key` before. */
  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const next = (this.#last.get(key) ?? Promise.resolve()).then(work);
    const settled = Promise.allSettled([next]);
    this.#last.set(key, settled);
    void settled.then(() => {
      if (this.#last.get(key) === settled) this.#last.delete(key);
    });
    return next;
  }
}
