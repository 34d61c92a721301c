/** Written text to what a voice can say: no markup, no citation marks, no addresses letter by letter. */

/** The words of `text` to be spoken, on one line; empty when there is nothing to say. */
export function speakable(text: string): string {
  let spoken = text;
  for (const [pattern, replacement] of RULES) spoken = spoken.replace(pattern, replacement);
  spoken = spoken.replace(/\s+/g, " ").trim();
  return /[\p{L}\p{N}]/u.test(spoken) ? spoken : "";
}

/** In order: each rule sees what those before it left. */
const RULES: readonly (readonly [RegExp, string])[] = [
  // One space or line feed at a time: patterns that begin with any number of them would take the square of it.
  [/[^\S\n]+/g, " "],
  [/(?: ?\n)+ ?/g, "\n"],
  // Images and links: their text.
  [/!?\[([^\]\n]{0,500})\]\(\s*[^)\s]{0,2000}[^)\n]{0,200}\)/g, "$1"],
  // Citation marks: [1], [2, 3], [^1], 【4†source】.
  [/(?:(?<!\s)\s+)?(?:\[\^?\d{1,3}(?:\s*[,–-]\s*\d{1,3})*\]|【[^】\n]{0,100}】)/g, ""],
  // Addresses: the name of the host.
  [/\bhttps?:\/\/(?:www\.)?([^\s/:?#<>()]{1,253})[^\s<>()]{0,2000}(?<![.,;:!?])/gi, "$1"],
  // Headings, quotations, bullets and rules at the start of a line.
  [/^[ \t]*(?:#{1,6}(?=\s|$)|>(?!=| ?\d)|[-*+•](?=[ \t]))+[ \t]*/gm, ""],
  [/^[ \t]*(?:[-*_][ \t]*){3,}$/gm, ""],
  // Code and emphasis: what is inside.
  [/`{1,3}/g, ""],
  [/(\*{1,3}|~~)(?=\S)([^*~\n]{1,1000}?)(?<=\S)\1/g, "$2"],
  [/(?<![\p{L}\p{N}_])_{1,3}(?=\S)([^_\n]{1,1000}?)(?<=\S)_{1,3}(?![\p{L}\p{N}_])/gu, "$1"],
  // Columns of a table; pictures.
  [/(?:(?<!\s)\s+)?\|\s*/g, " "],
  [/\p{Extended_Pictographic}|\uFE0F|\u200D/gu, ""],
];
