/** The processes that `first-audio` needs: the servers, three services, the peers, and a relay for each who answers. */
import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { type Calls, Child, type ChildOptions } from "./child.js";
import { hallDocument } from "./exchange.js";
import { withKnowledge } from "./knowledge.js";
import type { LiveKitCalls } from "./livekit-assistant.child.js";
import type { ProviderCalls } from "./provider.child.js";
import type { RelayCalls } from "./relays.child.js";
import type { SerialCalls } from "./serial-assistant.child.js";
import type { ServiceCalls } from "./service.child.js";

/** Who answers: the service, the service without early clauses, and the peers. */
export type Name = "early" | "whole" | "serial" | "livekit";

export interface Lab {
  readonly provider: Child<ProviderCalls>;
  /** The one named `early`. */
  readonly service: Child<ServiceCalls>;
  /** Each over a relay of its own; absent: not installed. */
  readonly contestants: Readonly<Partial<Record<Name, Child<RelayCalls>>>>;
  /** Over a service that remembers answers and what it said. */
  readonly remembering: Child<RelayCalls>;
}

/** A search cluster's answer: each search of the service waits for so long, and so do the peers. */
export const SEARCH_MS = 40;

/** Turns of one relay, so that no two have the same tag. */
const TAGS_PER_RELAY = 1_000;

/** Of four relays; the last one is nobody's. */
export const TURNS_MAX = 5 * TAGS_PER_RELAY;

/** Starts them, runs `work`, ends them. */
export function withLab(work: (lab: Lab) => Promise<void>): Promise<void> {
  const perform = async (dataDir: string): Promise<void> => {
    const processes = new Processes();
    try {
      await work(await openLab(processes, dataDir));
    } finally {
      await processes.stop();
    }
  };
  return withKnowledge(perform, { "lathe-hall.md": hallDocument(TURNS_MAX) });
}

async function openLab(processes: Processes, dataDir: string): Promise<Lab> {
  const provider = processes.start<ProviderCalls>("provider.child");
  const { baseUrl } = await provider.call("start", undefined);
  const service = async (name: string, settings: Readonly<Record<string, unknown>>) => {
    const child = processes.start<ServiceCalls>("service.child", { stderr: "pipe" });
    const own = `${dataDir}-${name}`;
    cpSync(dataDir, own, { recursive: true });
    const { relay } = await child.call("start", { dataDir: own, baseUrl, settings, searchMs: SEARCH_MS });
    return { child, relays: await processes.relayTo(relay) };
  };
  // The first sentence of every turn is new, so nothing is gained from what was said before; nor shall it be.
  const forgetful = { "speech.cache_bytes_max": 0 };
  const early = await service("early", forgetful);
  const whole = await service("whole", { ...forgetful, "speech.early_clause": false });
  const remembering = await service("remembering", { "llm.answer_cache": true });
  const server = { baseUrl, searchMs: SEARCH_MS };
  const serial = processes.start<SerialCalls>("serial-assistant.child");
  const { port } = await serial.call("start", server);
  const ours = { early: early.relays, whole: whole.relays, serial: await processes.relayTo(port) };
  const directory = liveKitDirectory();
  if (directory === undefined)
    return { provider, service: early.child, contestants: ours, remembering: remembering.relays };
  const livekit = processes.start<LiveKitCalls>("livekit-assistant.child");
  const { port: livekitPort } = await livekit.call("start", { ...server, directory });
  const contestants = { ...ours, livekit: await processes.relayTo(livekitPort) };
  return { provider, service: early.child, contestants, remembering: remembering.relays };
}

/** Where LiveKit is installed, if it is. */
function liveKitDirectory(): string | undefined {
  const directory = process.env.BENCH_LIVEKIT_DIR;
  if (directory === undefined) return undefined;
  return existsSync(join(directory, "node_modules", "@livekit", "agents")) ? directory : undefined;
}

class Processes {
  readonly #started: { stop(): Promise<void> }[] = [];
  #relays = 0;

  start<C extends Calls>(name: string, options?: ChildOptions): Child<C> {
    const child = new Child<C>(name, options);
    this.#started.push(child);
    return child;
  }

  async relayTo(port: number): Promise<Child<RelayCalls>> {
    const relays = this.start<RelayCalls>("relays.child");
    await relays.call("connect", { port, relays: 1, tagsFrom: this.#relays * TAGS_PER_RELAY });
    this.#relays += 1;
    return relays;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#started.map((one) => one.stop()));
  }
}
