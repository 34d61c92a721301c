/** Remembers what a pure function makes of an object, for as long as that object is in use. */

/** The same function, which looks at each object once. */
export function once<K extends object, V extends NonNullable<unknown>>(
  work: (subject: K) => V,
): (subject: K) => V {
  const known = new WeakMap<K, V>();
  return (subject) => {
    const found = known.get(subject) ?? work(subject);
    known.set(subject, found);
    return found;
  };
}
