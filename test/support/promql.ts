/** What an expression of Prometheus asks for. */

/** A metric with its matchers, as in `up{job="readback"}`. */
export interface Selector {
  readonly name: string;
  /** With the metric's name, as it can be asked for by itself. */
  readonly text: string;
}

const KEYWORDS = ["and", "or", "unless", "by", "without", "on", "ignoring"];

/** Every selector, without ranges; functions, operators and numbers are none. */
export function selectorsIn(expression: string): Selector[] {
  const bare = expression.replaceAll(/\[[^\]]*\]|\b(?:by|without)\s*\([^)]*\)/g, " ");
  const found = bare.matchAll(/(?<![\w"])([a-z_][a-z0-9_:]*)\b(?!\s*\()(\s*\{[^}]*\})?/gi);
  return [...found]
    .filter(([, name]) => !KEYWORDS.includes(name!))
    .map(([, name, matchers = ""]) => ({ name: name!, text: `${name}${matchers.trim()}` }));
}

/** The labels that an expression groups by. */
export function labelsIn(expression: string): string[] {
  return [...expression.matchAll(/\bby\s*\(([^)]*)\)/g)].flatMap(([, names]) =>
    names!.split(",").map((name) => name.trim()),
  );
}
