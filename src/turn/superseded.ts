/** Whether a question is about a revision that a newer one has replaced: then the user is told which one holds. Pure. */
import { revisionAloud } from "../answer/source.js";
import type { Passage } from "../domain/passage.js";

/** The replaced revision that the question names, as the document writes it; only one that the user may read counts. */
export function revisionAskedFor(question: string, { supersedes, revision }: Passage): string | undefined {
  const asked = plain(question);
  if (revision !== undefined && names(asked, revision)) return undefined;
  return supersedes.find((old) => names(asked, old));
}

/** As it is written, with or without its day, or as it is said: "2025-09", "September 2025", "revision 3". */
function names(asked: string, revision: string): boolean {
  const written = plain(revision);
  // "3" alone may count anything.
  const isTelling = /\d{4}|\p{L}\S*\d|\d\.\d/u.test(revision);
  const spoken = plain(revisionAloud(revision)).replace(/^revision | revision$/g, "");
  const kinds = ["revision", "rev", "version", "edition", "issue"];
  const forms = [
    ...(isTelling ? [written, spoken] : []),
    ...kinds.flatMap((kind) => [`${kind} ${written}`, `${kind} no ${written}`, `${kind} number ${written}`]),
  ];
  return forms.some((form) => ` ${asked} `.includes(` ${form} `));
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
