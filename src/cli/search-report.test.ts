import { describe, expect, it } from "vitest";
import { passage } from "../../test/support/fake-retrieval.js";
import type { InspectedChunk } from "../retrieval/inspector.js";
import { fateOf, searchReport } from "./search-report.js";

const ann = { network: "plant", username: "ann", groups: ["packing"], kiosk: false };

function candidate(chunkId: string, more: Partial<InspectedChunk> = {}): InspectedChunk {
  return {
    chunkId,
    documentId: `doc-${chunkId}`,
    title: `Title ${chunkId}`,
    headings: [],
    score: 2,
    decision: { readable: true, reason: "visible_to_network" },
    terms: [{ term: "pay", frequency: 2, idf: 1.5, score: 2 }],
    ...more,
  };
}

const returned = [
  passage("a", "Pay day is the last Friday.", {
    alsoIn: [{ chunkId: "copy", documentId: "c", title: "Copy" }],
  }),
  passage("b", "Text b.", { supersedes: ["2", "1"] }),
];
const forbidden = { decision: { readable: false, reason: "restricted_to_others" } } as const;

describe("the fate of a candidate", () => {
  it.each([
    ["returned", candidate("b"), { type: "returned", rank: 2 }],
    ["a duplicate", candidate("copy"), { type: "duplicate", of: "a" }],
    ["withheld", candidate("pay", forbidden), { type: "withheld" }],
    ["withheld, whatever else", candidate("b", { ...forbidden, supersededBy: "x" }), { type: "withheld" }],
    ["superseded", candidate("old", { supersededBy: "doc-new" }), { type: "superseded", by: "doc-new" }],
    ["below the limit", candidate("z"), { type: "below_the_limit" }],
  ] as const)("is %s", (_name, one, fate) => {
    expect(fateOf(one, returned)).toEqual(fate);
  });
});

it("tells everything of a search", () => {
  const ranked = [
    candidate("pay", { ...forbidden, title: "Pay bands", score: 9 }),
    candidate("a"),
    candidate("z"),
  ];
  const lines = searchReport({
    query: "pay",
    access: ann,
    returned,
    legs: new Map([
      ["lexical", { type: "ranked", candidates: ranked }],
      ["vector", { type: "ranked", candidates: [] }],
      ["semantic", { type: "unavailable", error: "the cluster has no model" }],
    ]),
  });
  expect(lines).toEqual([
    "ann (groups: packing) in plant asks: pay",
    "",
    " 1. 1.0000  Title a  [a.md]",
    "      the same is in Copy  [copy]",
    "      Pay day is the last Friday.",
    " 2. 1.0000  Title b  [b.md]",
    "      replaces revision 2, 1",
    "      Text b.",
    "",
    "What the leg lexical ranks, if everything could be read:",
    "  1. 9.0000  Pay bands",
    "      WITHHELD; not readable: it is restricted and names neither the user nor one of the groups",
    "      pay 2.00 (2×, idf 1.50)",
    "  2. 2.0000  Title a",
    "      returned as number 1; readable: it is open to everybody in plant",
    "      pay 2.00 (2×, idf 1.50)",
    "  3. 2.0000  Title z",
    "      left out: others rank higher; readable: it is open to everybody in plant",
    "      pay 2.00 (2×, idf 1.50)",
    "",
    "What the leg vector ranks, if everything could be read:",
    "  nothing",
    "",
    "The leg semantic could not be asked: the cluster has no model",
  ]);
});
