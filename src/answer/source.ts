/** The source of an answer as it is said aloud: "Lockout procedure, section 4, page 3, March 2026 revision". */
import type { Passage } from "../domain/passage.js";
import { trusted } from "../grounding/injection.js";

/** The parts that are known, without a heading that says the title once more. No markdown, no brackets, no ids. */
export function sourceAloud(passage: Passage): string {
  const { title, headings, page, revision } = trusted(passage);
  const section = headings.filter((heading) => !sameWords(heading, title)).at(-1);
  const parts = [
    title,
    ...(section === undefined ? [] : [sectionAloud(section)]),
    ...(page === undefined ? [] : [`page ${page}`]),
    ...(revision === undefined ? [] : [revisionAloud(revision)]),
  ];
  return parts.map(withoutMarks).join(", ");
}

/** "4. Isolate the press" and "4.2 Valves" are said by their number; a heading without one is said itself. */
function sectionAloud(heading: string): string {
  const numbered = /^section\s+(\d+(?:\.\d+)*)|^(\d+(?:\.\d+)*)[.):](?:\s|$)|^(\d+(?:\.\d+)+)\s/i.exec(
    heading.trim(),
  );
  const number = numbered?.slice(1).find((part) => part !== undefined);
  return number === undefined ? heading : `section ${number}`;
}

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** "2026-03" and "2026-03-14" are months and days to the ear; anything else is said as it is written. */
export function revisionAloud(revision: string): string {
  const date = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/.exec(revision.trim());
  const month = MONTHS[Number(date?.[2]) - 1];
  if (date === null || month === undefined) {
    return /^(?:rev|version|v\b)/i.test(revision) ? revision : `revision ${revision}`;
  }
  const day = date[3] === undefined ? "" : `${Number(date[3])} `;
  return `${day}${month} ${date[1]} revision`;
}

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
