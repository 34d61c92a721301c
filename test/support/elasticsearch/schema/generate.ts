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
import { AGGREGATION_KINDS } from "../aggregations.js";
import { QUERY_KINDS } from "../query.js";
import { allRoutes } from "../routes.js";
import { type Schema, SchemaWriter } from "./json-schema.js";

/** What a request to one endpoint may carry. */
export interface EndpointSchema {
  /** Query parameters by their names. */
  readonly query: Readonly<Record<string, Schema>>;
  readonly body?: Schema;
}

export interface RequestSchemas {
  readonly source: { readonly package: string; readonly version: string; readonly licence: string };
  readonly endpoints: Readonly<Record<string, EndpointSchema>>;
  /** The lines of newline-delimited bodies. */
  readonly lines: Readonly<Record<"bulkAction" | "bulkUpdate" | "searchHeader" | "searchBody", Schema>>;
  readonly definitions: Readonly<Record<string, Schema>>;
}

/** Of the widest types, what the stand-in has; the rest is answered with 501 and would only make the file long. */
const KEPT: Readonly<Record<string, readonly string[]>> = {
  QueryDslQueryContainer: QUERY_KINDS,
  AggregationsAggregationContainer: ["aggregations", "aggs", "meta", ...AGGREGATION_KINDS],
  MappingProperty: [
    "Boolean",
    "Keyword",
    "Text",
    "Date",
    "DenseVector",
    "Nested",
    "Object",
    "SemanticText",
    "ByteNumber",
    "DoubleNumber",
    "FloatNumber",
    "HalfFloatNumber",
    "IntegerNumber",
    "LongNumber",
    "ShortNumber",
  ].map((type) => `Mapping${type}Property`),
  MappingDynamicTemplate: [],
  IndicesIndexSettingsKeys: [
    "index",
    "number_of_shards",
    "number_of_replicas",
    "refresh_interval",
    "analysis",
  ],
  IndicesIndexSettingsAnalysis: ["analyzer"],
  AnalysisAnalyzer: ["Standard", "Whitespace", "Keyword", "English"].map((name) => `Analysis${name}Analyzer`),
  RetrieverContainer: [],
  RankContainer: [],
  SearchFieldCollapse: [],
  SearchInnerHits: [],
  SearchRescore: [],
  SearchSuggester: [],
  SortOptionsKeys: ["_score", "_doc"],
  Script: [],
};

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

/** As text with one definition a line, so that a change shows. */
export function renderSchemas({ endpoints, definitions, ...rest }: RequestSchemas): string {
  const lines = (record: Readonly<Record<string, unknown>>) =>
    Object.keys(record)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${JSON.stringify(record[key])}`)
      .join(",\n");
  const head = JSON.stringify(rest).slice(0, -1);
  return `${head},\n"endpoints":{\n${lines(endpoints)}},\n"definitions":{\n${lines(definitions)}}}\n`;
}

function declarations(path: string): ts.SourceFile {
  return ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
}

/** Endpoints whose bodies are lines. */
const LINES = ["bulk", "msearch"];

function endpointSchema(writer: SchemaWriter, name: string): EndpointSchema {
  const { properties } = writer.membersOf(typeOf(name));
  const { body, ...others } = properties;
  const inPath = new Set(
    allRoutes(() => undefined)
      .filter((route) => route.name === name)
      .flatMap(({ template }) => [...template.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)),
  );
  const query = Object.fromEntries(Object.entries(others).filter(([key]) => !inPath.has(key)));
  return { query, ...(body === undefined || LINES.includes(name) ? {} : { body }) };
}

/** `IndicesGetMappingRequest` for `indices.get_mapping`. */
function typeOf(name: string): string {
  const words = name.split(/[._]/).map((word) => word[0]!.toUpperCase() + word.slice(1));
  return `${words.join("")}Request`;
}
