/** JSON pointers (RFC 6901): where a value stands in JSON. */

/** The value at `pointer`, such as `/sensors/0/value`; undefined where there is none. */
export function valueAt(json: unknown, pointer: string): unknown {
  let value = json;
  for (const escaped of pointer.split("/").slice(1)) {
    if (typeof value !== "object" || value === null) return undefined;
    const name = escaped.replaceAll("~1", "/").replaceAll("~0", "~");
    if (!Object.hasOwn(value, name) || (Array.isArray(value) && !INDEX.test(name))) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}

const INDEX = /^(?:0|[1-9]\d{0,9})$/;
