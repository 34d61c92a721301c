/**
 * What a document holds, field by field, read through the index's mapping with the server's checks: unknown names
 * under `dynamic: strict`, values of the wrong type, vectors of the wrong length. New names extend the mapping.
 */
import { ElasticsearchError, NotSupported } from "./errors.js";
import { isList, isObject, type Json, type JsonObject, listOf, tokenOf } from "./json.js";
import { type Dynamic, type Field, type Mapping, mergeMapping } from "./mapping.js";

export type FieldValue = string | number | boolean | readonly number[];

export interface ReadDocument {
  /** Values in order of appearance; a field without any is not listed. Vectors are one value each. */
  readonly values: ReadonlyMap<string, readonly FieldValue[]>;
  /** The mapping, with what this document adds to it. */
  readonly mapping: Mapping;
}

/** Reads `source`, the document `id`. Throws what the server answers for one that it cannot index. */
export function readDocument(mapping: Mapping, id: string, source: JsonObject): ReadDocument {
  const reading: Reading = { id, text: JSON.stringify(source), mapping, values: new Map() };
  readObject(reading, source, "", mapping.dynamic);
  copyValues(reading);
  for (const field of reading.mapping.fields.values()) {
    const parents = field.parent === undefined ? undefined : reading.values.get(field.parent);
    if (parents !== undefined) addAll(reading, field, parents as readonly Json[]);
  }
  return { values: reading.values, mapping: reading.mapping };
}

interface Reading {
  readonly id: string;
  readonly text: string;
  mapping: Mapping;
  readonly values: Map<string, FieldValue[]>;
}

function readObject(reading: Reading, object: JsonObject, prefix: string, dynamic: Dynamic): void {
  for (const [key, value] of Object.entries(object)) {
    const path = `${prefix}${key}`;
    const known = reading.mapping.objects.get(path);
    if (known?.kind === "unread") continue;
    const field = reading.mapping.fields.get(path);
    if (field !== undefined) addAll(reading, field, field.type === "dense_vector" ? [value] : flat(value));
    else if (known !== undefined) readInner(reading, value, path, known.dynamic ?? dynamic);
    else readUnknown(reading, value, path, dynamic);
  }
}

function readInner(reading: Reading, value: Json, path: string, dynamic: Dynamic): void {
  for (const one of listOf(value)) {
    if (!isObject(one))
      throw documentParsing(
        reading,
        path,
        `object mapping for [${path}] tried to parse field [${path.split(".").at(-1)}] as object, but found a concrete value`,
      );
    readObject(reading, one, `${path}.`, dynamic);
  }
}

/** A name that the mapping does not list. */
function readUnknown(reading: Reading, value: Json, path: string, dynamic: Dynamic): void {
  if (dynamic === "false") return;
  if (dynamic === "strict") {
    const at = path.split(".");
    const within = at.length === 1 ? "_doc" : at.slice(0, -1).join(".");
    throw new ElasticsearchError(
      400,
      "strict_dynamic_mapping_exception",
      `[1:${placeOf(reading, path)}] mapping set to strict, dynamic introduction of [${at.at(-1)}] within [${within}] is not allowed`,
    );
  }
  const sample = flat(value).find((one) => one !== null);
  if (sample === undefined) return;
  extend(reading, path, sample);
  if (isObject(sample)) return readInner(reading, value, path, dynamic);
  addAll(reading, reading.mapping.fields.get(path)!, flat(value));
}

function extend(reading: Reading, path: string, sample: Json): void {
  const names = path.split(".");
  let properties: JsonObject = { [names.pop()!]: guess(sample) };
  for (const name of names.reverse()) {
    properties = { [name]: { type: "object", properties } };
  }
  reading.mapping = mergeMapping(reading.mapping, { properties });
}

const DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/** The definition that the server gives a new field for this value. */
function guess(sample: Json): JsonObject {
  if (isObject(sample)) return { type: "object" };
  if (typeof sample === "boolean") return { type: "boolean" };
  if (typeof sample === "number") return { type: Number.isInteger(sample) ? "long" : "float" };
  if (typeof sample === "string" && DATE.test(sample)) return { type: "date" };
  return { type: "text", fields: { keyword: { type: "keyword", ignore_above: 256 } } };
}

function addAll(reading: Reading, field: Field, values: readonly Json[]): void {
  for (const value of values) {
    if (value === null) continue;
    const read = readValue(reading, field, value);
    if (read === undefined) continue;
    const list = reading.values.get(field.path) ?? [];
    list.push(read);
    reading.values.set(field.path, list);
  }
}

/** `copy_to`: values go to other fields too, and from those nowhere further. */
function copyValues(reading: Reading): void {
  const originals = new Map([...reading.values].map(([path, values]) => [path, [...values]]));
  for (const field of [...reading.mapping.fields.values()]) {
    const values = originals.get(field.path);
    if (values === undefined) continue;
    for (const target of listOf(field.definition.copy_to)) {
      const into = reading.mapping.fields.get(String(target));
      if (into === undefined)
        throw new NotSupported(`copy_to [${String(target)}], which the mapping does not have`);
      addAll(reading, into, values as readonly Json[]);
    }
  }
}

/** Whole numbers that each type can hold. */
const RANGES: Readonly<Record<string, number>> = {
  byte: 2 ** 7,
  short: 2 ** 15,
  integer: 2 ** 31,
  long: 2 ** 63,
};

function readValue(reading: Reading, field: Field, value: Json): FieldValue | undefined {
  switch (field.type) {
    case "text":
    case "keyword":
      return readText(reading, field, value);
    case "semantic_text":
      if (typeof value === "string") return value;
      throw cannotParse(reading, field, value, "Field expects text");
    case "boolean":
      if (typeof value === "boolean") return value;
      if (value === "true" || value === "false" || value === "") return value === "true";
      throw cannotParse(
        reading,
        field,
        value,
        `Failed to parse value [${String(value)}] as only [true] or [false] are allowed.`,
      );
    case "date":
      return readDate(reading, field, value);
    case "dense_vector":
      return readVector(reading, field, value);
    default:
      return readNumber(reading, field, value);
  }
}

/** Longest term that Lucene stores, in bytes of UTF-8. */
const TERM_BYTES_MAX = 32_766;

function readText(reading: Reading, field: Field, value: Json): string | undefined {
  if (isObject(value) || isList(value))
    throw cannotParse(
      reading,
      field,
      value,
      `Can't get text on a ${tokenOf(value)} at 1:${placeOf(reading, field.path)}`,
    );
  const text = String(value);
  if (field.type === "text") return text;
  const { ignore_above: limit } = field.definition;
  if (typeof limit === "number" && [...text].length > limit) return undefined;
  if (Buffer.byteLength(text) > TERM_BYTES_MAX)
    throw new ElasticsearchError(
      400,
      "document_parsing_exception",
      `[1:${placeOf(reading, field.path)}] Document contains at least one immense term in field="${field.path}" (whose UTF8 encoding is longer than the max length ${TERM_BYTES_MAX})`,
    );
  return text;
}

function readNumber(reading: Reading, field: Field, value: Json): number {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number !== "number" || !Number.isFinite(number))
    throw cannotParse(reading, field, value, `For input string: "${String(value)}"`);
  const range = RANGES[field.type];
  if (range === undefined) return number;
  if (number >= range || number < -range)
    throw cannotParse(reading, field, value, `Value [${number}] is out of range for ${aType(field)}`);
  return Math.trunc(number);
}

function aType(field: Field): string {
  return field.type === "integer" ? "an integer" : `a ${field.type}`;
}

/** Milliseconds since the epoch. */
function readDate(reading: Reading, field: Field, value: Json): number {
  const time = typeof value === "number" ? value : parseDate(String(value));
  if (time === undefined)
    throw cannotParse(
      reading,
      field,
      value,
      `failed to parse date field [${String(value)}] with format [strict_date_optional_time||epoch_millis]`,
    );
  return time;
}

/** `strict_date_optional_time||epoch_millis`, in UTC where no zone is given. */
export function parseDate(text: string): number | undefined {
  if (/^-?\d{5,}$/.test(text)) return Number(text);
  if (!DATE.test(text) && !/^\d{4}(?:-\d{2})?$/.test(text)) return undefined;
  const zoned = /T/.test(text) && !/(?:Z|[+-]\d{2}:?\d{2})$/.test(text) ? `${text}Z` : text;
  const time = Date.parse(zoned);
  return Number.isNaN(time) ? undefined : time;
}

function readVector(reading: Reading, field: Field, value: Json): readonly number[] {
  if (!isList(value) || !value.every((one) => typeof one === "number"))
    throw cannotParse(
      reading,
      field,
      value,
      `Failed to parse object: expecting token of type [VALUE_NUMBER] but found [${tokenOf(isList(value) ? value.find((one) => typeof one !== "number") : value)}]`,
    );
  const vector = value as readonly number[];
  const { dims, similarity = "cosine" } = field.definition;
  if (dims === undefined) {
    const names = field.path.split(".");
    if (names.length > 1) throw new NotSupported("dense_vector without dims inside an object");
    reading.mapping = mergeMapping(
      {
        ...reading.mapping,
        fields: new Map([...reading.mapping.fields].filter(([path]) => path !== field.path)),
      },
      { properties: { [field.path]: { ...field.definition, dims: vector.length } } },
    );
  } else if (dims !== vector.length) {
    const more = vector.length > Number(dims) ? "exceeds the expected" : "";
    throw vectorProblem(
      reading,
      field,
      more === ""
        ? `has a different number of dimensions [${vector.length}] than defined in the mapping [${dims}]`
        : `has exceeded the number of dimensions [${dims}] defined in mapping`,
    );
  }
  checkMagnitude(reading, field, vector, String(similarity));
  return vector;
}

/** How far a vector's length may be from 1 under `dot_product`. */
const UNIT_TOLERANCE = 1e-3;

function checkMagnitude(reading: Reading, field: Field, vector: readonly number[], similarity: string): void {
  const squared = vector.reduce((sum, one) => sum + one * one, 0);
  if (similarity === "cosine" && squared === 0)
    throw cannotParse(
      reading,
      field,
      [...vector],
      "The [cosine] similarity does not support vectors with zero magnitude.",
    );
  if (similarity === "dot_product" && Math.abs(squared - 1) > UNIT_TOLERANCE)
    throw cannotParse(
      reading,
      field,
      [...vector],
      "The [dot_product] similarity can only be used with unit-length vectors.",
    );
}

function vectorProblem(reading: Reading, field: Field, problem: string): ElasticsearchError {
  const reason = `The [dense_vector] field [${field.path}] in doc [document with id '${reading.id}'] ${problem}`;
  return new ElasticsearchError(
    400,
    "document_parsing_exception",
    `[1:${placeOf(reading, field.path)}] failed to parse: ${reason}`,
    { caused_by: { type: "illegal_argument_exception", reason } },
  );
}

/** Longest part of a value that an error shows, in characters. */
const PREVIEW_LENGTH_MAX = 50;

function cannotParse(reading: Reading, field: Field, value: Json, cause: string): ElasticsearchError {
  const preview = (typeof value === "string" ? value : JSON.stringify(value)).slice(0, PREVIEW_LENGTH_MAX);
  return new ElasticsearchError(
    400,
    "document_parsing_exception",
    `[1:${placeOf(reading, field.path)}] failed to parse field [${field.path}] of type [${field.type}] in document with id '${reading.id}'. Preview of field's value: '${preview}'`,
    { caused_by: { type: "illegal_argument_exception", reason: cause } },
  );
}

function documentParsing(reading: Reading, path: string, reason: string): ElasticsearchError {
  return new ElasticsearchError(400, "document_parsing_exception", `[1:${placeOf(reading, path)}] ${reason}`);
}

/** Column of a field's name in the document as it is written without spaces. */
function placeOf({ text }: Reading, path: string): number {
  const key = JSON.stringify(path.split(".").at(-1));
  return Math.max(0, text.indexOf(`${key}:`)) + key.length + 1;
}

function flat(value: Json): readonly Json[] {
  return isList(value) ? value.flatMap(flat) : [value];
}
