/**
 * Holds requests against the published API: query parameters and bodies, by the schemas that `schema/generate.ts`
 * derives from the client's own types. An object may have no property that its schema does not list.
 */
import { readFileSync } from "node:fs";
import { Ajv, type ValidateFunction } from "ajv";
import type { ApiRequest } from "./router.js";
import type { RequestSchemas } from "./schema/generate.js";
import type { Schema } from "./schema/json-schema.js";

/** Parameters that every request may carry. */
const COMMON_PARAMETERS = ["error_trace", "filter_path", "human", "pretty"];

const FILE = new URL("schema/golden/requests.json", import.meta.url);

const schemas = JSON.parse(readFileSync(FILE, "utf8")) as RequestSchemas;

const options = { strict: false, inlineRefs: false, allErrors: false, validateFormats: false } as const;

/** Bodies mean what they say; parameters of a query string are all text and are read as what they should be. */
const bodies = new Ajv(options).addSchema({ definitions: schemas.definitions }, "api");
const parameters = new Ajv({ ...options, coerceTypes: "array" }).addSchema(
  { definitions: schemas.definitions },
  "api",
);

/** What of a request the API does not allow, a line each. */
export function schemaProblems(endpoint: string, request: ApiRequest): string[] {
  const { query, body } = schemas.endpoints[endpoint]!;
  return [
    ...parameterProblems(endpoint, query, request.query),
    ...bodyProblems(endpoint, body, request.text),
  ].map((problem) => `${request.method} ${request.path}: ${problem}`);
}

/** Parameters of the query string that the endpoint does not have. */
export function unknownParameters(endpoint: string, query: URLSearchParams): string[] {
  const known = schemas.endpoints[endpoint]!.query;
  return [...query.keys()].filter((key) => !Object.hasOwn(known, key) && !COMMON_PARAMETERS.includes(key));
}

function parameterProblems(
  endpoint: string,
  known: Readonly<Record<string, Schema>>,
  query: URLSearchParams,
): string[] {
  const unknown = unknownParameters(endpoint, query).map((key) => `no parameter ${key}`);
  const wrong = [...query].flatMap(([key, value]) => {
    const schema = known[key];
    if (schema === undefined) return [];
    const validate = compiled(parameters, `${endpoint}?${key}`, schema);
    const isRight = validate({ value }) || (value.includes(",") && validate({ value: value.split(",") }));
    return isRight ? [] : [`the parameter ${key} cannot be ${value}`];
  });
  return [...unknown, ...wrong];
}

function bodyProblems(endpoint: string, schema: Schema | undefined, text: string): string[] {
  if (endpoint === "bulk") return linesOf(text, bulkLines);
  if (endpoint === "msearch") return linesOf(text, searchLines);
  if (text === "") return [];
  if (schema === undefined) return ["has a body"];
  const [body] = parsed([text]);
  return body === undefined ? ["its body is no JSON"] : problemsOf(compiled(bodies, endpoint, schema), body);
}

/** Checks each line by the schema that `schemaOf` names for it; a line without one is a document. */
function linesOf(
  text: string,
  schemasOf: (lines: readonly unknown[]) => readonly (Line | undefined)[],
): string[] {
  const lines = parsed(text.trimEnd().split("\n"));
  if (lines.includes(undefined)) return ["a line of its body is no JSON"];
  return schemasOf(lines).flatMap((name, index) =>
    name === undefined
      ? []
      : problemsOf(compiled(bodies, name, schemas.lines[name]), lines[index]).map(
          (one) => `line ${index + 1}: ${one}`,
        ),
  );
}

/** The values that the texts hold; `undefined` for what is no JSON. */
function parsed(texts: readonly string[]): unknown[] {
  return texts.map((text) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      return undefined;
    }
  });
}

type Line = keyof RequestSchemas["lines"];

function bulkLines(lines: readonly unknown[]): (Line | undefined)[] {
  const names: (Line | undefined)[] = [];
  while (names.length < lines.length) {
    const [verb] = Object.keys(Object(lines[names.length]) as object);
    names.push("bulkAction");
    if (verb === "update") names.push("bulkUpdate");
    else if (verb !== "delete") names.push(undefined);
  }
  return names.slice(0, lines.length);
}

function searchLines(lines: readonly unknown[]): Line[] {
  return lines.map((_, index) => (index % 2 === 0 ? "searchHeader" : "searchBody"));
}

const validators = new Map<string, ValidateFunction>();

function compiled(ajv: Ajv, name: string, schema: Schema): ValidateFunction {
  const known = validators.get(name);
  if (known !== undefined) return known;
  const inApi = JSON.parse(
    JSON.stringify(schema).replaceAll('"#/definitions/', '"api#/definitions/'),
  ) as Schema;
  const isParameter = ajv === parameters;
  const validate = ajv.compile(isParameter ? { type: "object", properties: { value: inApi } } : inApi);
  validators.set(name, validate);
  return validate;
}

function problemsOf(validate: ValidateFunction, value: unknown): string[] {
  if (validate(value)) return [];
  // Of the alternatives that failed, the deepest is the one that was meant.
  const [deepest] = [...(validate.errors ?? [])].sort(
    (one, other) => other.instancePath.length - one.instancePath.length,
  );
  const extra = deepest?.params.additionalProperty as string | undefined;
  const where = deepest?.instancePath === "" ? "the body" : deepest?.instancePath;
  return [`${where} ${extra === undefined ? deepest?.message : `may not have [${extra}]`}`];
}
