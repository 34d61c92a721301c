/** What was opened so far, to be closed again when opening the rest fails. */

export class Closers {
  readonly #closers: (() => Promise<void> | undefined)[] = [];

  /** Remembers how `opened` is closed, and gives it back. */
  add<T>(opened: T, close: (opened: T) => Promise<void> | undefined): T {
    this.#closers.push(() => close(opened));
    return opened;
  }

  /** Closes everything, the latest first. */
  async close(): Promise<void> {
    for (const close of this.#closers.splice(0).reverse()) await close();
  }
}
