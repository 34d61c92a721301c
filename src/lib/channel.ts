/**
 * A bounded channel between one producer and one consumer: values in order, then an end or an error. The producer
 * waits while the channel is full, so nothing piles up behind a slow consumer.
 */
import { abortable } from "./deadline.js";

/** How a stream of values ends, or that it goes on. */
export type StreamEnd =
  | { readonly type: "open" }
  | { readonly type: "closed" }
  | { readonly type: "failed"; readonly error: unknown };

export class Channel<T> implements AsyncIterable<T> {
  readonly #items: { value: T; weight: number }[] = [];
  #weight = 0;
  #ending: StreamEnd = { type: "open" };
  #wakeConsumer: (() => void) | undefined;
  #wakeProducer: (() => void) | undefined;

  /** `weightMax`: how much may wait in the channel; one value heavier than that still passes, alone. */
  constructor(private readonly weightMax: number) {}

  /** Adds a value, waiting for room first. Rejects when the signal aborts; a value sent after the end is dropped. */
  async send(value: T, weight: number, signal: AbortSignal): Promise<void> {
    while (!this.put(value, weight) && this.#ending.type === "open") {
      await abortable(
        new Promise<void>((resolve) => {
          this.#wakeProducer = resolve;
        }),
        signal,
      );
    }
  }

  /** Adds a value if there is room for it; false when it is not taken. */
  put(value: T, weight = 1): boolean {
    const full = this.#weight + weight > this.weightMax && this.#items.length > 0;
    if (full || this.#ending.type !== "open") return false;
    this.#items.push({ value, weight });
    this.#weight += weight;
    this.#wakeConsumer?.();
    return true;
  }

  close(): void {
    this.#end({ type: "closed" });
  }

  /** What was sent before still comes out; then the error. */
  fail(error: unknown): void {
    this.#end({ type: "failed", error });
  }

  #take(): T | undefined {
    const item = this.#items.shift();
    if (item === undefined) return undefined;
    this.#weight -= item.weight;
    this.#wakeProducer?.();
    return item.value;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for (;;) {
      while (this.#items.length > 0) yield this.#take() as T;
      if (this.#ending.type === "closed") return;
      if (this.#ending.type === "failed") throw this.#ending.error;
      await new Promise<void>((resolve) => {
        this.#wakeConsumer = resolve;
      });
    }
  }

  #end(ending: StreamEnd): void {
    if (this.#ending.type !== "open") return;
    this.#ending = ending;
    this.#wakeConsumer?.();
    this.#wakeProducer?.();
  }
}
