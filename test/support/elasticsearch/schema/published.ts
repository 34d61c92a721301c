/**
 * What Elastic's published API schema (elasticsearch-specification, Apache-2.0) says of every endpoint that the
 * stand-in has, as JSON Schema. The schema comes with `@elastic/request-converter`; it has 10 MB, so what we need of
 * it is kept in `golden/published.json`, and
 *
 *   npx vitest run test/support/elasticsearch/schema --update
 *
 * writes that anew, after a new version of the package or a new endpoint.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type {
  Endpoint,
  Model,
  Property,
  Request,
  TypeName,
} from "@elastic/request-converter/dist/metamodel.js";
import { allRoutes } from "../routes.js";
import type { Schema } from "./json-schema.js";
import { KEPT } from "./kept.js";
import { PublishedTypes } from "./published-types.js";
import { type EndpointSchema, LINES_ENDPOINTS, type RequestSchemas } from "./request-schemas.js";

export interface PublishedSchemas extends RequestSchemas {
  /** Every place of every published endpoint, ours or not, by the endpoint's name: `GET /{index}/_count`. */
  readonly places: Readonly<Record<string, readonly string[]>>;
}

const PACKAGE = "@elastic/request-converter";

/** Licences by the names that the schema gives them. */
const SPDX: Readonly<Record<string, string>> = { "Apache 2.0": "Apache-2.0" };

const LINES: Readonly<Record<keyof RequestSchemas["lines"], TypeName>> = {
  bulkAction: { namespace: "_global.bulk", name: "OperationContainer" },
  bulkUpdate: { namespace: "_global.bulk", name: "UpdateAction" },
  searchHeader: { namespace: "_global.msearch", name: "MultisearchHeader" },
  searchBody: { namespace: "_global.search._types", name: "SearchRequestBody" },
};

export function generatePublished(): PublishedSchemas {
  const require = createRequire(import.meta.url);
  const root = dirname(require.resolve(`${PACKAGE}/package.json`));
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  const model = JSON.parse(readFileSync(join(root, "dist/schema.json"), "utf8")) as Model;
  const types = new PublishedTypes(model.types, KEPT);
  const served = new Set(allRoutes(() => undefined).map((route) => route.name));
  const endpoints = model.endpoints.filter(({ name }) => served.has(name));
  const licence = model._info?.license.name ?? "";
  return {
    source: { package: PACKAGE, version, licence: SPDX[licence] ?? licence },
    lines: {
      bulkAction: types.reference(LINES.bulkAction),
      bulkUpdate: types.reference(LINES.bulkUpdate, [{}, {}]),
      searchHeader: types.reference(LINES.searchHeader),
      searchBody: types.reference(LINES.searchBody),
    },
    places: Object.fromEntries(model.endpoints.map((endpoint) => [endpoint.name, placesOf(endpoint)])),
    endpoints: Object.fromEntries(
      endpoints.map((endpoint) => [endpoint.name, endpointSchema(types, endpoint)]),
    ),
    definitions: types.definitions,
  };
}

function placesOf({ urls }: Endpoint): string[] {
  return urls.flatMap(({ path, methods }) => methods.map((method) => `${method} ${path}`));
}

function endpointSchema(
  types: PublishedTypes,
  { request, requestBodyRequired, name }: Endpoint,
): EndpointSchema {
  if (request === null) throw new Error(`the published schema does not say what ${name} takes`);
  const definition = types.definition(request) as Request;
  const common = (definition.attachedBehaviors ?? []).flatMap((behavior) =>
    types.propertiesOf({ namespace: "_spec_utils", name: behavior }),
  );
  const query = [...common, ...definition.query];
  const requiredQuery = query.filter(({ required }) => required).map((parameter) => parameter.name);
  const body = LINES_ENDPOINTS.includes(name) ? undefined : types.bodyOf(definition);
  return {
    path: byName(types, definition.path),
    query: byName(types, query),
    ...(requiredQuery.length === 0 ? {} : { requiredQuery }),
    ...(body === undefined ? {} : { body }),
    ...(requestBodyRequired ? { needsBody: true } : {}),
  };
}

function byName(types: PublishedTypes, properties: readonly Property[]): Record<string, Schema> {
  return Object.fromEntries(
    properties.flatMap(({ name, aliases = [], type }) =>
      [name, ...aliases].map((one) => [one, types.schemaOf(type)]),
    ),
  );
}
