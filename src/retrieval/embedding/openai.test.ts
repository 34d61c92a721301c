/** The embedder against a faithful server on real sockets, with the faults that such servers are known for. */
import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  cutReply,
  embeddingsReply,
  errorReply,
  hangReply,
  rawReply,
} from "../../../test/support/openai-replies.js";
import { OpenAiServer } from "../../../test/support/openai-server.js";
import { VirtualClock } from "../../../test/support/virtual-clock.js";
import { OpenAiEmbedder, TEXT_CHARS_MAX } from "./openai.js";
import { EmbeddingUnavailable } from "./port.js";

const TEXT = "Bleed the compressor for two minutes.";
const never = new AbortController().signal;
const random = { fraction: () => 0.5, id: () => "id" };

let server: OpenAiServer;
let clock: VirtualClock;
beforeEach(async () => {
  server = await OpenAiServer.start();
  clock = new VirtualClock();
});
afterEach(async () => {
  await server.close();
  expect(clock.pending, "timers left").toBe(0);
});

function embedderWith(options: object = {}): OpenAiEmbedder {
  return new OpenAiEmbedder(
    { clock, random },
    {
      model: "text-embedding-3-small",
      dimensions: 2,
      batchSize: 3,
      baseUrl: server.baseUrl,
      apiKey: server.apiKey,
      timeoutMs: 10_000,
      attemptsMax: 1,
      ...options,
    },
  );
}

const numbers = (vectors: readonly Float32Array[]) =>
  vectors.map((vector) => [...vector].map((value) => Number(value.toFixed(4))));
const good = embeddingsReply((text) => [text.length, 0]);
/** A body as some server might send it. */
const body = (embedding: unknown, index: unknown = 0) =>
  rawReply("application/json", JSON.stringify({ data: [{ index, embedding }] }));

/** The failure that `work` ends in; it must quote neither the key nor the text. */
async function failureOf(work: Promise<unknown>): Promise<string> {
  const error = await work.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(EmbeddingUnavailable);
  const { stack, message, cause } = error as Error;
  expect(`${stack} ${String(cause)}`).not.toContain(server.apiKey);
  expect(`${stack} ${String(cause)}`).not.toContain(TEXT);
  return message;
}

describe("a request", () => {
  it("asks for the model, the dimensions and floats", async () => {
    server.expectEmbeddings(good, (request) => {
      const asked = { model: "text-embedding-3-small", dimensions: 2, encoding_format: "float" };
      expect(request).toEqual({ ...asked, input: [TEXT] });
    });
    expect(numbers(await embedderWith().embed([TEXT], never))).toEqual([[1, 0]]);
    expect(embedderWith()).toMatchObject({ name: "text-embedding-3-small/2", dimensions: 2 });
    server.verify();
  });

  it("has so many texts at the most, and the vectors come in the order of the texts", async () => {
    const texts = ["a", "bb", "ccc", "dddd", "eeeee"];
    const angle = embeddingsReply((text) => [text.length, 1], { reversed: true });
    const sizes: number[] = [];
    for (let i = 0; i < 2; i++) server.expectEmbeddings(angle, ({ input }) => void sizes.push(input.length));
    const vectors = await embedderWith().embed(texts, never);
    expect(sizes).toEqual([3, 2]);
    expect(vectors.map(([x, y]) => Math.round(x! / y!))).toEqual([1, 2, 3, 4, 5]);
    for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 6);
    server.verify();
  });

  it("is not made for nothing", async () => {
    expect(await embedderWith().embed([], never)).toEqual([]);
    server.verify();
  });

  it("holds no empty text, no half character, and no more than the API takes", async () => {
    server.expectEmbeddings(good, ({ input }) => {
      expect(input).toEqual([".", "near \ufffd!", "x".repeat(TEXT_CHARS_MAX)]);
    });
    await embedderWith().embed([" \n", "near \ud800!", "x".repeat(20_000)], never);
    server.verify();
  });

  it("goes without a key where there is none, and to an address with a slash at its end", async () => {
    const open = embedderWith({ apiKey: undefined, baseUrl: `${server.baseUrl}/` });
    expect(await failureOf(open.embed([TEXT], never))).toContain("401: it refuses the key");
    expect(server.requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ["/v1/embeddings", undefined],
    ]);
  });
});

describe("an answer", () => {
  it("may be in base64, whatever was asked for", async () => {
    const floats = Buffer.from(Float32Array.of(3, 4).buffer).toString("base64");
    server.expectEmbeddings(body(floats));
    expect(numbers(await embedderWith().embed([TEXT], never))).toEqual([[0.6, 0.8]]);
  });

  it("may hold more than is looked at", async () => {
    const rich = { object: "list", usage: {}, data: [{ index: 0, embedding: [0, -2], object: "embedding" }] };
    server.expectEmbeddings(rawReply("application/json", JSON.stringify(rich)));
    expect(numbers(await embedderWith().embed([TEXT], never))).toEqual([[0, -1]]);
  });

  it.each([
    [
      "too few dimensions",
      body([1]),
      "with vectors of 1 dimensions instead of 2; set embedding.dimensions to 1",
    ],
    ["too many dimensions", body([1, 2, 3]), "with vectors of 3 dimensions"],
    ["base64 of another length", body("AAAA"), "with vectors of 0 dimensions"],
    [
      "base64 of NaN",
      body(Buffer.from(Float32Array.of(Number.NaN, 1).buffer).toString("base64")),
      "no direction",
    ],
    ["zeros", body([0, 0]), "with a vector that has no direction"],
    ["null in a vector", body([1, null]), "not of the shape"],
    ["text in a vector", body([1, "2"]), "not of the shape"],
    [
      "a number beyond all bounds",
      rawReply("application/json", '{"data":[{"index":0,"embedding":[1e999,1]}]}'),
      "not of",
    ],
    ["no data", rawReply("application/json", "{}"), "not of the shape"],
    ["null", rawReply("application/json", "null"), "not of the shape"],
    [
      "an error with status 200",
      rawReply("application/json", '{"error":{"message":"oh"}}'),
      "not of the shape",
    ],
    ["too few vectors", rawReply("application/json", '{"data":[]}'), "0 vectors for 1 texts"],
    ["an index that nobody has", body([1, 2], 1), "without a vector for text 0"],
    ["no index", rawReply("application/json", '{"data":[{"embedding":[1,2]}]}'), "not of the shape"],
    ["a page", rawReply("text/html", "<h1>Hi</h1>"), "is not JSON"],
    ["a body that ends early", embeddingsReply(() => [1, 2], { ending: "cut" }), "it broke"],
    ["a connection that ends at once", cutReply, "no connection to the embedding server"],
    ["400 that quotes the text", errorReply(400, { message: TEXT }), "answers 400; check"],
    ["404", errorReply(404), "answers 404: it knows no such path or model"],
    ["429", errorReply(429), "answers 429"],
    ["500", errorReply(500), "answers 500"],
    [
      "a body that is too large",
      rawReply("application/json", " ".repeat(2_000_000)),
      "the body is larger than",
    ],
  ])("of %s is refused", async (_name, reply, message) => {
    server.expectEmbeddings(reply);
    expect(await failureOf(embedderWith().embed([TEXT], never))).toContain(message);
    server.verify();
  });

  it("with the same vector twice is refused", async () => {
    const data = [0, 0].map((index) => ({ index, embedding: [1, 2] }));
    server.expectEmbeddings(rawReply("application/json", JSON.stringify({ data })));
    expect(await failureOf(embedderWith().embed(["a", "b"], never))).toContain("without a vector for text 1");
  });
});

describe("patience", () => {
  it("tries again after growing pauses, with jitter", async () => {
    server.expectEmbeddings(errorReply(503)).expectEmbeddings(cutReply).expectEmbeddings(good);
    const startMs = clock.monotonic();
    const work = embedderWith({ attemptsMax: 3 }).embed([TEXT], never);
    await server.received(1);
    await advanceUntil(() => server.requests.length === 2);
    const firstMs = clock.monotonic() - startMs;
    await advanceUntil(() => server.requests.length === 3);
    expect(numbers(await work)).toEqual([[1, 0]]);
    // 250 ms and 500 ms, three quarters of each at this random.
    expect(firstMs).toBeGreaterThanOrEqual(187);
    expect(clock.monotonic() - startMs - firstMs).toBeGreaterThanOrEqual(375);
    server.verify();
  });

  it("waits as long as the server asks", async () => {
    server.expectEmbeddings(errorReply(429, { retryAfterS: 7 })).expectEmbeddings(good);
    const startMs = clock.monotonic();
    const work = embedderWith({ attemptsMax: 2 }).embed([TEXT], never);
    await server.received(1);
    await advanceUntil(() => server.requests.length === 2);
    expect(clock.monotonic() - startMs).toBeGreaterThanOrEqual(7_000);
    await work;
  });

  it("does not wait for a server that asks for an hour", async () => {
    server.expectEmbeddings(errorReply(429, { retryAfterS: 3_600 }));
    expect(await failureOf(embedderWith({ attemptsMax: 4 }).embed([TEXT], never))).toContain("429");
    server.verify();
  });

  it.each([400, 401, 403, 404, 422])("does not repeat what is refused with %d", async (status) => {
    server.expectEmbeddings(errorReply(status));
    await failureOf(embedderWith({ attemptsMax: 4 }).embed([TEXT], never));
    server.verify();
  });

  it("ends after so many attempts, with the last failure", async () => {
    for (let i = 0; i < 3; i++) server.expectEmbeddings(errorReply(500 + i));
    const work = failureOf(embedderWith({ attemptsMax: 3 }).embed([TEXT], never));
    await server.received(1);
    await advanceUntil(() => server.requests.length === 3);
    expect(await work).toContain("502");
    server.verify();
  });

  it.each([
    ["that says nothing", hangReply],
    ["that stops in the middle", embeddingsReply(() => [1, 2], { ending: "hang" })],
  ])("has an end with a server %s", async (_name, reply) => {
    server.expectEmbeddings(reply);
    const work = failureOf(embedderWith().embed([TEXT], never));
    await server.received(1);
    await clock.advance(10_000);
    expect(await work).toBe("the answer of the embedding server took longer than 10000 ms");
    expect(await server.requests[0]!.over).toBe("aborted");
  });

  it("ends with the signal's reason, in a request and between two", async () => {
    const reason = new Error("enough");
    server.expectEmbeddings(hangReply).expectEmbeddings(errorReply(503));
    const abort = new AbortController();
    const waiting = embedderWith().embed([TEXT], abort.signal);
    await server.received(1);
    abort.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(await server.requests[0]!.over).toBe("aborted");

    const between = new AbortController();
    const pausing = embedderWith({ attemptsMax: 2 }).embed([TEXT], between.signal);
    await server.received(2);
    await server.requests[1]!.over;
    between.abort(reason);
    await expect(pausing).rejects.toBe(reason);
    await expect(embedderWith().embed([TEXT], abort.signal)).rejects.toBe(reason);
    expect(getEventListeners(between.signal, "abort")).toEqual([]);
    server.verify();
  });

  it("meets a server that is not there", async () => {
    await server.close();
    expect(await failureOf(embedderWith().embed([TEXT], never))).toBe(
      "no connection to the embedding server, or it broke (ECONNREFUSED)",
    );
  });
});

/** Moves the clock on in small steps while sockets do their work, until `done`. */
async function advanceUntil(done: () => boolean): Promise<void> {
  for (let step = 0; step < 2_000 && !done(); step++) await clock.advance(10);
  expect(done()).toBe(true);
}
