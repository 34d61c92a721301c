/**
 * Marks an answer as a teacher would, where the row says whether the documents answer it: right, wrong or refused. A
 * part of a list or of a procedure is wrong, unless the row takes parts and the answer announces that there is more.
 */
import type { Answer } from "../domain/answer.js";
import type { AnswerReport } from "../domain/answer-report.js";
import type { AnswerKey, ExpectedAnswer } from "./data-set.js";
import { isNoncommittal } from "./metrics/correct-refusal.js";
import { plainText, type Span, spansOf } from "./wording.js";

/** `refused`: there is an answer, and the user was told that there is none. `failed`: the turn ended with a failure. */
export type Mark = "right" | "wrong" | "refused" | "failed";

export interface Marked {
  readonly mark: Mark;
  /** It is wrong and says some of what it has to say. */
  readonly partly: boolean;
  /** It is wrong, and whoever acts on it could come to harm. */
  readonly couldHurt: boolean;
  /** What is not said: each with its wordings. */
  readonly lacks: readonly (readonly string[])[];
  /** What is said and must not be. */
  readonly forbidden: readonly string[];
}

/** Undefined where the row does not say whether there is an answer. Pure. */
export function marked(expected: ExpectedAnswer, { answer }: AnswerReport): Marked | undefined {
  const { key, mustSay, mustNotSay } = expected;
  if (key === undefined) return undefined;
  const plainly = (mark: Mark): Marked => ({
    mark,
    partly: false,
    couldHurt: mark === "wrong" && key.hurts,
    lacks: [],
    forbidden: [],
  });
  if (answer === undefined) return plainly("failed");
  const isRefusal = isNoncommittal(answer.outcome);
  if (isRefusal && key.answerable) return plainly("refused");
  if (!isRefusal && !key.answerable && mustSay.length === 0) return plainly("wrong");
  const renderings = [answer.text, answer.spoken].map((text) => renderingOf(text, mustSay));
  const lacks = isRefusal
    ? []
    : mustSay.filter((_, group) => renderings.every(({ said }) => said[group]!.length === 0));
  const forbidden = mustNotSay.filter((wording) =>
    renderings.some(({ plain, said }) => isSaidApart(plain, wording, said.flat())),
  );
  const met = mustSay.length - lacks.length;
  const isPart = lacks.length > 0 && met > 0 && forbidden.length === 0;
  const isEnough = key.partialOk && met >= PART_GROUPS_MIN && announcesMore(answer, renderings, key);
  const isRight = forbidden.length === 0 && (lacks.length === 0 || isEnough);
  const mark = isRight ? "right" : "wrong";
  return { ...plainly(mark), partly: isPart && !isRight, lacks, forbidden };
}

/** What was wrong, for people; what was expected where the answer is right. */
export function markText({ mark, lacks, forbidden }: Marked, { key, mustSay }: ExpectedAnswer): string {
  const wordings = (groups: readonly (readonly string[])[]) =>
    groups.map((group) => group.map((one) => JSON.stringify(one)).join(" or ")).join(", ");
  const expected = key?.answerable === false && mustSay.length === 0 ? "a refusal" : wordings(mustSay);
  const faults = [
    ...(lacks.length > 0 ? [`it does not say ${wordings(lacks)}`] : []),
    ...(forbidden.length > 0 ? [`it says ${wordings(forbidden.map((one) => [one]))}`] : []),
  ];
  return `expected ${expected}; ${mark}${faults.length > 0 ? `: ${faults.join(", ")}` : ""}`;
}

interface Rendering {
  readonly plain: string;
  /** Where each group is said. */
  readonly said: readonly (readonly Span[])[];
}

function renderingOf(text: string, groups: ExpectedAnswer["mustSay"]): Rendering {
  const plain = plainText(text);
  return { plain, said: groups.map((group) => group.flatMap((wording) => spansOf(plain, wording, "begun"))) };
}

/** Whether a forbidden wording stands anywhere but inside a wording that has to be said ("open" in "do not open"). */
function isSaidApart(plain: string, wording: string, expected: readonly Span[]): boolean {
  return spansOf(plain, wording, "begun").some(
    ({ start, end }) => !expected.some((span) => span.start <= start && end <= span.end),
  );
}

/** Groups that a part has to say at least. */
const PART_GROUPS_MIN = 3;

/** It tells how many items there are; where the row gives no number, it says that it is a part, or asks whether to go on. */
function announcesMore(
  { outcome, text }: Answer,
  renderings: readonly Rendering[],
  { items }: AnswerKey,
): boolean {
  if (items === undefined) return outcome === "partial" || /[?？]$/.test(text.trimEnd());
  return renderings.some(({ plain }) =>
    items.some((count) => spansOf(plain, String(count), "begun").length > 0),
  );
}

/** How many answers got which mark. */
export interface Tally {
  readonly rows: number;
  readonly right: number;
  readonly wrong: number;
  /** Of the wrong ones. */
  readonly partly: number;
  /** Of the wrong ones. */
  readonly couldHurt: number;
  readonly refused: number;
  readonly failed: number;
}

/** A row that was marked. */
export interface MarkedRow {
  /** The kind of question. */
  readonly category: string;
  readonly answerable: boolean;
  readonly marked: Marked;
}

export interface Marks {
  readonly total: Tally;
  readonly answerable: Tally;
  readonly unanswerable: Tally;
  readonly kinds: readonly { readonly kind: string; readonly tally: Tally }[];
}

/** Kinds come in the order in which they occur. */
export function marksOf(rows: readonly MarkedRow[]): Marks {
  const kinds = [...new Set(rows.map(({ category }) => category))];
  return {
    total: tallyOf(rows),
    answerable: tallyOf(rows.filter(({ answerable }) => answerable)),
    unanswerable: tallyOf(rows.filter(({ answerable }) => !answerable)),
    kinds: kinds.map((kind) => ({ kind, tally: tallyOf(rows.filter(({ category }) => category === kind)) })),
  };
}

function tallyOf(rows: readonly MarkedRow[]): Tally {
  const count = (is: (marked: Marked) => boolean) => rows.filter((row) => is(row.marked)).length;
  return {
    rows: rows.length,
    right: count(({ mark }) => mark === "right"),
    wrong: count(({ mark }) => mark === "wrong"),
    partly: count(({ partly }) => partly),
    couldHurt: count(({ couldHurt }) => couldHurt),
    refused: count(({ mark }) => mark === "refused"),
    failed: count(({ mark }) => mark === "failed"),
  };
}

/** The columns of tables of marks, the first for what the line is about. */
export const MARK_COLUMNS = [
  "",
  "rows",
  "right",
  "wrong",
  "of these partly",
  "could hurt",
  "refused",
  "failed",
] as const;

/** The lines of a table of marks: one a kind, then the sums. */
export function markLines({ kinds, answerable, unanswerable, total }: Marks): string[][] {
  return [
    ...kinds.map(({ kind, tally }) => lineOf(kind, tally)),
    lineOf("answerable", answerable),
    lineOf("unanswerable", unanswerable),
    lineOf("all", total),
  ];
}

export function lineOf(name: string, tally: Tally): string[] {
  const { rows, right, wrong, partly, couldHurt, refused, failed } = tally;
  return [name, ...[rows, right, wrong, partly, couldHurt, refused, failed].map(String)];
}
