/** Whether a question asks for a revision of a document that does not hold any more. Pure. */

import type { Passage } from "../../domain/passage.js";
import { lately } from "../../lib/lately.js";
import { pattern } from "../../lib/pattern.js";
import type { Locale } from "../../locale/locale.js";
import { trustedTitle } from "../injection.js";
import { DATE, LANGUAGES_KEPT, revisionAloud } from "./source.js";

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
      const named = mentionOf(old, question, locale) ?? (old === supersedes[0] ? oldIn(question) : undefined);
      // A revision that is named along with the one that holds is compared with it, not asked for.
      if (named === undefined || mentionOf(revision, question, locale) !== undefined) continue;
      return {
        old: `${title}, ${revisionAloud(old, locale)}`,
        current: `${title}, ${revisionAloud(revision, locale)}`,
        documentId,
        question: question
          .replace(named, " ")
          .replace(/\s+/g, " ")
          .replace(/ (?=[?.!,])/g, "")
          .trim(),
      };
    }
  }
  return undefined;
}

/** "the old procedure", "last year's version", "the previous revision". */
const OLD = pattern("iu")`
  \b(?:old|older|previous|former|earlier|superseded|outdated|last year's)
  (?= (?:\p{L}+ ){0,3}?(?:version|revision|edition|procedure|instructions?|rules?|policy
  |sheet|document|one)\b)|\b(?:in the )?(?:old|older|previous|former|earlier|superseded
  |outdated) (?:version|revision|edition)(?: of)?\b
`;

function oldIn(question: string): string | undefined {
  return (OLD.exec(question) ?? OLD_ELSEWHERE.exec(question))?.[0];
}

/** The same in the other languages. */
const OLD_ELSEWHERE = new RegExp(
  `(?<!\\p{L})(?:${[
    "(?:versi[oó]n|revisi[oó]n|edici[oó]n) (?:anterior|antigua|vieja|previa)" +
      "|(?:antigua|anterior|vieja) (?:versi[oó]n|revisi[oó]n|edici[oó]n)",
    "(?:ancienne|précédente) (?:version|révision|édition)|(?:version|révision|édition) (?:précédente|antérieure)",
    "(?:alten?|vorige[nr]?|vorherige[nr]?|frühere[nr]?|veraltete[nr]?) (?:version|revision|fassung|ausgabe)",
    "(?:star(?:a|ą|ej)|poprzedni(?:a|ą|ej)|wcześniejsz(?:a|ą|ej)) wersj[aięą]",
    "(?:стар(?:а|у|ої|ій)|попередн(?:я|ю|ьої|ій)) (?:версі[яїюєі]|редакці[яїюєі])",
  ].join("|")})(?!\\p{L})`,
  "iu",
);

/** What people call a revision. */
const REVISION =
  "revision|version|edition|revisi[oó]n|versi[oó]n|edici[oó]n|révision|fassung|ausgabe|wersj[aięą]|редакці[яїюєі]|версі[яїюєі]";

/** Where the question names the revision, in the words that it uses for it. */
function mentionOf(revision: string, question: string, locale: Locale): string | undefined {
  const forms = [revision, revisionAloud(revision, locale)].map(escaped);
  const date = DATE.exec(revision.trim());
  if (date !== null) {
    const [, year = "", month = ""] = date;
    const names = new Set(["en", locale.language].flatMap((one) => monthNames(one)[Number(month) - 1]!));
    forms.push(
      `(?:${[...names].map(escaped).join("|")})\\.?(?: (?:of|de|del))?,? ${year}`,
      `0?${Number(month)}/${year}`,
    );
  } else {
    forms.push(`(?:${REVISION}|rev\\.?|v\\.?)(?: number)? ?${escaped(revision)}`);
    // A bare number may be any number.
    if (/^\p{N}{1,3}$/u.test(revision)) forms.shift();
  }
  const named = `(?<![\\p{L}\\p{N}])(?:${forms.join("|")})(?: (?:${REVISION}))?(?![\\p{L}\\p{N}])`;
  return new RegExp(named, "iu").exec(question)?.[0];
}

/** What each month is called: alone, in a date, and for short. Formatters cost milliseconds, so names are kept. */
const monthNames = lately((language): readonly (readonly string[])[] => {
  const forms = [{ month: "long" }, { month: "long", day: "numeric" }, { month: "short" }] as const;
  const formats = forms.map((form) => new Intl.DateTimeFormat(language, { timeZone: "UTC", ...form }));
  return Array.from({ length: 12 }, (_, month) =>
    formats
      .flatMap((format) => format.formatToParts(Date.UTC(2000, month)))
      .flatMap(({ type, value }) => (type === "month" ? [value.replace(/\.$/, "")] : [])),
  );
}, LANGUAGES_KEPT);

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
