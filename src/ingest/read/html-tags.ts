/** What the elements of HTML mean to a reader that only wants what is said. */

import { wordSet } from "../../lib/word-set.js";

/** Elements without content. */
export const VOID = wordSet(
  "area base basefont bgsound br col command embed frame hr img input keygen link meta param source track wbr",
);

/** Elements that nobody reads on the page, or that only serve to get around. */
export const UNREAD = wordSet(
  "script style template noscript nav svg math iframe object canvas audio video select datalist head-script",
);

/** Elements that begin and end a paragraph; an open `p` ends before each of them. */
export const BLOCK = wordSet(
  "address article aside blockquote body button caption center details dialog dd dir div dl dt fieldset figcaption " +
    "figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu ol optgroup option p pre search " +
    "section summary table tbody td tfoot th thead tr ul",
);

/** What closes the open elements in front of it, and inside of which elements only. */
export const CLOSES: ReadonlyMap<
  string,
  { readonly open: readonly string[]; readonly within: readonly string[] }
> = new Map([
  ["li", { open: ["li"], within: ["ol", "ul", "menu", "dir"] }],
  ["dt", { open: ["dt", "dd"], within: ["dl"] }],
  ["dd", { open: ["dt", "dd"], within: ["dl"] }],
  ["td", { open: ["td", "th"], within: ["tr", "table"] }],
  ["th", { open: ["td", "th"], within: ["tr", "table"] }],
  ["tr", { open: ["tr", "caption"], within: ["table"] }],
  ["thead", { open: ["thead", "tbody", "tfoot", "caption"], within: ["table"] }],
  ["tbody", { open: ["thead", "tbody", "tfoot", "caption"], within: ["table"] }],
  ["tfoot", { open: ["thead", "tbody", "tfoot", "caption"], within: ["table"] }],
  ["body", { open: ["head"], within: [] }],
]);

/** Closing tags that reach out of a table's cell; no other does. */
export const TABLE_PARTS = wordSet("table tbody thead tfoot tr td th caption body html");

/** Whether the page does not show an element. */
export function isHidden(name: string, attributes: ReadonlyMap<string, string>): boolean {
  if (UNREAD.has(name) || attributes.has("hidden") || attributes.get("aria-hidden") === "true") return true;
  if (name === "dialog" && !attributes.has("open")) return true;
  return /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(attributes.get("style") ?? "");
}
