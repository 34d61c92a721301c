/** Markdown inside a line to plain text: what a voice would say of it. */

/**
 * Takes emphasis, links, images, code marks, tags, escapes and common entities off. Each pattern gives up at the next
 * sign of its kind, so that no text, however long, takes more than linear time.
 */
export function plainInline(text: string): string {
  const escaped: string[] = [];
  const held = text.replaceAll(HELD, "").replace(ESCAPE, (_match, sign: string) => {
    escaped.push(sign);
    return HELD;
  });
  let restored = 0;
  const plain = REPLACEMENTS.reduce((rest, [pattern, by]) => rest.replace(pattern, by), held);
  return plain
    .replace(ENTITY, (entity: string, name: string) => ENTITIES[name] ?? entity)
    .replaceAll(HELD, () => escaped[restored++] ?? "")
    .trim();
}

const ESCAPE = /\\([!-/:-@[-`{-~])/g;
/** Stands for an escaped sign meanwhile; a noncharacter, which no text interchange carries. */
const HELD = "\uFDD0";

const STARS = /(\*\*\*|\*\*|\*)(?=\S)([^*]+?)(?<=\S)\1/g;
const UNDERSCORES = /(?<![\p{L}\p{N}_])(___|__|_)(?=\S)([^_]+?)(?<=\S)\1(?![\p{L}\p{N}_])/gu;

const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/!\[([^\][]*)\]\([^()]*\)/g, "$1"],
  [/\[([^\][]+)\]\([^()]*\)/g, "$1"],
  [/\[\^[^\][]*\]/g, ""],
  [/\[([^\][]+)\]\[[^\][]*\]/g, "$1"],
  [/<((?:https?|mailto):[^<>\s]*)>/g, "$1"],
  [/<br\s*\/?>/gi, " "],
  [/<\/?[a-z][^<>]*>/gi, ""],
  [/(?<!`)(`{1,3})(?!`)([^`]+)\1(?!`)/g, "$2"],
  // Twice, since emphasis may stand inside emphasis.
  [STARS, "$2"],
  [STARS, "$2"],
  [UNDERSCORES, "$2"],
  [UNDERSCORES, "$2"],
  [/~~(?=\S)([^~]+?)(?<=\S)~~/g, "$1"],
];

const ENTITY = /&(\w+|#\d{1,7});/g;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  deg: "°",
  plusmn: "±",
  micro: "µ",
  ndash: "–",
  mdash: "—",
};
