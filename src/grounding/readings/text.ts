/** Words of a claim with their places, and names as they are compared: whole, never as parts of other names. */

export interface ClaimWord {
  readonly text: string;
  /** In lower case, without a possessive 's. */
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** A word may hold what names hold: `nginx.service`, `nginx-proxy`, `/dev/sda1`, `nginx:1.25`, `app@2`. */
const TOKEN = /(?<![^\s("'`“‘[,])\/(?=[\s,.)]|$)|[/~]?[\p{L}\p{N}][\p{L}\p{N}_@/.:+%'’-]*/gu;

export function tokensOf(text: string): readonly ClaimWord[] {
  return [...text.matchAll(TOKEN)].map((match) => {
    const written = match[0].replace(/(?<=[^.:+'’/-])[.:+'’/-]+$/u, "");
    const bare = written.replace(/['’]s$/i, "");
    const end = match.index + written.length;
    return { text: bare, word: bare.toLowerCase(), start: match.index, end };
  });
}

/** A name in the form in which names are equal: `Nginx.service` and `nginx`, `nginx_proxy` and "nginx proxy". */
export function canonicalName(name: string, kind?: string): string {
  const bare = name
    .trim()
    .toLowerCase()
    .replace(/\.(?:service|socket|timer|target)$/, "")
    .replace(/:$/, "");
  // Docker writes `/nginx`; a path stays one.
  return (kind === "container" ? bare.replace(/^\//, "") : bare).replace(/[\s_]+/g, "-");
}

/** Whether a word is written like the name of a thing or a version: with digits or marks inside. */
export function looksLikeIdentifier(text: string): boolean {
  return /\p{N}/u.test(text) || /[\p{L}\p{N}][_@/.:-][\p{L}\p{N}]/u.test(text) || /^\//.test(text);
}
