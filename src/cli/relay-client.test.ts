import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { EnvelopeDecoder, encodeAudio, encodeServiceCommand, parseRelayCommand } from "@readback/protocol";
import { afterEach, describe, expect, it } from "vitest";
import { settle, VirtualClock } from "../../test/support/virtual-clock.js";
import { type ReceivedFrame, RelayClient, RelayError } from "./relay-client.js";

const ANN = { network: "plant", username: "ann" };
const never = new AbortController().signal;

let server: Server;
const clients: RelayClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  server.close();
});

/** A client and the socket of the service that it talks to. */
async function connected(clock = new VirtualClock()): Promise<{ client: RelayClient; service: Socket }> {
  server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const accepted = once(server, "connection");
  const { port } = server.address() as AddressInfo;
  const client = await RelayClient.connect({ host: "127.0.0.1", port }, clock, never);
  clients.push(client);
  const [service] = (await accepted) as [Socket];
  return { client, service };
}

async function all(client: RelayClient): Promise<ReceivedFrame[]> {
  const received: ReceivedFrame[] = [];
  for await (const one of client.received()) received.push(one);
  return received;
}

describe("a relay client", () => {
  it("gives commands and audio in order, with the time they came", async () => {
    const clock = new VirtualClock();
    const { client, service } = await connected(clock);
    await clock.advance(1_500);
    const payload = Uint8Array.of(1, 2, 3);
    const text = encodeServiceCommand({ command: "text_message", text: "Hello." }, ANN);
    service.write(Buffer.concat([encodeAudio({ ...ANN, messageId: 7, packetId: 0, payload }), text]));
    const [audio, command] = await first(client, 2);
    expect(audio).toMatchObject({ type: "audio", atMs: clock.monotonic(), audio: { messageId: 7 } });
    expect(command).toMatchObject({ type: "command", command: { command: "text_message", text: "Hello." } });
  });

  it("says what it is given to say, and that it is there every half a minute", async () => {
    const clock = new VirtualClock();
    const { client, service } = await connected(clock);
    const decoder = new EnvelopeDecoder();
    const heard: string[] = [];
    service.on("data", (chunk) => {
      decoder.push(chunk);
      for (let next = decoder.next(); next.type === "envelope"; next = decoder.next()) {
        const parsed = next.envelope.contentType === "json" && parseRelayCommand(next.envelope);
        if (parsed !== false && parsed.type === "command") heard.push(parsed.command.command);
      }
    });
    client.send({ command: "get_chat", ...ANN });
    await clock.advance(60_000);
    await settle();
    expect(heard).toEqual(["get_chat", "keep_alive", "keep_alive"]);
    client.close();
    expect(clock.pending).toBe(0);
  });

  it("fails after what came when the service hangs up", async () => {
    const { client, service } = await connected();
    service.end(encodeServiceCommand({ command: "chat_closed", reason: "shutdown" }, ANN));
    const received: ReceivedFrame[] = [];
    const reading = (async () => {
      for await (const one of client.received()) received.push(one);
    })();
    await expect(reading).rejects.toThrow("the service closed the connection");
    expect(received).toHaveLength(1);
  });

  it.each([
    ["what is no LoudTalks", "HTTP/1.1 400 Bad Request\r\n\r\n", /malformed frame/],
    ["a command that no service sends", 'LT\nct:json\ncl:20\n\n{"command": "dance"}', /bad command/],
  ])("fails on %s", async (_what, bytes, expected) => {
    const { client, service } = await connected();
    service.write(bytes);
    await expect(all(client)).rejects.toThrow(expected);
  });

  it("ends in peace when it is closed, and with the reason when it is aborted", async () => {
    const closed = await connected();
    const reading = all(closed.client);
    closed.client.close();
    expect(await reading).toEqual([]);
    const aborted = await connected();
    aborted.client.abort(new Error("enough"));
    await expect(all(aborted.client)).rejects.toThrow("enough");
  });

  it("cannot connect where nobody listens, and says where", async () => {
    server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, "close");
    const connecting = RelayClient.connect({ host: "127.0.0.1", port }, new VirtualClock(), never);
    await expect(connecting).rejects.toThrow(RelayError);
    await expect(connecting).rejects.toThrow(`127.0.0.1:${port}`);
  });

  it("gives up connecting when it is told to", async () => {
    const signal = AbortSignal.abort(new Error("never mind"));
    const clock = new VirtualClock();
    server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    await expect(RelayClient.connect({ host: "127.0.0.1", port }, clock, signal)).rejects.toThrow(
      "never mind",
    );
    expect(clock.pending).toBe(0);
  });
});

async function first(client: RelayClient, count: number): Promise<ReceivedFrame[]> {
  const received: ReceivedFrame[] = [];
  for await (const one of client.received()) {
    received.push(one);
    if (received.length === count) break;
  }
  return received;
}
