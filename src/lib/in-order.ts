/** Work on many things, some at once, whose results come in the order of the things. */

/** The results in their order, of which at most `atOnceMax` are worked on. Rejects as the first does that rejects. */
export async function* inOrder<T, R>(
  items: readonly T[],
  atOnceMax: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R, void, undefined> {
  const running: Promise<R>[] = [];
  for (const item of items) {
    if (running.length === atOnceMax) yield await running.shift()!;
    const result = work(item);
    // Where one before it rejects, nobody waits for this one: its own rejection is none that nobody handles.
    void Promise.allSettled([result]);
    running.push(result);
  }
  for (const one of running) yield await one;
}
