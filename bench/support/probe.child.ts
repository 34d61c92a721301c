/** An ordinary relay, in a process of its own, that measures what it is like to be one. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { EnvelopeDecoder, encodeRelayCommand } from "@readback/protocol";
import { serve } from "./child.js";
import { NETWORK } from "./relay.js";

export interface Probed {
  /** From each keep_alive to its echo, in milliseconds; one that never came counts with the time that it was waited for. */
  readonly keepAlivesMs: readonly number[];
  /** From each question to the first packet or text of its answer. */
  readonly spokenMs: readonly number[];
  readonly writtenMs: readonly number[];
}

export type ProbeCalls = {
  probe: { input: { readonly port: number; readonly forMs: number }; output: Probed };
};

const KEEP_ALIVE_EVERY_MS = 20;
/** Between one answer's beginning and the next question: the probe itself is no load. */
const ASK_AFTER_MS = 500;
const QUESTION = "How long do I wait before work on a machine?";
/** An answer that takes longer counts as this. */
const PATIENCE_MS = 30_000;

serve<ProbeCalls>({
  probe: async ({ port, forMs }) => {
    const untilMs = performance.now() + forMs;
    const [keepAlivesMs, spokenMs, writtenMs] = await Promise.all([
      keepAlives(port, untilMs),
      questions(port, "audio", untilMs),
      questions(port, "text", untilMs),
    ]);
    return { keepAlivesMs, spokenMs, writtenMs };
  },
});

async function connected(port: number): Promise<Socket> {
  const socket = connect({ host: "127.0.0.1", port, noDelay: true });
  await once(socket, "connect");
  return socket;
}

/** One every so often, whether or not the one before has come back. */
async function keepAlives(port: number, untilMs: number): Promise<readonly number[]> {
  const socket = await connected(port);
  const decoder = new EnvelopeDecoder();
  const sentMs: number[] = [];
  const tookMs: number[] = [];
  socket.on("data", (chunk) => {
    decoder.push(chunk);
    while (decoder.next().type === "envelope") tookMs.push(performance.now() - sentMs[tookMs.length]!);
  });
  while (performance.now() < untilMs) {
    sentMs.push(performance.now());
    socket.write(encodeRelayCommand({ command: "keep_alive" }));
    await new Promise((resolve) => setTimeout(resolve, KEEP_ALIVE_EVERY_MS));
  }
  const deadlineMs = performance.now() + PATIENCE_MS;
  while (tookMs.length < sentMs.length && performance.now() < deadlineMs)
    await new Promise((resolve) => setTimeout(resolve, KEEP_ALIVE_EVERY_MS));
  for (const sent of sentMs.slice(tookMs.length)) tookMs.push(performance.now() - sent);
  socket.destroy();
  return tookMs;
}

/** Users so far, over all calls: a chat that remembers something has more to do for a question. */
let users = 0;

/** One after the other, each by a user of its own: no answer is remembered. */
async function questions(
  port: number,
  responseType: "audio" | "text",
  untilMs: number,
): Promise<readonly number[]> {
  const tookMs: number[] = [];
  const socket = await connected(port);
  const decoder = new EnvelopeDecoder();
  while (performance.now() < untilMs) {
    const username = `probe-${responseType}-${users++}`;
    const askedMs = performance.now();
    const firstMs = firstAnswer(socket, decoder, username);
    const command = {
      command: "ai_message",
      network: NETWORK,
      username,
      text: QUESTION,
      responseType,
    } as const;
    socket.write(encodeRelayCommand(command));
    tookMs.push((await firstMs) - askedMs);
    await new Promise((resolve) => setTimeout(resolve, ASK_AFTER_MS));
  }
  socket.destroy();
  return tookMs;
}

/** When the first packet, text or error for this user comes. */
function firstAnswer(socket: Socket, decoder: EnvelopeDecoder, username: string): Promise<number> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      socket.off("data", receive);
      resolve(performance.now());
    };
    const timer = setTimeout(done, PATIENCE_MS);
    const receive = (chunk: Uint8Array) => {
      decoder.push(chunk);
      let isHere = false;
      for (let next = decoder.next(); next.type === "envelope"; next = decoder.next()) {
        const { envelope } = next;
        const isOpening = Buffer.from(envelope.payload).includes('"command":"message"');
        if (envelope.username === username && !isOpening) isHere = true;
      }
      if (isHere) done();
    };
    socket.on("data", receive);
  });
}
