/** Work that is done while a stream is waited for. */

/** The same values; `work` is done each time that one has been asked for, and is over before the value goes on. */
export async function* whileWaiting<T>(
  values: AsyncIterable<T>,
  work: () => Promise<void>,
): AsyncGenerator<T, void, undefined> {
  const iterator = values[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = iterator.next();
      const [{ done, value }] = await Promise.all([next, work()]);
      if (done === true) return;
      yield value;
    }
  } finally {
    await iterator.return?.();
  }
}
