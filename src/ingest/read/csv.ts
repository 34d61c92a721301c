/** CSV and its kin: each record a row whose cells are named by the first record. */
import { CsvError, parse } from "csv-parse/sync";
import { lineNotes } from "../access/doubts.js";
import { DocumentProblem } from "../problem.js";
import { decodeText } from "./decode.js";
import { Outline } from "./outline.js";
import type { ParsedDocument } from "./port.js";

/** Throws `DocumentProblem` when the bytes are no text or a quotation mark is never closed. */
export function parseCsv(bytes: Uint8Array): ParsedDocument {
  const whole = decodeText(bytes);
  // Spreadsheets write the delimiter into a first line of its own.
  const declared = /^sep=(.)\r?\n/.exec(whole);
  const text = declared === null ? whole : whole.slice(declared[0].length);
  const rows = new RowReader();
  try {
    parse(text, {
      delimiter: declared?.[1] ?? delimiterOf(text),
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      trim: true,
      // Returning nothing keeps the parser from collecting every record.
      on_record: (record: string[]) => {
        rows.add(record);
        return undefined;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new DocumentProblem(`the file is no CSV: ${error.message}`, { cause: error });
  }
  const kindOf = (line: string) => (/^\W*#/.test(line) ? "structured" : "text");
  return { ...rows.end(), notes: lineNotes(whole, kindOf, { commasPart: true }) };
}

class RowReader {
  readonly #outline = new Outline();
  #header: readonly string[] | undefined;
  #rowCount = 0;
  #raggedCount = 0;

  add(record: readonly string[]): void {
    if (record.every((cell) => cell.trim() === "")) return;
    if (this.#header === undefined) {
      this.#header = record.map((name) => name.replace(/\s+/g, " ").trim());
      return;
    }
    this.#rowCount += 1;
    if (record.length !== this.#header.length) this.#raggedCount += 1;
    this.#outline.row(record, this.#header);
  }

  end(): Omit<ParsedDocument, "notes"> {
    if (this.#rowCount === 0 && this.#header !== undefined) this.#outline.row(this.#header, []);
    const rows = this.#raggedCount === 1 ? "1 row has" : `${this.#raggedCount} rows have`;
    return {
      sections: this.#outline.end(),
      warnings: this.#raggedCount === 0 ? [] : [`${rows} more or fewer cells than the first row`],
    };
  }
}

const DELIMITERS = [",", ";", "\t", "|"] as const;

/** What is looked at to find the delimiter. */
const SAMPLE_CHARS_MAX = 65_536;
const SAMPLE_LINES_MAX = 20;

/**
 * The delimiter that stands in most of the first records, outside of quotes; of several, the one that the first record
 * has most of.
 */
function delimiterOf(text: string): string {
  const lines = sampleLines(text);
  const scores = DELIMITERS.map((delimiter) => {
    const counts = lines.map((line) => line.split(delimiter).length - 1);
    const first = counts[0] ?? 0;
    const alike = first === 0 ? 0 : counts.filter((count) => count === first).length;
    return { delimiter, alike, first };
  });
  scores.sort((a, b) => b.alike - a.alike || b.first - a.first);
  return scores[0]!.alike === 0 ? "," : scores[0]!.delimiter;
}

/** The first records without what stands in quotes. */
function sampleLines(text: string): string[] {
  return text
    .slice(0, SAMPLE_CHARS_MAX)
    .replace(/"[^"]*"/g, "")
    .split(/\r\n|\r|\n/)
    .filter((line) => line.trim() !== "")
    .slice(0, SAMPLE_LINES_MAX);
}
