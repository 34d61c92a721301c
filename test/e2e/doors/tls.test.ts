/** Relays, HTTP and gRPC over TLS: who is let in, and how certificates are replaced while connections stand. */
import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { connect as connectPlain } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { type ConnectionOptions, connect, type TLSSocket } from "node:tls";
import { credentials, status } from "@grpc/grpc-js";
import { describe, expect, onTestFinished, test } from "vitest";
import { FILES_CHECK_MS } from "../../../src/lib/watched-files.js";
import { rawRequest } from "../../attack/support/raw-http.js";
import { Authority, type CertificateFiles, renew } from "../../support/certificates.js";
import { VirtualClock } from "../../support/virtual-clock.js";
import { PATIENCE_MS } from "../changes.js";
import { TestRelay } from "../relay.js";
import { temporaryDirectory, type World } from "../world.js";
import { all, grpc, offline, QUESTION, WHO } from "./ask.js";

/** How long certificates of tests hold. */
const CERTIFICATE_MS = 2 * 24 * 3_600_000;

const KEY = "free-key-0123456789";

let authority: Authority;
let stranger: Authority;
let clock: VirtualClock;
function prepare(): CertificateFiles {
  const folder = temporaryDirectory();
  authority = new Authority(folder);
  stranger = new Authority(folder, "stranger");
  // Certificates begin when they are made, some of them in the middle of a test.
  clock = new VirtualClock(Date.now() + 3_600_000);
  return authority.issue("service");
}

/** A service whose `door` has this certificate; `mutual`: and asks its clients for one of the authority. */
function secured(door: string, { cert, key }: CertificateFiles, mutual = false, config: object = {}) {
  const clients = mutual ? { [`${door}.tls.client_ca_file`]: authority.cert } : {};
  const tls = { [`${door}.tls.cert_file`]: cert, [`${door}.tls.key_file`]: key, ...clients };
  return offline({ clock, config: { ...tls, ...config } });
}

/** Shows the certificate of a client where one is given. Rejects where the handshake fails, or the service hangs up. */
async function shakeHands(port: number, client?: CertificateFiles, more: ConnectionOptions = {}) {
  const own = client && { cert: readFileSync(client.cert), key: readFileSync(client.key) };
  const socket = connect({ host: "127.0.0.1", port, ca: authority.pem, ...own, ...more });
  onTestFinished(() => void socket.destroy());
  await once(socket, "secureConnect");
  return socket;
}

async function relayOver(socket: TLSSocket): Promise<TestRelay> {
  const relay = TestRelay.over(socket);
  relay.send({ command: "keep_alive", json: {} });
  await relay.until(() => relay.isClosed || relay.frames.length > 0);
  return relay;
}

/** Whether a relay is answered. With TLS 1.3 a client finds out after its own part of the handshake that it may not come in. */
async function isLetIn(port: number, client?: CertificateFiles, more?: ConnectionOptions): Promise<boolean> {
  try {
    const relay = await relayOver(await shakeHands(port, client, more));
    return relay.frames.length > 0;
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toMatch(/^(?:ERR_SSL_|ECONNRESET)/);
    return false;
  }
}

function ask(port: number, path: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: string }>(
    (resolve, reject) => {
      const call = request(
        { host: "127.0.0.1", port, path, headers, ca: authority.pem, agent: false },
        (response) => {
          let body = "";
          response.setEncoding("utf8").on("data", (text: string) => {
            body += text;
          });
          response.on("end", () =>
            resolve({ status: response.statusCode!, headers: response.headers, body }),
          );
        },
      );
      call.on("error", reject).end();
    },
  );
}

async function readiness(world: World): Promise<unknown> {
  return (await fetch(`http://127.0.0.1:${world.ports.metrics}/readyz`)).json();
}

/** Lets the service look at its files until `seen` is so. */
async function until(seen: () => Promise<boolean> | boolean): Promise<void> {
  const startMs = performance.now();
  while (!(await seen())) {
    if (performance.now() - startMs > PATIENCE_MS) throw new Error("it never came to be");
    await clock.advance(FILES_CHECK_MS);
    await delay(5);
  }
}

/** The name in the certificate that a port shows now. */
async function shown(port: number): Promise<string> {
  const socket = await shakeHands(port);
  const name = socket.getPeerCertificate().subject.CN;
  socket.destroy();
  return String(name);
}

describe("relays", () => {
  let service: CertificateFiles;

  test("over TLS are answered, and not without it", async () => {
    service = prepare();
    const world = await secured("relay", service);
    expect(await isLetIn(world.ports.relay)).toBe(true);
    const plain = await world.relay();
    plain.send({ command: "keep_alive" });
    await plain.until(() => plain.isClosed);
    expect(plain.frames).toEqual([]);
    expect(await world.happened("connection_refused")).toMatchObject({ port: "relay", reason: "handshake" });
    await world.metricBecomes(
      'readback_connections_refused_total{port="relay",reason="handshake"}',
      (value) => value === 1,
    );
    await expect(shakeHands(world.ports.relay, undefined, { ca: stranger.pem })).rejects.toThrow();
    await expect(shakeHands(world.ports.relay, undefined, { maxVersion: "TLSv1.1" })).rejects.toThrow();
  });

  test("over mutual TLS need a certificate of the authority", async () => {
    service = prepare();
    const world = await secured("relay", service, true);
    const { relay } = world.ports;
    expect(await isLetIn(relay, authority.issue("north"))).toBe(true);
    expect(await isLetIn(relay)).toBe(false);
    expect(await isLetIn(relay, stranger.issue("north"))).toBe(false);
    expect(await isLetIn(relay, authority.issue("north", -1))).toBe(false);
  });

  test("stay connected when the certificate is renewed, which those who come later see", async () => {
    service = prepare();
    const world = await secured("relay", service);
    const before = await relayOver(await shakeHands(world.ports.relay));
    expect(await shown(world.ports.relay)).toBe("service");
    renew(service, authority.issue("renewed"));
    await until(async () => (await shown(world.ports.relay)) === "renewed");
    before.send({ command: "keep_alive", json: {} });
    await before.until(() => before.frames.length === 2);
  });

  test("are served with the certificate before while the new one cannot be used, and the operator is told", async () => {
    service = prepare();
    const world = await secured("relay", service);
    const ended = authority.issue("ended", -1);
    const bad: readonly [what: RegExp, spoil: () => void][] = [
      [
        /holds no certificate in PEM/,
        () => writeFileSync(service.cert, "-----BEGIN CERTIFICATE-----\nsecret"),
      ],
      [/holds from .* to /, () => renew(service, ended)],
      [/is not the key of/, () => writeFileSync(service.key, readFileSync(authority.issue("other").key))],
      [/ENOENT/, () => rmSync(service.cert)],
    ];
    for (const [index, [what, spoil]] of bad.entries()) {
      spoil();
      if (index === 2) writeFileSync(service.cert, readFileSync(authority.issue("another").cert));
      const told = () => world.eventsOf("files_unusable").map(({ error }) => error);
      await until(() => told().some((error) => what.test(error)));
      expect(told().join()).not.toContain("secret");
      expect(await readiness(world)).toEqual({
        guard: "local",
        status: "ready",
        unusable_files: ["relay.tls"],
      });
      expect(await shown(world.ports.relay)).toBe("service");
    }
    expect(await world.metric('readback_files_unusable_total{what="relay.tls"}')).toBeGreaterThanOrEqual(4);
    renew(service, authority.issue("mended"));
    await until(async () => (await shown(world.ports.relay)) === "mended");
    await until(async () => JSON.stringify(await readiness(world)) === '{"guard":"local","status":"ready"}');
  });

  test("have to come again when their authority is another, and are known by that one", async () => {
    service = prepare();
    const world = await secured("relay", service, true);
    const north = authority.issue("north");
    const before = await relayOver(await shakeHands(world.ports.relay, north));
    const file = authority.cert;
    const trusted = authority.pem;
    writeFileSync(file, stranger.pem);
    await until(() => before.isClosed);
    expect((await world.happened("relay_disconnected")).reason).toBe("untrusted");
    const client = stranger.issue("north");
    const letIn = (own: CertificateFiles) => isLetIn(world.ports.relay, own, { ca: trusted });
    expect([await letIn(client), await letIn(north)]).toEqual([true, false]);
  });
});

const TOKEN = "the-token-of-a-relay-0123456789";
const YES_NO = [false, true];
/** TLS, a token, an address of the list: what settings ask for, and what relays show. */
const COMBINATIONS = YES_NO.flatMap((tls) =>
  YES_NO.flatMap((token) => YES_NO.map((list) => ({ tls, token, list }))),
);

/** Whether a relay that shows this gets an answer for its user. */
async function isAnswered(
  port: number,
  { tls, token, list }: (typeof COMBINATIONS)[number],
): Promise<boolean> {
  const localAddress = list ? "127.0.0.3" : "127.0.0.2";
  const plain = connectPlain({ host: "127.0.0.1", port, localAddress });
  const socket = tls ? await shakeHands(port, undefined, { socket: plain, servername: "" }) : plain;
  const relay = TestRelay.over(socket);
  if (token) relay.send({ command: "hello", token: TOKEN });
  relay.user("acme", "ann").ask(QUESTION);
  const end = await relay.until(
    (frames) =>
      (relay.isClosed && "closed") ||
      frames
        .map(({ json }) => json?.command)
        .find((one) => one === "text_message" || one === "ai_message_error"),
  );
  relay.close();
  return end === "text_message";
}

test.each(COMBINATIONS)(
  "a port of relays with TLS: $tls, tokens: $token, a list: $list answers exactly those that show all of it",
  async (asked) => {
    const { cert, key } = prepare();
    const config = {
      ...(asked.tls && { "relay.tls.cert_file": cert, "relay.tls.key_file": key }),
      ...(asked.token && { "relay.tokens": [{ token: TOKEN, networks: ["acme"] }] }),
      ...(asked.list && { "relay.allow": ["127.0.0.3"] }),
    };
    const { ports } = await offline({ clock, config });
    for (const shown of COMBINATIONS) {
      const isRight = shown.tls === asked.tls && (shown.token || !asked.token) && (shown.list || !asked.list);
      const answered = await isAnswered(ports.relay, shown).catch(() => false);
      expect(answered, JSON.stringify(shown)).toBe(isRight);
    }
  },
);

describe("at the start", () => {
  test("a certificate that cannot be used is an error that says which", async () => {
    prepare();
    await expect(secured("relay", authority.issue("ended", -1))).rejects.toThrow(
      /relay\.tls cannot be used: the certificate in .* holds from .* to /,
    );
    await expect(secured("http", { cert: "none.pem", key: "none.key" })).rejects.toThrow(/none\.pem/);
    const mixed = { cert: authority.issue("one").cert, key: authority.issue("two").key };
    await expect(secured("grpc", mixed)).rejects.toThrow(/grpc\.tls cannot be used: .* is not the key of/);
  });

  test("one that ends later is told of, and still served", async () => {
    const service = prepare();
    clock = new VirtualClock(Date.now() + CERTIFICATE_MS - 30_000);
    const world = await secured("http", service);
    await until(() => world.eventsOf("files_unusable").length > 0);
    expect(await readiness(world)).toEqual({ guard: "local", status: "ready", unusable_files: ["http.tls"] });
    expect(await shown(world.ports.http)).toBe("service");
  });
});

describe("the API and the kiosks", () => {
  const TOKEN = "kiosk-token-0123456789";
  const config = {
    "http.kiosks": [{ token: TOKEN, network: "acme", username: "kiosk-1" }],
    "http.kiosk_port": 0,
    "http.api_keys": [{ key: KEY }],
  };

  test("speak TLS on both ports, say so to browsers, and nothing without it", async () => {
    const world = await secured("http", prepare(), false, config);
    const { http, kiosk } = world.ports;
    const health = await ask(http, "/healthz");
    expect([health.status, health.headers["strict-transport-security"]]).toEqual([200, "max-age=31536000"]);
    expect((await ask(http, "/v1/models", { authorization: `Bearer ${KEY}` })).status).toBe(200);
    expect((await ask(http, "/v1/models")).status).toBe(401);
    const page = await ask(kiosk!, "/kiosk");
    expect([page.status, page.headers["content-security-policy"]]).toEqual([
      200,
      expect.stringContaining("script-src 'self'"),
    ]);
    expect((await rawRequest(http, { path: "/healthz", headers: ["Host: localhost"] })).status).toBe(0);
    const refused = 'readback_connections_refused_total{port="http",reason="handshake"}';
    await world.metricBecomes(refused, (value) => value === 1);
  });

  test("believe the machine's own user over TLS, too, but no page of elsewhere", async () => {
    const world = await secured("http", prepare());
    const { http } = world.ports;
    const host = `localhost:${http}`;
    expect((await ask(http, "/v1/models", { host })).status).toBe(200);
    expect((await ask(http, "/v1/models", { host, origin: `https://${host}` })).status).toBe(200);
    expect((await ask(http, "/v1/models", { host, origin: `http://${host}` })).status).toBe(403);
  });

  test("take a renewed certificate while an answer is under way", async () => {
    const service = prepare();
    const world = await secured("http", service);
    const agent = await shakeHands(world.ports.http);
    const get = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n";
    agent.write(get);
    renew(service, authority.issue("renewed"));
    await until(async () => (await shown(world.ports.http)) === "renewed");
    agent.write("Connection: close\r\n\r\n");
    let text = "";
    for await (const bytes of agent) text += String(bytes);
    expect(text).toMatch(/^HTTP\/1\.1 200/);
  });
});

describe("gRPC", () => {
  test("answers over TLS, and over mutual TLS whoever shows a certificate of the authority", async () => {
    const world = await secured("grpc", prepare(), true, { "http.api_keys": [{ key: KEY }] });
    const north = authority.issue("north");
    const [root, key, cert] = [authority.cert, north.key, north.cert].map((path) => readFileSync(path));
    const client = grpc(world, world.ports.grpc, credentials.createSsl(root!, key!, cert!));
    await expect(all(client.AskAgent({ query: QUESTION, ...WHO }))).rejects.toMatchObject({
      code: status.UNAUTHENTICATED,
    });
    const nobody = grpc(world, world.ports.grpc, credentials.createSsl(root!));
    const plain = grpc(world);
    for (const other of [nobody, plain])
      await expect(all(other.AskAgent({ query: QUESTION, ...WHO }))).rejects.toMatchObject({
        code: status.UNAVAILABLE,
      });
  });

  test("is answered over TLS", async () => {
    const world = await secured("grpc", prepare());
    const client = grpc(world, world.ports.grpc, credentials.createSsl(Buffer.from(authority.pem)));
    const replies = await all(client.AskAgent({ query: QUESTION, ...WHO }));
    expect(replies.at(-1)).toMatchObject({ is_final: true, outcome: "answered" });
  });
});
