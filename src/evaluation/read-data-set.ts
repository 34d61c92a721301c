/**
 * Data sets from text: JSON lines, or one JSON value. Besides our own rows (`data-set.ts`) it takes those of RAGAS
 * pipelines (`question`, `ground_truth`, `category`) and of ClapNQ (`input`, `output`), and rows with an answer key
 * (`answerable`, `expect`, `forbid`). Everything that is wrong is told with its place, not only the first.
 */
import type { z } from "zod";
import { fieldName, pathOf } from "../lib/field-name.js";
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
  /** `line 7`; empty where the rows are a list, whose field names the row. */
  readonly place: string;
  /** Such as `expected.outcome` of a line, `dataset[6].expected.outcome` of a list; empty for a line as a whole. */
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
    const place = `line ${i + 1}`;
    const parsed = parseJson(line);
    if (parsed.type === "value") places.push({ place, path: [], value: parsed.value });
    else problems.push({ place, field: "", message: `is not JSON: ${parsed.message}` });
  }
  return build(places, problems, limits);
}

/** `[row, …]` or `{"dataset": [row, …], "name"?, "network"?}`. Throws `DataSetProblem`. */
export function readJsonDataSet(value: unknown, limits: DataSetLimits): DataSet {
  const rows = Array.isArray(value) ? value : isObject(value) ? value.dataset : undefined;
  if (!Array.isArray(rows))
    throw problem("", "dataset", "give the rows as a list, or as an object with a list named dataset");
  return build(
    rows.map((row: unknown, i) => ({ place: "", path: ["dataset", i], value: row })),
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
  readonly place: string;
  /** Of the value within what was sent. */
  readonly path: readonly PropertyKey[];
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
  const placeOfId = new Map<string, Place>();
  for (const [i, place] of rowPlaces.entries()) {
    const { fields, form } = ownForm(place.value);
    const parsed = rowSchema.safeParse(form);
    if (!parsed.success) {
      problems.push(...problemsOf(place, parsed.error, fields));
      continue;
    }
    const row = rowOf(parsed.data, `row-${i + 1}`);
    const first = placeOfId.get(row.id);
    if (first !== undefined)
      problems.push(problemAt(place, ["id"], `"${row.id}" is the id of ${nameOf(first)} as well`));
    placeOfId.set(row.id, place);
    rows.push(row);
  }
  for (const [i, { expected }] of rows.entries())
    if (expected.sameWordsAs !== undefined && problems.length === 0 && !placeOfId.has(expected.sameWordsAs))
      problems.push(
        problemAt(rowPlaces[i]!, ["expected", "same_words_as"], `there is no row "${expected.sameWordsAs}"`),
      );
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
    problems.push(...problemsOf(first, parsed.error));
    return {};
  }
  const { dataset, documents, network } = parsed.data;
  return { name: dataset, ...(documents && { documents }), ...(network !== undefined && { network }) };
}

/** A row in our form, and what its fields are called in the form that it came in, where that differs. */
interface OwnForm {
  readonly form: unknown;
  readonly fields: Readonly<Record<string, string>>;
}

/** Rows of other pipelines as ours; what else stands in them is left out. All else is returned as it is. */
function ownForm(value: unknown): OwnForm {
  if (!isObject(value) || "expected" in value) return { form: value, fields: {} };
  if ("answerable" in value) return keyedForm(value);
  const { id, category, network, username, groups } = value;
  const shared = defined({ id: typeof id === "number" ? String(id) : id, network, username, groups });
  if ("question" in value && "ground_truth" in value) {
    const { question, ground_truth } = value;
    const form = { ...shared, ...defined({ category }), question, expected: { ground_truth } };
    return { form, fields: { "expected.ground_truth": "ground_truth" } };
  }
  if ("input" in value && Array.isArray(value.output)) {
    const first: unknown = value.output[0];
    const answer = isObject(first) && typeof first.answer === "string" ? first.answer.trim() : "";
    const [category, expected] =
      answer === ""
        ? ["unanswerable", { outcome: "not_in_documents" }]
        : ["answerable", { ground_truth: answer }];
    const form = { ...shared, category, question: value.input, expected };
    return { form, fields: { question: "input", "expected.ground_truth": "output" } };
  }
  return { form: value, fields: {} };
}

/** A row with an answer key: its expectations stand beside the question, and are called otherwise. */
function keyedForm(value: Readonly<Record<string, unknown>>): OwnForm {
  const { kind, expect, forbid, answerable, partial_ok, items, hurts, source, ...rest } = value;
  const key = defined({ answerable, partial_ok, items, hurts, source });
  const expected = defined({ must_say: expect, must_not_say: forbid, key });
  const form = { ...defined({ category: kind }), ...rest, expected };
  const names = { category: "kind", "expected.must_say": "expect", "expected.must_not_say": "forbid" };
  const keyed = Object.keys(key).map((name) => [`expected.key.${name}`, name]);
  return { form, fields: { ...names, ...Object.fromEntries(keyed) } };
}

function defined(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** `fields`: names that the sender knows by others. */
function problemsOf(place: Place, error: z.ZodError, fields: OwnForm["fields"] = {}): RowProblem[] {
  return error.issues.map((issue) => {
    const path = pathOf(issue);
    const renamed = fields[path.join(".")];
    return problemAt(place, renamed === undefined ? path : [renamed], issue.message);
  });
}

function problemAt({ place, path }: Place, inside: readonly PropertyKey[], message: string): RowProblem {
  return { place, field: fieldName([...path, ...inside]), message };
}

function nameOf({ place, path }: Place): string {
  return place || fieldName(path);
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
