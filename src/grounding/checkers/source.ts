/** The source of an answer as it is said aloud: "Lockout procedure, section 4, page 3, March 2026 revision". */
import type { Passage } from "../../domain/passage.js";
import { lately } from "../../lib/lately.js";
import type { Locale } from "../../locale/locale.js";
import { trusted } from "../injection.js";

/** The parts that are known, without a heading that says the title once more. No markdown, no brackets, no ids. */
export function sourceAloud(passage: Passage, locale: Locale): string {
  const { title, headings, page, revision } = trusted(passage);
  const section = headings.filter((heading) => !sameWords(heading, title)).at(-1);
  const parts = [
    title,
    ...(section === undefined ? [] : [sectionAloud(section, locale)]),
    ...(page === undefined ? [] : [locale.say("source_page", { page: String(page) })]),
    ...(revision === undefined ? [] : [revisionAloud(revision, locale)]),
  ];
  return parts.map(withoutMarks).join(", ");
}

/** "4. Isolate the press" and "4.2 Valves" are said by their number; a heading without one is said itself. */
function sectionAloud(heading: string, locale: Locale): string {
  const numbered = /^section\s+(\d+(?:\.\d+)*)|^(\d+(?:\.\d+)*)[.):](?:\s|$)|^(\d+(?:\.\d+)+)\s/i.exec(
    heading.trim(),
  );
  const section = numbered?.slice(1).find((part) => part !== undefined);
  return section === undefined ? heading : locale.say("source_section", { section });
}

/** "2026-03" and "2026-03-14" are months and days to the ear; anything else is said as it is written. */
export function revisionAloud(revision: string, locale: Locale): string {
  const parts = DATE.exec(revision.trim());
  const date = parts === null ? undefined : dateAloud(parts, locale);
  if (date !== undefined) {
    const key = parts?.[3] === undefined ? "source_revision_of_month" : "source_revision_of_day";
    return locale.say(key, { date });
  }
  return /^(?:rev|version|v\b)/i.test(revision) ? revision : locale.say("source_revision", { revision });
}

/** A year and a month, with or without a day. */
export const DATE = /^(\d{4})-(0[1-9]|1[0-2])(?:-(\d{2}))?$/;

/** "March 2026", "14 March 2026"; undefined for a day that there is not. */
function dateAloud([, year, month, day]: RegExpExecArray, { language }: Locale): string | undefined {
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day ?? 1)));
  if (date.getUTCDate() !== Number(day ?? 1)) return undefined;
  return dateFormats(language)[day === undefined ? "month" : "day"].format(date).replace(YEAR_MARK, "");
}

export const LANGUAGES_KEPT = { textsMax: 32, charsMax: 100 };

/** Formatters cost milliseconds to make, so they are kept. */
const dateFormats = lately((language) => {
  const written = language === "en" ? "en-GB" : language;
  const month = { timeZone: "UTC", year: "numeric", month: "long" } as const;
  return {
    month: new Intl.DateTimeFormat(written, month),
    day: new Intl.DateTimeFormat(written, { ...month, day: "numeric" }),
  };
}, LANGUAGES_KEPT);

/** Ukrainian writes "2026 р.", which nobody says. */
const YEAR_MARK = /\sр\.$/u;

function withoutMarks(text: string): string {
  return text
    .replace(/[[\](){}*_`#|<>]/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

function sameWords(a: string, b: string): boolean {
  const plain = (text: string) => text.toLowerCase().replace(/\W+/g, " ").trim();
  return plain(a) === plain(b);
}
