/** Lets one stage of a pipeline work while the next one does, by a bounded distance. */
import { Channel } from "../lib/channel.js";

/**
 * The values of `stage`, which runs ahead by values that weigh `weightMax` together. The stage is given a signal that
 * aborts with `parent`, and as soon as nobody wants more; it has ended when the iteration has.
 */
export async function* runAhead<T>(
  stage: (signal: AbortSignal) => AsyncIterable<T>,
  weightMax: number,
  weigh: (value: T) => number,
  parent: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  const ended = new AbortController();
  const signal = AbortSignal.any([parent, ended.signal]);
  const channel = new Channel<T>(weightMax);
  const fill = async () => {
    for await (const value of stage(signal)) await channel.send(value, weigh(value), signal);
  };
  const filled = fill().then(
    () => channel.close(),
    (error) => channel.fail(error),
  );
  try {
    yield* channel;
  } finally {
    ended.abort(new Error("nobody wants more"));
    await filled;
  }
}
