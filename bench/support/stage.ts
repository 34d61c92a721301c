/** The processes that a benchmark of the service needs: the service, its providers, the relays. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Child } from "./child.js";
import { machineDocument } from "./exchange.js";
import type { ProviderCalls } from "./provider.child.js";
import type { RelayCalls } from "./relays.child.js";
import type { ServiceCalls } from "./service.child.js";
import type { Metered } from "./stats.js";

/** Turns that have something to ask about; the relays' process begins with turn 1. */
const TURNS_MAX = 10_000;

/** Turns from here on are for a second process of relays. */
export const SECOND_RELAYS_TAGS_FROM = 8_000;

export interface Stage {
  readonly service: Child<ServiceCalls>;
  readonly provider: Child<ProviderCalls>;
  readonly relays: Child<RelayCalls>;
  /** Where the service takes relays. */
  readonly relayPort: number;
  readonly baseUrl: string;
}

/** What `npm run bench` tells of each process, in the order of `metersOf`. */
export const PROCESS_NAMES = ["service", "providers", "relays"];

export function metersOf({ service, provider, relays }: Stage): readonly Metered[] {
  return [service, provider, relays];
}

/**
 * Starts them, runs `work`, ends them. The service writes its log into a pipe, as it would in a container; `settings`
 * are by path, beside the usual ones. Each of `turns` has a paragraph in the documents. `build`: the folder of another
 * build, such as of an earlier commit, of which the service and its index are; absent: they are this one's.
 */
export async function withStage<T>(
  work: (stage: Stage) => Promise<T>,
  settings: Readonly<Record<string, unknown>> = {},
  turns = TURNS_MAX,
  build?: string,
): Promise<T> {
  const folder =
    build === undefined ? import.meta.url : pathToFileURL(join(build, "dist/bench/support/")).href;
  const { withKnowledge }: typeof import("./knowledge.js") = await import(
    new URL("knowledge.js", folder).href
  );
  const perform = async (dataDir: string): Promise<T> => {
    const provider = new Child<ProviderCalls>("provider.child");
    const relays = new Child<RelayCalls>("relays.child");
    const service = new Child<ServiceCalls>("service.child", {
      execArgv: SERVICE_FLAGS,
      stderr: "pipe",
      folder,
    });
    try {
      const { baseUrl } = await provider.call("start", undefined);
      const { relay: relayPort } = await service.call("start", { dataDir, baseUrl, settings });
      return await work({ service, provider, relays, relayPort, baseUrl });
    } finally {
      await Promise.all([relays.stop(), service.stop(), provider.stop()]);
    }
  };
  return withKnowledge(perform, { "work-on-a-machine.md": machineDocument(turns) });
}

/** `BENCH_SERVICE_FLAGS` adds flags for Node, such as `--cpu-prof`. */
export const SERVICE_FLAGS = [
  "--expose-gc",
  ...(process.env.BENCH_SERVICE_FLAGS?.split(" ").filter((flag) => flag !== "") ?? []),
];
