/** What every knowledge engine must do. Each engine's test runs this suite on itself. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DocumentAccess, PROSE } from "../domain/passage.js";
import type { Access } from "../domain/user.js";
import { type Retrieval, SearchUnavailable } from "./port.js";
import type { KnowledgeDocument } from "./writer.js";

/** An engine under test, with a way to fill it. */
export interface EngineUnderTest {
  readonly retrieval: Retrieval;
  /** Makes `network` hold exactly these documents; they can be found when it resolves. */
  store(network: string, documents: readonly KnowledgeDocument[]): Promise<void>;
  /** Closes the engine and removes what it stored. */
  dispose(): Promise<void>;
}

const NO_ABORT = new AbortController().signal;
const OPEN: KnowledgeDocument["access"] = { visibility: "network", allowedUsers: [], allowedGroups: [] };

/** A document of one chunk per text, readable by its whole network unless said otherwise. */
export function document(
  documentId: string,
  texts: readonly string[],
  rest: Partial<KnowledgeDocument> = {},
): KnowledgeDocument {
  return {
    documentId,
    path: documentId,
    contentHash: JSON.stringify([documentId, texts, rest]),
    title: documentId,
    access: OPEN,
    usesDefaultVisibility: false,
    sourceFile: `${documentId}.md`,
    chunks: texts.map((text, index) => ({
      chunkId: `${documentId}#${index}`,
      headings: [],
      kind: PROSE,
      text,
    })),
    ...rest,
  };
}

export function reader(network: string, rest: Partial<Access> = {}): Access {
  return { network, username: "ann", groups: [], kiosk: false, ...rest };
}

export function describeEngine(name: string, open: () => Promise<EngineUnderTest>): void {
  describe(name, () => {
    let engine: EngineUnderTest;
    beforeAll(async () => {
      engine = await open();
    });
    afterAll(() => engine.dispose());
    const search = (query: string, access: Access, limit = 50) =>
      engine.retrieval.search({ query, access, limit }, NO_ABORT);
    const found = async (query: string, access: Access, limit = 50) =>
      (await search(query, access, limit)).map(({ documentId }) => documentId);

    describe("permissions", () => permissions(() => engine, found));
    describe("ranking", () => ranking(() => engine, search, found));
    describe("revisions", () => revisions(() => engine, found));
    describe("changes", () => changes(() => engine, found));
    describe("queries of every kind", () => queries(() => engine, found));
    describe("the port", () => port(() => engine, open));
  });
}

type Search = (query: string, access: Access, limit?: number) => ReturnType<Retrieval["search"]>;
type Found = (query: string, access: Access, limit?: number) => Promise<string[]>;

const restricted = (allowedUsers: string[], allowedGroups: string[] = []): KnowledgeDocument["access"] => ({
  visibility: "restricted",
  allowedUsers,
  allowedGroups,
});
/** Documents that say the same, and who may read them. */
const PERMISSIONS = {
  open: OPEN,
  openForKiosks: { ...OPEN, allowedGroups: ["kiosks"] },
  nobody: restricted([]),
  ann: restricted(["ann"]),
  josé: restricted(["josé"]),
  jose: restricted(["jose"]),
  managers: restricted([], ["managers"]),
  Managers: restricted([], ["Managers"]),
  spaced: restricted(["ann bob"]),
  quoted: restricted(['" OR "'], ["*"]),
  annAndManagers: restricted(["ann"], ["managers"]),
} satisfies Record<string, KnowledgeDocument["access"]>;

const TO_ALL = ["open", "openForKiosks"];
const READERS: readonly (readonly [string, Partial<Access>, string[]])[] = [
  ["a stranger", { username: "zoe" }, TO_ALL],
  ["a named user", { username: "ann" }, [...TO_ALL, "ann", "annAndManagers"]],
  ["a name in other case", { username: "Ann" }, TO_ALL],
  ["a name with an accent", { username: "josé" }, [...TO_ALL, "josé"]],
  ["a name without the accent", { username: "jose" }, [...TO_ALL, "jose"]],
  ["a name in another composition", { username: "jose\u0301" }, TO_ALL],
  ["a name with a space", { username: "ann bob" }, [...TO_ALL, "spaced"]],
  ["a name made of query syntax", { username: '" OR "' }, [...TO_ALL, "quoted"]],
  ["a group made of query syntax", { username: "zoe", groups: ["*"] }, [...TO_ALL, "quoted"]],
  ["a group", { username: "zoe", groups: ["crew", "managers"] }, [...TO_ALL, "managers", "annAndManagers"]],
  ["a group in other case", { username: "zoe", groups: ["Managers"] }, [...TO_ALL, "Managers"]],
  ["a group's name as user", { username: "managers" }, TO_ALL],
  ["a user's name as group", { username: "zoe", groups: ["ann"] }, TO_ALL],
  ["a kiosk", { username: "zoe", kiosk: true }, []],
  ["a kiosk in a group", { username: "zoe", groups: ["kiosks"], kiosk: true }, ["openForKiosks"]],
  ["a kiosk with a named user", { username: "ann", kiosk: true }, ["ann", "annAndManagers"]],
];

function permissions(engine: () => EngineUnderTest, found: Found): void {
  beforeAll(async () => {
    const stored = Object.entries(PERMISSIONS).map(([id, access]) =>
      document(id, ["Seal the valve."], { access }),
    );
    await engine().store("permissions", stored);
    await engine().store("permissions of others", [
      document("foreign", ["Seal the valve."], { access: restricted(["ann"], ["managers"]) }),
    ]);
  });

  it.each(READERS)("%s", async (_name, access, expected) => {
    const reading = reader("permissions", access);
    expect((await found("seal valve", reading)).sort()).toEqual([...expected].sort());
    const ids = [...Object.keys(PERMISSIONS), "foreign", "missing"];
    expect([...(await engine().retrieval.readable(ids, reading, NO_ABORT))].sort()).toEqual(
      [...expected].sort(),
    );
  });

  it("keeps networks apart", async () => {
    const ann = { groups: ["managers"] };
    expect(await found("seal valve", reader("permissions of others", ann))).toEqual(["foreign"]);
    expect(await found("seal valve", reader("Permissions", ann))).toEqual([]);
    expect(await found("seal valve", reader("nowhere", ann))).toEqual([]);
    expect(await found("seal valve", reader("../permissions\u0000", ann))).toEqual([]);
  });

  it("agrees with the naive rule on random documents", { timeout: 60_000 }, async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(randomCorpus, randomReader, randomQuery, async (corpus, who, query) => {
        const network = `random ${++run}`;
        const documents = corpus.map(({ text, ...rest }, index) => document(`d${index}`, [text], rest));
        await engine().store(network, documents);
        const access = reader(network, who);
        const allowed = documents.filter((one) => naivelyReadable(access, { network, ...one.access }));
        const expected = allowed
          .filter((one) => !isSupersededAmong(one, allowed))
          .filter(({ chunks }) => query.some((word) => chunks[0]!.text.split(" ").includes(word)));
        expect((await found(query.join(" "), access)).sort()).toEqual(
          expected.map(({ documentId }) => documentId).sort(),
        );
      }),
      { numRuns: 50 },
    );
  });
}

const WORDS = ["valve", "pump", "glove", "ladder", "spill"];
const PEOPLE = ["ann", "Ann", "josé", "jose", "b b", '"', "managers"];
const randomPeople = fc.uniqueArray(fc.constantFrom(...PEOPLE), { maxLength: 3 });
const randomQuery = fc.uniqueArray(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 });
const randomReader = fc.record({
  username: fc.constantFrom(...PEOPLE),
  groups: randomPeople,
  kiosk: fc.boolean(),
});
const randomCorpus = fc.array(
  fc.record(
    {
      text: fc
        .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 })
        .map((words) => words.join(" ")),
      access: fc.record({
        visibility: fc.constantFrom("network" as const, "restricted" as const),
        allowedUsers: randomPeople,
        allowedGroups: randomPeople,
      }),
      title: fc.constantFrom("Alpha", "Beta"),
      revision: fc.constantFrom("1", "2", "10"),
    },
    { requiredKeys: ["text", "access"] },
  ),
  { maxLength: 12 },
);

/** The rule as ten plain lines, written apart from `mayRead` on purpose. */
function naivelyReadable(who: Access, what: DocumentAccess): boolean {
  let granted = false;
  for (const user of what.allowedUsers) if (user === who.username) granted = true;
  for (const group of what.allowedGroups) for (const mine of who.groups) if (group === mine) granted = true;
  if (who.network !== what.network) return false;
  if (granted) return true;
  if (who.kiosk) return false;
  return what.visibility === "network";
}

function isSupersededAmong(one: KnowledgeDocument, others: readonly KnowledgeDocument[]): boolean {
  return others.some((other) => other.title === one.title && Number(other.revision) > Number(one.revision));
}

function ranking(engine: () => EngineUnderTest, search: Search, found: Found): void {
  const access = reader("ranking");
  beforeAll(async () => {
    const filler = Array.from({ length: 20 }, (_, i) =>
      document(`filler${i}`, [`The weekly report number ${i} lists visitors and parking spaces.`]),
    );
    await engine().store("ranking", [
      ...filler,
      document("eyes", [
        "Acid in the eyes: rinse with water for 15 minutes. Remove contact lenses. Call the first aider.",
      ]),
      document("floor", ["Acid on the floor: cover it with absorbent. Report the spill. Keep others away."]),
      document("Forklift inspection", ["Look at the forks, the chain and the tyres before each shift."]),
    ]);
  });

  it("puts the document that says more of the query first", async () => {
    expect((await found("acid in my eyes", access))[0]).toBe("eyes");
    expect((await found("spilled acid on the floor", access))[0]).toBe("floor");
  });

  it("finds by title and by another form of the word", async () => {
    expect((await found("inspecting forklifts", access))[0]).toBe("Forklift inspection");
  });

  it("gives scores in descending order, and what the passage is", async () => {
    const passages = await search("acid", access);
    expect(passages).toHaveLength(2);
    expect(passages[0]!.score).toBeGreaterThanOrEqual(passages[1]!.score);
    expect(passages[1]!.score).toBeGreaterThan(0);
    expect(passages.find(({ documentId }) => documentId === "eyes")).toMatchObject({
      chunkId: "eyes#0",
      title: "eyes",
      headings: [],
      access: { network: "ranking", ...OPEN },
    });
  });

  it("highlights the best sentences, best first", async () => {
    const [eyes] = await search("rinse eyes with water", access);
    expect(eyes!.highlights[0]).toBe("Acid in the eyes: rinse with water for 15 minutes.");
    expect(eyes!.highlights).not.toContain("Call the first aider.");
    for (const highlight of eyes!.highlights) expect(eyes!.text).toContain(highlight);
  });

  it("keeps to the limit", async () => {
    expect(await search("weekly", access, 5)).toHaveLength(5);
    expect(await search("weekly", access, 1)).toHaveLength(1);
    expect(await search("weekly", access, 50)).toHaveLength(20);
  });
}

function revisions(engine: () => EngineUnderTest, found: Found): void {
  const lockout = (id: string, revision: string | undefined, rest: Partial<KnowledgeDocument> = {}) =>
    document(id, ["Hang the lock."], {
      title: "Lockout",
      ...(revision === undefined ? {} : { revision }),
      ...rest,
    });

  it("finds the current revision only", async () => {
    await engine().store("revisions", [
      lockout("old", "9"),
      lockout("current", "10", { title: "  lockout " }),
      lockout("none", undefined),
      document("other", ["Hang the lock."], { title: "Lockout of presses", revision: "1" }),
    ]);
    expect((await found("lock", reader("revisions"))).sort()).toEqual(["current", "none", "other"]);
  });

  it("finds both copies of the same revision", async () => {
    await engine().store("copies", [lockout("one", "2026-03"), lockout("two", "March 2026")]);
    expect((await found("lock", reader("copies"))).sort()).toEqual(["one", "two"]);
  });

  it("lets a revision that the reader may not read supersede nothing", async () => {
    const access = { visibility: "restricted" as const, allowedUsers: ["editor"], allowedGroups: [] };
    await engine().store("draft", [lockout("current", "3"), lockout("draft", "4", { access })]);
    expect(await found("lock", reader("draft"))).toEqual(["current"]);
    expect(await found("lock", reader("draft", { username: "editor" }))).toEqual(["draft"]);
  });

  it("counts a superseded document as readable", async () => {
    await engine().store("history", [lockout("old", "1"), lockout("new", "2")]);
    const readable = await engine().retrieval.readable(["old", "new"], reader("history"), NO_ABORT);
    expect([...readable].sort()).toEqual(["new", "old"]);
  });
}

function changes(engine: () => EngineUnderTest, found: Found): void {
  const access = reader("changes");

  it("shows what was added, changed and removed", async () => {
    await engine().store("changes", [document("a", ["Oil the chain."]), document("b", ["Oil the hinge."])]);
    expect((await found("oil", access)).sort()).toEqual(["a", "b"]);
    await engine().store("changes", [document("a", ["Grease the chain."]), document("c", ["Oil the lock."])]);
    expect(await found("oil", access)).toEqual(["c"]);
    expect(await found("chain", access)).toEqual(["a"]);
    const readable = await engine().retrieval.readable(["a", "b", "c"], access, NO_ABORT);
    expect([...readable].sort()).toEqual(["a", "c"]);
    await engine().store("changes", []);
    expect(await found("oil chain", access)).toEqual([]);
  });

  it("shows a permission that was taken away", async () => {
    const text = ["Code of the gate."];
    await engine().store("revoked", [document("a", text)]);
    expect(await found("gate", reader("revoked"))).toEqual(["a"]);
    await engine().store("revoked", [document("a", text, { access: { ...OPEN, visibility: "restricted" } })]);
    expect(await found("gate", reader("revoked"))).toEqual([]);
    expect(await engine().retrieval.readable(["a"], reader("revoked"), NO_ABORT)).toEqual(new Set());
  });
}

function queries(engine: () => EngineUnderTest, found: Found): void {
  const access = reader("queries");
  beforeAll(() =>
    engine().store("queries", [
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
    ["accents left out", "tur", []],
    ["an emoji", "🚒", []],
  ])("%s", async (_name, query, expected) => {
    expect(await found(query, access)).toEqual(expected);
  });

  it("a very long one", async () => {
    expect(await found("near ".repeat(2_000), access)).toEqual(["near"]);
    const words = Array.from({ length: 2_000 }, (_, i) => `word${i}`).join(" ");
    expect(await found(`near ${words}`, access)).toEqual(["near"]);
    expect(await found("x".repeat(10_000), access)).toEqual([]);
  });

  it("any string, without failing", async () => {
    const query = fc.oneof(fc.string({ unit: "binary", maxLength: 200 }), fc.string({ maxLength: 200 }));
    await fc.assert(
      fc.asyncProperty(query, async (text) => {
        await found(text, access);
      }),
      { numRuns: 200 },
    );
  });
}

function port(engine: () => EngineUnderTest, open: () => Promise<EngineUnderTest>): void {
  const request = { query: "valve", access: reader("port"), limit: 5 };

  it("is ready", async () => {
    await expect(engine().retrieval.ready(NO_ABORT)).resolves.toBeUndefined();
  });

  it("rejects with the signal's reason", async () => {
    const { retrieval } = engine();
    const reason = new Error("enough");
    const abort = new AbortController();
    const calls = [
      retrieval.search(request, abort.signal),
      retrieval.readable(["a"], request.access, abort.signal),
      retrieval.ready(abort.signal),
    ];
    abort.abort(reason);
    for (const outcome of await Promise.allSettled(calls)) {
      expect(outcome).toEqual({ status: "rejected", reason });
    }
    await expect(retrieval.search(request, abort.signal)).rejects.toBe(reason);
    await expect(retrieval.search(request, NO_ABORT)).resolves.toEqual([]);
  });

  it("is unavailable once it is closed, and closes twice", async () => {
    const { retrieval, dispose } = await open();
    const running = retrieval.search(request, NO_ABORT).catch((error: unknown) => error);
    await retrieval.close();
    await retrieval.close();
    const outcome = await running;
    expect(Array.isArray(outcome) || outcome instanceof SearchUnavailable).toBe(true);
    await expect(retrieval.search(request, NO_ABORT)).rejects.toBeInstanceOf(SearchUnavailable);
    await expect(retrieval.readable([], request.access, NO_ABORT)).rejects.toBeInstanceOf(SearchUnavailable);
    await expect(retrieval.ready(NO_ABORT)).rejects.toBeInstanceOf(SearchUnavailable);
    await dispose();
  });
}
