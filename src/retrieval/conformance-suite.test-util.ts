/**
 * What every knowledge engine must do, leg by leg and through the pipeline that fuses them. Each engine's test runs
 * this suite on itself. Of the order of results only that is asserted in which every sane ranking agrees.
 */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ChunkKind, Passage } from "../domain/passage.js";
import {
  document,
  documentsOf,
  type EngineUnderTest,
  NO_ABORT,
  OPEN,
  reader,
  restricted,
  retrievalOver,
  store,
  vectorFor,
  type Way,
  waysOf,
} from "./conformance.test-util.js";
import { permissions, randomAccess } from "./conformance-access.test-util.js";
import { inspection } from "./conformance-inspector.test-util.js";
import { outlines } from "./conformance-outline.test-util.js";
import type { LegName } from "./engine.js";
import { SearchUnavailable } from "./port.js";
import type { KnowledgeChunk, KnowledgeDocument } from "./writer.js";

export interface EngineSuite {
  readonly name: string;
  /** The legs to be tried: those of the engine, but for such as cannot run where the test does. */
  readonly legs: readonly LegName[];
  open(): Promise<EngineUnderTest>;
}

export function describeEngine({ name, legs, open }: EngineSuite): void {
  describe(name, () => {
    let opened: EngineUnderTest;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.dispose());
    const underTest = () => opened;
    const ways = waysOf(legs, () => opened.engine);

    it("has these legs", () => {
      expect(opened.engine.legs).toEqual(expect.arrayContaining([...legs]));
    });
    describe("permissions", () => permissions(underTest, ways));
    describe("random documents and readers", () => randomAccess(underTest, ways));
    describe.each(ways)("$name: ranking", (way) => ranking(underTest, way));
    describe.each(ways)("$name: passages", (way) => passages(underTest, way));
    describe.each(ways)("$name: revisions", (way) => revisions(underTest, way));
    describe.each(ways)("$name: changes", (way) => changes(underTest, way));
    describe.each(ways)("$name: queries of every kind", (way) => queries(underTest, way));
    describe("the port", () => port(underTest, open, legs));
    describe("outlines", () => outlines(underTest));
    describe("the operator's view", () => inspection(underTest, legs));
  });
}

/** All of `expected`, and nothing else but from `rest`, which only a way that goes by meaning may bring. */
function expectFound(found: readonly Passage[], way: Way, expected: string[], rest: string[] = []): void {
  const ids = documentsOf(found);
  const besides = way.literal ? [] : rest.filter((id) => !expected.includes(id));
  expect(ids.filter((id) => !besides.includes(id)).sort()).toEqual([...expected].sort());
}

/** Reports that share the word "weekly" and little else. */
const REPORTS = Array.from({ length: 20 }, (_, i) => {
  const words = Array.from({ length: 12 }, (_, k) => `place${i}x${k}`).join(" ");
  return document(`report${i}`, [`The weekly report lists ${words}.`]);
});

function ranking(underTest: () => EngineUnderTest, way: Way): void {
  const access = reader("ranking");
  const first = async (query: string) => documentsOf(await way.search(query, access))[0];
  beforeAll(() =>
    store(underTest(), "ranking", [
      ...REPORTS,
      document("eyes", [
        "Acid in the eyes: rinse with water for 15 minutes. Remove contact lenses. Call the first aider.",
      ]),
      document("floor", ["Acid on the floor: cover it with absorbent. Report the spill. Keep others away."]),
      document("Forklift inspection", ["Look at the forks, the chain and the tyres before each shift."]),
    ]),
  );

  it("puts the document that says more of the query first", async () => {
    expect(await first("acid in my eyes")).toBe("eyes");
    expect(await first("spilled acid on the floor")).toBe("floor");
  });

  it("finds by title and by another form of the word", async () => {
    expect(await first("inspecting forklifts")).toBe("Forklift inspection");
  });

  it("gives scores in descending order", async () => {
    const found = await way.search("acid", access);
    expect(documentsOf(found.slice(0, 2)).sort()).toEqual(["eyes", "floor"]);
    for (const [i, { score }] of found.entries()) {
      expect(Number.isFinite(score)).toBe(true);
      expect(score).toBeLessThanOrEqual(found[Math.max(0, i - 1)]!.score);
    }
    expect(found[1]!.score).toBeGreaterThan(0);
  });

  it("highlights what is in the text, the best first", async () => {
    const [eyes] = await way.search("rinse eyes with water", access);
    expect(eyes!.documentId).toBe("eyes");
    for (const highlight of eyes!.highlights) expect(eyes!.text).toContain(highlight);
    if (!way.literal) return;
    expect(eyes!.highlights[0]).toContain("rinse with water");
    expect(eyes!.highlights).not.toContain("Call the first aider.");
  });

  it("keeps to the limit", async () => {
    expect(await way.search("weekly report", access, 5)).toHaveLength(5);
    expect(await way.search("weekly report", access, 1)).toHaveLength(1);
    const reports = REPORTS.map(({ documentId }) => documentId);
    expectFound(await way.search("weekly", access), way, reports, ["eyes", "floor", "Forklift inspection"]);
  });

  it("gives the same twice", async () => {
    const chunks = async () => (await way.search("acid report", access, 10)).map(({ chunkId }) => chunkId);
    expect(await chunks()).toEqual(await chunks());
  });
}

/** What comes back of a chunk is what was stored. */
function passages(underTest: () => EngineUnderTest, way: Way): void {
  const access = reader("passages");
  const procedure: ChunkKind = { docType: "spec", blockType: "procedure", tags: [] };
  const code: ChunkKind = { docType: "code", blockType: "function", tags: ["uses_http", "uses_json"] };
  const chunks: readonly KnowledgeChunk[] = [
    {
      chunkId: "manual-a",
      headings: ["Press"],
      page: 2,
      kind: procedure,
      text: "Lower the hydraulic ram.",
    },
    {
      chunkId: "manual-b",
      headings: ["Press", "Ünloading ↯"],
      page: 3,
      kind: procedure,
      text: "Lift the plate.\n\nLine two.",
    },
    { chunkId: "manual-c", headings: [], kind: code, text: "function retract() { return fetchState(); }" },
  ];
  const manual = document("manual", [], {
    title: "Press manual",
    revision: "2026-03",
    sourceFile: "hall 3/press manual.pdf",
    access: { visibility: "network", allowedUsers: ["bob"], allowedGroups: ["crew"] },
    chunks,
  });
  beforeAll(() => store(underTest(), "passages", [manual]));

  it("has the document's particulars", async () => {
    expect((await way.search("hydraulic ram", access))[0]).toMatchObject({
      chunkId: "manual-a",
      documentId: "manual",
      title: "Press manual",
      revision: "2026-03",
      supersedes: [],
      sourceFile: "hall 3/press manual.pdf",
      headings: ["Press"],
      page: 2,
      position: 0,
      kind: procedure,
      text: "Lower the hydraulic ram.",
      access: { network: "passages", visibility: "network", allowedUsers: ["bob"], allowedGroups: ["crew"] },
      alsoIn: [],
    });
  });

  it("has the chunk's text, headings, page and place", async () => {
    expect((await way.search("lift the plate", access))[0]).toMatchObject({
      headings: ["Press", "Ünloading ↯"],
      page: 3,
      position: 1,
      text: "Lift the plate.\n\nLine two.",
    });
  });

  it("has what kind of text it is, and no page where there is none", async () => {
    const [found] = await way.search("function retract", access);
    expect(found).toMatchObject({ chunkId: "manual-c", position: 2, kind: code });
    expect(found).not.toHaveProperty("page");
  });
}

function revisions(underTest: () => EngineUnderTest, way: Way): void {
  const lockout = (id: string, revision: string | undefined, rest: Partial<KnowledgeDocument> = {}) =>
    document(id, ["Hang the lock."], {
      title: "Lockout",
      ...(revision === undefined ? {} : { revision }),
      ...rest,
    });
  const search = (network: string, username = "ann") => way.search("lock", reader(network, { username }));

  it("finds the current revision only, which names the older ones", async () => {
    await store(underTest(), "revisions", [
      lockout("old", "9"),
      lockout("older", "8"),
      lockout("current", "10", { title: "  lockout " }),
      lockout("none", undefined),
      document("other", ["Hang the lock."], { title: "Lockout of presses", revision: "1" }),
    ]);
    const found = await search("revisions");
    expect(documentsOf(found).sort()).toEqual(["current", "none", "other"]);
    const current = found.find(({ documentId }) => documentId === "current");
    // In a collapsed result, another copy may stand for it.
    if (current !== undefined) expect(current.supersedes).toEqual(["9", "8"]);
  });

  it("finds both copies of the same revision", async () => {
    await store(underTest(), "copies", [lockout("one", "2026-03"), lockout("two", "March 2026")]);
    expect(documentsOf(await search("copies")).sort()).toEqual(["one", "two"]);
  });

  it("lets a revision that the reader may not read supersede nothing", async () => {
    const access = restricted(["editor"]);
    await store(underTest(), "draft", [lockout("current", "3"), lockout("draft", "4", { access })]);
    expect(documentsOf(await search("draft"))).toEqual(["current"]);
    const [draft] = await search("draft", "editor");
    expect(draft).toMatchObject({ documentId: "draft", revision: "4", supersedes: ["3"] });
  });

  it("names no older revision that the reader may not read", async () => {
    const access = restricted(["editor"]);
    await store(underTest(), "secret past", [lockout("past", "1", { access }), lockout("now", "2")]);
    expect((await search("secret past"))[0]).toMatchObject({ documentId: "now", supersedes: [] });
    expect((await search("secret past", "editor"))[0]).toMatchObject({ supersedes: ["1"] });
  });

  it("counts a superseded document as readable", async () => {
    await store(underTest(), "history", [lockout("old", "1"), lockout("new", "2")]);
    const readable = await underTest().engine.readable(["old", "new"], reader("history"), NO_ABORT);
    expect([...readable].sort()).toEqual(["new", "old"]);
  });
}

function changes(underTest: () => EngineUnderTest, way: Way): void {
  const network = `changes of ${way.name}`;
  const access = reader(network);
  const search = (query: string) => way.search(query, access);

  it("shows what was added, changed and removed", async () => {
    await store(underTest(), network, [document("a", ["Oil the chain."]), document("b", ["Oil the hinge."])]);
    expectFound(await search("oil"), way, ["a", "b"]);
    await store(underTest(), network, [
      document("a", ["Grease the chain."]),
      document("c", ["Oil the lock."]),
    ]);
    expectFound(await search("oil"), way, ["c"], ["a"]);
    expect((await search("chain"))[0]).toMatchObject({ documentId: "a", text: "Grease the chain." });
    const readable = await underTest().engine.readable(["a", "b", "c"], access, NO_ABORT);
    expect([...readable].sort()).toEqual(["a", "c"]);
    await store(underTest(), network, []);
    expect(await search("oil chain")).toEqual([]);
  });

  it("forgets the chunks that a document no longer has", async () => {
    await store(underTest(), network, [document("a", ["Oil the chain.", "Wax the belt."])]);
    expectFound((await search("belt")).slice(0, 1), way, ["a"]);
    await store(underTest(), network, [document("a", ["Oil the chain."])]);
    expect((await search("oil wax belt")).map(({ text }) => text)).toEqual(["Oil the chain."]);
  });

  it("shows a permission that was taken away, and given back", async () => {
    const gate = (granted: KnowledgeDocument["access"]) =>
      store(underTest(), network, [document("gate", ["Code of the gate."], { access: granted })]);
    await gate(OPEN);
    expectFound(await search("gate"), way, ["gate"]);
    await gate(restricted([]));
    expect(await search("gate")).toEqual([]);
    expect(await underTest().engine.readable(["gate"], access, NO_ABORT)).toEqual(new Set());
    await gate(restricted(["ann"]));
    expectFound(await search("gate"), way, ["gate"]);
  });
}

function queries(underTest: () => EngineUnderTest, way: Way): void {
  const access = reader("queries");
  const all = ["near", "unicode"];
  const search = (query: string) => way.search(query, access);
  beforeAll(() =>
    store(underTest(), "queries", [
      document("near", ["Stand NEAR the exit and ask for help."]),
      document("unicode", ["Die Tür heißt Notausgang. 紧急出口在左边。"]),
    ]),
  );

  it.each([
    ["nothing", "", []],
    ["white space", " \n\t ", []],
    ["stop words only", "to be or not to be", []],
    ["signs only", "\"'*^:(){}[]+-~\\/%_?!;,.", []],
    ["an unclosed quote", '"near', ["near"]],
    ["operators", "near AND NOT near OR NEAR(near, 2) near* ^near text:near", ["near"]],
    ["SQL", "'; DROP TABLE chunks; -- near", ["near"]],
    ["a null character", "near\u0000exit", ["near"]],
    ["half a surrogate pair", "near \ud800", ["near"]],
    ["another script", "紧急出口", ["unicode"]],
    ["accents", "TÜR", ["unicode"]],
    ["an emoji", "🚒", []],
  ])("%s", async (_name, query, expected) => {
    expectFound(await search(query), way, expected, all);
  });

  it("a very long one", { timeout: 60_000 }, async () => {
    expectFound(await search("near ".repeat(2_000)), way, ["near"], all);
    const words = Array.from({ length: 2_000 }, (_, i) => `word${i}`).join(" ");
    expectFound(await search(`near ${words}`), way, ["near"], all);
    expectFound(await search("x".repeat(10_000)), way, [], all);
  });

  it("any string, without failing", { timeout: 120_000 }, async () => {
    const query = fc.oneof(fc.string({ unit: "binary", maxLength: 200 }), fc.string({ maxLength: 200 }));
    await fc.assert(
      fc.asyncProperty(query, async (text) => {
        const found = documentsOf(await search(text));
        expect(all).toEqual(expect.arrayContaining(found));
      }),
      { numRuns: 100 },
    );
  });
}

function port(
  underTest: () => EngineUnderTest,
  open: () => Promise<EngineUnderTest>,
  legs: readonly LegName[],
): void {
  const access = reader("port");
  const requests = legs.map((leg) => ({ leg, query: "valve", access, limit: 5, ...vectorFor(leg, "valve") }));

  it("is ready", async () => {
    await expect(underTest().engine.ready(NO_ABORT)).resolves.toBeUndefined();
  });

  it("has nothing to find in a network that holds nothing", async () => {
    for (const request of requests)
      await expect(underTest().engine.search(request, NO_ABORT)).resolves.toEqual([]);
    await expect(underTest().engine.readable([], access, NO_ABORT)).resolves.toEqual(new Set());
    await expect(underTest().engine.readable(["a"], access, NO_ABORT)).resolves.toEqual(new Set());
  });

  it("rejects with the signal's reason, and answers the next", async () => {
    const { engine } = underTest();
    const retrieval = retrievalOver(engine, legs);
    const reason = new Error("enough");
    const abort = new AbortController();
    const calls = [
      ...requests.map((request) => engine.search(request, abort.signal)),
      engine.readable(["a"], access, abort.signal),
      engine.outline(access, { documentsMax: 1, headingsMax: 1 }, abort.signal),
      engine.contents("a", access, 1, abort.signal),
      engine.revision("port", abort.signal),
      engine.ready(abort.signal),
      retrieval.search({ query: "valve", access, limit: 5 }, abort.signal),
    ];
    abort.abort(reason);
    for (const outcome of await Promise.allSettled(calls)) {
      expect(outcome).toEqual({ status: "rejected", reason });
    }
    for (const request of requests) {
      await expect(engine.search(request, abort.signal)).rejects.toBe(reason);
      await expect(engine.search(request, NO_ABORT)).resolves.toEqual([]);
    }
  });

  it("is unavailable once it is closed, and closes twice", async () => {
    const { engine, dispose } = await open();
    const retrieval = retrievalOver(engine, legs);
    const running = requests.map((request) =>
      engine.search(request, NO_ABORT).catch((error: unknown) => error),
    );
    await retrieval.close();
    await engine.close();
    for (const outcome of await Promise.all(running)) {
      expect(Array.isArray(outcome) || outcome instanceof SearchUnavailable).toBe(true);
    }
    const refused = [
      ...requests.map((request) => engine.search(request, NO_ABORT)),
      engine.readable([], access, NO_ABORT),
      engine.outline(access, { documentsMax: 1, headingsMax: 1 }, NO_ABORT),
      engine.contents("a", access, 1, NO_ABORT),
      engine.revision("port", NO_ABORT),
      engine.ready(NO_ABORT),
      retrieval.search({ query: "valve", access, limit: 5 }, NO_ABORT),
    ];
    for (const outcome of await Promise.allSettled(refused)) {
      expect(outcome).toMatchObject({ status: "rejected", reason: expect.any(SearchUnavailable) });
    }
    await dispose();
  });
}
