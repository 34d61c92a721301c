/** What a request may carry, as the stand-in holds it in `golden/`: one file for each source that tells it. */
import type { Schema } from "./json-schema.js";

/** What a request to one endpoint may carry. */
export interface EndpointSchema {
  /** Parameters of the path by their names, where the source tells more of them than that they are text. */
  readonly path?: Readonly<Record<string, Schema>>;
  /** Parameters of the query string by their names. */
  readonly query: Readonly<Record<string, Schema>>;
  /** Parameters of the query string that a request must have. */
  readonly requiredQuery?: readonly string[];
  /** Without one, a request has no body, unless the endpoint's body is lines. */
  readonly body?: Schema;
  readonly needsBody?: boolean;
}

export interface RequestSchemas {
  readonly source: { readonly package: string; readonly version: string; readonly licence: string };
  readonly endpoints: Readonly<Record<string, EndpointSchema>>;
  /** The lines of newline-delimited bodies. */
  readonly lines: Readonly<Record<"bulkAction" | "bulkUpdate" | "searchHeader" | "searchBody", Schema>>;
  readonly definitions: Readonly<Record<string, Schema>>;
}

/** Endpoints whose bodies are lines. */
export const LINES_ENDPOINTS: readonly string[] = ["bulk", "msearch"];

/** As text with one definition a line, so that a change shows. Other tables of `schemas` become lines as well. */
export function renderSchemas<S extends RequestSchemas>({ source, lines, ...tables }: S): string {
  const head = JSON.stringify({ source, lines }).slice(0, -1);
  const rendered = Object.entries(tables).map(
    ([name, table]) => `${JSON.stringify(name)}:{\n${entries(table as Readonly<Record<string, unknown>>)}}`,
  );
  return `${[head, ...rendered].join(",\n")}}\n`;
}

function entries(record: Readonly<Record<string, unknown>>): string {
  return Object.keys(record)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${JSON.stringify(record[key])}`)
    .join(",\n");
}
