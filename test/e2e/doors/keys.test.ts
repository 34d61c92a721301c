/** Who may come in at the doors of the API, and as whom; and that no key is ever shown. */
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { loadConfig, printableConfig } from "../../../src/config/load.js";
import type { World } from "../world.js";
import { address, offline, openai, post, QUESTION, WHO } from "./ask.js";

const FREE = "free-key-0123456789";
const PLANT = "plant-key-0123456789";
const KIOSK = "kiosk-key-0123456789";

const KEYS = [
  { key: FREE, name: "qa" },
  { key: PLANT, name: "plant", networks: ["acme", "other"] },
  { key: KIOSK, networks: ["acme"], username: "kiosk-1", groups: ["shop"] },
];

const withKeys = () => offline({ config: { "http.api_keys": KEYS } });

async function codeOf(response: Response): Promise<string> {
  const { error } = (await response.json()) as { error?: { code: string; field?: string } };
  return `${response.status} ${error?.code ?? "answered"}`;
}

function ask(world: World, headers: Record<string, string>, body: object = {}): Promise<Response> {
  return post(world, "/api/v1/answers", { ...WHO, text: QUESTION, ...body }, { headers });
}

describe("with keys", () => {
  test("one is needed, in either header, and any other is refused", async () => {
    const world = await withKeys();
    expect(await codeOf(await ask(world, {}))).toBe("401 unauthorized");
    expect(await codeOf(await ask(world, { authorization: `Bearer ${FREE}` }))).toBe("200 answered");
    expect(await codeOf(await ask(world, { authorization: `bearer  ${FREE}` }))).toBe("200 answered");
    expect(await codeOf(await ask(world, { "x-api-key": FREE }))).toBe("200 answered");
    for (const wrong of [FREE.slice(1), `${FREE}x`, FREE.toUpperCase(), "x".repeat(5_000)])
      expect(await codeOf(await ask(world, { "x-api-key": wrong }))).toBe("401 unauthorized");
    const refused = await ask(world, { authorization: `Basic ${FREE}` });
    expect(refused.headers.get("www-authenticate")).toBe("Bearer");
    await refused.text();
  });

  test("bound to networks open these only", async () => {
    const world = await withKeys();
    const headers = { "x-api-key": PLANT };
    expect(await codeOf(await ask(world, headers))).toBe("200 answered");
    expect(await codeOf(await ask(world, headers, { network: "other" }))).toBe("200 answered");
    expect(await codeOf(await ask(world, headers, { network: "elsewhere" }))).toBe("403 forbidden");
    // Which of the two is not for us to guess.
    expect(await codeOf(await ask(world, headers, { network: null }))).toBe("400 missing_parameter");
  });

  test("bound to a user and groups say who asks; a request cannot claim others", async () => {
    const world = await withKeys();
    const headers = { "x-api-key": KIOSK };
    const claim = (body: object) => ask(world, headers, { network: null, username: null, ...body });
    expect(await codeOf(await claim({}))).toBe("200 answered");
    expect((await world.happened("turn_started")).user).toEqual({ network: "acme", username: "kiosk-1" });
    expect(await codeOf(await claim({ username: "kiosk-1", groups: ["shop"] }))).toBe("200 answered");
    expect(await codeOf(await claim({ groups: [] }))).toBe("200 answered");
    expect(await codeOf(await claim({ username: "ann" }))).toBe("403 forbidden");
    expect(await codeOf(await claim({ groups: ["shop", "managers"] }))).toBe("403 forbidden");
  });

  test("every door wants one, in the shape of its protocol; health and metrics want none", async () => {
    const world = await withKeys();
    await expect(openai(world, "wrong").models.list()).rejects.toMatchObject({
      status: 401,
      type: "authentication_error",
    });
    expect((await openai(world, FREE).models.list()).data).toHaveLength(1);
    const tags = await fetch(address(world, "/api/tags"));
    expect([tags.status, await tags.json()]).toEqual([401, { error: expect.stringContaining("API key") }]);
    expect((await fetch(address(world, "/healthz"))).status).toBe(200);
    expect((await fetch(address(world, "/readyz"))).status).toBe(200);
    expect(await world.metrics()).toContain(
      'readback_door_request_seconds_count{door="openai",result="unauthorized"} 1',
    );
  });

  test("no log, no printed setting and no complaint about a setting shows one", async () => {
    const world = await withKeys();
    await (await ask(world, { "x-api-key": FREE })).text();
    await (await ask(world, { "x-api-key": "a-wrong-key-presented" })).text();
    await world.happened("door_request_finished", 2);
    expect(world.log).toContain('"caller":"qa"');
    expect(world.log).not.toMatch(/key-0123456789|a-wrong-key-presented/);
    expect(await world.metrics()).not.toMatch(/key-0123456789/);
    const { config, file } = loadConfig({ READBACK_HTTP_API_KEYS: JSON.stringify(KEYS) });
    expect(config.http.apiKeys).toEqual(KEYS);
    expect(printableConfig(file)).not.toMatch(/key-0123456789/);
    const BAD = [[{ key: FREE, netwoks: ["a"] }], [FREE], FREE, [{ key: FREE, networks: [] }], { key: FREE }];
    for (const bad of BAD) {
      const text = typeof bad === "string" ? bad : JSON.stringify(bad);
      const complain = () => loadConfig({ READBACK_HTTP_API_KEYS: text });
      expect(complain).toThrow(/http\.api_keys/);
      expect(complain).not.toThrow(FREE);
    }
  });
});

describe("without keys", () => {
  /** One request as bytes: `fetch` does not let a test say any host. */
  async function asked(world: World, headers: readonly string[]): Promise<string> {
    const socket = connect(world.ports.http, "127.0.0.1");
    socket.write(["GET /v1/models HTTP/1.1", ...headers, "Connection: close", "", ""].join("\r\n"));
    let text = "";
    for await (const bytes of socket) text += String(bytes);
    return text.slice("HTTP/1.1 ".length).split("\r\n")[0]!;
  }

  test("this machine is answered, under names that nobody else can own", async () => {
    const world = await offline();
    const { http } = world.ports;
    for (const host of ["localhost", "LOCALHOST", "127.0.0.1", "[::1]"])
      expect(await asked(world, [`Host: ${host}:${http}`]), host).toBe("200 OK");
    // A web page that a browser on this machine shows.
    for (const host of ["evil.example", `localhost.evil.example:${http}`, "127.0.0.1.evil.example", ""])
      expect(await asked(world, [`Host: ${host}`]), host).toBe("403 Forbidden");
  });

  test("nobody is who comes through a proxy", async () => {
    const world = await offline();
    for (const header of ["X-Forwarded-For: 10.0.0.7", "Forwarded: for=10.0.0.7"])
      expect(await asked(world, [`Host: localhost:${world.ports.http}`, header])).toBe("403 Forbidden");
    const refused = await ask(world, { "x-forwarded-for": "10.0.0.7" });
    expect(await refused.json()).toEqual({
      error: { code: "forbidden", message: expect.stringContaining("http.api_keys") },
    });
  });

  test("no other origin is let in by the browser either", async () => {
    const world = await offline();
    const response = await fetch(address(world, "/api/v1/answers"), {
      method: "OPTIONS",
      headers: { origin: "https://evil.example", "access-control-request-method": "POST" },
    });
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
  });
});
