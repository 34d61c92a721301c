import { describe, expect, it } from "vitest";
import { ElasticsearchServer } from "../../../test/support/elasticsearch/server.js";
import { createTelemetry, type TelemetryEvent } from "../../telemetry/events.js";
import { NO_ABORT, reader } from "../conformance.test-util.js";
import { openTestBed } from "./engine-under-test.test-util.js";
import { migrateIndex, stampOf } from "./migrate.js";

describe("a document", () => {
  it.each([
    [{}, "open"],
    [{ allowed_users: [] }, "emptyList"],
    [{ allowed_groups: [] }, "emptyList"],
    [{ allowed_users: null }, "emptyList"],
    [{ allowed_users: [null] }, "emptyList"],
    [{ allowed_users: [], allowed_groups: ["crew"] }, "granted"],
    [{ allowed_users: ["ann"] }, "granted"],
    [{ allowed_users: "ann" }, "granted"],
    [undefined, "open"],
  ] as const)("like %j counts as %s", (source, stamp) => {
    expect(stampOf(source)).toBe(stamp);
  });
});

describe("a migration", () => {
  it("counts first, stamps when told to, and goes on where it was interrupted", async () => {
    const server = await ElasticsearchServer.start();
    const events: TelemetryEvent[] = [];
    const telemetry = createTelemetry([(event) => events.push(event)]);
    const bed = await openTestBed({ url: server.url, apiKey: server.apiKey }, { telemetry });
    const found = async () => {
      const request = { leg: "lexical", query: "valve", access: reader("n"), limit: 9 } as const;
      return (await bed.engine.search(request, NO_ABORT)).map(({ documentId }) => documentId).sort();
    };
    const index = bed.options.embeddingsIndex;
    const sources = [
      {},
      { allowed_users: [] },
      { allowed_users: ["ann"] },
      { allowed_groups: ["crew"], allowed_users: [] },
      { visibility: "network", allowed_users: [] },
      // Text where the reference has it, in the form of newer servers, of older ones, and in several parts.
      { visibility: "network", text: undefined, semantic_text: "Seal the valve." },
      {
        visibility: "network",
        text: undefined,
        semantic_text: { text: "Seal the valve.", inference: { chunks: [] } },
      },
      { visibility: "network", text: undefined, semantic_text: ["Seal", "the valve."] },
      { visibility: "network", text: undefined, title: "Valve" },
    ];
    for (const [id, source] of sources.entries()) {
      const body = { network: "n", document_id: `d${id}`, text: "Seal the valve.", ...source };
      await bed.client.call(
        "fill it",
        (api, call) => api.index({ index, id: String(id), document: body, refresh: true }, call),
        NO_ABORT,
      );
    }
    const definition = bed.definitions.find(({ role }) => role === "embeddings")!;
    const migrate = (apply: boolean) => migrateIndex(bed, { definition, apply }, () => {}, NO_ABORT);
    const counts = { open: 1, emptyList: 1, granted: 2, texts: 3 };
    expect(await migrate(false)).toEqual(counts);
    expect(await found()).toEqual(["d2", "d4"]);
    expect(events).toMatchObject([{ type: "hits_unreadable", network: "n", count: 1 }]);
    expect(await migrate(true)).toEqual(counts);
    expect(await found()).toEqual(["d0", "d2", "d4", "d5", "d6", "d7"]);
    expect(await migrate(true)).toEqual({ open: 0, emptyList: 0, granted: 0, texts: 0 });
    server.verify();
    await bed.dispose();
    await server.close();
  });
});
