/**
 * What a voice has to say: the answer's text as it is written, cut into sentences. The writer appends, the speaker
 * takes sentences in order; each change is announced.
 */
import type { StreamEnd } from "../lib/channel.js";
import type { Condition } from "../lib/condition.js";
import { SentenceSplitter } from "../speech/sentences.js";

export class Script {
  #splitter = new SentenceSplitter();
  #text = "";
  #sentences: string[] = [];
  #taken = 0;
  #ending: StreamEnd = { type: "open" };

  constructor(private readonly changed: Condition) {}

  /** White space at the end of `text` tells that a sentence is over, so that it need not wait for the next one. */
  append(text: string): void {
    this.#text += text;
    this.#sentences.push(...this.#splitter.push(text));
    if (/\s$/.test(text)) this.#sentences.push(...this.#splitter.flush());
    this.changed.notify();
  }

  close(): void {
    this.#sentences.push(...this.#splitter.flush());
    this.#ending = { type: "closed" };
    this.changed.notify();
  }

  /** The writer broke down: the reader meets the error after the sentences written so far. */
  fail(error: unknown): void {
    this.#ending = { type: "failed", error };
    this.changed.notify();
  }

  /** Forgets everything: the writer starts over. */
  clear(): void {
    this.#splitter = new SentenceSplitter();
    this.#text = "";
    this.#sentences = [];
    this.#taken = 0;
    this.changed.notify();
  }

  /** The next sentence, if it is written. */
  take(): string | undefined {
    const sentence = this.#sentences[this.#taken];
    if (sentence !== undefined) this.#taken += 1;
    return sentence;
  }

  /** Whether every sentence is written and taken. Throws the writer's error once those before it are taken. */
  get exhausted(): boolean {
    if (this.#taken < this.#sentences.length) return false;
    if (this.#ending.type === "failed") throw this.#ending.error;
    return this.#ending.type === "closed";
  }

  /** Whether the whole text is written. */
  get complete(): boolean {
    return this.#ending.type === "closed";
  }

  /** All that is written so far. */
  get text(): string {
    return this.#text.trimEnd();
  }

  /** The whole text, once it is all written. Rejects with the writer's error or the signal's reason. */
  async whole(signal: AbortSignal): Promise<string> {
    while (this.#ending.type === "open") await this.changed.wait(signal);
    if (this.#ending.type === "failed") throw this.#ending.error;
    return this.text;
  }
}
