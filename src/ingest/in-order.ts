/** Work on several items at once whose results come in the order of the items. */

/**
 * `work` never rejects: it returns what went wrong. At most `concurrency` items are under way or waiting to be taken.
 * Whoever stops early waits for those that are under way.
 */
export async function* inOrder<Item, Result>(
  items: Iterable<Item>,
  concurrency: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, void, undefined> {
  const started: Promise<Result>[] = [];
  try {
    for (const item of items) {
      started.push(work(item));
      if (started.length >= concurrency) yield await started.shift()!;
    }
    for (let next = started.shift(); next !== undefined; next = started.shift()) yield await next;
  } finally {
    await Promise.allSettled(started);
  }
}
