/** The part of the conformance suite that looks at documents without a query: outlines, contents, the index's revision. */
import { beforeAll, expect, it } from "vitest";
import { PROSE } from "../domain/passage.js";
import {
  document,
  type EngineUnderTest,
  NO_ABORT,
  reader,
  restricted,
  store,
} from "./conformance.test-util.js";
import type { KnowledgeChunk, KnowledgeDocument } from "./writer.js";

const NETWORK = "outlined";
const access = reader(NETWORK);

function chunk(documentId: string, at: number, ...headings: string[]): KnowledgeChunk {
  return { chunkId: `${documentId}#${at}`, headings, kind: PROSE, text: `Part ${at}.` };
}

/** Nothing of it says anything before its fourth chunk. */
const MANUAL = document("manual", [], {
  title: "Press manual",
  revision: "4",
  chunks: [
    chunk("manual", 0),
    chunk("manual", 1, "Press", "Start"),
    chunk("manual", 2, "Press", "Start"),
    chunk("manual", 3, "Press", " Stop ↯ "),
    chunk("manual", 4, "Press"),
    chunk("manual", 5, "Start"),
  ],
});

const OLD = document("old manual", ["Part."], { title: "Press manual", revision: "3" });
const DRAFT = document("draft", ["Part."], {
  title: "Press manual",
  revision: "5",
  access: restricted(["editor"]),
});

export function outlines(underTest: () => EngineUnderTest): void {
  const outline = (documentsMax: number, headingsMax: number, who = access) =>
    underTest().engine.outline(who, { documentsMax, headingsMax }, NO_ABORT);
  const contents = (documentId: string, passagesMax: number, who = access) =>
    underTest().engine.contents(documentId, who, passagesMax, NO_ABORT);
  const put = (...documents: KnowledgeDocument[]) => store(underTest(), NETWORK, documents);
  beforeAll(() => put(OLD, MANUAL, DRAFT));

  it("tells title, revision, access, and each innermost heading once, in order", async () => {
    expect(await outline(10, 10)).toEqual([
      {
        documentId: "manual",
        title: "Press manual",
        revision: "4",
        headings: ["Start", "Stop ↯", "Press"],
        access: { network: NETWORK, visibility: "network", allowedUsers: [], allowedGroups: [] },
      },
    ]);
  });

  it("shows each reader the newest revision of those that this reader may read", async () => {
    const ids = async (username: string) =>
      (await outline(10, 0, reader(NETWORK, { username }))).map(({ documentId }) => documentId);
    expect(await ids("ann")).toEqual(["manual"]);
    expect(await ids("editor")).toEqual(["draft"]);
  });

  it("keeps to its limits", async () => {
    expect((await outline(10, 2))[0]!.headings).toEqual(["Start", "Stop ↯"]);
    expect((await outline(10, 0))[0]!.headings).toEqual([]);
    expect(await outline(0, 10)).toEqual([]);
  });

  it("has nothing of a network that holds nothing", async () => {
    expect(await outline(10, 10, reader("nowhere"))).toEqual([]);
    expect(await contents("manual", 10, reader("nowhere"))).toEqual([]);
    expect(await contents("missing", 10)).toEqual([]);
  });

  it("reads a document from its beginning", async () => {
    const read = await contents("manual", 4);
    expect(read.map(({ chunkId }) => chunkId)).toEqual(["manual#0", "manual#1", "manual#2", "manual#3"]);
    expect(read[1]).toMatchObject({
      documentId: "manual",
      title: "Press manual",
      revision: "4",
      supersedes: ["3"],
      headings: ["Press", "Start"],
      position: 1,
      text: "Part 1.",
    });
    expect(await contents("manual", 100)).toHaveLength(6);
    expect(await contents("draft", 100)).toEqual([]);
  });

  changes(underTest);
}

function changes(underTest: () => EngineUnderTest): void {
  const revision = (network = NETWORK) => underTest().engine.revision(network, NO_ABORT);
  const put = (...documents: KnowledgeDocument[]) => store(underTest(), NETWORK, documents);
  const ids = async (documentsMax: number) =>
    (await underTest().engine.outline(access, { documentsMax, headingsMax: 0 }, NO_ABORT)).map(
      ({ documentId }) => documentId,
    );

  it("has another revision after every change, a permission alone included, and none without one", async () => {
    let before = await revision();
    expect(await revision()).toBe(before);
    const steps = [
      [OLD, MANUAL, DRAFT, document("new", ["Part."])],
      [OLD, MANUAL, DRAFT, document("new", ["Part."], { access: restricted(["ann"]) })],
      [OLD, MANUAL, DRAFT],
      [OLD, document("manual", ["Other."], { title: "Press manual", revision: "4" }), DRAFT],
      [],
    ];
    for (const documents of steps) {
      await put(...documents);
      const after = await revision();
      expect(after).not.toBe(before);
      before = after;
    }
    const other = await revision("nowhere");
    await put(MANUAL);
    expect(await revision("nowhere")).toBe(other);
  });

  it("shows at once what was stored last, first", async () => {
    await put(MANUAL);
    await put(MANUAL, document("later", ["Part."]));
    expect(await ids(10)).toEqual(["later", "manual"]);
    expect(await ids(1)).toEqual(["later"]);
  });
}
