/** Work on several items at once whose results come in the order of the items. */

/** `work` never rejects: it returns what went wrong. At most `concurrency` items are under way or waiting to be taken. */
export async function* inOrder<Item, Result>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, void, undefined> {
  const started: Promise<Result>[] = [];
  for (const item of items) {
    started.push(work(item));
    if (started.length >= concurrency) yield await started.shift()!;
  }
  for (const result of started) yield await result;
}
