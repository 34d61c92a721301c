/** One text for one JSON value, whoever writes it, so that it can be hashed: after RFC 8785. */

/** `value` is what `JSON.parse` gives. Names are sorted by UTF-16 units; no blanks. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const names = Object.keys(value).toSorted();
  const member = (name: string) =>
    `${JSON.stringify(name)}:${canonicalJson((value as Readonly<Record<string, unknown>>)[name])}`;
  return `{${names.map(member).join(",")}}`;
}
