import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultsOf } from "../../../test/support/default-options.js";
import { reader } from "../conformance.test-util.js";
import type { LegRequest } from "../engine.js";
import { legSearch, QUERY_WORDS_MAX, usableQuery } from "./leg-query.js";
import { elasticsearchOptions } from "./options.js";

const OPTIONS = defaultsOf(elasticsearchOptions);
const request = (rest: Partial<LegRequest> = {}): LegRequest => ({
  leg: "lexical",
  query: "how do I seal the valve?",
  access: reader("n"),
  limit: 40,
  ...rest,
});
const READABLE = {
  filter: [
    { term: { network: "n" } },
    {
      bool: {
        should: [{ term: { allowed_users: "ann" } }, { term: { visibility: "network" } }],
        minimum_should_match: 1,
      },
    },
  ],
  must_not: [
    {
      bool: {
        should: [{ term: { superseded_for_users: "ann" } }, { term: { superseded_for_network: true } }],
        minimum_should_match: 1,
      },
    },
  ],
};

const EXACT = {
  query: "seal valve",
  fields: ["content^2", "text^2", "title^2", "headings"],
  type: "best_fields",
};

describe("the lexical leg", () => {
  it("asks the configured fields, with permissions inside the query", () => {
    expect(legSearch(request(), OPTIONS, "reader")).toMatchObject({
      index: "document-embeddings",
      size: 40,
      allow_partial_search_results: false,
      query: {
        bool: {
          must: [
            {
              bool: {
                should: [
                  { multi_match: EXACT },
                  {
                    multi_match: {
                      ...EXACT,
                      fuzziness: "AUTO:4,8",
                      prefix_length: 1,
                      max_expansions: 10,
                      boost: 0.5,
                    },
                  },
                ],
              },
            },
          ],
          ...READABLE,
        },
      },
    });
  });

  it("asks for exact words alone when told to", () => {
    const exact = legSearch(request(), { ...OPTIONS, lexicalFuzziness: "0" }, "reader");
    expect(exact?.query?.bool?.must).toEqual([{ multi_match: EXACT }]);
  });
});

describe("the semantic leg", () => {
  it("asks in the current form, with fragments", () => {
    const body = legSearch(request({ leg: "semantic" }), OPTIONS, "reader");
    expect(body).toMatchObject({
      query: {
        bool: { must: [{ match: { semantic_text: { query: "how do I seal the valve?" } } }], ...READABLE },
      },
      highlight: { fields: { semantic_text: { type: "semantic" } } },
    });
  });

  it("asks in the older form, which has no fragments", () => {
    const body = legSearch(request({ leg: "semantic" }), { ...OPTIONS, semanticQuery: "semantic" }, "reader");
    expect(body).toMatchObject({
      query: {
        bool: {
          must: [{ semantic: { field: "semantic_text", query: "how do I seal the valve?" } }],
          ...READABLE,
        },
      },
    });
    expect(body).not.toHaveProperty("highlight");
  });
});

describe("the vector leg", () => {
  it("filters inside the search for neighbours", () => {
    const vector = new Float32Array([0.5, 0.5]);
    const body = legSearch(request({ leg: "vector", vector }), OPTIONS, "reader");
    expect(body).toMatchObject({
      knn: {
        field: "embedding",
        query_vector: [0.5, 0.5],
        k: 40,
        num_candidates: 160,
        filter: { bool: READABLE },
      },
    });
    expect(body).not.toHaveProperty("query");
  });

  it("asks with a vector even where the query has no word", () => {
    const vector = new Float32Array([1]);
    expect(legSearch(request({ leg: "vector", vector, query: "?" }), OPTIONS, "reader")).toBeDefined();
  });
});

describe("the operator's view", () => {
  it("filters by the network alone and explains scores", () => {
    expect(legSearch(request(), OPTIONS, "operator")).toMatchObject({
      explain: true,
      query: { bool: { filter: [{ term: { network: "n" } }] } },
    });
    expect(JSON.stringify(legSearch(request(), OPTIONS, "operator"))).not.toContain(
      'superseded_for_users":"',
    );
  });
});

describe("usableQuery", () => {
  it.each([
    ["", ""],
    [" \n\t", ""],
    ["\"'*^:(){}[]+-~\\/%?!;,.", ""],
    ["near\u0000exit", "near exit"],
    ["near \ud800", "near \ufffd"],
    ["紧急出口", "紧急出口"],
    ["🚒", "🚒"],
    ["P-101?", "P-101?"],
  ])("takes %j as %j", (query, expected) => {
    expect(usableQuery(query)).toBe(expected);
  });

  it("keeps the first words of a long one, whatever the script", () => {
    const words = usableQuery(Array.from({ length: 2_000 }, (_, i) => `word${i}`).join(" ")).split(" ");
    expect(words).toHaveLength(QUERY_WORDS_MAX);
    expect(words.at(-1)).toBe(`word${QUERY_WORDS_MAX - 1}`);
    expect([...usableQuery("紧".repeat(5_000))]).toHaveLength(QUERY_WORDS_MAX);
  });

  it("is always text that every server takes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (query) => {
        const usable = usableQuery(query);
        expect(usable).not.toMatch(/\p{Cc}|\p{Surrogate}/u);
        expect(usableQuery(usable)).toBe(usable);
      }),
    );
  });
});
