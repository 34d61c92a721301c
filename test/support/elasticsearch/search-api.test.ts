import type { Client, estypes } from "@elastic/elasticsearch";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect, refusal } from "./client.test-util.js";
import { ElasticsearchServer } from "./server.js";

let server: ElasticsearchServer;
let client: Client;

type Query = estypes.QueryDslQueryContainer;

const DOCUMENTS: readonly { id: string; tags: string[]; size?: number; text: string; day: string }[] = [
  {
    id: "1",
    tags: ["a", "b"],
    size: 3,
    text: "Close the valve. Then open the vent. Close it again.",
    day: "2026-03-01",
  },
  { id: "2", tags: ["b"], size: 1, text: "The valve is red.", day: "2026-03-02" },
  { id: "3", tags: [], text: "Vents are cleaned weekly.", day: "2026-03-03" },
  { id: "4", tags: ["a"], size: 2, text: "Nothing about it at all.", day: "2026-03-04" },
];

beforeAll(async () => {
  server = await ElasticsearchServer.start();
  client = connect(server);
  await client.indices.create({
    index: "notes",
    mappings: {
      properties: {
        tags: { type: "keyword" },
        size: { type: "integer" },
        day: { type: "date" },
        text: { type: "text", analyzer: "english" },
      },
    },
  });
  await client.bulk({
    index: "notes",
    refresh: true,
    operations: DOCUMENTS.flatMap(({ id, ...document }) => [{ index: { _id: id } }, document]),
  });
});

afterAll(async () => {
  await client.close();
  await server.close();
  server.verify();
});

async function found(request: Parameters<Client["search"]>[0]): Promise<string[]> {
  const { hits } = await client.search({ index: "notes", ...request });
  return hits.hits.map((hit) => hit._id!);
}

/** What a query means, written down a second time and as naively as can be. */
function isMeant(query: Query, document: (typeof DOCUMENTS)[number]): boolean {
  if (query.term) return document.tags.includes(String(query.term.tags));
  if (query.terms) return (query.terms.tags as string[]).some((tag) => document.tags.includes(tag));
  if (query.exists)
    return query.exists.field === "tags" ? document.tags.length > 0 : document.size !== undefined;
  if (query.range)
    return document.size !== undefined && document.size >= Number((query.range.size as { gte: number }).gte);
  const { must = [], filter = [], should = [], must_not = [], minimum_should_match } = query.bool!;
  const all = (list: unknown) => (list as Query[]).map((one) => isMeant(one, document));
  const least = minimum_should_match ?? ((must as Query[]).length + (filter as Query[]).length === 0 ? 1 : 0);
  const wished = all(should);
  return (
    all(must).every(Boolean) &&
    all(filter).every(Boolean) &&
    !all(must_not).some(Boolean) &&
    (wished.length === 0
      ? Number(minimum_should_match ?? 0) === 0
      : wished.filter(Boolean).length >= Number(least))
  );
}

const tag = fc.constantFrom("a", "b", "c");

const { query: anyQuery } = fc.letrec<{ query: Query; leaf: Query; bool: Query }>((tie) => ({
  query: fc.oneof({ maxDepth: 3 }, tie("leaf"), tie("bool")),
  leaf: fc.oneof(
    tag.map((value): Query => ({ term: { tags: value } })),
    fc.array(tag, { maxLength: 3 }).map((values): Query => ({ terms: { tags: values } })),
    fc.constantFrom("tags", "size").map((field): Query => ({ exists: { field } })),
    fc.integer({ min: 0, max: 4 }).map((gte): Query => ({ range: { size: { gte } } })),
  ),
  bool: fc
    .record(
      {
        must: fc.array(tie("query"), { maxLength: 2 }),
        filter: fc.array(tie("query"), { maxLength: 2 }),
        should: fc.array(tie("query"), { maxLength: 3 }),
        must_not: fc.array(tie("query"), { maxLength: 2 }),
        minimum_should_match: fc.integer({ min: 0, max: 3 }),
      },
      { requiredKeys: [] },
    )
    .map((bool): Query => ({ bool })),
}));

describe("a query", () => {
  it("finds exactly what a naive reading of it finds", async () => {
    await fc.assert(
      fc.asyncProperty(anyQuery, async (query) => {
        const naive = DOCUMENTS.filter((document) => isMeant(query, document)).map(({ id }) => id);
        expect((await found({ query })).sort()).toEqual(naive);
        expect((await client.count({ index: "notes", query })).count).toBe(naive.length);
      }),
      { numRuns: 150 },
    );
  });

  it("tells by which names a hit was found", async () => {
    const { hits } = await client.search({
      index: "notes",
      query: {
        bool: {
          filter: [{ terms: { tags: ["a", "b"], _name: "tagged" } }],
          should: [{ match: { text: { query: "valve", _name: "about" } } }],
        },
      },
    });
    const names = Object.fromEntries(hits.hits.map((hit) => [hit._id, hit.matched_queries]));
    expect(names).toEqual({ 1: ["about", "tagged"], 2: ["about", "tagged"], 4: ["tagged"] });
  });

  it("explains its score down to the words", async () => {
    const { hits } = await client.search({
      index: "notes",
      explain: true,
      query: { multi_match: { query: "red valves", fields: ["text^2"] } },
    });
    const [best] = hits.hits;
    expect(best!._id).toBe("2");
    expect(best!._explanation).toMatchObject({ value: best!._score, description: "sum of:" });
    expect(best!._explanation!.details.map(({ description }) => description)).toEqual([
      "weight(text:red in 1) [PerFieldSimilarity], result of:",
      "weight(text:valv in 1) [PerFieldSimilarity], result of:",
    ]);
    const [sum, parts] = [best!._explanation!.value, best!._explanation!.details.map(({ value }) => value)];
    expect(parts.reduce((total, value) => total + value, 0)).toBeCloseTo(sum, 5);
  });
});

describe("hits", () => {
  it("come in the order asked for, missing values last or first", async () => {
    expect(await found({ sort: [{ size: "asc" }] })).toEqual(["2", "4", "1", "3"]);
    expect(await found({ sort: [{ size: { order: "desc", missing: "_first" } }] })).toEqual([
      "3",
      "1",
      "4",
      "2",
    ]);
    expect(await found({ sort: [{ day: "desc" }], size: 2, from: 1 })).toEqual(["3", "2"]);
    expect(await found({ sort: [{ unknown: { order: "asc", unmapped_type: "keyword" } }] })).toHaveLength(4);
    expect(await refusal(found({ sort: ["unknown"] }))).toMatchObject({
      status: 400,
      reason: "all shards failed",
    });
    expect(await refusal(found({ sort: ["text"] }))).toMatchObject({
      status: 400,
      reason: "all shards failed",
    });
  });

  it("are counted as asked, and end at the window", async () => {
    const total = async (track_total_hits: boolean | number) =>
      (await client.search({ index: "notes", size: 0, track_total_hits })).hits.total;
    expect(await total(true)).toEqual({ value: 4, relation: "eq" });
    expect(await total(3)).toEqual({ value: 3, relation: "gte" });
    expect(await total(false)).toBeUndefined();
    expect((await refusal(found({ from: 9_999, size: 2 }))).reason).toContain("Result window is too large");
  });

  it("show as much of the document as asked", async () => {
    const source = async (_source: string[] | boolean) =>
      (await client.search({ index: "notes", query: { ids: { values: ["2"] } }, _source })).hits.hits[0]!
        ._source;
    expect(await source(["tags", "si*"])).toEqual({ tags: ["b"], size: 1 });
    expect(await source(false)).toBeUndefined();
  });

  it("show the passages that the words stand in, the best first", async () => {
    const request = {
      number_of_fragments: 2,
      fragment_size: 0,
      order: "score",
      boundary_scanner: "sentence",
    } as const;
    const { hits } = await client.search({
      index: "notes",
      query: { match: { text: "vent close" } },
      highlight: { fields: { text: { ...request, pre_tags: ["["], post_tags: ["]"] } } },
    });
    const highlights = Object.fromEntries(hits.hits.map((hit) => [hit._id, hit.highlight!.text!]));
    expect([...highlights[1]!].sort()).toEqual(["Then open the [vent].", expect.stringContaining("[Close]")]);
    expect(highlights[3]).toEqual(["[Vents] are cleaned weekly."]);
  });
});

describe("aggregations", () => {
  it("count values and what lies below them", async () => {
    const { aggregations } = await client.search({
      index: "notes",
      size: 0,
      aggs: {
        tags: { terms: { field: "tags", size: 10 }, aggs: { sizes: { value_count: { field: "size" } } } },
        several: { terms: { field: "tags", min_doc_count: 2, size: 1 } },
        untagged: { missing: { field: "tags" } },
        different: { cardinality: { field: "tags" } },
      },
    });
    expect(aggregations).toMatchObject({
      tags: {
        sum_other_doc_count: 0,
        buckets: [
          { key: "a", doc_count: 2, sizes: { value: 2 } },
          { key: "b", doc_count: 2, sizes: { value: 2 } },
        ],
      },
      several: { sum_other_doc_count: 2, buckets: [{ key: "a", doc_count: 2 }] },
      untagged: { doc_count: 1 },
      different: { value: 2 },
    });
  });
});

describe("several searches at once", () => {
  it("are answered each for itself", async () => {
    const { responses } = await client.msearch({
      searches: [{ index: "notes" }, { query: { term: { tags: "a" } }, size: 0 }, { index: "nothing" }, {}],
    });
    expect(responses).toMatchObject([
      { status: 200, hits: { total: { value: 2 } } },
      { status: 404, error: { type: "index_not_found_exception" } },
    ]);
  });
});
