/**
 * Issue 11, line 2, at HTTP and gRPC: connections that are opened and left, or that dribble, shut nobody out. Real
 * sockets, at most 1,300 at a time.
 */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { credentials, makeGenericClientConstructor } from "@grpc/grpc-js";
import { describe, expect, onTestFinished, test } from "vitest";
import { address, offline } from "../e2e/doors/ask.js";
import type { World } from "../e2e/world.js";
import { openConnections, rawRequest } from "./support/raw-http.js";

/** More than one address may have, and more than were answered before. */
const FLOOD = 300;
const STRANGERS = ["127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5"] as const;

async function flood(port: number, count: number, options: Parameters<typeof openConnections>[2] = {}) {
  const sockets = await openConnections(port, count, options);
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  return sockets;
}

/** By itself and from the same address as the flood. */
async function healthOf(port: number): Promise<number> {
  return (await rawRequest(port, { path: "/healthz", headers: ["Host: localhost"] })).status;
}

const post = (length: number) =>
  `POST /api/v1/answers HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n{`;

describe("health is told while an address holds", () => {
  const FLOODS: readonly [what: string, bytes: string][] = [
    ["idle connections", ""],
    ["connections with half a head", "GET /healthz HTTP/1.1\r\nHost: local"],
    ["connections with half a body", post(1_000)],
    ["connections with a reply that is not read", "GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n"],
  ];
  test.each(FLOODS)("%s", async (_what, bytes) => {
    const world = await offline({ documents: {} });
    await flood(world.ports.http, FLOOD, { bytes });
    expect(await healthOf(world.ports.http)).toBe(200);
  });

  test("so many from several addresses that the port is full", async () => {
    const world = await offline({ documents: {} });
    for (const from of STRANGERS) await flood(world.ports.http, FLOOD, { from });
    expect(await healthOf(world.ports.http)).toBe(200);
    await flood(world.ports.metrics, FLOOD);
    expect(await healthOf(world.ports.metrics)).toBe(200);
  });
});

/** A connection that is kept alive, as a proxy or a screen has it. */
async function keptAlive(world: World): Promise<() => Promise<string>> {
  const socket: Socket = connect(world.ports.http, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  return async () => {
    socket.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const [bytes] = (await once(socket, "data")) as [Buffer];
    return bytes.toString("latin1").slice(0, 15);
  };
}

test("a flood throws out its own connections, not those of another address", async () => {
  const world = await offline({ documents: {} });
  const ask = await keptAlive(world);
  expect(await ask()).toBe("HTTP/1.1 200 OK");
  const sockets = await flood(world.ports.http, FLOOD, { from: STRANGERS[0] });
  expect(await ask()).toBe("HTTP/1.1 200 OK");
  await Promise.any(sockets.map((socket) => (socket.destroyed ? socket : once(socket, "close"))));
});

test("the health checks are at the port of the metrics, too", async () => {
  const world = await offline({ documents: {} });
  for (const path of ["healthz", "readyz"]) {
    const response = await fetch(`http://127.0.0.1:${world.ports.metrics}/${path}`);
    expect([path, response.status]).toEqual([path, 200]);
    await response.text();
  }
  expect((await fetch(address(world, "/healthz"))).status).toBe(200);
});

test("idle connections do not shut out a call of gRPC", async () => {
  const world = await offline({ documents: {} });
  await flood(world.ports.grpc!, FLOOD);
  const raw = (bytes: Buffer) => bytes;
  const Health = makeGenericClientConstructor(
    {
      check: {
        path: "/grpc.health.v1.Health/Check",
        requestStream: false,
        responseStream: false,
        requestSerialize: raw,
        requestDeserialize: raw,
        responseSerialize: raw,
        responseDeserialize: raw,
      },
    },
    "Health",
  );
  const client = new Health(`127.0.0.1:${world.ports.grpc}`, credentials.createInsecure());
  onTestFinished(() => client.close());
  const answer = await new Promise((resolve, reject) => {
    const deadline = new Date(Date.now() + 5_000);
    client.check!(Buffer.alloc(0), { deadline }, (error: Error | null, reply: Buffer) =>
      error === null ? resolve(reply.toString("hex")) : reject(error),
    );
  });
  expect(answer).toBe("0801"); // SERVING
});
