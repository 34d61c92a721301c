/**
 * An index's mapping: which fields it has and of which type, read from a create or put-mapping request with the
 * server's checks, and merged when it grows.
 */
import { ElasticsearchError, illegalArgument, NotSupported } from "./errors.js";
import { isObject, type Json, type JsonObject, objectOf } from "./json.js";

/** A field that holds values. `path` is the full name with dots. */
export interface Field {
  readonly path: string;
  readonly type: FieldType;
  /** The definition as it was sent, for `get mapping`. */
  readonly definition: JsonObject;
  /** Name of the multi-field's parent: the field whose values it takes. */
  readonly parent?: string;
}

export type Dynamic = "true" | "false" | "strict";

/** The fields of an index by their full names, and what happens to names that it does not list. */
export interface Mapping {
  readonly fields: ReadonlyMap<string, Field>;
  /** Paths of plain objects; `nested` ones, and those that are not read (`enabled: false`). */
  readonly objects: ReadonlyMap<string, ObjectField>;
  readonly dynamic: Dynamic;
  /** Everything beside `properties`, as sent. */
  readonly root: JsonObject;
}

export interface ObjectField {
  readonly kind: "object" | "nested" | "unread";
  readonly dynamic: Dynamic | undefined;
  readonly definition: JsonObject;
}

export const FIELD_TYPES = [
  "text",
  "keyword",
  "boolean",
  "byte",
  "short",
  "integer",
  "long",
  "half_float",
  "float",
  "double",
  "date",
  "dense_vector",
  "semantic_text",
] as const;

export type FieldType = (typeof FIELD_TYPES)[number];

/** Types that the server knows and this stand-in does not. */
const OTHER_TYPES: readonly string[] = [
  "alias",
  "binary",
  "completion",
  "constant_keyword",
  "date_nanos",
  "flattened",
  "geo_point",
  "ip",
  "join",
  "match_only_text",
  "percolator",
  "rank_features",
  "search_as_you_type",
  "sparse_vector",
  "token_count",
  "unsigned_long",
  "version",
  "wildcard",
];

/** What a field's definition may say, by type. */
const PARAMETERS: Readonly<Record<FieldType, readonly string[]>> = {
  text: ["analyzer", "search_analyzer", "index", "norms", "store", "index_options", "term_vector"],
  keyword: ["ignore_above", "index", "doc_values", "null_value", "store", "norms", "normalizer"],
  boolean: ["index", "doc_values", "null_value", "store"],
  byte: ["index", "doc_values", "coerce", "null_value", "ignore_malformed", "store"],
  short: ["index", "doc_values", "coerce", "null_value", "ignore_malformed", "store"],
  integer: ["index", "doc_values", "coerce", "null_value", "ignore_malformed", "store"],
  long: ["index", "doc_values", "coerce", "null_value", "ignore_malformed", "store"],
  half_float: ["index", "doc_values", "coerce", "null_value", "ignore_malformed", "store"],
  float: ["index", "doc_values", "coerce", "null_value", "ignore_malformed", "store"],
  double: ["index", "doc_values", "coerce", "null_value", "ignore_malformed", "store"],
  date: ["format", "index", "doc_values", "null_value", "ignore_malformed", "store"],
  dense_vector: ["dims", "index", "similarity", "element_type", "index_options"],
  semantic_text: [
    "inference_id",
    "search_inference_id",
    "model_settings",
    "chunking_settings",
    "index_options",
  ],
};

const COMMON_PARAMETERS = ["type", "fields", "copy_to", "meta", "boost"];

/** Parameters that would change what a search finds and are not built here: asked for, they are refused. */
const UNBUILT_PARAMETERS = ["null_value", "normalizer", "ignore_malformed", "boost"];

const ROOT_KEYS = [
  "properties",
  "dynamic",
  "_meta",
  "_source",
  "_routing",
  "date_detection",
  "numeric_detection",
  "dynamic_templates",
  "runtime",
];

const UNBUILT_ROOT_KEYS = ["_source", "numeric_detection", "dynamic_templates", "runtime"];

export const EMPTY_MAPPING: Mapping = { fields: new Map(), objects: new Map(), dynamic: "true", root: {} };

/** The mapping that `body` describes, with what stood in `base` before. Throws as the server refuses a mapping. */
export function mergeMapping(base: Mapping, body: JsonObject): Mapping {
  for (const key of Object.keys(body)) {
    if (!ROOT_KEYS.includes(key))
      throw mapperParsing(
        `Failed to parse mapping: Root mapping definition has unsupported parameters:  [${key} : ${String(body[key])}]`,
      );
    if (UNBUILT_ROOT_KEYS.includes(key)) throw new NotSupported(`[${key}] in a mapping`);
  }
  const fields = new Map(base.fields);
  const objects = new Map(base.objects);
  const { properties, ...root } = body;
  if (properties !== undefined)
    readProperties({ fields, objects }, objectOf(properties, "properties"), "", false);
  return {
    fields,
    objects,
    root: { ...base.root, ...root },
    dynamic: body.dynamic === undefined ? base.dynamic : readDynamic(body.dynamic),
  };
}

interface Growing {
  readonly fields: Map<string, Field>;
  readonly objects: Map<string, ObjectField>;
}

function readProperties(into: Growing, properties: JsonObject, prefix: string, inNested: boolean): void {
  for (const [name, value] of Object.entries(properties)) {
    const path = `${prefix}${name}`;
    if (!isObject(value))
      throw mapperParsing(`Failed to parse mapping: Expected map for property [fields] on field [${path}]`);
    const type = value.type ?? (value.properties === undefined ? undefined : "object");
    if (type === undefined)
      throw mapperParsing(`Failed to parse mapping: No type specified for field [${path}]`);
    if (type === "object" || type === "nested") readObject(into, path, type, value, inNested);
    else readField(into, path, value, inNested);
  }
}

function readObject(
  into: Growing,
  path: string,
  type: "object" | "nested",
  definition: JsonObject,
  inNested: boolean,
): void {
  if (into.fields.has(path))
    throw illegalArgument(`can't merge a non object mapping [${path}] with an object mapping`);
  const { properties, ...own } = definition;
  into.objects.set(path, {
    kind: definition.enabled === false ? "unread" : type,
    dynamic: definition.dynamic === undefined ? undefined : readDynamic(definition.dynamic),
    definition: own,
  });
  readProperties(into, objectOf(properties ?? {}, "properties"), `${path}.`, inNested || type === "nested");
}

function readField(into: Growing, path: string, definition: JsonObject, inNested: boolean): void {
  const type = readType(path, definition.type);
  if (into.objects.has(path))
    throw illegalArgument(`can't merge a non object mapping [${path}] with an object mapping`);
  checkParameters(path, type, definition);
  if (type === "semantic_text") checkSemantic(path, definition, inNested);
  if (type === "dense_vector") checkVector(path, definition);
  checkChange(into.fields.get(path), type, definition, path);
  into.fields.set(path, { path, type, definition });
  for (const [name, sub] of Object.entries(objectOf(definition.fields ?? {}, "fields"))) {
    const subDefinition = objectOf(sub, name);
    const subType = readType(`${path}.${name}`, subDefinition.type);
    if (subType === "semantic_text") throw new NotSupported("semantic_text as a multi-field");
    checkParameters(`${path}.${name}`, subType, subDefinition);
    into.fields.set(`${path}.${name}`, {
      path: `${path}.${name}`,
      type: subType,
      definition: subDefinition,
      parent: path,
    });
  }
}

function readType(path: string, type: Json | undefined): FieldType {
  if (FIELD_TYPES.includes(type as FieldType)) return type as FieldType;
  if (OTHER_TYPES.includes(String(type))) throw new NotSupported(`fields of type [${String(type)}]`);
  throw mapperParsing(
    `Failed to parse mapping: The mapper type [${String(type)}] declared on field [${path}] does not exist. ` +
      "It might have been created within a future version or requires a plugin to be installed. Check the documentation.",
  );
}

function checkParameters(path: string, type: FieldType, definition: JsonObject): void {
  for (const key of Object.keys(definition)) {
    if (![...COMMON_PARAMETERS, ...PARAMETERS[type]].includes(key))
      throw mapperParsing(
        `Failed to parse mapping: unknown parameter [${key}] on mapper [${path}] of type [${type}]`,
      );
    if (UNBUILT_PARAMETERS.includes(key)) throw new NotSupported(`[${key}] of a field`);
  }
}

function checkSemantic(path: string, definition: JsonObject, inNested: boolean): void {
  if (inNested)
    throw mapperParsing(`Failed to parse mapping: semantic_text field [${path}] cannot be nested`);
  if (definition.inference_id === "")
    throw mapperParsing(
      `Failed to parse mapping: [inference_id] on mapper [${path}] of type [semantic_text] must not be empty`,
    );
}

/** Greatest number of dimensions of a `dense_vector`. */
const DIMENSIONS_MAX = 4_096;

const SIMILARITIES = ["cosine", "dot_product", "l2_norm", "max_inner_product"];

function checkVector(path: string, { dims, similarity, element_type, index }: JsonObject): void {
  if (dims !== undefined && (typeof dims !== "number" || dims < 1 || dims > DIMENSIONS_MAX))
    throw mapperParsing(
      `Failed to parse mapping: The number of dimensions should be in the range [1, ${DIMENSIONS_MAX}] but was [${String(dims)}]`,
    );
  if (similarity !== undefined && !SIMILARITIES.includes(String(similarity)))
    throw mapperParsing(
      `Failed to parse mapping: Unknown value [${String(similarity)}] for field [similarity] - accepted values are [${SIMILARITIES.join(", ")}]`,
    );
  if (element_type !== undefined && element_type !== "float")
    throw new NotSupported(`element_type [${String(element_type)}]`);
  if (index === false) throw new NotSupported(`[index: false] for the vectors of [${path}]`);
}

/** Settings that an existing field may not change. */
const FIXED = ["analyzer", "dims", "similarity", "inference_id", "index", "doc_values", "norms"];

function checkChange(before: Field | undefined, type: FieldType, definition: JsonObject, path: string): void {
  if (before === undefined) return;
  if (before.type !== type)
    throw illegalArgument(`mapper [${path}] cannot be changed from type [${before.type}] to [${type}]`);
  for (const key of FIXED) {
    const [old, now] = [before.definition[key], definition[key]];
    if (now !== undefined && old !== now)
      throw illegalArgument(
        `Mapper for [${path}] conflicts with existing mapper:\n\tCannot update parameter [${key}] from [${String(old ?? "default")}] to [${String(now)}]`,
      );
  }
}

function readDynamic(value: Json): Dynamic {
  if (value === true || value === "true") return "true";
  if (value === false || value === "false") return "false";
  if (value === "strict") return "strict";
  throw value === "runtime"
    ? new NotSupported("[dynamic: runtime]")
    : mapperParsing(`Failed to parse mapping: Could not convert [dynamic] to boolean: [${String(value)}]`);
}

export function mapperParsing(reason: string): ElasticsearchError {
  return new ElasticsearchError(400, "mapper_parsing_exception", reason);
}

/** The mapping as `get mapping` answers it. */
export function renderMapping(mapping: Mapping): JsonObject {
  const properties: Record<string, Json> = {};
  const all = [
    ...[...mapping.objects].map(([path, { definition }]) => ({ path, definition })),
    ...[...mapping.fields.values()].filter(({ parent }) => parent === undefined),
  ].sort((one, other) => one.path.length - other.path.length);
  for (const { path, definition } of all) {
    const names = path.split(".");
    const last = names.pop()!;
    let at: Record<string, Json> = properties;
    for (const name of names) {
      const object = (at[name] ?? {}) as Record<string, Json>;
      object.properties ??= {};
      at[name] = object;
      at = object.properties as Record<string, Json>;
    }
    at[last] = { ...definition };
  }
  return { ...mapping.root, ...(Object.keys(properties).length === 0 ? {} : { properties }) };
}
