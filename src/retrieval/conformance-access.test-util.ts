/** The part of the conformance suite that asks who may read what, in every way of searching. */
import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import type { DocumentAccess } from "../domain/passage.js";
import type { Access } from "../domain/user.js";
import {
  document,
  documentsOf,
  type EngineUnderTest,
  NO_ABORT,
  OPEN,
  reader,
  restricted,
  store,
  type Way,
} from "./conformance.test-util.js";
import type { Engine } from "./engine.js";
import type { KnowledgeDocument } from "./writer.js";

/** Documents that say the same, and who may read them. */
export const PERMISSIONS = {
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
export const READERS: readonly (readonly [string, Partial<Access>, string[]])[] = [
  ["a stranger", { username: "zoe" }, TO_ALL],
  ["a named user", { username: "ann" }, [...TO_ALL, "ann", "annAndManagers"]],
  ["a name in other case", { username: "Ann" }, TO_ALL],
  ["a name with an accent", { username: "josé" }, [...TO_ALL, "josé"]],
  ["a name without the accent", { username: "jose" }, [...TO_ALL, "jose"]],
  ["a name in another composition", { username: "jose\u0301" }, TO_ALL],
  ["a name with a space", { username: "ann bob" }, [...TO_ALL, "spaced"]],
  ["a name made of query syntax", { username: '" OR "' }, [...TO_ALL, "quoted"]],
  ["a name of nothing", { username: "" }, TO_ALL],
  ["a group made of query syntax", { username: "zoe", groups: ["*"] }, [...TO_ALL, "quoted"]],
  ["a group", { username: "zoe", groups: ["crew", "managers"] }, [...TO_ALL, "managers", "annAndManagers"]],
  ["a group in other case", { username: "zoe", groups: ["Managers"] }, [...TO_ALL, "Managers"]],
  ["a group's name as user", { username: "managers" }, TO_ALL],
  ["a user's name as group", { username: "zoe", groups: ["ann"] }, TO_ALL],
  ["a kiosk", { username: "zoe", kiosk: true }, []],
  ["a kiosk in a group", { username: "zoe", groups: ["kiosks"], kiosk: true }, ["openForKiosks"]],
  ["a kiosk with a named user", { username: "ann", kiosk: true }, ["ann", "annAndManagers"]],
];

/** What each way finds for each reader of the table, and what `readable` says. */
export function permissions(underTest: () => EngineUnderTest, ways: readonly Way[]): void {
  beforeAll(async () => {
    const stored = Object.entries(PERMISSIONS).map(([id, access]) =>
      document(id, ["Seal the valve."], { access }),
    );
    await store(underTest(), "permissions", stored);
    await store(underTest(), "permissions of others", [
      document("foreign", ["Seal the valve."], { access: restricted(["ann"], ["managers"]) }),
    ]);
  });

  it.each(READERS)("%s", async (_name, who, expected) => {
    const access = reader("permissions", who);
    for (const { name, search } of ways) {
      const found = documentsOf(await search("seal valve", access));
      expect(found.sort(), name).toEqual([...expected].sort());
    }
    const ids = [...Object.keys(PERMISSIONS), "foreign", "missing"];
    const { engine } = underTest();
    const readable = await engine.readable(ids, access, NO_ABORT);
    expect([...readable].sort()).toEqual([...expected].sort());
    expect((await outlinesOf(engine, access)).sort()).toEqual([...expected].sort());
    for (const id of ids) {
      const contents = await engine.contents(id, access, 10, NO_ABORT);
      expect(
        contents.map(({ documentId }) => documentId),
        id,
      ).toEqual(expected.includes(id) ? [id] : []);
    }
  });

  it("keeps networks apart", async () => {
    for (const { search } of ways) {
      const found = async (network: string) =>
        documentsOf(await search("seal valve", reader(network, { groups: ["managers"] })));
      expect(await found("permissions of others")).toEqual(["foreign"]);
      const { engine } = underTest();
      expect(await outlinesOf(engine, reader("permissions of others"))).toEqual(["foreign"]);
      expect(await outlinesOf(engine, reader("nowhere"))).toEqual([]);
      expect(await engine.contents("foreign", reader("permissions"), 10, NO_ABORT)).toEqual([]);
      expect(await found("Permissions")).toEqual([]);
      expect(await found("nowhere")).toEqual([]);
      expect(await found("../permissions\u0000")).toEqual([]);
      expect(await found("*")).toEqual([]);
    }
  });
}

/** Random documents, readers and queries against the naive rule, also while permissions change. */
export function randomAccess(underTest: () => EngineUnderTest, ways: readonly Way[]): void {
  const checkAll = async (stored: readonly KnowledgeDocument[], access: Access, query: readonly string[]) => {
    const allowed = stored.filter((one) =>
      naivelyReadable(access, { network: access.network, ...one.access }),
    );
    const current = allowed.filter((one) => !isSupersededAmong(one, allowed));
    const matching = current.filter(({ title, chunks }) =>
      query.some((word) => `${title} ${chunks[0]!.text}`.split(" ").includes(word)),
    );
    for (const { name, literal, search } of ways) {
      const found = documentsOf(await search(query.join(" "), access)).sort();
      const rest = literal ? [] : current.filter((one) => !matching.includes(one)).map(idOf);
      expect(
        found.filter((id) => !rest.includes(id)),
        name,
      ).toEqual(matching.map(idOf).sort());
      expect(new Set(found).size, `${name}: each once`).toBe(found.length);
    }
    const readable = await underTest().engine.readable(stored.map(idOf), access, NO_ABORT);
    expect([...readable].sort()).toEqual(allowed.map(idOf).sort());
    expect((await outlinesOf(underTest().engine, access)).sort()).toEqual(current.map(idOf).sort());
  };

  let run = 0;
  it("agrees with the naive rule", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(randomCorpus, randomReader, randomQuery, async (corpus, who, query) => {
        const network = `random ${++run}`;
        const stored = corpus.map(({ text, ...rest }, index) => document(`d${index}`, [text], rest));
        await store(underTest(), network, stored);
        await checkAll(stored, reader(network, who), query);
      }),
      { numRuns: 40 },
    );
  });

  it("agrees with it while permissions change", { timeout: 120_000 }, async () => {
    const steps = fc.array(fc.record({ at: fc.nat(), access: randomDocumentAccess, who: randomReader }), {
      minLength: 2,
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(randomCorpus, steps, randomQuery, async (corpus, changes, query) => {
        fc.pre(corpus.length > 0);
        const network = `changing ${++run}`;
        const drawn = [...corpus];
        const readers = changes.map(({ who }) => who);
        for (const { at, access } of changes) {
          drawn[at % drawn.length] = { ...drawn[at % drawn.length]!, access };
          const stored = drawn.map(({ text, ...rest }, index) => document(`d${index}`, [text], rest));
          await store(underTest(), network, stored);
          // The same readers with the same query again and again: whatever is remembered must not be wrong.
          for (const who of readers) await checkAll(stored, reader(network, who), query);
        }
      }),
      { numRuns: 10 },
    );
  });
}

/** The documents of a reader's outline, each as often as it is in it. */
async function outlinesOf(engine: Engine, access: Access): Promise<string[]> {
  const limits = { documentsMax: 50, headingsMax: 5 };
  const outlines = await engine.outline(access, limits, NO_ABORT);
  return outlines.map(({ documentId }) => documentId);
}

const idOf = ({ documentId }: KnowledgeDocument) => documentId;

const WORDS = ["valve", "pump", "glove", "ladder", "spill"];
const PEOPLE = ["ann", "Ann", "josé", "jose", "b b", '"', "managers"];
const randomPeople = fc.uniqueArray(fc.constantFrom(...PEOPLE), { maxLength: 3 });
const randomQuery = fc.uniqueArray(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 });
const randomReader = fc.record({
  username: fc.constantFrom(...PEOPLE),
  groups: randomPeople,
  kiosk: fc.boolean(),
});
const randomDocumentAccess = fc.record({
  visibility: fc.constantFrom("network" as const, "restricted" as const),
  allowedUsers: randomPeople,
  allowedGroups: randomPeople,
});
const randomCorpus = fc.array(
  fc.record(
    {
      text: fc
        .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 })
        .map((words) => words.join(" ")),
      access: randomDocumentAccess,
      title: fc.constantFrom("Alpha", "Beta"),
      revision: fc.constantFrom("1", "2", "10"),
    },
    { requiredKeys: ["text", "access"] },
  ),
  { maxLength: 12 },
);

/** The rule as ten plain lines, written apart from `mayRead` on purpose. */
export function naivelyReadable(who: Access, what: DocumentAccess): boolean {
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
