import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import { type AddressInfo, connect, createServer } from "node:net";
import { Router } from "express";
import { afterEach, describe, expect, it } from "vitest";
import { settle, VirtualClock } from "../../test/support/virtual-clock.js";
import { createTelemetry, type TelemetryEvent } from "../telemetry/events.js";
import { createMetrics } from "../telemetry/metrics.js";
import { healthRoutes } from "./health.js";
import { metricsRoutes } from "./metrics.js";
import { CLOSE_GRACE_MS, HttpServer } from "./server.js";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function serve(router: Router) {
  const clock = new VirtualClock();
  const events: TelemetryEvent[] = [];
  const telemetry = createTelemetry([(event) => events.push(event)]);
  const server = new HttpServer({ host: "127.0.0.1", port: 0 }, [router], { clock, telemetry });
  const port = await server.listen();
  const close = async () => {
    const closed = server.close();
    await clock.advance(CLOSE_GRACE_MS);
    await closed;
  };
  closing.push(close);
  return { server, clock, events, port, url: (path: string) => `http://127.0.0.1:${port}${path}` };
}

async function fetched(url: string): Promise<{ status: number; type: string | null; body: unknown }> {
  const response = await fetch(url, { headers: { connection: "close" } });
  const text = await response.text();
  const type = response.headers.get("content-type");
  return { status: response.status, type, body: type?.includes("json") ? JSON.parse(text) : text };
}

describe("/healthz", () => {
  it("says that the process works, whatever else does not", async () => {
    const { url } = await serve(healthRoutes(() => Promise.reject(new Error("no index"))));
    expect(await fetched(url("/healthz"))).toMatchObject({ status: 200, body: { status: "ok" } });
  });
});

describe("/readyz", () => {
  it("is 200 when a turn could be taken now", async () => {
    const { url } = await serve(healthRoutes(async () => ({})));
    expect(await fetched(url("/readyz"))).toMatchObject({ status: 200, body: { status: "ready" } });
  });

  it("is 503 with the reason otherwise, asked anew each time", async () => {
    let reason: string | undefined = "the index cannot be read";
    const ready = async () => {
      if (reason !== undefined) throw new Error(reason);
      return { guard: "ready" };
    };
    const { url } = await serve(healthRoutes(ready));
    expect(await fetched(url("/readyz"))).toMatchObject({
      status: 503,
      body: { status: "not_ready", reason: "the index cannot be read" },
    });
    reason = undefined;
    expect((await fetched(url("/readyz"))).status).toBe(200);
  });
});

describe("/metrics", () => {
  it("is what Prometheus expects", async () => {
    const metrics = createMetrics();
    metrics.subscriber({ type: "speech_underrun", user: { network: "n", username: "u" }, ms: 5 });
    const { url } = await serve(metricsRoutes(metrics));
    const { status, type, body } = await fetched(url("/metrics"));
    expect(status).toBe(200);
    expect(type).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(body).toContain("readback_speech_underruns_total 1");
  });

  it("is a fault of ours when it cannot be read, and tells nothing of how", async () => {
    const broken = { ...createMetrics(), scrape: () => Promise.reject(new Error("in /some/where")) };
    const { url, events } = await serve(metricsRoutes(broken));
    expect(await fetched(url("/metrics"))).toMatchObject({ status: 500, body: { status: "failed" } });
    expect(events).toEqual([{ type: "service_fault", where: "http", error: "Error: in /some/where" }]);
  });
});

describe("a door", () => {
  it("answers what it does not know, and what is no request, without a fault", async () => {
    const { port, url, events } = await serve(healthRoutes(async () => ({})));
    expect(await fetched(url("/nothing"))).toMatchObject({ status: 404, body: { status: "not_found" } });
    const socket = connect(port, "127.0.0.1");
    socket.write("LT\nct:json\ncl:0\n\n");
    const [answer] = await once(socket, "data");
    expect(String(answer)).toMatch(/^HTTP\/1\.1 400 /);
    await once(socket, "close");
    expect(events).toEqual([]);
  });

  it("names no software", async () => {
    const { url } = await serve(healthRoutes(async () => ({})));
    const response = await fetch(url("/healthz"), { headers: { connection: "close" } });
    await response.text();
    expect(response.headers.get("x-powered-by")).toBeNull();
  });

  it("cannot be opened where another one is, and can be closed all the same", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const deps = { clock: new VirtualClock(), telemetry: createTelemetry([]) };
    const server = new HttpServer({ host: "127.0.0.1", port }, [Router()], deps);
    await expect(server.listen()).rejects.toThrow(/EADDRINUSE/);
    await server.close();
    other.close();
  });
});

/** A route that answers when it is told to; `arrived` resolves with that when a request has come. */
function slowRoute(): { readonly router: Router; readonly arrived: Promise<() => void> } {
  const router = Router();
  const arrived = new Promise<() => void>((resolve) => {
    router.get("/slow", (_request, response) => resolve(() => void response.json({ status: "done" })));
  });
  return { router, arrived };
}

describe("closing", () => {
  it("does not wait for connections that are kept alive, or that say nothing", async () => {
    const { server, clock, port } = await serve(healthRoutes(async () => ({})));
    const agent = new Agent({ keepAlive: true });
    const request = get({ port, host: "127.0.0.1", path: "/healthz", agent });
    const [response] = (await once(request, "response")) as [IncomingMessage];
    response.resume();
    await once(response, "end");
    const silent = connect(port, "127.0.0.1");
    await once(silent, "connect");
    await settle();
    const closed = server.close();
    await clock.advance(CLOSE_GRACE_MS);
    await closed;
    agent.destroy();
  });

  it("lets a request under way finish", async () => {
    const { router, arrived } = slowRoute();
    const { server, url } = await serve(router);
    const fetching = fetched(url("/slow"));
    const answer = await arrived;
    const closed = server.close();
    answer();
    expect(await fetching).toMatchObject({ status: 200, body: { status: "done" } });
    await closed;
  });

  it("breaks off a request that does not finish in time", async () => {
    const { router, arrived } = slowRoute();
    const { server, clock, url } = await serve(router);
    const failed = expect(fetch(url("/slow"))).rejects.toThrow(/fetch failed/);
    await arrived;
    const closed = server.close();
    await clock.advance(CLOSE_GRACE_MS);
    await closed;
    await failed;
  });
});
