/** Whether a question asks for a revision of a document that does not hold any more. Pure. */
import type { Passage } from "../domain/passage.js";
import { trustedTitle } from "../grounding/injection.js";
import type { Locale } from "../locale/locale.js";
import { dateAloud, revisionAloud } from "./source.js";

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
export function oldRevisionIn(
  question: string,
  passages: readonly Passage[],
  locale: Locale,
): OldRevision | undefined {
  for (const passage of passages) {
    const { documentId, revision, supersedes } = passage;
    if (revision === undefined) continue;
    const title = trustedTitle(passage);
    for (const old of supersedes) {
      const named =
        mentionOf(old, question, locale) ?? (old === supersedes[0] ? OLD.exec(question)?.[0] : undefined);
      // A revision that is named along with the one that holds is compared with it, not asked for.
      if (named === undefined || mentionOf(revision, question, locale) !== undefined) continue;
      return {
        old: `${title}, ${revisionAloud(old, locale)}`,
        current: `${title}, ${revisionAloud(revision, locale)}`,
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
function mentionOf(revision: string, question: string, locale: Locale): string | undefined {
  const forms = [revision, revisionAloud(revision, locale)].map(escaped);
  const date = /^(\d{4})-(\d{2})/.exec(revision);
  if (date !== null && dateAloud(revision, locale) !== undefined) {
    const [, year = "", month = ""] = date;
    const names = new Set([
      ...monthNames(Number(month), "en"),
      ...monthNames(Number(month), locale.language),
    ]);
    forms.push(
      `(?:${[...names].map(escaped).join("|")})\\.?(?: (?:of|de))?,? ${year}`,
      `0?${Number(month)}/${year}`,
    );
  } else {
    forms.push(`(?:revision|rev\\.?|version|edition|v\\.?)(?: number)? ?${escaped(revision)}`);
    // A bare number may be any number.
    if (/^\p{N}{1,3}$/u.test(revision)) forms.shift();
  }
  const named = `(?<![\\p{L}\\p{N}])(?:${forms.join("|")})(?: (?:revision|version|edition))?(?![\\p{L}\\p{N}])`;
  return new RegExp(named, "iu").exec(question)?.[0];
}

/** What a month is called: alone, in a date, and by its first letters. */
function monthNames(month: number, language: string): readonly string[] {
  const first = new Date(Date.UTC(2000, month - 1, 1));
  const named = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { timeZone: "UTC", ...options })
      .formatToParts(first)
      .filter(({ type }) => type === "month")
      .map(({ value }) => value);
  const names = [...named({ month: "long" }), ...named({ month: "long", day: "numeric" })];
  return [...names, ...names.map((name) => name.slice(0, 3))];
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
