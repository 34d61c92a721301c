/** Who holds what of something scarce, each in the order of use: to find what the one who holds most used longest ago. */
export class Holders<T> {
  /** Of each holder, what was used longest ago first. */
  readonly #held = new Map<string, Set<T>>();

  /** How much `holder` has. */
  count(holder: string): number {
    return this.#held.get(holder)?.size ?? 0;
  }

  /** `holder` gets `item`, or uses it again. */
  use(holder: string, item: T): void {
    const items = this.#held.get(holder) ?? new Set();
    this.#held.set(holder, items);
    items.delete(item);
    items.add(item);
  }

  drop(holder: string, item: T): void {
    const items = this.#held.get(holder);
    items?.delete(item);
    if (items?.size === 0) this.#held.delete(holder);
  }

  /** What `holder` used longest ago of what may go. */
  oldestOf(holder: string | undefined, mayGo: (item: T) => boolean = () => true): T | undefined {
    for (const item of this.#held.get(holder ?? "") ?? []) if (mayGo(item)) return item;
    return undefined;
  }

  /** Who has most; nobody has anything: undefined. */
  largest(): string | undefined {
    let largest: string | undefined;
    for (const [holder, { size }] of this.#held)
      if (largest === undefined || size > this.count(largest)) largest = holder;
    return largest;
  }

  /** All who have anything, who has most first. */
  largestFirst(): readonly string[] {
    return [...this.#held.keys()].sort((one, other) => this.count(other) - this.count(one));
  }
}
