/** Remembers what a pure function made of the last texts: the same passages, sentences and words come back turn after turn. */

/** The texts that are kept; with one more all are forgotten, since to know which was used last costs more than it saves. */
export interface LatelyOptions {
  readonly textsMax: number;
  /** UTF-16 units; longer texts are not kept. */
  readonly charsMax: number;
}

/** The same function, which works out once what it is asked for again and again. */
export function lately<V extends object | string>(
  work: (text: string) => V,
  { charsMax, textsMax }: LatelyOptions,
): (text: string) => V {
  const known = new Map<string, V>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const made = work(text);
    if (text.length > charsMax) return made;
    if (known.size >= textsMax) known.clear();
    known.set(text, made);
    return made;
  };
}
