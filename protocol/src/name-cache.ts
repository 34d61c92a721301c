/**
 * Remembers the text of byte strings seen before. Relays repeat the same names in every frame, and decoding UTF-8
 * costs more than the rest of a header.
 */

/** Names remembered; when there are more, all are forgotten and learnt again. */
const ENTRIES_MAX = 256;

interface Entry {
  readonly bytes: Uint8Array;
  readonly text: string;
}

export class NameCache {
  readonly #entries = new Map<number, Entry>();

  /** The text stored for exactly the bytes `from` ≤ i < `to`; `hash` is any function of those bytes alone. */
  get(bytes: Uint8Array, from: number, to: number, hash: number): string | undefined {
    const entry = this.#entries.get(hash);
    if (entry === undefined) return undefined;
    const known = entry.bytes;
    const length = to - from;
    if (known.length !== length) return undefined;
    for (let i = 0; i < length; i++) {
      if (known[i] !== bytes[from + i]) return undefined;
    }
    return entry.text;
  }

  /** Stores `text` in place of what had the same hash. The bytes are copied: they may be part of a large chunk. */
  set(bytes: Uint8Array, from: number, to: number, hash: number, text: string): void {
    if (this.#entries.size >= ENTRIES_MAX) this.#entries.clear();
    this.#entries.set(hash, { bytes: new Uint8Array(bytes.subarray(from, to)), text });
  }
}
