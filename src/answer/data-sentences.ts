/** JSON data as sentences, "project usage percentage is 40.": what can be said, and what a sentence can be checked by. */

/** Values of one text at the most; what comes behind them is left out. */
export const DATA_VALUES_MAX = 200;

/** Levels of nesting that are followed. */
const DEPTH_MAX = 6;

/** One sentence for each value, in order; undefined when the text is no JSON object or array. */
export function dataSentences(text: string): readonly string[] | undefined {
  const data = parsed(text);
  if (data === undefined) return undefined;
  const sentences: string[] = [];
  collect(data, [], sentences);
  return sentences;
}

function parsed(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    const data: unknown = JSON.parse(text);
    return typeof data === "object" && data !== null ? data : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function collect(value: unknown, path: readonly string[], sentences: string[]): void {
  if (sentences.length >= DATA_VALUES_MAX) return;
  if (typeof value !== "object" || value === null) {
    const words = valueInWords(value);
    if (words !== "") sentences.push(sentence(path, words));
  } else if (Array.isArray(value) && value.every((item) => typeof item !== "object")) {
    const words = value.slice(0, DATA_VALUES_MAX).flatMap((item) => valueInWords(item) || []);
    if (words.length > 0) sentences.push(sentence(path, words.join(", ")));
  } else if (path.length < DEPTH_MAX) {
    const entries: readonly (readonly [string, unknown])[] = Array.isArray(value)
      ? value.map((item: unknown, i) => [String(i + 1), item] as const)
      : Object.entries(value);
    for (const [name, item] of entries) {
      if (sentences.length >= DATA_VALUES_MAX) return;
      collect(item, [...path, nameInWords(name)], sentences);
    }
  }
}

function sentence(path: readonly string[], words: string): string {
  const subject = path.filter((name) => name !== "").join(" ");
  if (subject === "") return /[.!?]$/.test(words) ? words : `${words}.`;
  return `${subject[0]!.toUpperCase()}${subject.slice(1)} is ${words}${/[.!?]$/.test(words) ? "" : "."}`;
}

/** `projectUsage_percentage` is "project usage percentage". */
function nameInWords(name: string): string {
  return name
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .replace(/[\s_.:/-]+/g, " ")
    .trim()
    .toLowerCase();
}

function valueInWords(value: unknown): string {
  if (typeof value === "string") return value.replace(/\s+/g, " ").trim();
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}
