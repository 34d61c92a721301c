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
    const place = firstOf(this.sequences, text);
    this.#reached = place !== undefined;
    const end = place ?? text.length - this.#begun(text);
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

/** Where the sequence begins that is complete first, as a model that writes stops there. */
function firstOf(sequences: readonly string[], text: string): number | undefined {
  const places = sequences.flatMap((sequence) => {
    const at = text.indexOf(sequence);
    return at < 0 ? [] : [{ at, end: at + sequence.length }];
  });
  return places.sort((a, b) => a.end - b.end || a.at - b.at)[0]?.at;
}

/** `text` as far as it is told. */
export function untilStop(text: string, sequences: readonly string[] = []): string {
  const stop = new StopSequences(sequences);
  return stop.next(text) + stop.end();
}
