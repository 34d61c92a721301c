import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { settle, VirtualClock } from "../../test/support/virtual-clock.js";
import { idleFetch } from "./idle-fetch.js";

const LIMITS = { firstByteMs: 15_000, idleMs: 3_000, bodyBytesMax: 1_000 };

let server: Server;
let url: string;
let exchange: Promise<ServerResponse>;
let authorization: string | undefined;
let clock: VirtualClock;
let get: typeof fetch;

beforeEach(async () => {
  exchange = new Promise((resolve) => {
    server = createServer((request, response) => {
      authorization = request.headers.authorization;
      resolve(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  clock = new VirtualClock();
  get = idleFetch(clock, LIMITS);
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Resolves when the client has let go of the connection before the end. */
function abandoned(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => response.once("close", resolve));
}

describe("idleFetch", () => {
  it.each([
    { pair: "user:secret", written: "user:secret" },
    { pair: "plant 4:100%", written: "plant%204:100%" },
    { pair: "token:", written: "token" },
  ])(
    "sends the user and the password of an address as its authorization: $written",
    async ({ pair, written }) => {
      const got = get(url.replace("//", `//${written}@`), { headers: { authorization: "Bearer none" } });
      (await exchange).end("in");
      expect(await (await got).text()).toBe("in");
      expect(authorization).toBe(`Basic ${Buffer.from(pair).toString("base64")}`);
    },
  );

  it("hands over status, headers and body", async () => {
    const got = get(url);
    (await exchange).writeHead(418, { "x-kind": "teapot" }).end("short and stout");
    const response = await got;
    expect([response.status, response.headers.get("x-kind")]).toEqual([418, "teapot"]);
    expect(await response.text()).toBe("short and stout");
    expect(clock.pending).toBe(0);
  });

  it("gives up when no byte comes, even if the headers do", async () => {
    const silent = get(url);
    const silence = expect(silent).rejects.toThrow("the first byte took longer than 15000 ms");
    const unanswered = abandoned(await exchange);
    await clock.advance(15_000);
    await silence;
    await unanswered;
  });

  it("counts the time to the first byte over the headers", async () => {
    const got = get(url);
    const response = await exchange;
    await clock.advance(10_000);
    response.writeHead(200).flushHeaders();
    const reading = (await got).text();
    const late = expect(reading).rejects.toThrow("the first byte took longer");
    await clock.advance(4_999);
    expect(clock.pending).toBe(1);
    const gone = abandoned(response);
    await clock.advance(1);
    await late;
    await gone;
  });

  it("gives up after a silence in the middle", async () => {
    const got = get(url);
    const response = await exchange;
    response.write("one");
    const reader = (await got).body!.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe("one");
    const next = expect(reader.read()).rejects.toThrow("the next byte took longer than 3000 ms");
    const gone = abandoned(response);
    await clock.advance(3_000);
    await next;
    await gone;
  });

  it("does not hold a slow reader against the server", async () => {
    const got = get(url);
    const response = await exchange;
    response.write("one");
    const reader = (await got).body!.getReader();
    await reader.read();
    await clock.advance(60_000);
    response.end("two");
    expect(new TextDecoder().decode((await reader.read()).value)).toBe("two");
  });

  it("stops at a body that is too large", async () => {
    const got = get(url);
    (await exchange).end("x".repeat(1_001));
    await expect((await got).text()).rejects.toThrow("larger than 1000 bytes");
  });

  it("lets go of the connection when the caller aborts or cancels", async () => {
    const giveUp = new AbortController();
    const got = get(url, { signal: giveUp.signal });
    const response = await exchange;
    const gone = abandoned(response);
    giveUp.abort(new Error("enough"));
    await expect(got).rejects.toThrow("enough");
    await gone;
    expect(clock.pending).toBe(0);
  });

  it("lets go when the body is cancelled unread", async () => {
    const got = get(url);
    const response = await exchange;
    response.write("one");
    const gone = abandoned(response);
    await (await got).body!.cancel();
    await gone;
    await settle();
    expect(clock.pending).toBe(0);
  });
});
