import { describe, expect, it } from "vitest";
import { defaultsOf } from "../../../test/support/default-options.js";
import { document, withVectors } from "../conformance.test-util.js";
import { compareMappings, indexDefinitions } from "./definitions.js";
import { elasticsearchOptions } from "./options.js";
import {
  ALONE,
  CHUNK_FIELDS,
  decodeChunk,
  decodeMetadata,
  encodeChunk,
  encodeMetadata,
  METADATA_FIELDS,
  storedId,
} from "./stored-chunks.js";

const DOCUMENT = withVectors(
  document("d", [], {
    title: "  The GUIDE ",
    revision: "4",
    access: { visibility: "restricted", allowedUsers: ["ann"], allowedGroups: ["crew"] },
    usesDefaultVisibility: true,
    chunks: [
      {
        chunkId: "d#0",
        headings: ["One", "Two"],
        page: 3,
        kind: { docType: "code", blockType: "function", tags: ["uses_http"] },
        text: "Seal the valve.",
      },
    ],
  }),
);
const STANDING = {
  supersededFor: { visibility: "network", allowedUsers: ["bob"], allowedGroups: ["x"] },
  hasOlderRevisions: true,
} as const;
const CHUNK = encodeChunk(DOCUMENT.chunks[0]!, {
  network: "n",
  document: DOCUMENT,
  position: 7,
  standing: STANDING,
  bands: ["1", "2"],
  semantic: true,
});
const definitions = () =>
  indexDefinitions(defaultsOf(elasticsearchOptions), { dimensions: 512, embedder: "e/512" });

describe("a chunk", () => {
  it("comes back as it was stored", () => {
    expect(decodeChunk("id", CHUNK)).toEqual({
      chunkId: "d#0",
      documentId: "d",
      title: "  The GUIDE ",
      titleKey: "the guide",
      revision: "4",
      sourceFile: "d.md",
      headings: ["One", "Two"],
      page: 3,
      position: 7,
      kind: { docType: "code", blockType: "function", tags: ["uses_http"] },
      text: "Seal the valve.",
      bands: ["1", "2"],
      access: { network: "n", visibility: "restricted", allowedUsers: ["ann"], allowedGroups: ["crew"] },
      standing: STANDING,
    });
  });

  it.each([
    [{ network: "n", document_id: "d", text: "x" }, "restricted", []],
    [{ network: "n", document_id: "d", text: "x", visibility: "everybody" }, "restricted", []],
    [
      { network: "n", document_id: "d", text: "x", visibility: null, allowed_users: "ann" },
      "restricted",
      ["ann"],
    ],
    [{ network: "n", document_id: "d", content: "x", visibility: "network" }, "network", []],
  ])("with odd fields grants no more than it says: %j", (source, visibility, allowedUsers) => {
    expect(decodeChunk("id", source)).toMatchObject({ text: "x", access: { visibility, allowedUsers } });
  });

  it.each([
    undefined,
    null,
    {},
    { network: "n", text: "x" },
    { document_id: "d", text: "x" },
    { network: "n", document_id: "d" },
    { network: "n", document_id: "d", text: "x", allowed_users: { ann: true } },
  ])("that cannot be read is left out: %j", (source) => {
    expect(decodeChunk("id", source)).toBeUndefined();
  });

  it("is not given to a model that is not configured, nor a vector without a direction", () => {
    const chunk = { ...DOCUMENT.chunks[0]!, vector: new Float32Array(4) };
    const place = {
      network: "n",
      document: DOCUMENT,
      position: 0,
      standing: ALONE,
      bands: [],
      semantic: false,
    };
    expect(Object.keys(encodeChunk(chunk, place))).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/semantic_text|embedding/)]),
    );
  });
});

describe("a document's metadata", () => {
  it("comes back as it was stored", () => {
    expect(decodeMetadata(encodeMetadata("n", DOCUMENT, STANDING))).toMatchObject({
      documentId: "d",
      path: "d",
      contentHash: DOCUMENT.contentHash,
      titleKey: "the guide",
      usesDefaultVisibility: true,
      chunkCount: 1,
      standing: STANDING,
      unsettledTitleKeys: [],
    });
  });
});

describe("ids", () => {
  it("are apart for networks and names, of one length, and never run together", () => {
    const ids = [
      storedId("a", "bc"),
      storedId("ab", "c"),
      storedId("a", "b\u0000c"),
      storedId("", "x".repeat(9_999)),
    ];
    expect(new Set(ids).size).toBe(4);
    for (const id of ids) expect(id).toMatch(/^[\w-]{43}$/);
  });
});

describe("the mappings in deploy/elasticsearch", () => {
  it("know every field that is written or read", async () => {
    const [embeddings, metadata] = await definitions();
    const own = [
      "status",
      "error",
      "unfinished",
      "unsettled_title_keys",
      "created_at",
      "updated_at",
      "synced_at",
    ];
    expect(Object.keys(embeddings!.mappings.properties!)).toEqual(
      expect.arrayContaining([...Object.keys(CHUNK), ...CHUNK_FIELDS]),
    );
    expect(Object.keys(metadata!.mappings.properties!)).toEqual(
      expect.arrayContaining([
        ...Object.keys(encodeMetadata("n", DOCUMENT, ALONE)),
        ...METADATA_FIELDS,
        ...own,
      ]),
    );
  });

  it("compare names exactly: no normalizer folds them, and no length hides them", async () => {
    for (const { mappings } of await definitions()) {
      for (const [field, property] of Object.entries(mappings.properties!)) {
        if (/^(?:network|allowed_|superseded_for_(?:users|groups))/.test(field))
          expect(property, field).toEqual({ type: "keyword" });
      }
    }
  });

  it("take the endpoint and the length of vectors from the settings", async () => {
    const [embeddings] = await definitions();
    expect(embeddings!.mappings).toMatchObject({
      _meta: { schema_version: 1, embedder: "e/512" },
      properties: {
        semantic_text: { type: "semantic_text", inference_id: ".elser-2-elasticsearch" },
        embedding: { type: "dense_vector", dims: 512, index_options: { type: "hnsw" } },
      },
    });
    expect(compareMappings(embeddings!.mappings, embeddings!.mappings)).toEqual({
      missing: {},
      conflicts: [],
      vectorsDiffer: false,
    });
  });
});
