import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ElasticsearchServer } from "../../../test/support/elasticsearch/server.js";
import { settle, VirtualClock } from "../../../test/support/virtual-clock.js";
import { Deadline, DeadlineExceeded } from "../../lib/deadline.js";
import { Secret } from "../../lib/secret.js";
import { document, NO_ABORT, reader, store } from "../conformance.test-util.js";
import { SearchUnavailable } from "../port.js";
import { KnowledgeUnusable } from "../writer.js";
import { ElasticsearchClient, type ElasticsearchProblem } from "./client.js";
import { openTestBed, type TestBed, testOptions } from "./engine-under-test.test-util.js";

/** No pause between attempts: time is not what is tested here. */
const AT_ONCE = new (class extends VirtualClock {
  override after(delayMs: number, callback: () => void) {
    // Deadlines stay; pauses are over at once.
    if (delayMs >= 30_000) return super.after(delayMs, callback);
    setImmediate(callback);
    return { cancel: () => {} };
  }
})();

let server: ElasticsearchServer;
let bed: TestBed;
const access = reader("faults");
const search = (signal = NO_ABORT) =>
  bed.engine.search({ leg: "lexical", query: "valve", access, limit: 5 }, signal);
const found = async () => (await search()).map(({ documentId }) => documentId);

beforeAll(async () => {
  server = await ElasticsearchServer.start();
});
beforeEach(async () => {
  bed = await openTestBed(
    { url: server.url, apiKey: server.apiKey },
    { clock: AT_ONCE, options: { requestTimeoutMs: 30_000 } },
  );
  await store(bed, "faults", [document("one", ["Seal the valve."]), document("two", ["Open the valve."])]);
});
afterEach(async () => {
  try {
    server.verify();
  } finally {
    server.faults.clear();
    await bed.dispose();
  }
});
afterAll(() => server.close());

describe("a search", () => {
  it.each([
    ["overload", 429, "es_rejected_execution_exception", /overloaded/],
    ["a node that is gone", 503, "no_shard_available_action_exception", /parts of the index offline/],
    ["a gateway without a server", 502, "", /error \(502\)/],
    ["a mapping that does not fit", 400, "query_shard_exception", /answered with an error \(400\)/],
    ["a key that may not", 403, "security_exception", /refused the credentials .*elasticsearch\.api_key/],
    ["a missing index", 404, "index_not_found_exception", /no such index.*readback index create/],
    ["an error of its own", 500, "null_pointer_exception", /error \(500\)/],
  ])("is unavailable for %s, and recovers by itself", async (_name, status, type, text) => {
    const body = type === "" ? "Bad Gateway" : { error: { type, reason: "why", root_cause: [] }, status };
    const headers = type === "" ? { "content-type": "text/html" } : {};
    const retried = [429, 502, 503].includes(status);
    server.faults.next({ endpoint: "search" }, { kind: "answer", status, body, headers }, retried ? 2 : 1);
    const failure = await search().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SearchUnavailable);
    expect((failure as Error).message).toMatch(text);
    expect((await found()).sort()).toEqual(["one", "two"]);
  });

  it("is tried once more when refused for the moment", async () => {
    server.faults.next({ endpoint: "search" }, { kind: "answer", status: 503, body: {} });
    expect((await found()).sort()).toEqual(["one", "two"]);
  });

  it.each([
    "failed to parse field [embedding]. Preview of field's value: 'the secret passage'",
    "failed to parse field [embedding]. The prefix of the first immense term is: '[115, 101, secret]...'",
    'failed to parse field [embedding]. For input string: "the secret passage"',
    "failed to parse field [embedding]. Current token (VALUE_STRING) secret",
  ])("says what is below 'all shards failed', and quotes no document: %s", async (reason) => {
    const error = {
      type: "search_phase_execution_exception",
      reason: "all shards failed",
      root_cause: [{ type: "query_shard_exception", reason }],
    };
    server.faults.next({ endpoint: "search" }, { kind: "answer", status: 400, body: { error, status: 400 } });
    const failure = (await search().catch((thrown: unknown) => thrown)) as Error;
    expect(failure.message).toContain("query_shard_exception: failed to parse field [embedding]");
    expect(failure.message).not.toContain("secret");
  });

  it("quotes nothing of an answer that is not JSON", async () => {
    server.faults.next(
      { endpoint: "search" },
      {
        kind: "answer",
        status: 200,
        body: "secret passage",
        headers: { "content-type": "application/json" },
      },
    );
    const failure = (await search().catch((thrown: unknown) => thrown)) as Error;
    expect(failure).toBeInstanceOf(SearchUnavailable);
    expect(failure.message).toContain("it is not JSON");
    expect(failure.message).not.toContain("secret");
  });

  it("is unavailable when only a part of the index answered", async () => {
    const body = {
      took: 1,
      timed_out: true,
      _shards: { total: 1, successful: 1, failed: 0 },
      hits: { hits: [] },
    };
    server.faults.next({ endpoint: "search" }, { kind: "answer", status: 200, body });
    await expect(search()).rejects.toThrow(/a part of the index only/);
  });

  it.each(["before", "after"] as const)("survives a connection that breaks %s it is done", async (when) => {
    server.faults.next({ endpoint: "search" }, { kind: "reset", when });
    expect((await found()).sort()).toEqual(["one", "two"]);
  });

  it("is unavailable when half of the answer is all that comes, twice", async () => {
    server.faults.next({ endpoint: "search" }, { kind: "half" }, 2);
    await expect(search()).rejects.toBeInstanceOf(SearchUnavailable);
  });

  it("ends with its caller's deadline, and so does the request", async () => {
    let release = () => {};
    const until = new Promise<void>((resolve) => {
      release = resolve;
    });
    server.faults.next({ endpoint: "search" }, { kind: "hold", until });
    const clock = new VirtualClock();
    const deadline = new Deadline(clock, "search", 5_000, NO_ABORT);
    const outcome = search(deadline.signal).catch((error: unknown) => error);
    await clock.advance(5_000);
    expect(await outcome).toBeInstanceOf(DeadlineExceeded);
    release();
    expect((await found()).sort()).toEqual(["one", "two"]);
  });

  it("is unavailable when the server does not answer in time", async () => {
    let release = () => {};
    const until = new Promise<void>((resolve) => {
      release = resolve;
    });
    server.faults.next({ endpoint: "search" }, { kind: "hold", until });
    const before = server.requests.length;
    const outcome = search().catch((error: unknown) => error);
    while (server.requests.length === before) await settle();
    await AT_ONCE.advance(30_000);
    const failure = await outcome;
    expect(failure).toBeInstanceOf(SearchUnavailable);
    expect((failure as Error).message).toBe("Elasticsearch did not answer (search) within 30000 ms.");
    release();
  });
});

describe("a server", () => {
  const client = (url: string, options = {}) =>
    new ElasticsearchClient(
      { ...testOptions({ url }), attemptsMax: 2, ...options },
      { clock: AT_ONCE, random: { fraction: () => 0, id: () => "0" } },
    );
  const ping = (one: ElasticsearchClient) =>
    one
      .call("ping", (api, call) => api.count({ index: "x" }, call), NO_ABORT)
      .catch((error: unknown) => error as ElasticsearchProblem);

  it("that is not there is named without its credentials", async () => {
    const failure = await ping(client("http://elastic:s3cret@127.0.0.1:1"));
    expect(failure).toMatchObject({ kind: "unreachable" });
    expect(JSON.stringify([failure, String(failure)])).not.toContain("s3cret");
  });

  it("that is too old is refused", async () => {
    const old = await ElasticsearchServer.start({ version: "8.14.3" });
    const failure = await ping(client(old.url, { apiKey: old.apiKey }));
    expect(failure).toMatchObject({
      kind: "unsupported",
      message:
        "Elasticsearch 8.14.3 is too old: 8.15 or later is needed. Upgrade the cluster, or use the embedded engine.",
    });
    expect(old.requests.map(({ path }) => path)).toEqual(["/"]);
    await old.close();
  });

  it("that is no Elasticsearch is refused", async () => {
    const { createServer } = await import("node:http");
    const other = createServer((_request, response) => response.end("{}"));
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as { port: number };
    expect(await ping(client(`http://127.0.0.1:${port}`))).toMatchObject({ kind: "unsupported" });
    await new Promise((resolve) => other.close(resolve));
  });

  it("takes a user and a password from the address", async () => {
    const failure = await ping(client(server.url.replace("//", "//elastic:changeme@")));
    expect(failure).toMatchObject({ kind: "missing", type: "index_not_found_exception" });
    expect(await ping(client(server.url.replace("//", "//elastic:wrong@")))).toMatchObject({
      kind: "denied",
    });
  });

  it("is sent the key that the settings have by then", async () => {
    const apiKey = new Secret("withdrawn");
    const one = client(server.url, { apiKey });
    expect(await ping(one)).toMatchObject({ kind: "denied" });
    apiKey.become(new Secret(server.apiKey));
    expect(await ping(one)).toMatchObject({ kind: "missing" });
  });

  it("that wants no version asked for is taken as it is", async () => {
    const body = { error: { type: "security_exception", reason: "cluster:monitor/main" }, status: 403 };
    server.faults.next({ path: /^\/$/ }, { kind: "answer", status: 403, body });
    const one = client(server.url, { apiKey: server.apiKey });
    expect(await ping(one)).toMatchObject({ kind: "missing" });
  });

  it("that refuses this client's requests is named as the cause", async () => {
    const error = {
      type: "media_type_header_exception",
      reason: "Invalid media-type value on headers [Accept]",
    };
    server.faults.next({ path: /^\/$/ }, { kind: "answer", status: 400, body: { error, status: 400 } });
    expect(await ping(client(server.url, { apiKey: server.apiKey }))).toMatchObject({ kind: "unsupported" });
  });
});

describe("a write", () => {
  const change = async () =>
    store(bed, "faults", [document("one", ["Seal the valve twice."]), document("three", ["Oil the valve."])]);
  const verifyChanged = async () => expect((await found()).sort()).toEqual(["one", "three"]);

  it("sends again what was refused for the moment, and only that", async () => {
    const refused: string[] = [];
    server.faults.nextItems(({ verb, id }) => {
      const isChunk = verb === "index" && !refused.includes(id ?? "");
      if (isChunk) refused.push(id ?? "");
      return isChunk;
    }, 2);
    await change();
    await verifyChanged();
    expect(refused).toHaveLength(2);
  });

  const STEPS = {
    "marking what is begun": /"unfinished":"put"/,
    "taking away": /"delete"/,
    "writing texts": /"text":"/,
    finishing: /"status":"synced"/,
  };
  const EFFECTS = {
    "is refused for the moment": { kind: "answer", status: 429, body: {} },
    "is cut off before": { kind: "reset", when: "before" },
    "is cut off behind it": { kind: "reset", when: "after" },
    "gets half of its answer": { kind: "half" },
  } as const;

  it.each(Object.entries(STEPS))("goes on when the request for %s fails in any way", async (_step, body) => {
    for (const [name, effect] of Object.entries(EFFECTS)) {
      await store(bed, "faults", [
        document("one", ["Seal the valve."]),
        document("two", ["Open the valve."]),
      ]);
      const fault = server.faults.next({ endpoint: "bulk", body }, effect);
      await change();
      expect(fault.hits, name).toBe(1);
      await verifyChanged();
    }
  });

  it("fails in words when the index is overloaded for good", async () => {
    server.faults.nextItems(({ verb }) => verb === "index", bed.options.attemptsMax);
    const writer = await bed.openWriter("faults");
    await writer.put(document("four", ["Grease the valve."]));
    await expect(writer.commit()).rejects.toThrow(/overloaded: 1 documents .* refused 5 times/);
    await writer.close();
    await change();
    await verifyChanged();
  });

  it("fails in words when a document does not fit the mapping", async () => {
    const writer = await bed.openWriter("faults");
    const [chunk] = document("four", ["Grease the valve."]).chunks;
    const vector = new Float32Array([1, 0]);
    await writer.put({ ...document("four", []), chunks: [{ ...chunk!, vector }] });
    const failure = await writer.commit().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(KnowledgeUnusable);
    expect((failure as Error).message).toMatch(/did not take a document.*readback index rebuild/);
    await writer.close();
    expect((await found()).sort()).toEqual(["one", "two"]);
  });

  it("fails in words when there are no indices", async () => {
    const empty = await openTestBed({ url: server.url, apiKey: server.apiKey }, { create: false });
    await expect(empty.openWriter("faults")).rejects.toThrow(/no such index.*Run `readback index create`/);
    await empty.engine.close();
    await empty.client.close();
  });
});
