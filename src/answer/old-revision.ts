/** Whether a question asks for a revision of a document that does not hold any more. Pure. */
import type { Passage } from "../domain/passage.js";
import { trustedTitle } from "../grounding/injection.js";
import { revisionAloud } from "./source.js";

export interface OldRevision {
  /** As the question means it, by name: "Lockout, September 2025 revision". */
  readonly old: string;
  readonly current: string;
  /** The document that holds. */
  readonly documentId: string;
  /** The question without the revision: the one that holds does not name it. */
  readonly question: string;
}

/** The first of the passages of whose document the question names an older revision. */
export function oldRevisionIn(question: string, passages: readonly Passage[]): OldRevision | undefined {
  for (const passage of passages) {
    const { documentId, revision, supersedes } = passage;
    if (revision === undefined) continue;
    const title = trustedTitle(passage);
    for (const old of supersedes) {
      const named = mentionOf(old, question) ?? (old === supersedes[0] ? OLD.exec(question)?.[0] : undefined);
      // A revision that is named along with the one that holds is compared with it, not asked for.
      if (named === undefined || mentionOf(revision, question) !== undefined) continue;
      return {
        old: `${title}, ${revisionAloud(old)}`,
        current: `${title}, ${revisionAloud(revision)}`,
        documentId,
        question: question
          .replace(named, " ")
          .replace(/\s+/g, " ")
          .replace(/\s+(?=[?.!,])/g, "")
          .trim(),
      };
    }
  }
  return undefined;
}

/** "the old procedure", "last year's version", "the previous revision". */
const OLD =
  /\b(?:old|older|previous|former|earlier|superseded|outdated|last year's)(?= (?:\p{L}+ ){0,3}?(?:version|revision|edition|procedure|instructions?|rules?|policy|sheet|document|one)\b)|\b(?:in the )?(?:old|older|previous|former|earlier|superseded|outdated) (?:version|revision|edition)(?: of)?\b/iu;

/** Where the question names the revision, in the words that it uses for it. */
function mentionOf(revision: string, question: string): string | undefined {
  const forms = [revision, revisionAloud(revision)].map(escaped);
  const date = /^(\d{4})-(\d{2})/.exec(revision);
  const spoken = /^(?:\d{1,2} )?(\p{L}+) (\d{4}) revision$/u.exec(revisionAloud(revision));
  if (date !== null && spoken !== null) {
    const [, month = "", year = ""] = spoken;
    forms.push(`(?:${month}|${month.slice(0, 3)}\\.?)(?: of)?,? ${year}`, `0?${Number(date[2])}/${year}`);
  } else {
    forms.push(`(?:revision|rev\\.?|version|edition|v\\.?)(?: number)? ?${escaped(revision)}`);
    // A bare number may be any number.
    if (/^\p{N}{1,3}$/u.test(revision)) forms.shift();
  }
  const named = `(?<![\\p{L}\\p{N}])(?:${forms.join("|")})(?: (?:revision|version|edition))?(?![\\p{L}\\p{N}])`;
  return new RegExp(named, "iu").exec(question)?.[0];
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
