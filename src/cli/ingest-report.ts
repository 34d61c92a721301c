/** The report of an ingest as lines for a person, and its progress as a bar. */
import type { FileNote, IngestProgress, IngestReport } from "../ingest/report.js";
import { grouped } from "../lib/grouped.js";
import { ProgressLine } from "./output.js";

/** Files that one line of the report names; the dead letters hold them all. */
const FILES_NAMED_MAX = 5;

/** The sums, then what is to be said about files, those with the same to be said together. */
export function reportText(report: IngestReport, network: string): readonly string[] {
  const { added, updated, unchanged, removed, failed, warnings, doubtful, ignored } = report;
  const sums = `${added} added, ${updated} updated, ${unchanged} unchanged, ${removed} removed, ${failed.length} failed`;
  return [
    `${network}: ${sums} (${Math.round(report.elapsedMs)} ms)`,
    ...storedLines(report),
    ...counted(report.withDefaultVisibility, "without a word on who may read them got the default"),
    ...counted(report.withoutVectors, "went in without vectors and are found by their words only"),
    ...counted(ignored, "files of other kinds were left out"),
    ...counted(doubtful.length, "say something of who may read them that is not understood: nobody may"),
    ...byMessage("in doubt", doubtful),
    ...byMessage("warning", warnings),
    ...byMessage("failed", failed),
    ...(failed.length > 0 ? ["  to try them again: readback dead-letters replay"] : []),
  ];
}

/** Whether nothing happened that is worth a line. */
export function isEmptyReport({ added, updated, removed, failed }: IngestReport): boolean {
  return added + updated + removed + failed.length === 0;
}

function storedLines({ stored }: IngestReport): string[] {
  if (stored === undefined) return [];
  const { documents, chunks, nearDuplicateChunks } = stored;
  const line = `  ${documents} documents with ${chunks} passages are stored`;
  return [
    nearDuplicateChunks === 0 ? line : `${line}, ${nearDuplicateChunks} of them near-duplicates, linked`,
  ];
}

function counted(count: number, what: string): string[] {
  return count === 0 ? [] : [`  ${count} ${what}`];
}

function byMessage(word: string, notes: readonly FileNote[]): string[] {
  return [...grouped(notes, ({ message }) => message)].map(([message, alike]) => {
    const names = alike.map(({ file }) => file);
    const shown = names.slice(0, FILES_NAMED_MAX).join(", ");
    const more = names.length > FILES_NAMED_MAX ? ` and ${names.length - FILES_NAMED_MAX} more` : "";
    return `  ${word}: ${shown}${more}: ${message}`;
  });
}

const BAR_WIDTH = 24;

/** One line that is drawn over; nothing at all where nobody watches. */
export class ProgressBar {
  readonly #line = new ProgressLine();

  show({ done, total, documentsPerSecond, secondsLeft }: IngestProgress): void {
    const filled = total === 0 ? BAR_WIDTH : Math.round((BAR_WIDTH * done) / total);
    const bar = "█".repeat(filled) + "░".repeat(BAR_WIDTH - filled);
    const rate = `${Math.round(documentsPerSecond)}/s`;
    this.#line.show(`${bar} ${done}/${total}  ${rate}  ${Math.ceil(secondsLeft)} s left`);
  }

  clear(): void {
    this.#line.clear();
  }
}
