/** The part of the conformance suite that looks with an operator's eyes: everything, with the rule's reasons. */
import { beforeAll, expect, it } from "vitest";
import { accessDecision } from "./access.js";
import {
  document,
  type EngineUnderTest,
  NO_ABORT,
  reader,
  restricted,
  store,
  vectorFor,
} from "./conformance.test-util.js";
import { PERMISSIONS, READERS } from "./conformance-access.test-util.js";
import type { LegName } from "./engine.js";
import type { Inspector } from "./inspector.js";

const NETWORK = "inspected";
const LONG_TEXT =
  "Before you open the guard, press the red button, wait until the blade stands still, hang your lock on the " +
  "switch, and try to start the machine: it must not start.";

export function inspection(underTest: () => EngineUnderTest, legs: readonly LegName[]): void {
  const inspector = (): Inspector => underTest().inspector;
  beforeAll(() =>
    store(underTest(), NETWORK, [
      ...Object.entries(PERMISSIONS).map(([id, access]) => document(id, ["Seal the valve."], { access })),
      document("guide old", ["Hang the lock."], {
        title: "Guide",
        revision: "1",
        sourceFile: "b/guide 1.md",
      }),
      document("guide new", ["Hang the lock."], {
        title: "Guide",
        revision: "2",
        sourceFile: "a/guide 2.md",
        access: restricted(["ann"]),
        usesDefaultVisibility: true,
      }),
      document("saw", [LONG_TEXT], { sourceFile: "saw.md" }),
      document("mill", [LONG_TEXT, "Clean the mill."], { sourceFile: "mill.md" }),
    ]),
  );

  it("lists every document of the network by its file, readable or not", async () => {
    const listed = await inspector().documents(NETWORK, NO_ABORT);
    const files = listed.map(({ sourceFile }) => sourceFile);
    expect(files).toHaveLength(Object.keys(PERMISSIONS).length + 4);
    expect(files).toEqual([...files].sort());
    expect(listed.find(({ documentId }) => documentId === "nobody")).toMatchObject({
      path: "nobody",
      title: "nobody",
      access: { network: NETWORK, visibility: "restricted", allowedUsers: [], allowedGroups: [] },
      usesDefaultVisibility: false,
      chunkCount: 1,
    });
    expect(listed.find(({ documentId }) => documentId === "mill")?.chunkCount).toBe(2);
    expect(listed.find(({ documentId }) => documentId === "guide new")).toMatchObject({
      revision: "2",
      usesDefaultVisibility: true,
    });
    expect(await inspector().documents("nowhere", NO_ABORT)).toEqual([]);
  });

  it("says which revision is superseded by which", async () => {
    const listed = await inspector().documents(NETWORK, NO_ABORT);
    const superseded = listed.filter(({ supersededBy }) => supersededBy !== undefined);
    expect(superseded).toMatchObject([{ documentId: "guide old", supersededBy: "guide new" }]);
  });

  it("shows a document with its chunks in order", async () => {
    const mill = await inspector().document(NETWORK, "mill", NO_ABORT);
    expect(mill).toMatchObject({ documentId: "mill", sourceFile: "mill.md", chunkCount: 2 });
    expect(mill!.chunks).toMatchObject([
      { chunkId: "mill#0", text: LONG_TEXT, headings: [] },
      { chunkId: "mill#1", text: "Clean the mill.", headings: [], nearDuplicates: [] },
    ]);
    expect(mill!.chunks[0]!.nearDuplicates).toMatchObject([{ chunkId: "saw#0", documentId: "saw" }]);
    expect(await inspector().document(NETWORK, "missing", NO_ABORT)).toBeUndefined();
    expect(await inspector().document("nowhere", "mill", NO_ABORT)).toBeUndefined();
  });

  explanations(inspector, legs);
}

function explanations(inspector: () => Inspector, legs: readonly LegName[]): void {
  it.each(READERS)("explains every decision for %s", async (_name, who, expected) => {
    const view = inspector();
    const access = reader(NETWORK, who);
    for (const leg of legs) {
      const request = { leg, query: "seal valve", access, limit: 50, ...vectorFor(leg, "seal valve") };
      const candidates = await view.explain(request, NO_ABORT);
      const about = candidates.filter(({ documentId }) => documentId in PERMISSIONS);
      expect(about.map(({ documentId }) => documentId).sort()).toEqual(Object.keys(PERMISSIONS).sort());
      for (const { documentId, decision } of about) {
        const granted = PERMISSIONS[documentId as keyof typeof PERMISSIONS];
        expect(decision, documentId).toEqual(accessDecision(access, { network: NETWORK, ...granted }));
        expect(decision.readable, documentId).toBe(expected.includes(documentId));
      }
    }
  });

  it("ranks as a search would, and says which revision the reader has instead", async () => {
    for (const leg of legs) {
      const candidates = async (username: string) => {
        const access = reader(NETWORK, { username });
        const request = {
          leg,
          query: "hang the lock",
          access,
          limit: 50,
          ...vectorFor(leg, "hang the lock"),
        };
        return inspector().explain(request, NO_ABORT);
      };
      const ofAnn = await candidates("ann");
      const scores = ofAnn.map(({ score }) => score);
      expect(scores).toEqual([...scores].sort((a, b) => b - a));
      const old = (found: typeof ofAnn) => found.find(({ documentId }) => documentId === "guide old");
      expect(old(ofAnn)).toMatchObject({ supersededBy: "guide new", revision: "1" });
      expect(old(await candidates("zoe"))).not.toHaveProperty("supersededBy");
      for (const { terms } of ofAnn) for (const { score } of terms) expect(score).toBeGreaterThan(0);
    }
  });
}
