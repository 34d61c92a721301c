/** How deeply JSON is nested: a text, found without recursion and before it is parsed, or a value. */

/**
 * Levels of nesting that JSON from outside may have. Nothing that is asked for here has more than ten; what writes or
 * compares JSON recursively overflows the stack at several thousand.
 */
export const JSON_DEPTH_MAX = 64;

const [QUOTE, BACKSLASH, LIST, LIST_END, OBJECT, OBJECT_END] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

/** Whether lists and objects of `text` are nested more than `levelsMax` deep. Linear in the length; no JSON is needed. */
export function isNestedDeeper(text: string, levelsMax = JSON_DEPTH_MAX): boolean {
  let level = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (quoted) {
      if (code === BACKSLASH) at++;
      else if (code === QUOTE) quoted = false;
    } else if (code === QUOTE) quoted = true;
    else if (code === LIST || code === OBJECT) {
      level++;
      if (level > levelsMax) return true;
    } else if (code === LIST_END || code === OBJECT_END) level--;
  }
  return false;
}

/** Whether lists and objects of a JSON value are nested too deeply for what works on it recursively. */
export function isDeep(json: unknown, levels = JSON_DEPTH_MAX): boolean {
  if (typeof json !== "object" || json === null) return false;
  return levels === 0 || Object.values(json).some((value) => isDeep(value, levels - 1));
}
