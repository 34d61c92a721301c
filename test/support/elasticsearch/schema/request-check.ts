/**
 * Holds requests against one source's schemas: parameters of path and query string, and bodies. An object may have no
 * property that its schema does not list.
 */
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import type { ApiRequest } from "../router.js";
import type { Schema } from "./json-schema.js";
import { ONE_BESIDES } from "./published-types.js";
import { type EndpointSchema, LINES_ENDPOINTS, type RequestSchemas } from "./request-schemas.js";

type Line = keyof RequestSchemas["lines"];

const OPTIONS = {
  strict: false,
  inlineRefs: false,
  allErrors: false,
  validateFormats: false,
  // The schemas are our own, and most validators run a few times: what is spent on compiling them is not won back.
  validateSchema: false,
  code: { optimize: false },
} as const;

export class RequestCheck {
  readonly #schemas: RequestSchemas;
  /** Bodies mean what they say; parameters are all text and are read as what they should be. */
  readonly #bodies: Ajv;
  readonly #parameters: Ajv;
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(schemas: RequestSchemas) {
    this.#schemas = schemas;
    const definitions = { definitions: schemas.definitions };
    this.#bodies = oneBesides(new Ajv(OPTIONS)).addSchema(definitions, "api");
    this.#parameters = oneBesides(new Ajv({ ...OPTIONS, coerceTypes: "array" })).addSchema(
      definitions,
      "api",
    );
  }

  /** What of a request to an endpoint its schema does not allow, a line each. */
  problems(endpoint: string, request: ApiRequest): string[] {
    const schema = this.#endpoint(endpoint);
    return [
      ...this.#pathProblems(endpoint, schema, request.params),
      ...this.#queryProblems(endpoint, schema, request.query),
      ...this.#bodyProblems(endpoint, schema, request.text),
    ];
  }

  /** Parameters of the query string that the endpoint does not have. */
  unknownParameters(endpoint: string, query: URLSearchParams): string[] {
    const known = this.#endpoint(endpoint).query;
    return [...query.keys()].filter((key) => !Object.hasOwn(known, key));
  }

  #endpoint(endpoint: string): EndpointSchema {
    const schema = this.#schemas.endpoints[endpoint];
    if (schema === undefined) throw new Error(`${this.#schemas.source.package} has no endpoint ${endpoint}`);
    return schema;
  }

  #pathProblems(endpoint: string, { path }: EndpointSchema, params: ApiRequest["params"]): string[] {
    if (path === undefined) return [];
    return Object.entries(params).flatMap(([key, value]) => {
      const schema = path[key];
      if (schema === undefined) return [`no parameter ${key} of the path`];
      return this.#allows(`${endpoint}/${key}`, schema, value)
        ? []
        : [`the path's ${key} cannot be ${value}`];
    });
  }

  #queryProblems(endpoint: string, schema: EndpointSchema, query: URLSearchParams): string[] {
    const unknown = this.unknownParameters(endpoint, query).map((key) => `no parameter ${key}`);
    const missing = (schema.requiredQuery ?? [])
      .filter((key) => !query.has(key))
      .map((key) => `the parameter ${key} is missing`);
    const wrong = [...query]
      .filter(([key, value]) => {
        const known = schema.query[key];
        return known !== undefined && !this.#allows(`${endpoint}?${key}`, known, value);
      })
      .map(([key, value]) => `the parameter ${key} cannot be ${value}`);
    return [...unknown, ...missing, ...wrong];
  }

  /** Whether a parameter can be this text, which may be a list with commas. */
  #allows(name: string, schema: Schema, value: string): boolean {
    const validate = this.#compiled(name, this.#parameters, {
      type: "object",
      properties: { value: schema },
    });
    return validate({ value }) || (value.includes(",") && validate({ value: value.split(",") }));
  }

  #bodyProblems(endpoint: string, { body: schema, needsBody }: EndpointSchema, text: string): string[] {
    if (text === "") return needsBody === true ? ["it has no body"] : [];
    if (LINES_ENDPOINTS.includes(endpoint))
      return this.#lineProblems(text, endpoint === "bulk" ? bulkLines : searchLines);
    if (schema === undefined) return ["it has a body"];
    const [body] = parsed([text]);
    if (body === undefined) return ["its body is no JSON"];
    return problemsOf(this.#compiled(endpoint, this.#bodies, schema), body);
  }

  /** Checks each line by the schema that `schemasOf` names for it; a line without one is a document. */
  #lineProblems(
    text: string,
    schemasOf: (lines: readonly unknown[]) => readonly (Line | undefined)[],
  ): string[] {
    const lines = parsed(text.trimEnd().split("\n"));
    if (lines.includes(undefined)) return ["a line of its body is no JSON"];
    return schemasOf(lines).flatMap((name, index) => {
      if (name === undefined) return [];
      const validate = this.#compiled(name, this.#bodies, this.#schemas.lines[name]);
      return problemsOf(validate, lines[index]).map((one) => `line ${index + 1}: ${one}`);
    });
  }

  #compiled(name: string, ajv: Ajv, schema: Schema): ValidateFunction {
    const known = this.#validators.get(name);
    if (known !== undefined) return known;
    const text = JSON.stringify(schema).replaceAll('"#/definitions/', '"api#/definitions/');
    const validate = ajv.compile(JSON.parse(text) as Schema);
    this.#validators.set(name, validate);
    return validate;
  }
}

/** Gives `ONE_BESIDES` its meaning: of the properties besides those it names, exactly one is there. */
function oneBesides(ajv: Ajv): Ajv {
  return ajv.addKeyword({
    keyword: ONE_BESIDES,
    type: "object",
    schemaType: "array",
    validate: (besides: readonly string[], value: object) =>
      Object.keys(value).filter((name) => !besides.includes(name)).length === 1,
    error: { message: "must have exactly one property that says what it is" },
  });
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

/**
 * What is wrong with a value, told once: of the alternatives that failed, the deepest is the one that was meant, and
 * of those as deep, one that has the right type.
 */
function problemsOf(validate: ValidateFunction, value: unknown): string[] {
  if (validate(value)) return [];
  const [likeliest] = [...(validate.errors ?? [])].sort(
    (one, other) =>
      other.instancePath.length - one.instancePath.length ||
      Number(one.keyword === "type") - Number(other.keyword === "type"),
  );
  return [told(likeliest!)];
}

function told({ instancePath, params, message }: ErrorObject): string {
  const where = instancePath === "" ? "the body" : instancePath;
  const extra = params.additionalProperty as string | undefined;
  return `${where} ${extra === undefined ? message : `may not have [${extra}]`}`;
}
