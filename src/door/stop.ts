/** Ends an answer before the first of the sequences at which its caller told it to stop, piece by piece. */

export class StopSequences {
  /** What may be the beginning of a sequence. */
  #held = "";
  #reached = false;

  constructor(private readonly sequences: readonly string[]) {}

  /** What `piece` adds to what may be told. */
  next(piece: string): string {
    if (this.#reached) return "";
    const text = this.#held + piece;
    const places = this.sequences.map((sequence) => text.indexOf(sequence)).filter((at) => at >= 0);
    this.#reached = places.length > 0;
    const end = this.#reached ? Math.min(...places) : text.length - this.#begun(text);
    this.#held = this.#reached ? "" : text.slice(end);
    return text.slice(0, end);
  }

  /** What is left to be told when the answer is over. */
  end(): string {
    return this.#held;
  }

  /** Characters at the end of `text` that a sequence begins with. */
  #begun(text: string): number {
    const lengths = this.sequences.map((sequence) => {
      let length = Math.min(sequence.length - 1, text.length);
      while (length > 0 && !sequence.startsWith(text.slice(text.length - length))) length -= 1;
      return length;
    });
    return Math.max(0, ...lengths);
  }
}

/** `text` as far as it is told. */
export function untilStop(text: string, sequences: readonly string[] = []): string {
  const stop = new StopSequences(sequences);
  return stop.next(text) + stop.end();
}
