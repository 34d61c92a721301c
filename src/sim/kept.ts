/** What users keep of answers for what they say later, such as a word that they are asked for. One for all users of a run. */
import { Condition } from "../lib/condition.js";

const NAME = /\{(\w+)\}/gu;

export class Kept {
  readonly #values = new Map<string, string>();
  readonly #changed = new Condition();

  /** Keeps what the first group of each pattern finds. */
  keep(patterns: Readonly<Record<string, RegExp>>, text: string): void {
    for (const [name, pattern] of Object.entries(patterns)) {
      const [whole, value = whole] = pattern.exec(text) ?? [];
      if (value !== undefined) this.#values.set(name, value);
    }
    this.#changed.notify();
  }

  /** The text with a value for each name in braces, as soon as there is one for all. Rejects with the signal's reason. */
  async filled(text: string, signal: AbortSignal): Promise<string> {
    const names = [...text.matchAll(NAME)].map(([, name = ""]) => name);
    while (names.some((name) => !this.#values.has(name))) await this.#changed.wait(signal);
    return text.replaceAll(NAME, (_, name: string) => this.#values.get(name) ?? "");
  }
}
