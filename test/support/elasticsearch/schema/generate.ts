/**
 * The published request schema of every endpoint that the stand-in has, as JSON Schema. Elastic generates the
 * client's declarations from its API specification; this reads them back, cut down to what our endpoints can carry.
 *
 *   npx vitest run test/support/elasticsearch/schema --update
 *
 * writes `golden/requests.json` anew, after a new version of the client or a new endpoint.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import ts from "typescript";
import { allRoutes } from "../routes.js";
import { SchemaWriter } from "./json-schema.js";
import { KEPT } from "./kept.js";
import { type EndpointSchema, LINES_ENDPOINTS, type RequestSchemas } from "./request-schemas.js";

const PACKAGE = "@elastic/elasticsearch";

export function generateSchemas(): RequestSchemas {
  const root = dirname(createRequire(import.meta.url).resolve(PACKAGE));
  const { version, license } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Record<
    string,
    string
  >;
  const writer = new SchemaWriter(declarations(join(root, "lib/api/typesWithBodyKey.d.ts")), KEPT);
  const endpoints: Record<string, EndpointSchema> = {};
  for (const name of new Set(allRoutes(() => undefined).map((route) => route.name))) {
    endpoints[name] = endpointSchema(writer, name);
  }
  const lines = {
    bulkAction: writer.reference("BulkOperationContainer"),
    bulkUpdate: writer.reference("BulkUpdateAction"),
    searchHeader: writer.reference("MsearchMultisearchHeader"),
    searchBody: writer.reference("MsearchMultisearchBody"),
  };
  return {
    source: { package: PACKAGE, version: version!, licence: license! },
    endpoints,
    lines,
    definitions: writer.definitions,
  };
}

function declarations(path: string): ts.SourceFile {
  return ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
}

function endpointSchema(writer: SchemaWriter, name: string): EndpointSchema {
  const { properties } = writer.membersOf(typeOf(name));
  const { body, ...others } = properties;
  const inPath = new Set(
    allRoutes(() => undefined)
      .filter((route) => route.name === name)
      .flatMap(({ template }) => [...template.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)),
  );
  const query = Object.fromEntries(Object.entries(others).filter(([key]) => !inPath.has(key)));
  return { query, ...(body === undefined || LINES_ENDPOINTS.includes(name) ? {} : { body }) };
}

/** `IndicesGetMappingRequest` for `indices.get_mapping`. */
function typeOf(name: string): string {
  const words = name.split(/[._]/).map((word) => word[0]!.toUpperCase() + word.slice(1));
  return `${words.join("")}Request`;
}
