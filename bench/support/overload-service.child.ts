/** The service with one of two ways of letting turns in, in a process of its own; it notes which turns begin, and when. */
import { loadConfig } from "../../src/config/load.js";
import { createService } from "../../src/main.js";
import type { TelemetryEvent } from "../../src/telemetry/events.js";
import { serve } from "./child.js";
import { letInOldestFirst } from "./oldest-first-line.js";
import { sharedNowMs } from "./stats.js";

export interface OverloadSetup {
  readonly dataDir: string;
  readonly baseUrl: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Turns that run and wait at the most, where they are let in oldest first; absent: as the service does it. */
  readonly oldestFirst?: { readonly turnsRunningMax: number; readonly turnsWaitingMax: number } | undefined;
}

/** What became of one user's turn. */
export interface NotedTurn {
  /** When it began, on the shared clock. */
  begunMs?: number;
  /** It began without the voice that was asked for. */
  asText?: boolean;
  /** Why it was turned away. */
  refusedFor?: string;
}

export type OverloadCalls = {
  start: { input: OverloadSetup; output: { readonly relay: number } };
  /** By user, since the start. */
  turns: { input: undefined; output: ReadonlyMap<string, NotedTurn> };
};

const turns = new Map<string, NotedTurn>();

serve<OverloadCalls>({
  start: async ({ baseUrl, dataDir, oldestFirst, settings }) => {
    if (oldestFirst !== undefined) letInOldestFirst(oldestFirst);
    const environment = { OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: "sk-benchmark" };
    const ports = { "relay.port": 0, "http.port": 0, "metrics.port": 0 };
    const loaded = loadConfig(environment, { data_dir: dataDir, ...ports, ...settings });
    const service = await createService(loaded, { rehearses: true, subscriber: note });
    const { relay } = await service.start();
    return { relay };
  },
  turns: () => turns,
});

function note(event: TelemetryEvent): void {
  if (event.type !== "turn_started" && event.type !== "turn_degraded") return;
  const { username } = event.user;
  const noted = turns.get(username) ?? {};
  turns.set(username, noted);
  if (event.type === "turn_started") noted.begunMs = sharedNowMs();
  else if (event.to === "text") noted.asText = true;
  else noted.refusedFor = event.reason;
}
