/** The service as it runs in production, in a process of its own, with an eye on its memory and its pauses. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Ports } from "../../src/compose/doors.js";
import { loadConfig } from "../../src/config/load.js";
import { createService } from "../../src/main.js";
import { KnowledgeRetrieval } from "../../src/retrieval/knowledge-retrieval.js";
import { BlockWatch } from "./block-watch.js";
import { serve } from "./child.js";
import { type LoopReport, loopReport } from "./loop-report.js";

export interface ServiceSetup {
  readonly dataDir: string;
  readonly baseUrl: string;
  /** Settings beside the usual ones, by path: `speech.early_clause`. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** What every search takes beside its own time; absent: nothing. */
  readonly searchMs?: number;
}

/** In bytes, after a full collection of garbage. */
export interface Memory {
  readonly rss: number;
  readonly heap: number;
  /** Buffers outside the heap. */
  readonly external: number;
}

export type ServiceCalls = {
  start: { input: ServiceSetup; output: Ports };
  memory: { input: undefined; output: Memory };
  loop: { input: undefined; output: LoopReport };
  /** The longest block of the event loop since the last time of asking, in milliseconds. */
  longestBlock: { input: undefined; output: number };
};

/** Collections after which what can be freed is freed. */
const COLLECTIONS = 4;
const COLLECTION_PAUSE_MS = 100;

const blocks = new BlockWatch();

serve<ServiceCalls>({
  start: async ({ dataDir, baseUrl, settings, searchMs }) => {
    if (searchMs !== undefined) delaySearches(searchMs);
    const environment = { OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: "sk-benchmark" };
    const overrides = {
      data_dir: dataDir,
      "relay.port": 0,
      "http.port": 0,
      "metrics.port": 0,
      "grpc.port": 0,
      ...settings,
    };
    const service = await createService(loadConfig(environment, overrides), { rehearses: true });
    return service.start();
  },
  memory: async () => {
    if (globalThis.gc === undefined) throw new Error("memory is measured with --expose-gc only");
    for (let i = 0; i < COLLECTIONS; i++) {
      globalThis.gc();
      await sleep(COLLECTION_PAUSE_MS);
    }
    const { rss, heapUsed, external } = process.memoryUsage();
    return { rss, heap: heapUsed, external };
  },
  loop: loopReport,
  longestBlock: () => blocks.longestMs(),
});

/** Search in this process is a matter of a millisecond; a search cluster's answer is not. */
function delaySearches(ms: number): void {
  const { search } = KnowledgeRetrieval.prototype;
  KnowledgeRetrieval.prototype.search = async function (...request) {
    await sleep(ms);
    return search.apply(this, request);
  };
}
