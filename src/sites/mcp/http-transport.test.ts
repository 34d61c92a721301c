/** Servers of MCP over HTTP: a good one of both generations, and sockets that break every limit. */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { createPlantServer } from "../../../test/support/mcp/plant-server.js";
import { closeSites, declared, opened } from "../../../test/support/mcp/sites.js";
import { patience } from "../../../test/support/patience.js";
import { Secret } from "../../lib/secret.js";

afterEach(closeSites);

/** As `transports.ts` has it. */
const OPEN_ANSWERS_MAX = 64;

/** The address of a server that answers so, and the server. */
async function serving(listener: RequestListener): Promise<{ url: string; server: Server }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, server };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
}

/** The plant's server, from the library; `before` may answer in its place. */
function plant(
  before: (body: string, request: IncomingMessage, response: ServerResponse) => boolean = () => false,
) {
  const handler = createMcpHandler(createPlantServer);
  return serving(async (request, response) => {
    const body = await bodyOf(request);
    if (before(body, request, response)) return;
    const init = { method: request.method!, headers: request.headers as Record<string, string> };
    const asked = new Request(`http://127.0.0.1${request.url}`, body === "" ? init : { ...init, body });
    const answer = await handler.fetch(asked);
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body !== null) for await (const chunk of answer.body) response.write(chunk);
    response.end();
  });
}

const isCall = (body: string) => body.includes('"tools/call"');

/** Begins an answer of this type, and goes on with it until nobody reads it. Tells how many bytes were written. */
function endless(response: ServerResponse, type: string, text: string): () => number {
  let bytes = 0;
  response.writeHead(200, { "content-type": type });
  const more = () => {
    bytes += text.length;
    if (!response.destroyed) response.write(text, more);
  };
  more();
  return () => bytes;
}

async function failure(work: Promise<unknown>): Promise<string> {
  const error = await work.catch((reason: unknown) => reason);
  const { code, message } = Object(error) as { code?: string; message?: string };
  return `${code} ${message}`;
}

describe("a server over HTTP", () => {
  it("is called, with the headers that the settings have by then", async () => {
    const tokens = new Set<unknown>();
    const { url } = await plant((_body, { headers }) => {
      tokens.add(headers["x-plant-token"]);
      return false;
    });
    const token = new Secret("first");
    const { call } = await declared({ server: { url, headers: { "x-plant-token": token } } });
    for (const text of ["first", "second"]) {
      token.become(new Secret(text));
      expect(await call("get_temperature", { sensor: "t1" })).toMatchObject({ content: { value: 8.6 } });
    }
    expect([...tokens]).toEqual(["first", "second"]);
  });

  it.each<[what: string, type: string, text: string, failed: RegExp]>([
    ["one value without an end", "application/json", " ".repeat(65_536), /more than 262144 bytes/],
    [
      "an event without an end",
      "text/event-stream",
      `data: ${"x".repeat(65_536)}\n`,
      /more than 262144 bytes/,
    ],
    ["events without an end", "text/event-stream", ": ping\n\n".repeat(100), /messages a second/],
  ])("that replies %s fails the call, and is asked again", async (_what, type, text, failed) => {
    const replies: (() => number)[] = [];
    const { url } = await plant((body, _request, response) => {
      if (!isCall(body) || replies.length > 0) return false;
      replies.push(endless(response, type, text));
      return true;
    });
    const site = await declared({ server: { url } });
    expect(await failure(site.call("get_temperature", { sensor: "t1" }))).toMatch(failed);
    await expect.poll(() => site.site.status().state, { timeout: patience(20_000) }).toBe("connected");
    expect(await site.call("get_temperature", { sensor: "t1" })).toMatchObject({ content: { value: 8.6 } });
    expect(replies[0]!()).toBeLessThan(40 * 1_048_576);
  });

  it("that ends none of its answers is let go once too many are open, and is asked again", async () => {
    let left = 0;
    let isLeaving = true;
    const { url } = await plant((body, _request, response) => {
      if (!isCall(body) || !isLeaving) return false;
      left += 1;
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(": wait\n\n");
      return true;
    });
    const site = await declared({ server: { url }, callMsMax: patience(30_000) });
    const calls = Array.from({ length: OPEN_ANSWERS_MAX + 1 }, () =>
      failure(site.call("get_pump", { pump: "p" })),
    );
    const failed = await Promise.all(calls);
    expect(failed.join("\n")).toMatch(/TOO_LARGE it leaves more than 64 answers open/);
    expect(left).toBeGreaterThanOrEqual(OPEN_ANSWERS_MAX);
    isLeaving = false;
    await expect.poll(() => site.site.status().state, { timeout: patience(20_000) }).toBe("connected");
    expect(await site.call("get_temperature", { sensor: "t1" })).toMatchObject({ content: { value: 8.6 } });
  });

  it("that replies 10 MB fails the call, and goes on", async () => {
    const { url } = await plant();
    const site = await declared({ server: { url } });
    expect(await failure(site.call("large"))).toMatch(
      /^TOO_LARGE a message of it has more than 262144 bytes/,
    );
    expect(await site.call("get_temperature", { sensor: "t1" })).toMatchObject({ content: { value: 8.6 } });
    expect(site.events.of("site_lost")).toEqual([]);
  });

  it("that does not reply at all times out", async () => {
    const { url } = await plant((body) => isCall(body));
    const { call } = await declared({ server: { url }, callMsMax: patience(500) });
    expect(await failure(call("get_pump", { pump: "p" }))).toMatch(/^TIMEOUT get_pump took longer than/);
  });

  it("that is gone and comes back is connected again", async () => {
    let isGone = false;
    const { url } = await plant((_body, _request, response) => {
      if (isGone) response.destroy();
      return isGone;
    });
    const site = await declared({ server: { url } });
    isGone = true;
    expect(await failure(site.call("get_pump", { pump: "p" }))).toMatch(/^UNAVAILABLE /);
    await expect.poll(() => site.site.status().state, { timeout: patience(10_000) }).toBe("failed");
    isGone = false;
    await expect.poll(() => site.site.status().state, { timeout: patience(20_000) }).toBe("connected");
    expect(await site.call("get_pump", { pump: "p" })).toBeDefined();
  });

  it.each<[string, RequestListener, RegExp]>([
    ["refuses", (_request, response) => response.writeHead(401).end("who are you?"), /401|who are you/],
    ["is another kind of server", (_request, response) => response.end("<html>"), /./],
    [
      "sends us elsewhere",
      (_request, response) => response.writeHead(302, { location: "http://127.0.0.2:1/" }).end(),
      /./,
    ],
  ])("that %s is not connected, and says why", async (_what, listener, error) => {
    const { url } = await serving(listener);
    const { site } = await opened({ server: { url } });
    expect(site.status()).toMatchObject({ state: "failed", error: expect.stringMatching(error) });
  });
});
