/** How errors name the field of a request that is at fault: `history[0].role`. */
import type { z } from "zod";

/** Where an issue is. A field that nobody knows is at fault itself, not what it stands in. */
export function pathOf(issue: z.core.$ZodIssue): readonly PropertyKey[] {
  return issue.code === "unrecognized_keys" ? [...issue.path, ...issue.keys.slice(0, 1)] : issue.path;
}

/** `history[0].role` for its path; empty for the whole. */
export function fieldName(path: readonly PropertyKey[]): string {
  return path.reduce<string>((name, key) => {
    if (typeof key === "number") return `${name}[${key}]`;
    return name === "" ? String(key) : `${name}.${String(key)}`;
  }, "");
}
