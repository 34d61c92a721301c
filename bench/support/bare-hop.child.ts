/**
 * The floor under the service's own time: the same two hops with nothing between. A tag from a relay goes to the model
 * server in the least body that it reads; when its stream shows that the first sentence is over a request goes to the
 * speech server, and what comes back goes to the relay, byte for byte. No protocol, no search, no history, no pacing.
 */
import { Agent, type IncomingMessage, request } from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { serve } from "./child.js";
import { NEXT_SENTENCE } from "./exchange.js";

export type BareHopCalls = {
  start: { input: { readonly baseUrl: string }; output: { readonly port: number } };
};

const agent = new Agent({ keepAlive: true });

serve<BareHopCalls>({
  start: async ({ baseUrl }) => {
    const server = createServer({ noDelay: true }, (relay) => {
      relay.on("data", (bytes) => void hop(baseUrl, relay, bytes));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return { port: (server.address() as AddressInfo).port };
  },
});

async function hop(baseUrl: string, relay: Socket, tag: Buffer): Promise<void> {
  const bytes = Buffer.from(JSON.stringify({ stream: true, input: tag.toString("latin1") }));
  const model = await post(`${baseUrl}/chat/completions`, bytes);
  let asked = false;
  model.on("data", (chunk: Buffer) => {
    if (asked || !chunk.includes(`"${NEXT_SENTENCE}"`)) return;
    asked = true;
    void post(`${baseUrl}/audio/speech`, bytes).then((speech) =>
      speech.on("data", (audio: Buffer) => relay.write(audio)),
    );
  });
}

function post(url: string, body: Buffer): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-length": body.length };
    request(url, { method: "POST", agent, headers }, resolve).on("error", reject).end(body);
  });
}
