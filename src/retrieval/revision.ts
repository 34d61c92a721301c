/**
 * Which of two revisions of a document is the newer one. Documents write revisions as numbers ("4", "v2.10",
 * "Rev. B"), as dates ("2026-03", "14 March 2026", "14.03.2026") or as anything else.
 */

/**
 * Below 0 when `a` is older than `b`, above 0 when newer, 0 when they say the same. Dates and numbers compare by
 * value, letters by the alphabet; a revision that says more is newer than its own beginning ("2026-03" before
 * "2026-03-14").
 */
export function compareRevisions(a: string, b: string): number {
  const aParts = revisionParts(a);
  const bParts = revisionParts(b);
  for (let i = 0; i < Math.min(aParts.length, bParts.length); i++) {
    const order = compareParts(aParts[i]!, bParts[i]!);
    if (order !== 0) return order;
  }
  return aParts.length - bParts.length;
}

/** Documents of one network whose titles give the same key are revisions of one document. */
export function titleKey(title: string): string {
  return title.normalize("NFKC").toLowerCase().replace(/\s+/gu, " ").trim();
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const LABEL = /^(?:revision|rev|version|ver|v|r)(?=[\W\d_]|$)/;
/** Day first where both orders are possible: "03/04/2026" is 3 April. */
const DAY_MONTH_YEAR = /^(?:(\d{1,2})[./-])?(\d{1,2})[./-](\d{4})$/;

type Part = number | string;

function revisionParts(revision: string): Part[] {
  const text = revision.normalize("NFKC").toLowerCase().trim().replace(LABEL, "").trim();
  const numeric = DAY_MONTH_YEAR.exec(text);
  if (numeric !== null) return dateParts(numeric[3]!, numeric[2]!, numeric[1]);
  const words = text.match(/\d+|\p{L}+/gu) ?? [];
  return namedDateParts(words) ?? words.map((word) => (/^\d+$/.test(word) ? Number(word) : word));
}

/** "March 2026", "14 March 2026" and "March 14, 2026". */
function namedDateParts(words: readonly string[]): Part[] | undefined {
  const month = words.find((word) => MONTHS.includes(word.slice(0, 3)) && /^\p{L}/u.test(word));
  const year = words.find((word) => /^\d{4}$/.test(word));
  const day = words.find((word) => /^\d{1,2}$/.test(word));
  if (month === undefined || year === undefined || words.length > 3) return undefined;
  return dateParts(year, String(MONTHS.indexOf(month.slice(0, 3)) + 1), day);
}

function dateParts(year: string, month: string, day: string | undefined): Part[] {
  const parts = [Number(year), Number(month)];
  if (day === undefined) return parts;
  // An impossible month was written month first.
  return parts[1]! > 12 ? [parts[0]!, Number(day), parts[1]!] : [...parts, Number(day)];
}

/** A letter follows a number of the same place: "draft" is older than "1", "1" is older than "1a". */
function compareParts(a: Part, b: Part): number {
  if (typeof a !== typeof b) return typeof a === "number" ? 1 : -1;
  return a < b ? -1 : a > b ? 1 : 0;
}
