/** Options of benchmarks that are a count. */

/** The whole number from 1 on that the option says; throws where it says something else. */
export function countOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new Error(`--${name} is a whole number from 1 on, not ${text}`);
  return Number(text);
}
