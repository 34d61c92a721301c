/**
 * Remembers the text of recently seen byte strings. Relays repeat the same few names in every frame, and
 * decoding UTF-8 costs more than the rest of a header. Direct-mapped: bounded, and a hit needs no allocation.
 */

/** Power of two. */
const SLOTS = 64;

interface Slot {
  readonly bytes: Uint8Array;
  readonly text: string;
}

export class NameCache {
  readonly #slots: (Slot | undefined)[] = new Array(SLOTS).fill(undefined);

  /** The text stored for exactly the bytes `from` ≤ i < `to`; `hash` is any function of those bytes alone. */
  get(bytes: Uint8Array, from: number, to: number, hash: number): string | undefined {
    const slot = this.#slots[hash & (SLOTS - 1)];
    if (slot === undefined) return undefined;
    const known = slot.bytes;
    const length = to - from;
    if (known.length !== length) return undefined;
    for (let i = 0; i < length; i++) {
      if (known[i] !== bytes[from + i]) return undefined;
    }
    return slot.text;
  }

  /** Stores `text`, replacing whatever shared its slot. The bytes are copied: they may be part of a large chunk. */
  set(bytes: Uint8Array, from: number, to: number, hash: number, text: string): void {
    this.#slots[hash & (SLOTS - 1)] = { bytes: new Uint8Array(bytes.subarray(from, to)), text };
  }
}
