/** What is done, and what is heard of, while a stream is waited for. */

/**
 * The same values; `work` is done each time that one has been asked for, and is over before the value goes on. `hurry`
 * is called when the value is there.
 */
export async function* whileWaiting<T>(
  values: AsyncIterable<T>,
  work: () => Promise<void>,
  hurry: () => void,
): AsyncGenerator<T, void, undefined> {
  const iterator = values[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = iterator.next().finally(hurry);
      const [{ done, value }] = await Promise.all([next, work()]);
      if (done === true) return;
      yield value;
    }
  } finally {
    await iterator.return?.();
  }
}

/** The same values; undefined comes between them each time that what `awaited` names is over before the next value. */
export async function* orElse<T>(
  values: AsyncIterable<T>,
  awaited: () => Promise<void> | undefined,
): AsyncGenerator<T | undefined, void, undefined> {
  const iterator = values[Symbol.asyncIterator]();
  let isAsked = false;
  try {
    for (;;) {
      const next = iterator.next();
      isAsked = true;
      for (let other = awaited(); other !== undefined; other = awaited()) {
        // It may fail while nobody waits for it: whoever asks for the next value meets that.
        void Promise.allSettled([next]);
        const isFirst = await Promise.race([next.then(() => true), other.then(() => false)]);
        if (isFirst) break;
        yield undefined;
      }
      const { done, value } = await next;
      isAsked = false;
      if (done === true) return;
      yield value;
    }
  } finally {
    // Whoever leaves does not wait for a value that is still being worked on; what becomes of it concerns nobody.
    const returned = Promise.allSettled([iterator.return?.()]);
    if (!isAsked) await returned;
  }
}
