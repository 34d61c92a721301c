import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Router } from "express";
import { afterEach, describe, expect, it } from "vitest";
import { settle, VirtualClock } from "../../test/support/virtual-clock.js";
import { ApiKeys } from "../api/api-keys.js";
import { Rejection } from "../api/rejection.js";
import { isOwnPeer } from "../lib/peer-user.js";
import { createTelemetry, type TelemetryEvent } from "../telemetry/events.js";
import { plainError } from "./answers.js";
import { ApiRouter } from "./exchange.js";
import { HttpServer } from "./server.js";
import {
  HEARTBEAT_MS,
  SERVER_SENT_HEARTBEAT,
  STALL_MS_MAX,
  type StreamedReply,
  serverSent,
  streamReply,
} from "./streamed-reply.js";

let server: HttpServer | undefined;
let socket: Socket | undefined;
afterEach(async () => {
  socket?.destroy();
  await server?.close();
});

/** A route that streams what `work` writes, and a client that has asked for it and reads nothing yet. */
async function streaming(work: (reply: StreamedReply) => Promise<void>) {
  const clock = new VirtualClock();
  const events: TelemetryEvent[] = [];
  const telemetry = createTelemetry([(event) => events.push(event)]);
  const options = { clock, contentType: "text/event-stream", heartbeat: SERVER_SENT_HEARTBEAT };
  const failed = ({ code }: Rejection) => serverSent(code, "failed");
  const keys = new ApiKeys([{ key: "a-key" }], { portIsPrivate: false, isOwnPeer });
  const router = new ApiRouter({ clock, telemetry, keys }, "answers", plainError)
    .get("/stream", (exchange) => streamReply(exchange, options, work, failed))
    .routes();
  server = new HttpServer({ host: "127.0.0.1", port: 0 }, [Router().use(router)], { clock, telemetry });
  const client = connect(await server.listen(), "127.0.0.1").pause();
  socket = client;
  client.write("GET /stream HTTP/1.1\r\nHost: localhost\r\nx-api-key: a-key\r\nConnection: close\r\n\r\n");
  const text = async () => {
    let all = "";
    client.on("data", (bytes) => {
      all += String(bytes);
    });
    await once(client.resume(), "close");
    return all;
  };
  return { clock, events, client, text };
}

describe("a streamed reply", () => {
  it("that fails before its first piece has a status of its own", async () => {
    const { text } = await streaming(async () => {
      throw new Rejection("chat_busy", "Wait.");
    });
    expect(await text()).toMatch(/^HTTP\/1\.1 429 [\s\S]*"chat_busy"/);
  });

  it("that fails later says so in the stream, and ends", async () => {
    const { events, text } = await streaming(async (reply) => {
      await reply.write(serverSent("1"));
      throw new Rejection("timeout", "Late.");
    });
    expect(await text()).toMatch(/^HTTP\/1\.1 200 [\s\S]*data: 1\n\n[\s\S]*event: failed\ndata: timeout\n\n/);
    expect(events).toMatchObject([{ type: "door_request_finished", result: "timeout" }]);
  });

  it("shows that it is alive while there is nothing to say, from before the first piece", async () => {
    let finish = () => {};
    const begun = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let arrived = () => {};
    const asked = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const { clock, text } = await streaming(async () => {
      arrived();
      await begun;
    });
    await asked;
    await clock.advance(2 * HEARTBEAT_MS);
    finish();
    expect((await text()).split(SERVER_SENT_HEARTBEAT.trim())).toHaveLength(3);
  });

  it("waits for a client that reads slowly, and leaves one that does not read at all", async () => {
    const block = serverSent("x".repeat(1_000_000));
    let written = 0;
    let failure: unknown;
    const { clock, events, client } = await streaming(async (reply) => {
      try {
        for (;;) {
          await reply.write(block);
          written += 1;
        }
      } catch (error) {
        failure = error;
        throw error;
      }
    });
    // What fits the buffers of both ends is written; then it waits.
    let before = -1;
    while (written === 0 || written !== before) {
      before = written;
      for (let turn = 0; turn < 50; turn++) await settle();
    }
    expect(failure).toBeUndefined();
    const closed = once(client, "close");
    await clock.advance(STALL_MS_MAX);
    client.resume();
    await closed;
    expect(failure).toMatchObject({ name: "DeadlineExceeded" });
    await settle();
    expect(events.map((event) => event.type === "door_request_finished" && event.result)).toEqual([
      "disconnected",
    ]);
  });
});
