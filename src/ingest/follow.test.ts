/** A folder that is watched and a bucket that is polled, on a real file system and a real server. */
import { mkdirSync, renameSync, rmSync, unlinkSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { ingestDefaults } from "../../test/support/default-options.js";
import { DocumentsFolder, MemoryKnowledge } from "../../test/support/documents-folder.js";
import { ingestDeps } from "../../test/support/ingest-deps.js";
import { patience } from "../../test/support/patience.js";
import { S3Server } from "../../test/support/s3-server.js";
import { systemClock } from "../lib/clock.js";
import { Condition } from "../lib/condition.js";
import { systemRandom } from "../lib/random.js";
import { openFolderSource } from "./folder-source.js";
import type { FollowEvents } from "./follow.js";
import { pollSource } from "./poll.js";
import type { IngestReport } from "./report.js";
import { S3Source } from "./s3-source.js";
import { watchFolder } from "./watch.js";

const options = ingestDefaults();
const PATIENCE = { timeout: patience(30_000) };

/** What was told, and a way to wait for it. */
class Told implements FollowEvents {
  readonly reports: { readonly report: IngestReport; readonly only: readonly string[] | undefined }[] = [];
  readonly errors: string[] = [];
  readonly #told = new Condition();

  onReport(report: IngestReport, only: readonly string[] | undefined): void {
    this.reports.push({ report, only });
    this.#told.notify();
  }

  onError(error: unknown): void {
    this.errors.push(String(error));
    this.#told.notify();
  }

  async until(isSo: () => boolean): Promise<void> {
    const never = new AbortController().signal;
    while (!isSo()) await this.#told.wait(never);
  }
}

let folder: DocumentsFolder;
let knowledge: MemoryKnowledge;
let told: Told;
beforeEach(() => {
  folder = new DocumentsFolder();
  knowledge = new MemoryKnowledge();
  told = new Told();
});

const names = () => Object.keys(knowledge.documents).sort();
const textOf = (name: string) => knowledge.documents[name]?.chunks[0]?.text;
const deps = () => ingestDeps("", options, { openWriter: knowledge.openWriter });

describe("watchFolder", PATIENCE, () => {
  it("follows what is written, moved and deleted, folders too, and ends when it is told to", async () => {
    folder.write({ "a.md": "One.", "sub/b.md": "Two." });
    const abort = new AbortController();
    const source = await openFolderSource(folder.docs);
    const watching = watchFolder({ source, network: "plant", options }, deps(), told, abort.signal);
    await told.until(() => names().length === 2);
    folder.write({ "a.md": "Other.", "new/c.md": "Three.", ".hidden/d.md": "Four." });
    await told.until(() => textOf("a.md") === "Other." && names().includes("new/c.md"));
    expect(told.reports.at(-1)?.only).toBeDefined();
    renameSync(folder.path("new"), folder.path("moved"));
    await told.until(() => names().includes("moved/c.md") && !names().includes("new/c.md"));
    rmSync(folder.path("sub"), { recursive: true });
    unlinkSync(folder.path("a.md"));
    await told.until(() => names().join() === "moved/c.md");
    abort.abort(new Error("stop"));
    await watching;
    expect(told.errors).toEqual([]);
  });

  it("survives an ingest that fails, and makes up for it; a manifest concerns everything", async () => {
    folder.write({ "a.md": "One." });
    const abort = new AbortController();
    const source = await openFolderSource(folder.docs);
    const watching = watchFolder({ source, network: "plant", options }, deps(), told, abort.signal);
    await told.until(() => names().length === 1);
    folder.write({ "readback.yaml": "- path: [" });
    await told.until(() => told.errors.length > 0);
    folder.write({ "readback.yaml": "- path: '*'\n  title: Said\n" });
    await told.until(() => knowledge.documents["a.md"]?.title === "Said");
    expect(told.reports.at(-1)?.only).toBeUndefined();
    abort.abort(new Error("stop"));
    await watching;
  });

  it("of a single document looks at nothing else", async () => {
    folder.write({ "a.md": "One.", "b.md": "Two." });
    const abort = new AbortController();
    const source = await openFolderSource(folder.path("a.md"));
    const watching = watchFolder({ source, network: "plant", options }, deps(), told, abort.signal);
    await told.until(() => names().length === 1);
    mkdirSync(folder.path("sub"));
    folder.write({ "b.md": "Other.", "a.md": "New." });
    await told.until(() => textOf("a.md") === "New.");
    expect(names()).toEqual(["a.md"]);
    abort.abort(new Error("stop"));
    await watching;
  });
});

describe("pollSource", PATIENCE, () => {
  it("reads what has another version, and ends when it is told to", async () => {
    const server = await S3Server.start();
    const { endpoint, region, accessKeyId, secretAccessKey, bucket } = server;
    const source = new S3Source(
      { bucket, prefix: "" },
      { endpoint, region, accessKeyId, secretAccessKey },
      { clock: systemClock, random: systemRandom },
    );
    for (const name of ["a.md", "b.md", "c.md"]) server.put(name, `Text of ${name}.`);
    const abort = new AbortController();
    const polling = pollSource({ source, network: "plant", options }, 20, deps(), told, abort.signal);
    await told.until(() => names().length === 3);
    const before = server.requests.length;
    server.put("b.md", "Other.");
    server.delete("c.md");
    await told.until(() => textOf("b.md") === "Other." && names().length === 2);
    expect(server.requests.slice(before).filter((request) => /^get [abc]/.test(request))).toEqual([
      "get b.md",
    ]);
    server.put("readback.yaml", "- path: '*'\n  title: Said\n");
    await told.until(() => knowledge.documents["a.md"]?.title === "Said");
    abort.abort(new Error("stop"));
    await polling;
    expect(told.errors).toEqual([]);
    await server.close();
    server.verify();
  });
});
