/**
 * A hostile relay, in a process and at an address of its own: users with long texts without blanks, with digits, with
 * names of things, who want to be spoken to, on one connection, and a flood of frames on another.
 */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { encodeRelayCommand } from "@readback/protocol";
import { serve } from "./child.js";
import { NETWORK } from "./relay.js";

export type HostileCalls = {
  /** Begins, and goes on until `stop`. */
  start: { input: { readonly port: number; readonly users: number }; output: undefined };
  /** Resolves with what was sent. */
  stop: { input: undefined; output: { readonly questions: number; readonly frames: number } };
};

const ADDRESS = "127.0.0.2";
/** Each user asks so often, whatever was answered. */
const ASK_EVERY_MS = 250;
const FRAMES_AT_ONCE = 200;
const HAN_FIRST = 0x4e00;
const HAN_COUNT = 20_000;
const HAN_STEP = 7_919;

const han = Array.from({ length: 4_000 }, (_, i) =>
  String.fromCharCode(HAN_FIRST + ((i * HAN_STEP) % HAN_COUNT)),
).join("");
const TEXTS: readonly string[] = [
  han,
  "5 mg 10-20 bar ".repeat(60),
  "1 ".repeat(240),
  "How is a machine locked out before work on it?",
  "is pump 2 and pres 3 and lable printer for running ".repeat(12),
];
const FLOOD = Buffer.concat(
  Array.from({ length: FRAMES_AT_ONCE }, () => Buffer.from(encodeRelayCommand({ command: "keep_alive" }))),
);

let sockets: readonly Socket[] = [];
let timer: NodeJS.Timeout | undefined;
let sent = { questions: 0, frames: 0 };

serve<HostileCalls>({
  start: async ({ port, users }) => {
    sent = { questions: 0, frames: 0 };
    const [asking, flooding] = await Promise.all([connected(port), connected(port)]);
    sockets = [asking, flooding];
    timer = setInterval(() => askAll(asking, users), ASK_EVERY_MS);
    void flood(flooding);
    return undefined;
  },
  stop: () => {
    clearInterval(timer);
    for (const socket of sockets) socket.destroy();
    return sent;
  },
});

async function connected(port: number): Promise<Socket> {
  const socket = connect({ host: "127.0.0.1", port, localAddress: ADDRESS, noDelay: true });
  socket.on("error", () => socket.destroy());
  socket.resume();
  await once(socket, "connect");
  return socket;
}

function askAll(relay: Socket, users: number): void {
  if (relay.writableNeedDrain) return;
  for (let user = 0; user < users; user++) {
    const text = TEXTS[(sent.questions + user) % TEXTS.length]!;
    relay.write(
      encodeRelayCommand({
        command: "ai_message",
        network: NETWORK,
        username: `hostile-${user}`,
        text,
        responseType: user % 2 === 0 ? "audio" : "text",
      }),
    );
  }
  sent.questions += users;
}

async function flood(relay: Socket): Promise<void> {
  while (!relay.destroyed) {
    sent.frames += FRAMES_AT_ONCE;
    const taken = relay.write(FLOOD);
    await new Promise<void>((resolve) => {
      if (taken) setImmediate(resolve);
      else relay.once("drain", resolve).once("close", resolve);
    });
    relay.removeAllListeners("drain");
  }
}
