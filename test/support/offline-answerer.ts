/** Documents in the embedded index, and the answerer that needs no model on them: a whole answer is one call. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createOfflineAsk } from "../../src/answer/offline.js";
import type { AskRequest } from "../../src/capability/capability.js";
import type { DraftEvent } from "../../src/capability/draft.js";
import type { HistoryEntry } from "../../src/domain/turn.js";
import type { Access } from "../../src/domain/user.js";
import { openFolderSource } from "../../src/ingest/folder-source.js";
import { ingest } from "../../src/ingest/ingest.js";
import { systemClock } from "../../src/lib/clock.js";
import { StaticEmbedder } from "../../src/retrieval/embedding/static.js";
import { retrievalOptions } from "../../src/retrieval/options.js";
import { createTelemetry } from "../../src/telemetry/events.js";
import { defaultsOf, ingestDefaults } from "./default-options.js";
import { openEmbeddedKnowledge } from "./embedded-knowledge.js";
import { ingestDeps } from "./ingest-deps.js";
import { english } from "./locales.js";
import { patience } from "./patience.js";

const NETWORK = "plant";
const NO_ABORT = new AbortController().signal;
const ANSWER_MS = patience(20_000);

export interface OfflineAnswerer {
  /** The draft's events; `before`: what the same user asked, oldest first. */
  ask(
    question: string,
    before?: readonly string[],
    who?: Partial<Access>,
  ): Promise<{ readonly text: string; readonly events: readonly DraftEvent[] }>;
  close(): Promise<void>;
}

/** Ingests `folder` into an index of its own, which `close` removes. */
export async function offlineAnswerer(folder: string): Promise<OfflineAnswerer> {
  const base = mkdtempSync(join(tmpdir(), "readback-"));
  const directory = join(base, "knowledge");
  const options = ingestDefaults();
  const source = await openFolderSource(folder);
  const embedder = new StaticEmbedder();
  const deps = ingestDeps(directory, options, { embedding: { embedder, batchSize: 64 } });
  await ingest({ source, network: NETWORK, options }, deps, () => {}, NO_ABORT);
  const retrieval = openEmbeddedKnowledge(directory, embedder);
  const { resultsMax, retryBelow, searchTimeoutMs } = defaultsOf(retrievalOptions);
  const limits = { resultsMax, retryBelow, searchTimeoutMs };
  const capability = createOfflineAsk({ clock: systemClock, retrieval, ...limits });
  return {
    async ask(question, before = [], who = {}) {
      const history = before.map((text): HistoryEntry => ({ role: "user", text, sources: [] }));
      const access = { network: NETWORK, username: "ann", groups: [], kiosk: false, ...who };
      const events: DraftEvent[] = [];
      const request: AskRequest = {
        question,
        history,
        access,
        locale: english,
        persona: "default",
        responseType: "text",
        beginByMs: systemClock.monotonic() + ANSWER_MS,
        telemetry: createTelemetry([]),
        rewind: () => true,
      };
      for await (const event of capability(request, NO_ABORT)) events.push(event);
      const text = events.flatMap((event) => (event.type === "text" ? [event.text] : [])).join("");
      return { text, events };
    },
    async close() {
      await retrieval.close();
      rmSync(base, { recursive: true, force: true });
    },
  };
}
