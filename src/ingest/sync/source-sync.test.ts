import { mkdtempSync, realpathSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ingestDefaults } from "../../../test/support/default-options.js";
import { ingestDeps } from "../../../test/support/ingest-deps.js";
import { systemClock } from "../../lib/clock.js";
import { systemRandom } from "../../lib/random.js";
import { openEmbeddedWriter } from "../../retrieval/embedded/embedded-writer.js";
import type { TelemetryEvent } from "../../telemetry/events.js";
import { openFolderSource } from "../folder-source.js";
import { PathProblem, type Source } from "../source.js";
import { SyncService } from "./service.js";
import { SourceSync } from "./source-sync.js";

const NO_ABORT = new AbortController().signal;
const options = ingestDefaults({});
let base: string;
let docs: string;
let events: TelemetryEvent[];

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "readback-source-sync-")));
  docs = mkdtempSync(join(base, "docs-"));
  events = [];
});
afterEach(() => rmSync(base, { recursive: true }));

const telemetry = { emit: (event: TelemetryEvent) => void events.push(event) };
const write = (name: string, text: string) => writeFileSync(join(docs, name), text);
const batches = () => events.filter(({ type }) => type === "sync_batch_finished");

function sync(openSource: () => Promise<Source> = () => openFolderSource(docs)): SourceSync {
  const deps = { ...ingestDeps(join(base, "knowledge"), options), telemetry };
  return new SourceSync({ openSource, network: "plant", options, pollMs: 20 }, deps);
}

/** The folder without the notices of the file system, as a bucket is. */
async function polledSource(): Promise<Source> {
  const source = await openFolderSource(docs);
  return {
    name: source.name,
    covers: (path) => source.covers(path),
    list: (signal) => source.list(signal),
    read: (entry, bytesMax, signal) => source.read(entry, bytesMax, signal),
    readNamed: (name, bytesMax, signal) => source.readNamed(name, bytesMax, signal),
    above: (names, signal) => source.above(names, signal),
  };
}

async function stored(): Promise<string[]> {
  const writer = await openEmbeddedWriter(join(base, "knowledge"), "plant");
  try {
    return (await writer.documents()).map(({ path }) => path.slice(docs.length + 1)).sort();
  } finally {
    await writer.close();
  }
}

/** Resolves once so many documents have been synced, and so many removed, all batches together. */
async function done(synced: number, removed = 0): Promise<void> {
  const sum = { synced: 0, removed: 0 };
  for (let next = 0; sum.synced < synced || sum.removed < removed; ) {
    const event = events[next];
    if (event === undefined) await new Promise((resolve) => setImmediate(resolve));
    else next += 1;
    if (event?.type !== "sync_batch_finished") continue;
    sum.synced += event.synced;
    sum.removed += event.removed;
  }
}

describe("a sync of a folder, once", () => {
  it("stores what is there, tells of what is not readable, and counts both", async () => {
    write("a.md", "# A\n\nAlpha.");
    write("b.txt", "Beta.");
    write("broken.md", "---\nallowed_users: [bob\n---\nGamma.");
    expect(await sync().once(NO_ABORT)).toEqual({ synced: 2, failed: 1, removed: 0, doubtful: 0 });
    expect(await stored()).toEqual(["a.md", "b.txt"]);
    expect(batches()).toMatchObject([{ synced: 2, failed: 1, removed: 0, postponed: 0 }]);
    expect(events).toContainEqual(
      expect.objectContaining({ type: "sync_document_failed", network: "plant", documentId: "broken.md" }),
    );
    expect(events.filter(({ type }) => type === "sync_looked")).toMatchObject([
      { pending: 2 },
      { pending: 0 },
    ]);
    expect(events).toContainEqual(expect.objectContaining({ type: "sync_phase_finished", phase: "reindex" }));
  });

  it("rejects with what is wrong with the folder", async () => {
    await expect(sync(() => openFolderSource(join(base, "nowhere"))).once(NO_ABORT)).rejects.toThrow(
      PathProblem,
    );
  });
});

describe.each([
  ["a folder that is watched", () => openFolderSource(docs)],
  ["a source that is looked at", polledSource],
])("a sync of %s", (_name, openSource) => {
  it("follows changes and deletions, and says once what cannot be read", async () => {
    write("a.md", "# A\n\nAlpha.");
    write("broken.md", "---\nallowed_users: [bob\n---\nGamma.");
    const service = new SyncService(sync(openSource), {
      clock: systemClock,
      random: systemRandom,
      telemetry,
    });
    service.start();
    await done(1);
    write("b.txt", "Beta.");
    await done(2);
    unlinkSync(join(docs, "a.md"));
    await done(2, 1);
    await service.stop();
    expect(await stored()).toEqual(["b.txt"]);
    expect(events.filter(({ type }) => type === "sync_document_failed")).toHaveLength(1);
  });
});

describe("a sync of a folder that is not there yet", () => {
  it("tries again until it is", async () => {
    let tries = 0;
    const openSource = () =>
      ++tries === 1 ? openFolderSource(join(base, "nowhere")) : openFolderSource(docs);
    write("a.md", "# A\n\nAlpha.");
    const service = new SyncService(sync(openSource), {
      clock: systemClock,
      random: systemRandom,
      telemetry,
    });
    service.start();
    await done(1);
    await service.stop();
    expect(events.find(({ type }) => type === "sync_failed")).toMatchObject({
      attempt: 1,
      error: expect.stringMatching(/nowhere cannot be read/),
    });
    expect(await stored()).toEqual(["a.md"]);
  });
});
