// A naive encoder: says in order whatever it is told, right or wrong.

/** Text (as UTF-8) and byte arrays, joined, in hex. */
export function hex(...parts) {
  return Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "utf8") : Buffer.from(part)))).toString("hex");
}

/** A header of these lines. */
export function header(...lines) {
  return `LT\n${lines.map((line) => `${line}\n`).join("")}\n`;
}

/** A whole ct:json frame; `value` is JSON text, or something to write as JSON. */
export function jsonFrame(value, ...lines) {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return header("ct:json", `cl:${Buffer.byteLength(text)}`, ...lines) + text;
}

/** The bytes 0, 1, 2 … */
export function ramp(length) {
  return Array.from({ length }, (_, i) => i & 0xff);
}
