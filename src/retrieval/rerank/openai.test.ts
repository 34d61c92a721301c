/** The reranker against a faithful server on real sockets. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  cutReply,
  errorReply,
  hangReply,
  rawReply,
  rerankReply,
} from "../../../test/support/openai-replies.js";
import { OpenAiServer } from "../../../test/support/openai-server.js";
import { VirtualClock } from "../../../test/support/virtual-clock.js";
import { OpenAiReranker, QUERY_CHARS_MAX, TEXT_CHARS_MAX } from "./openai.js";
import { RerankerUnavailable } from "./port.js";

const QUERY = "How do I bleed the compressor?";
const TEXTS = ["Oil the chain.", "Bleed the compressor for two minutes.", "Call the first aider."];
const never = new AbortController().signal;

let server: OpenAiServer;
let clock: VirtualClock;
let reranker: OpenAiReranker;
beforeEach(async () => {
  server = await OpenAiServer.start();
  clock = new VirtualClock();
  const { baseUrl, apiKey } = server;
  reranker = new OpenAiReranker(clock, { model: "rerank-1", baseUrl, apiKey, timeoutMs: 800 });
});
afterEach(async () => {
  await server.close();
  expect(clock.pending, "timers left").toBe(0);
});

async function failureOf(work: Promise<unknown>): Promise<string> {
  const error = await work.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(RerankerUnavailable);
  const { stack, message, cause } = error as Error;
  for (const secret of [server.apiKey, QUERY, ...TEXTS])
    expect(`${stack} ${String(cause)}`).not.toContain(secret);
  return message;
}

const results = (...of: object[]) => rawReply("application/json", JSON.stringify({ results: of }));

describe("OpenAiReranker", () => {
  it("sends query and texts, and gives the scores in the order of the texts", async () => {
    server.expectRerank(
      rerankReply((text) => text.length),
      (request) => expect(request).toEqual({ model: "rerank-1", query: QUERY, documents: TEXTS, top_n: 3 }),
    );
    expect(await reranker.score(QUERY, TEXTS, never)).toEqual(TEXTS.map(({ length }) => length));
    expect(reranker.name).toBe("rerank-1");
    server.verify();
  });

  it("sends no half characters, and no more than is read", async () => {
    server.expectRerank(
      rerankReply(() => 0),
      ({ query, documents }) => {
        expect(query).toBe("q".repeat(QUERY_CHARS_MAX));
        expect(documents).toEqual(["near \ufffd", "x".repeat(TEXT_CHARS_MAX)]);
      },
    );
    await reranker.score("q".repeat(9_000), ["near \ud800", "x".repeat(9_000)], never);
    server.verify();
  });

  it("does not ask about nothing", async () => {
    expect(await reranker.score(QUERY, [], never)).toEqual([]);
    server.verify();
  });

  it("takes scores of any sign and more fields than it knows", async () => {
    const more = { document: { text: "Oil." }, score: 9 };
    server.expectRerank(
      results({ index: 1, relevance_score: -3.5, ...more }, { index: 0, relevance_score: 0 }),
    );
    expect(await reranker.score(QUERY, ["a", "b"], never)).toEqual([0, -3.5]);
  });

  it.each([
    ["too few scores", results({ index: 0, relevance_score: 1 }), "1 scores for 3 texts"],
    [
      "an index twice",
      results(...[0, 0, 1].map((index) => ({ index, relevance_score: 1 }))),
      "without a score for text 2",
    ],
    [
      "an index that nobody has",
      results(...[0, 1, 3].map((index) => ({ index, relevance_score: 1 }))),
      "for text 2",
    ],
    [
      "no number",
      results(...[0, 1, 2].map((index) => ({ index, relevance_score: null }))),
      "not of the shape",
    ],
    ["no results", rawReply("application/json", "{}"), "not of the shape"],
    ["a page", rawReply("text/html", "<h1>Hi</h1>"), "is not JSON"],
    ["401", errorReply(401), "answers 401: it refuses the key"],
    ["404", errorReply(404), "answers 404: it knows no such path or model"],
    ["429", errorReply(429, { retryAfterS: 1 }), "answers 429"],
    ["503", errorReply(503), "answers 503"],
    ["a connection that ends at once", cutReply, "it broke"],
    ["a body that ends early", rerankReply(() => 1, "cut"), "it broke"],
  ])("refuses %s, and does not ask again", async (_name, reply, message) => {
    server.expectRerank(reply);
    expect(await failureOf(reranker.score(QUERY, TEXTS, never))).toContain(message);
    server.verify();
  });

  it.each([
    ["says nothing", hangReply],
    ["stops in the middle", rerankReply(() => 1, "hang")],
  ])("waits 800 ms for a server that %s", async (_name, reply) => {
    server.expectRerank(reply);
    const work = failureOf(reranker.score(QUERY, TEXTS, never));
    await server.received(1);
    await clock.advance(800);
    expect(await work).toBe("the answer of the rerank server took longer than 800 ms");
    expect(await server.requests[0]!.over).toBe("aborted");
  });

  it("ends with the signal's reason", async () => {
    server.expectRerank(hangReply);
    const abort = new AbortController();
    const work = reranker.score(QUERY, TEXTS, abort.signal);
    await server.received(1);
    abort.abort("enough");
    await expect(work).rejects.toBe("enough");
    await expect(reranker.score(QUERY, TEXTS, abort.signal)).rejects.toBe("enough");
    server.verify();
  });
});
