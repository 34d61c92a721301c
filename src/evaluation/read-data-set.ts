/**
 * Data sets from text: JSON lines, or one JSON value. Besides our own rows (`data-set.ts`) it takes those of RAGAS
 * pipelines (`question`, `ground_truth`, `category`) and of ClapNQ (`input`, `output`). Everything that is wrong is told
 * with its place, not only the first.
 */
import type { z } from "zod";
import { isNestedDeeper, JSON_DEPTH_MAX } from "../lib/json-depth.js";
import {
  type DataSet,
  type DataSetHeader,
  type DataSetRow,
  headerSchema,
  rowOf,
  rowSchema,
} from "./data-set.js";

export interface DataSetLimits {
  readonly rowsMax: number;
}

/** Something in a data set that cannot be used. */
export interface RowProblem {
  /** `line 7`, or `dataset[6]`. */
  readonly place: string;
  /** Such as `expected.outcome`; empty for the row as a whole. */
  readonly field: string;
  readonly message: string;
}

/** Problems that are told; beyond that they are counted. */
const PROBLEMS_TOLD_MAX = 20;

/** A data set cannot be used. The message lists the problems, one a line. */
export class DataSetProblem extends Error {
  override readonly name = "DataSetProblem";
  constructor(readonly problems: readonly RowProblem[]) {
    const told = problems.slice(0, PROBLEMS_TOLD_MAX).map(problemText);
    const rest = problems.length - told.length;
    super([...told, ...(rest > 0 ? [`and ${rest} more`] : [])].join("\n"));
  }
}

function problemText({ place, field, message }: RowProblem): string {
  return [place, field, message].filter((part) => part !== "").join(": ");
}

/** One JSON object a line; empty lines do not count, and the first may be a header. Throws `DataSetProblem`. */
export function readJsonLines(content: string, limits: DataSetLimits): DataSet {
  const places: Place[] = [];
  const problems: RowProblem[] = [];
  for (const [i, line] of withoutMark(content).split(/\r?\n/).entries()) {
    if (line.trim() === "") continue;
    const name = `line ${i + 1}`;
    const parsed = parseJson(line);
    if (parsed.type === "value") places.push({ name, value: parsed.value });
    else problems.push({ place: name, field: "", message: `is not JSON: ${parsed.message}` });
  }
  return build(places, problems, limits);
}

/** `[row, …]` or `{"dataset": [row, …], "name"?, "network"?}`. Throws `DataSetProblem`. */
export function readJsonDataSet(value: unknown, limits: DataSetLimits): DataSet {
  const rows = Array.isArray(value) ? value : isObject(value) ? value.dataset : undefined;
  if (!Array.isArray(rows))
    throw problem("", "dataset", "give the rows as a list, or as an object with a list named dataset");
  return build(
    rows.map((row: unknown, i) => ({ name: `dataset[${i}]`, value: row })),
    [],
    limits,
  );
}

/** A file's content by the end of its name: `.json`, else JSON lines. Throws `DataSetProblem`. */
export function readDataSetFile(path: string, content: string, limits: DataSetLimits): DataSet {
  if (!path.toLowerCase().endsWith(".json")) return readJsonLines(content, limits);
  const parsed = parseJson(withoutMark(content));
  if (parsed.type === "fault") throw problem("", "", `is not JSON: ${parsed.message}`);
  return readJsonDataSet(parsed.value, limits);
}

interface Place {
  readonly name: string;
  readonly value: unknown;
}

function build(places: readonly Place[], problems: RowProblem[], limits: DataSetLimits): DataSet {
  const header = headerOf(places[0], problems);
  const rowPlaces = header === undefined ? places : places.slice(1);
  if (rowPlaces.length > limits.rowsMax) {
    const message = `there are ${rowPlaces.length} rows; at most ${limits.rowsMax} are taken`;
    throw problem("", "dataset", message);
  }
  const rows: DataSetRow[] = [];
  const placeOfId = new Map<string, string>();
  for (const [i, { name, value }] of rowPlaces.entries()) {
    const parsed = rowSchema.safeParse(ownForm(value));
    if (!parsed.success) {
      problems.push(...problemsOf(name, parsed.error));
      continue;
    }
    const row = rowOf(parsed.data, `row-${i + 1}`);
    const first = placeOfId.get(row.id);
    if (first !== undefined)
      problems.push({ place: name, field: "id", message: `"${row.id}" is the id of ${first} as well` });
    placeOfId.set(row.id, name);
    rows.push(row);
  }
  for (const [i, { expected }] of rows.entries())
    if (expected.sameWordsAs !== undefined && problems.length === 0 && !placeOfId.has(expected.sameWordsAs))
      problems.push({
        place: rowPlaces[i]!.name,
        field: "expected.same_words_as",
        message: `there is no row "${expected.sameWordsAs}"`,
      });
  if (problems.length === 0 && rows.length === 0)
    problems.push({ place: "", field: "dataset", message: "there is no row" });
  if (problems.length > 0) throw new DataSetProblem(problems);
  return { ...header, rows };
}

/** The first value is a header when it has the field `dataset`. */
function headerOf(first: Place | undefined, problems: RowProblem[]): DataSetHeader | undefined {
  if (!isObject(first?.value) || !("dataset" in first.value)) return undefined;
  const parsed = headerSchema.safeParse(first.value);
  if (!parsed.success) {
    problems.push(...problemsOf(first.name, parsed.error));
    return {};
  }
  const { dataset, documents, network } = parsed.data;
  return { name: dataset, ...(documents && { documents }), ...(network !== undefined && { network }) };
}

/** Rows of other pipelines as ours; what else stands in them is left out. All else is returned as it is. */
function ownForm(value: unknown): unknown {
  if (!isObject(value) || "expected" in value) return value;
  const { id, category, network, username, groups } = value;
  const shared = defined({ id: typeof id === "number" ? String(id) : id, network, username, groups });
  if ("question" in value && "ground_truth" in value) {
    const { question, ground_truth } = value;
    return { ...shared, ...defined({ category }), question, expected: { ground_truth } };
  }
  if ("input" in value && Array.isArray(value.output)) {
    const first: unknown = value.output[0];
    const answer = isObject(first) && typeof first.answer === "string" ? first.answer.trim() : "";
    return answer === ""
      ? {
          ...shared,
          category: "unanswerable",
          question: value.input,
          expected: { outcome: "not_in_documents" },
        }
      : { ...shared, category: "answerable", question: value.input, expected: { ground_truth: answer } };
  }
  return value;
}

function defined(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

function problemsOf(place: string, error: z.ZodError): RowProblem[] {
  return error.issues.map(({ path, message }) => ({ place, field: path.join("."), message }));
}

function problem(place: string, field: string, message: string): DataSetProblem {
  return new DataSetProblem([{ place, field, message }]);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function withoutMark(content: string): string {
  return content.replace(/^\uFEFF/, "");
}

type ParsedJson =
  | { readonly type: "value"; readonly value: unknown }
  | { readonly type: "fault"; readonly message: string };

function parseJson(content: string): ParsedJson {
  if (isNestedDeeper(content))
    return { type: "fault", message: `it is nested deeper than ${JSON_DEPTH_MAX} levels` };
  try {
    return { type: "value", value: JSON.parse(content) };
  } catch (error) {
    return { type: "fault", message: error instanceof Error ? error.message : String(error) };
  }
}
