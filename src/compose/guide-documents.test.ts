import { expect, it } from "vitest";
import { instruct, procedureOf } from "../guide/schema/guides.test-util.js";
import type { DocumentSummary } from "../retrieval/inspector.js";
import { GuideDocuments } from "./guide-documents.js";

const access = { network: "plant", username: "anna", groups: [], kiosk: false };
const { signal } = new AbortController();
const summary = (documentId: string, sourceFile: string, more: Partial<DocumentSummary> = {}) =>
  ({ documentId, sourceFile, ...more }) as DocumentSummary;

let looks = 0;
let revision = "1";
const documents = new GuideDocuments(
  {
    documents: async () => {
      looks += 1;
      return [
        summary("loto-1", "loto.md", { revision: "2026-03" }),
        summary("a-1", "a.md"),
        summary("a-2", "a.md"),
        summary("old-1", "old.md", { supersededBy: "new-1" }),
      ];
    },
  },
  { readable: async (ids) => new Set(ids.filter((id) => id !== "a-2")), revision: async () => revision },
);

it("finds documents by name or id, and takes none for readable that has a forbidden twin", async () => {
  const found = await documents.readable(["loto.md", "loto-1", "a.md", "unknown.md"], access, signal);
  expect([...found]).toEqual(["loto.md", "loto-1"]);
  await documents.readable(["loto.md"], access, signal);
  expect(looks).toBe(1);
  revision = "2";
  await documents.readable(["loto.md"], access, signal);
  expect(looks).toBe(2);
});

it.each([
  [{ document: "loto.md", revision: "2026-03" }, false],
  [{ document: "loto.md", revision: "2025-09" }, true],
  [{ document: "loto.md" }, false],
  [{ document: "old.md" }, true],
  [{ document: "unknown.md" }, false],
])("knows of %o whether it has a newer revision: %s", async (source, isOutdated) => {
  const guide = procedureOf([instruct("a", { source: { ...source, place: "step 1" } })]);
  expect(await documents.isOutdated(guide, "plant", signal)).toBe(isOutdated);
});
