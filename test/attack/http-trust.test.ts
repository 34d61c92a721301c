/**
 * Issue 11, lines 5, 6 and 8: who is believed at HTTP and gRPC. Strangers come through a real nginx, web pages of
 * elsewhere and callers that leave out what their key binds come by themselves.
 */
import { readFileSync } from "node:fs";
import { status } from "@grpc/grpc-js";
import { describe, expect, test } from "vitest";
import {
  address,
  all,
  CANTEEN_SAYS,
  documents,
  eventsOf,
  grpc,
  metadata,
  offline,
  openai,
  post,
  QUESTION,
  WHO,
} from "../e2e/doors/ask.js";
import { Drip } from "../e2e/script.js";
import { World } from "../e2e/world.js";
import { searchReply, textReply } from "../support/openai-replies.js";
import { freePort, startNginx, WORKS_AS_ANOTHER } from "./support/nginx.js";
import { rawRequest } from "./support/raw-http.js";

const BODY = JSON.stringify({ ...WHO, text: QUESTION });
const JSON_HEADERS = ["Content-Type: application/json"];

/** A question at a port, from this machine, under a host's name. */
async function asked(port: number, host: string, headers: readonly string[] = []): Promise<number> {
  const lines = [`Host: ${host}`, ...JSON_HEADERS, ...headers];
  const { status } = await rawRequest(port, {
    method: "POST",
    path: "/api/v1/answers",
    headers: lines,
    body: BODY,
  });
  return status;
}

/** nginx before the service, with these directives beside `proxy_pass`; the port to call. */
async function proxied(world: World, directives = ""): Promise<number> {
  const port = await freePort();
  const upstream = `proxy_pass http://127.0.0.1:${world.ports.http};`;
  await startNginx(`server { listen 127.0.0.1:${port}; location / { ${directives} ${upstream} } }`, port);
  return port;
}

describe("without keys, behind a proxy", () => {
  test("a default nginx makes no stranger local", async () => {
    const world = await offline();
    const port = await proxied(world);
    expect(await asked(port, "readback.example")).toBe(403);
    expect(await asked(port, `127.0.0.1:${world.ports.http}`)).toBe(403);
    expect(await asked(world.ports.http, `127.0.0.1:${world.ports.http}`)).toBe(200);
  });

  test("nor one that speaks HTTP/1.1 and hands the stranger's own Host on", async () => {
    const world = await offline();
    const port = await proxied(
      world,
      'proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $http_host;',
    );
    expect(await asked(port, "readback.example")).toBe(403);
    // Only whose process it is tells this from a request of the machine's own: docs/security.md.
    const forged = await asked(port, `127.0.0.1:${world.ports.http}`);
    expect(forged).toBe(WORKS_AS_ANOTHER ? 403 : 200);
  });

  const PASSED_ON = [
    "Forwarded: for=10.0.0.7",
    "X-Forwarded-For: 10.0.0.7",
    "X-Forwarded-Proto: https",
    "X-Forwarded-Host: readback.example",
    "X-Real-IP: 10.0.0.7",
    "Via: 1.1 proxy",
    "CF-Connecting-IP: 10.0.0.7",
    "True-Client-IP: 10.0.0.7",
    "X-Client-IP: 10.0.0.7",
    "X-Envoy-External-Address: 10.0.0.7",
  ];
  test("what says that it was passed on is no neighbour", async () => {
    const world = await offline({ documents: {} });
    const { http } = world.ports;
    for (const header of PASSED_ON)
      expect([header, await asked(http, `localhost:${http}`, [header])]).toEqual([header, 403]);
  });

  test("nginx makes nobody local for gRPC", async () => {
    const world = await offline();
    const port = await freePort();
    const upstream = `grpc_pass grpc://127.0.0.1:${world.ports.grpc};`;
    await startNginx(`server { listen 127.0.0.1:${port} http2; location / { ${upstream} } }`, port);
    const failure = async (at: number, more: Record<string, string> = {}) => {
      const stream = grpc(world, at).AskAgent({ query: QUESTION, ...WHO }, metadata(more));
      return all(stream).then(
        () => status.OK,
        (error: { code: number }) => error.code,
      );
    };
    expect(await failure(port)).toBe(WORKS_AS_ANOTHER ? status.PERMISSION_DENIED : status.OK);
    expect(await failure(port, { "x-real-ip": "10.0.0.7" })).toBe(status.PERMISSION_DENIED);
    expect(await failure(world.ports.grpc!)).toBe(status.OK);
  });
});

const TOKEN = "kiosk-token-0123456789-abcdef";
const KIOSKS = [{ token: TOKEN, network: "acme", username: "kiosk-1", features: [] }];

test("a port is not opened for others without keys", async () => {
  for (const host of ["http.host", "grpc.host"])
    await expect(offline({ documents: {}, config: { [host]: "0.0.0.0" } })).rejects.toThrow(/http\.api_keys/);
});

describe("with a kiosk and without keys", () => {
  test("the API is refused on the kiosk's port", async () => {
    const world = await offline({ config: { "http.kiosks": KIOSKS } });
    expect(await asked(world.ports.http, `localhost:${world.ports.http}`)).toBe(403);
  });

  test("a kiosk's port of its own has the kiosk and nothing else", async () => {
    const world = await offline({ config: { "http.kiosks": KIOSKS, "http.kiosk_port": 0 } });
    const kiosk = world.ports.kiosk!;
    expect(await asked(world.ports.http, `localhost:${world.ports.http}`)).toBe(200);
    const paths = ["/api/v1/answers", "/v1/models", "/api/tags", "/metrics", "/readyz", "/kiosk"];
    const there = await Promise.all(
      paths.map(async (path) => (await rawRequest(kiosk, { path, headers: ["Host: localhost"] })).status),
    );
    expect(there).toEqual([404, 404, 404, 404, 404, 200]);
    expect((await fetch(address(world, "/kiosk"))).status).toBe(404);
  });
});

describe("the proxy of docs/kiosk.md", () => {
  /** The documented configuration on ports of the test, without TLS: that is nginx's own matter. */
  async function documented(world: World): Promise<number> {
    const document = readFileSync(new URL("../../docs/kiosk.md", import.meta.url), "utf8");
    const [, written] = /```nginx\n([\s\S]*?)```/.exec(document)!;
    const port = await freePort();
    const adapted = written!
      .replace("listen 443 ssl;", `listen 127.0.0.1:${port};`)
      .replaceAll(/^\s*ssl_.*\n/gm, "")
      .replaceAll("127.0.0.1:8088", `127.0.0.1:${world.ports.kiosk}`);
    expect(adapted).not.toMatch(/ssl_|:8088/);
    await startNginx(adapted, port);
    return port;
  }

  test("shows the page, answers with sound, and lets nobody to the API", async () => {
    const world = await offline({ config: { "http.kiosks": KIOSKS, "http.kiosk_port": 0 } });
    const port = await documented(world);
    const at = (path: string) => `http://127.0.0.1:${port}${path}`;
    const page = await fetch(at("/kiosk"));
    expect(page.status).toBe(200);
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(page.headers.get("strict-transport-security")).toMatch(/^max-age=/);
    expect(page.headers.get("x-content-type-options")).toBe("nosniff");
    expect(await page.text()).toContain("<html");
    const answer = await askKiosk(port);
    const told = await answer.text();
    expect(told).toContain("second floor of building C");
    expect(told.match(/^event: packet$/gm)?.length).toBeGreaterThan(10);
    for (const path of ["/api/v1/answers", "/v1/models", "/api/tags", "/healthz", "/metrics", "/"])
      expect([path, (await fetch(at(path))).status]).toEqual([path, 404]);
  });

  test("hands events on as they come, not when the answer is over", async () => {
    const config = { "http.kiosks": KIOSKS, "http.kiosk_port": 0, "speech.provider": "offline" };
    const world = await World.start({ documents, config });
    const pieces = new Drip<string>();
    world.server.expectChat(searchReply("canteen")).expectChat(textReply(pieces));
    const [first, second, third] = CANTEEN_SAYS;
    pieces.put(`${first} ${second} Its `);
    const events = eventsOf(await askKiosk(await documented(world)));
    let name: string | undefined;
    do name = (await events.next()).value?.name;
    while (name !== undefined && name !== "packet");
    // The model is still writing.
    expect(name).toBe("packet");
    pieces.put(third.replace("Its ", ""));
    pieces.close();
    for await (const event of events) name = event.name;
    expect(name).toBe("finished");
  });
});

function askKiosk(port: number): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}/kiosk/api/ask`, {
    method: "POST",
    headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify({ text: "Where is the canteen?", session: "s" }),
  });
}

describe("a web page of elsewhere", () => {
  const PAGES: readonly (readonly string[])[] = [
    ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors"],
    ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"],
    ["Sec-Fetch-Site: same-site", "Sec-Fetch-Mode: no-cors"],
    ["Origin: https://evil.example"],
    ["Origin: null"],
    ["Origin: http://localhost:3000"],
  ];

  test("reaches no model", async () => {
    const world = await offline();
    const { http } = world.ports;
    const path = `/api/v1/suggested_questions?network=${WHO.network}&username=${WHO.username}`;
    const simple = { method: "POST", path: "/api/v1/answers", body: BODY };
    for (const page of PAGES) {
      const headers = [`Host: localhost:${http}`, ...page];
      expect([page, (await rawRequest(http, { path, headers })).status]).toEqual([page, 403]);
      const typed = [...headers, "Content-Type: text/plain"];
      expect([page, (await rawRequest(http, { ...simple, headers: typed })).status]).toEqual([page, 403]);
    }
    expect(world.eventsOf("turn_accepted")).toEqual([]);
    const own = [`Host: localhost:${http}`, "Sec-Fetch-Site: none"];
    expect((await rawRequest(http, { path, headers: own })).status).toBe(200);
  });

  test("has no more luck with a key, and none by a form", async () => {
    const key = "free-key-0123456789";
    const world = await offline({ config: { "http.api_keys": [{ key }] } });
    const headers = { "x-api-key": key };
    const crossSite = { ...headers, "sec-fetch-site": "cross-site" };
    expect((await post(world, "/api/v1/answers", BODY, { headers: crossSite })).status).toBe(403);
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) {
      const sent = await post(world, "/api/v1/answers", BODY, {
        headers: { ...headers, "content-type": type },
      });
      expect([type, sent.status]).toEqual([type, 415]);
    }
    // Stock clients say nothing of sites.
    expect((await openai(world, key).models.list()).data).toHaveLength(1);
  });
});

describe("a key that binds features", () => {
  const key = "kiosk-key-0123456789";
  const bound = { key, networks: ["acme"], username: "kiosk-1", features: ["kiosk"], mode: "" };
  const withKey = () => offline({ config: { "http.api_keys": [bound] } });
  const ask = async (world: World, claims: object) => {
    const body = { text: QUESTION, route: "knowledge", ...claims };
    return post(world, "/api/v1/answers", body, { headers: { "x-api-key": key } });
  };

  test("cannot be read as a network's user by leaving them out", async () => {
    const world = await withKey();
    // The document is the whole network's, and so no kiosk's unless that is granted.
    for (const claims of [{}, { features: null }, { features: ["kiosk"] }]) {
      const answer = (await (await ask(world, claims)).json()) as { outcome: string; passages: object[] };
      expect([answer.outcome, answer.passages]).toEqual(["not_in_documents", []]);
    }
  });

  test("cannot change them, nor the mode", async () => {
    const world = await withKey();
    for (const claims of [{ features: [] }, { features: ["kiosk", "b"] }, { features: "b" }, { mode: "b" }])
      expect([claims, (await ask(world, claims)).status]).toEqual([claims, 403]);
  });
});

/** 10,000 levels: more than recursion survives. */
const DEPTH = 10_000;
const DEEP = "[".repeat(DEPTH) + "]".repeat(DEPTH);

describe("JSON that is nested 10,000 deep is a 400", () => {
  const BODIES: readonly [path: string, body: string][] = [
    ["/api/v1/answers", `{"network":"n","username":"u","text":"a","context":{"extra_context":${DEEP}}}`],
    ["/api/v1/answers", JSON.stringify({ ...WHO, text: "a", context: { extra_context: DEEP } })],
    ["/api/v1/answers", DEEP],
    ["/api/v1/checks", `{"text":"It is on.","state":{"a":${DEEP}}}`],
    ["/api/v1/checks", `{"text":"It is on.","tools":[{"tool":"t","age_s":1,"result":${DEEP}}]}`],
    ["/api/v1/summaries", `{"text":${DEEP}}`],
    ["/api/v1/evaluations", `{"dataset":[{"question":${DEEP}}]}`],
    ["/v1/chat/completions", completion(`{"extra_context":${DEEP}}`)],
    ["/v1/chat/completions", completion(JSON.stringify(`{"extra_context":${DEEP}}`))],
    ["/api/chat", completion(`{"extra_context":${DEEP}}`)],
    ["/api/generate", `{"model":"readback","prompt":"a","user":{"extra_context":${DEEP}}}`],
  ];

  test("at every door", async () => {
    const world = await offline({ documents: {} });
    for (const [path, body] of BODIES) {
      const response = await post(world, path, body);
      expect([path, response.status]).toEqual([path, 400]);
      expect(await response.text()).toMatch(/nested deeper than 64 levels/);
    }
    expect(world.eventsOf("service_fault")).toEqual([]);
  });

  test("in gRPC's fields, too", async () => {
    const world = await offline({ documents: {} });
    const base64 = Buffer.from(DEEP).toString("base64");
    for (const field of [{ extra_context: base64 }, { user_info: `{"a":${DEEP}}` }]) {
      const stream = grpc(world).AskAgent({ query: "a", ...WHO, ...field });
      await expect(all(stream)).rejects.toMatchObject({
        code: status.INVALID_ARGUMENT,
        details: expect.stringContaining("nested deeper than 64 levels"),
      });
    }
  });
});

function completion(user: string): string {
  return `{"model":"readback","messages":[{"role":"user","content":"a"}],"user":${user}}`;
}
