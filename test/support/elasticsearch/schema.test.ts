import { describe, expect, it } from "vitest";
import { apiRequest } from "./router.js";
import { schemaProblems } from "./schema.js";

function problems(endpoint: string, path: string, body: unknown): string[] {
  const text = body === undefined ? "" : JSON.stringify(body);
  return schemaProblems(endpoint, apiRequest("POST", new URL(path, "http://localhost"), text, {}));
}

describe("what the API allows", () => {
  it.each([
    [
      "search",
      "/a/_search?allow_partial_search_results=false&_source_includes=a,b",
      { query: { match_all: {} } },
    ],
    [
      "search",
      "/a/_search",
      { query: { bool: { filter: [{ term: { a: "b" } }, { terms: { a: ["b", "c"] } }] } } },
    ],
    ["search", "/a/_search", { knn: { field: "e", query_vector: [0.5], k: 1, num_candidates: 2 }, size: 1 }],
    [
      "search",
      "/_search",
      { pit: { id: "x", keep_alive: "1m" }, sort: [{ _shard_doc: "asc" }], search_after: [1] },
    ],
    ["search", "/a/_search", { sort: [{ at: { order: "asc", missing: "_first", unmapped_type: "date" } }] }],
    ["search", "/a/_search", { highlight: { fields: { text: { type: "unified", fragment_size: 0 } } } }],
    [
      "indices.create",
      "/a",
      { mappings: { dynamic: "strict", properties: { a: { type: "keyword" } } }, settings: {} },
    ],
    [
      "indices.create",
      "/a",
      { mappings: { properties: { s: { type: "semantic_text", inference_id: "e" } } } },
    ],
    ["index", "/a/_doc/1?refresh=wait_for&if_seq_no=3&if_primary_term=1", { anything: { at: ["all"] } }],
    [
      "reindex",
      "/_reindex?wait_for_completion=false",
      { source: { index: "a" }, dest: { index: "b", op_type: "index" } },
    ],
    ["indices.refresh", "/a/_refresh", undefined],
  ])("takes %s of %s with %j", (endpoint, path, body) => {
    expect(problems(endpoint, path, body)).toEqual([]);
  });
});

describe("what it does not allow", () => {
  it.each([
    [
      "search",
      "/a/_search?alow_partial_search_results=false",
      {},
      "no parameter alow_partial_search_results",
    ],
    ["search", "/a/_search?allow_partial_search_results=maybe", {}, "cannot be maybe"],
    ["search", "/a/_search", { querry: {} }, "may not have [querry]"],
    ["search", "/a/_search", { query: { boool: {} } }, "may not have [boool]"],
    [
      "search",
      "/a/_search",
      { query: { bool: { filter: { term: { a: { valeu: "b" } } } } } },
      "must have required property 'value'",
    ],
    ["search", "/a/_search", { size: "ten" }, "/size must be integer"],
    ["indices.create", "/a", { mapings: {} }, "may not have [mapings]"],
    ["reindex", "/_reindex", { source: { index: "a" } }, "must have required property 'dest'"],
    ["connector.sync_job_post", "/_connector/_sync_job", { id: "a", job_type: "whole" }, "/job_type must be"],
    ["indices.refresh", "/a/_refresh", {}, "has a body"],
  ])("refuses %s of %s with %j", (endpoint, path, body, told) => {
    expect(problems(endpoint, path, body).join()).toContain(told);
  });

  it("holds each line of a bulk request to its own schema", () => {
    const lines = [
      { index: { _id: "1" } },
      { a: 1 },
      { update: { _id: "2" } },
      { dco: {} },
      { delete: { idd: "3" } },
    ];
    const text = `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`;
    const request = apiRequest("POST", new URL("http://localhost/_bulk"), text, {});
    expect(schemaProblems("bulk", request)).toEqual([
      "POST /_bulk, by the client's types and the published schema: line 4: the body may not have [dco]",
      "POST /_bulk, by the client's types and the published schema: line 5: /delete may not have [idd]",
    ]);
  });
});
