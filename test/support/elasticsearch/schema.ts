/**
 * Holds requests against the published API, as two sources tell it: the client's own types (`schema/generate.ts`) and
 * Elastic's published schema (`schema/published.ts`). A request has to be right by both; what we send has needed no
 * exception from either.
 */
import { readFileSync } from "node:fs";
import { type ApiRequest, routeOf } from "./router.js";
import type { PublishedSchemas } from "./schema/published.js";
import { RequestCheck } from "./schema/request-check.js";
import type { RequestSchemas } from "./schema/request-schemas.js";

function golden(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`schema/golden/${name}.json`, import.meta.url), "utf8"));
}

const client = golden("requests") as RequestSchemas;
const published = golden("published") as PublishedSchemas;

const CHECKS = [
  { source: "the client's types", check: new RequestCheck(client) },
  { source: "the published schema", check: new RequestCheck(published) },
] as const;

/** Every place of the published API as something to route to. */
const PLACES = Object.values(published.places).flatMap((places) =>
  places.map((place) => {
    const [method = "", template = ""] = place.split(" ");
    return { method, template };
  }),
);

/** What of a request the API does not allow, a line each, with the sources that forbid it. */
export function schemaProblems(endpoint: string, request: ApiRequest): string[] {
  const sources = new Map<string, string[]>();
  for (const { source, check } of CHECKS) {
    for (const problem of check.problems(endpoint, request))
      sources.set(problem, [...(sources.get(problem) ?? []), source]);
  }
  return [...sources].map(
    ([problem, told]) => `${request.method} ${request.path}, by ${told.join(" and ")}: ${problem}`,
  );
}

/** Parameters of the query string that the endpoint does not have. */
export function unknownParameters(endpoint: string, query: URLSearchParams): string[] {
  return CHECKS[0].check.unknownParameters(endpoint, query);
}

/** Whether the published API has a place for a request, whatever endpoints the stand-in has. */
export function isPublished(method: string, path: string): boolean {
  return routeOf(PLACES, method, path) !== undefined;
}
