import { describe, expect, it } from "vitest";
import { ingestDefaults } from "../../test/support/default-options.js";
import { contentHashOf, documentIdOf, readDocument } from "./document.js";
import type { ManifestEntry } from "./manifest-entry.js";
import type { ReadJob } from "./reader.js";

const options = ingestDefaults();
const job = (name: string, content: string, described?: ManifestEntry): ReadJob => ({
  path: `/docs/${name}`,
  name,
  bytes: new TextEncoder().encode(content),
  described,
});
const read = async (...args: Parameters<typeof job>) => (await readDocument(job(...args), options)).document;

describe("readDocument", () => {
  it("makes a document with what a voice needs to name it", async () => {
    const content =
      "---\ntitle: Lockout\nrevision: 2026-03\nallowed_groups: [leads]\n---\n# Lockout\n\nIntro.\n\n## Steps\n\n1. Stop.\n2. Lock.\n";
    expect(await readDocument(job("a/lock.md", content), options)).toEqual({
      document: {
        documentId: documentIdOf("/docs/a/lock.md"),
        path: "/docs/a/lock.md",
        title: "Lockout",
        revision: "2026-03",
        access: { visibility: "restricted", allowedUsers: [], allowedGroups: ["leads"] },
        sourceFile: "a/lock.md",
        usesDefaultVisibility: false,
        contentHash: contentHashOf(job("a/lock.md", content), options),
        chunks: [
          expect.objectContaining({ headings: [], text: "Intro." }),
          expect.objectContaining({
            headings: ["Steps"],
            text: "1. Stop.\n2. Lock.",
            kind: { docType: "spec", blockType: "procedure", tags: [] },
          }),
        ],
      },
      warnings: [],
      doubts: [],
    });
  });

  it.each<[string, string, ManifestEntry | undefined, string]>([
    ["a.md", "---\ntitle: Front\n---\n# Heading\n\nx", { title: "Manifest" }, "Front"],
    ["a.md", "# Heading\n\nx", { title: "Manifest" }, "Manifest"],
    ["a.html", "<title>Own</title><h1>Heading</h1><p>x</p>", undefined, "Own"],
    ["a.md", "# Heading\n\nx", undefined, "Heading"],
    ["sub/cash_handling-guide.txt", "x", undefined, "Cash handling guide"],
    ["sub/.txt.md", "x", undefined, ".txt"],
    ["sub/server.ts", "export class Foo {\n  bar() {\n    return 1;\n  }\n}", undefined, "server.ts"],
  ])("calls %s %j", async (name, content, described, title) => {
    expect((await read(name, content, described)).title).toBe(title);
  });

  it("tells source text from prose, and masks secrets", async () => {
    const { chunks } = await read("app/db.yaml", "database:\n  host: x\n  password: hunter2\n");
    expect(chunks).toEqual([
      expect.objectContaining({
        headings: ["database"],
        kind: { docType: "config", blockType: "key", tags: ["uses_auth"] },
        text: "database:\n  host: x\n  password: [redacted]",
      }),
    ]);
  });

  it("gives chunks ids that last as long as their text", async () => {
    const ids = async (content: string) => (await read("a.md", content)).chunks.map(({ chunkId }) => chunkId);
    const before = await ids("# A\n\nOne.\n\n# B\n\nTwo.\n\n# B\n\nTwo.\n");
    const after = await ids("# C\n\nNew.\n\n# A\n\nOne.\n\n# B\n\nTwo.\n\n# B\n\nTwo.\n");
    expect(new Set(before).size).toBe(3);
    expect(after.slice(2)).toEqual(before.slice(1));
  });

  it.each([
    ["empty.md", "", /empty/],
    ["front.md", "---\ntitle: A\n---\n", /no text/],
    ["wrong.md", "---\ntitle: [\n---\nx", /not YAML/],
    ["wrong.md", "---\nvisibility: public\n---\nx", /`visibility`/],
    ["a.png", "x", /no kind that is read/],
    ["blank.py", " \n ", /empty/],
  ])("refuses %s", async (name, content, message) => {
    await expect(read(name, content)).rejects.toThrow(
      expect.objectContaining({ name: "DocumentProblem", message: expect.stringMatching(message) }),
    );
  });
});

describe("contentHashOf", () => {
  const base = job("a.md", "x", { title: "A", allowedUsers: ["ann"] });
  const hash = contentHashOf(base, options);

  it("is the same for the same file, whatever the order of what is said of it", () => {
    const same = { ...base, described: { allowedUsers: ["ann"], title: "A" } };
    expect(contentHashOf(same, options)).toBe(hash);
    expect(contentHashOf(base, ingestDefaults({ fileTimeoutMs: 1_000, readConcurrency: 9 }))).toBe(hash);
  });

  it("changes with everything that search could show", () => {
    const others = [
      contentHashOf({ ...base, bytes: new TextEncoder().encode("y") }, options),
      contentHashOf({ ...base, name: "a.txt" }, options),
      contentHashOf({ ...base, described: undefined }, options),
      contentHashOf({ ...base, described: { title: "A", allowedGroups: ["ann"] } }, options),
      contentHashOf({ ...base, described: { title: "A", allowedUsers: [] } }, options),
      contentHashOf(
        { ...base, described: { title: "A", allowedUsers: ["ann"], visibility: "network" } },
        options,
      ),
      contentHashOf({ ...base, described: { title: "A", allowedUsers: ["ann"], revision: "2" } }, options),
      contentHashOf(base, ingestDefaults({ defaultVisibility: "restricted" })),
      contentHashOf(base, ingestDefaults({ chunkTokensTarget: 99 })),
      contentHashOf(base, ingestDefaults({ chunkOverlapTokensMax: 1 })),
    ];
    expect(new Set([hash, ...others]).size).toBe(others.length + 1);
  });
});

describe("documentIdOf", () => {
  it("names the file and tells places apart", () => {
    expect(documentIdOf("/docs/Cash Handling.md")).toMatch(/^cash-handling-[0-9a-f]{16}$/);
    expect(documentIdOf("/a/x.md")).not.toBe(documentIdOf("/b/x.md"));
    expect(documentIdOf("s3://bucket/日本.pdf")).toMatch(/^document-[0-9a-f]{16}$/);
  });
});
