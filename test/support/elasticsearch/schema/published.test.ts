import { describe, expect, it } from "vitest";
import { apiRequest, routeOf } from "../router.js";
import { allRoutes } from "../routes.js";
import { isPublished, schemaProblems } from "../schema.js";
import { generatePublished } from "./published.js";

const ROUTES = allRoutes(() => undefined);
const BY_PUBLISHED = ", by the published schema: ";

/** What both sources say of a request that is written as `POST /a/_search?size=1`. */
function problems(place: string, body?: unknown): string[] {
  const [method = "", address = ""] = place.split(" ");
  const url = new URL(address, "http://localhost");
  const routed = routeOf(ROUTES, method, url.pathname);
  if (routed === undefined) throw new Error(`the stand-in has no ${place}`);
  const text = body === undefined ? "" : JSON.stringify(body);
  return schemaProblems(routed.route.name, apiRequest(method, url, text, routed.params));
}

describe("the stand-in's endpoints", () => {
  it("have no place that is not published", () => {
    const { places } = generatePublished();
    const unpublished = ROUTES.filter(
      ({ name, method, template }) => !places[name]?.includes(`${method} ${template}`),
    );
    expect(unpublished.map(({ name, method, template }) => `${name}: ${method} ${template}`)).toEqual([]);
  });

  it.each([
    ["GET", "/_nodes", true],
    ["GET", "/a/_termvectors/1", true],
    ["DELETE", "/_cluster/health", false],
    ["POST", "/a/_serch/b", false],
    ["PATCH", "/a", false],
    ["GET", "/_connector/_sync_job/1/_cancel", false],
  ])("tell whether the API has a place for %s %s: %s", (method, path, is) => {
    expect(isPublished(method, path)).toBe(is);
  });
});

describe("what the published schema allows", () => {
  const search = (query: unknown) => ["POST /a/_search", { query }] as const;
  it.each<readonly [place: string, body: unknown]>([
    ["GET /a/_search?expand_wildcards=open,hidden&allow_no_indices=false&filter_path=hits,took", undefined],
    // The short forms of an object with one property that matters.
    search({ term: { a: "b" } }),
    search({ match: { a: "b" } }),
    search({ match: { a: { query: "b", fuzziness: "AUTO", operator: "and" } } }),
    ["POST /a/_search", { sort: "at" }],
    ["POST /a/_search", { sort: ["_score", { at: "desc" }, { at: { order: "asc" } }] }],
    // One query or many, a list or not.
    search({ bool: { must: { match_all: {} }, filter: [{ exists: { field: "a" } }] } }),
    // A named field beside the properties that every query has.
    search({ terms: { a: ["b"], boost: 2, _name: "of a" } }),
    search({ range: { at: { gte: "now-1d" } } }),
    // The alias of a property, which stands beside the kind of an aggregation.
    ["POST /a/_search", { aggs: { a: { terms: { field: "a" }, aggs: { b: { max: { field: "b" } } } } } }],
    // Booleans that became more than that, as text and as themselves.
    ["PUT /a", { mappings: { dynamic: false, properties: { a: { type: "object", dynamic: "strict" } } } }],
    ["PUT /a", { mappings: { properties: { a: { properties: { b: { type: "keyword" } } } } } }],
    // Numbers as text, where the schema takes them; settings that it does not list.
    ["PUT /a", { settings: { number_of_shards: "1", index: { "mapping.total_fields.limit": 10 } } }],
    ["POST /a/_refresh", undefined],
    ["PUT /_inference/sparse_embedding/e", { service: "elasticsearch", service_settings: {} }],
  ])("takes %s with %j", (place, body) => {
    expect(problems(place, body)).toEqual([]);
  });
});

describe("what it forbids, beyond the client's types", () => {
  it.each<readonly [place: string, body: unknown, told: string]>([
    ["POST /a/_pit", undefined, "the parameter keep_alive is missing"],
    ["POST /_reindex", undefined, "it has no body"],
    ["PUT /_inference/sprase_embedding/e", { service: "s", service_settings: {} }, "the path's task_type"],
    ["POST /a/_search", { query: { match_all: {}, exists: { field: "a" } } }, "/query must have exactly one"],
    ["POST /a/_search", { query: {} }, "/query must have exactly one"],
    ["POST /a/_search", { query: { term: { a: "b", c: "d" } } }, "/query/term must have exactly one"],
    ["POST /a/_search", { query: { terms: { a: ["b"], c: ["d"] } } }, "/query/terms must have exactly one"],
    ["POST /a/_search", { query: { terms: { boost: 1 } } }, "/query/terms must have exactly one"],
    ["POST /a/_search", { sort: [{ a: "asc", b: "asc" }] }, "/sort/0 must have exactly one"],
    ["POST /_aliases", { actions: [{ add: {}, remove: {} }] }, "/actions/0 must have exactly one"],
    [
      "POST /a/_search",
      { aggs: { a: { aggs: { b: { max: { field: "b" } } } } } },
      "/aggs/a must have exactly one",
    ],
  ])("forbids %s with %j", (place, body, told) => {
    const found = problems(place, body).join("; ");
    expect(found).toContain(BY_PUBLISHED);
    expect(found).toContain(told);
  });
});

describe("what both forbid", () => {
  const deep = (query: unknown) => ({ query: { bool: { filter: [{ bool: { must_not: [query] } }] } } });
  const WHERE = "/query/bool/filter/0/bool/must_not/0";
  it.each<readonly [place: string, body: unknown, told: string]>([
    ["POST /a/_search?alow_no_indices=true", {}, "no parameter alow_no_indices"],
    ["POST /a/_search?size=ten", {}, "the parameter size cannot be ten"],
    ["POST /a/_bulk?refresh=maybe", { index: {} }, "the parameter refresh cannot be maybe"],
    ["POST /a/_refresh", {}, "it has a body"],
    ["POST /a/_search", deep({ exists: { feild: "a" } }), `${WHERE}/exists`],
    ["POST /a/_search", deep({ match: { a: { query: "b", operator: "but" } } }), `${WHERE}/match/a/operator`],
    ["POST /a/_search", deep({ macth: { a: "b" } }), `${WHERE} may not have [macth]`],
    ["POST /a/_search", { sort: [{ a: { order: "upwards" } }] }, "/sort/0/a/order"],
    ["PUT /a", { mappings: { dynamic: "sometimes" } }, "/mappings/dynamic"],
    ["PUT /a", { mappings: { properties: { a: { type: "keywrod" } } } }, "/mappings/properties/a/type"],
    [
      "PUT /a",
      { mappings: { properties: { a: { type: "keyword", indexx: true } } } },
      "/a may not have [indexx]",
    ],
    ["POST /_connector/_sync_job", { id: "a", job_type: "whole" }, "/job_type must be equal"],
  ])("forbids %s with %j", (place, body, told) => {
    const found = problems(place, body).join("; ");
    expect(found).toMatch(/by the client's types/);
    expect(found).toMatch(/by the published schema|and the published schema/);
    expect(found).toContain(told);
  });
});
