/** HTML as values: everything that is put into a template is escaped, unless it is markup itself. */

export class Markup {
  constructor(readonly text: string) {}
}

export type MarkupValue = string | number | Markup | readonly Markup[] | undefined;

/** A template of HTML or SVG; `undefined` leaves nothing. */
export function html(parts: TemplateStringsArray, ...values: readonly MarkupValue[]): Markup {
  return new Markup(parts.map((part, i) => part + (i < values.length ? textOf(values[i]) : "")).join(""));
}

function textOf(value: MarkupValue): string {
  if (value === undefined) return "";
  if (value instanceof Markup) return value.text;
  if (typeof value === "object") return value.map(({ text }) => text).join("");
  return escaped(String(value));
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** What HTML and UTF-8 cannot hold is shown as such. */
const UNHOLDABLE = /[^\t\n\r\u{20}-\u{7E}\u{A0}-\u{D7FF}\u{E000}-\u{10FFFF}]/gu;

function escaped(text: string): string {
  return text.replace(UNHOLDABLE, "\u{FFFD}").replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
