/** An ingest that is killed leaves the previous index as it was, and the next one brings everything up to date. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createClient } from "@libsql/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { workerUrl } from "../src/lib/worker.js";
import { databasePath, knowledgeDirectory } from "../src/retrieval/embedded/database.js";
import type { Retrieval } from "../src/retrieval/port.js";
import { openEmbeddedKnowledge } from "./support/embedded-knowledge.js";
import { patience } from "./support/patience.js";

const NO_ABORT = new AbortController().signal;
const CHILD = fileURLToPath(workerUrl(import.meta.url, "./support/ingest-child.js"));
const NETWORK = "plant";
const DOCUMENTS = 30;

let base: string;
let docs: string;
let data: string;
let knowledge: string;
/** Stays open throughout, as a service would. */
let service: Retrieval;
const children: ChildProcess[] = [];

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "readback-")));
  docs = join(base, "docs");
  data = join(base, "data");
  knowledge = knowledgeDirectory(data);
  mkdirSync(docs);
  service = openRetrieval();
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await service.close();
  rmSync(base, { recursive: true, force: true });
});

function openRetrieval(): Retrieval {
  return openEmbeddedKnowledge(knowledge);
}

/** Every document says which edition it is; the first `from` of them are not there. */
function writeEdition(edition: string, from: number): void {
  rmSync(docs, { recursive: true });
  mkdirSync(docs);
  for (let i = from; i < from + DOCUMENTS; i++) {
    const text = `Edition ${edition}. Document d${i} is about the chain. ${"Oil it well. ".repeat(40)}`;
    writeFileSync(join(docs, `d${String(i).padStart(3, "0")}.md`), text);
  }
}

/** Runs the child; resolves when it has ended, killed at the first line for which `killAt` is true. */
function runChild(pauseAt: string, killAt: (line: string) => boolean): Promise<string[]> {
  const child = spawn(process.execPath, [CHILD, docs, NETWORK, data, pauseAt], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  children.push(child);
  const lines: string[] = [];
  createInterface({ input: child.stdout! }).on("line", (line) => {
    lines.push(line);
    if (killAt(line)) child.kill("SIGKILL");
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", () => resolve(lines));
  });
}

const finishIngest = async () => JSON.parse((await runChild("never", () => false)).at(-1)!);

/** The edition of every document, as found by a search. */
async function editions(retrieval: Retrieval): Promise<Record<string, string>> {
  const access = { network: NETWORK, username: "ann", groups: [], kiosk: false };
  const passages = await retrieval.search({ query: "chain", access, limit: 1000 }, NO_ABORT);
  return Object.fromEntries(
    passages.map(({ text }) => {
      const [, edition, id] = /Edition (\S+)\. Document (\S+)/.exec(text)!;
      return [id!, edition!];
    }),
  );
}

function wholeEdition(edition: string, from: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: DOCUMENTS }, (_, i) => [`d${from + i}`, edition]));
}

async function integrity(): Promise<unknown> {
  const client = createClient({ url: pathToFileURL(databasePath(knowledge, NETWORK)).href });
  const { rows } = await client.execute("PRAGMA integrity_check");
  client.close();
  return rows[0]?.[0];
}

/** What a service that was running and one that starts now find; they must agree. */
async function foundEverywhere(): Promise<Record<string, string>> {
  const restarted = openRetrieval();
  const [running, anew] = [await editions(service), await editions(restarted)];
  await restarted.close();
  expect(running).toEqual(anew);
  expect(await integrity()).toBe("ok");
  return anew;
}

describe("kill -9 during ingest", { timeout: patience(60_000) }, () => {
  it.each(["opened", "1", "15", String(DOCUMENTS), "before-commit"])(
    "at %j keeps the previous index, and the next ingest converges",
    async (point) => {
      writeEdition("one", 0);
      expect(await finishIngest()).toMatchObject({ added: DOCUMENTS });
      writeEdition("two", 10);
      expect((await runChild(point, (line) => line === point)).at(-1)).toBe(point);
      expect(await foundEverywhere()).toEqual(wholeEdition("one", 0));
      expect(await finishIngest()).toMatchObject({ added: 10, updated: 20, removed: 10, unchanged: 0 });
      expect(await foundEverywhere()).toEqual(wholeEdition("two", 10));
    },
  );

  it("after the commit keeps the new index", async () => {
    writeEdition("one", 0);
    await runChild("after-commit", (line) => line === "after-commit");
    expect(await foundEverywhere()).toEqual(wholeEdition("one", 0));
    expect(await finishIngest()).toMatchObject({ unchanged: DOCUMENTS, added: 0, updated: 0, removed: 0 });
  });

  it("at the first ingest leaves an empty network", async () => {
    writeEdition("one", 0);
    await runChild("15", (line) => line === "15");
    expect(await foundEverywhere()).toEqual({});
    expect(await finishIngest()).toMatchObject({ added: DOCUMENTS });
    expect(await foundEverywhere()).toEqual(wholeEdition("one", 0));
  });

  it("while it commits leaves one edition or the other, whole", async () => {
    writeEdition("one", 0);
    await finishIngest();
    let current = wholeEdition("one", 0);
    for (const edition of ["two", "three", "four", "five"]) {
      writeEdition(edition, 0);
      await runChild("never", (line) => line === "before-commit");
      const found = await foundEverywhere();
      if (found.d0 === edition) current = wholeEdition(edition, 0);
      expect(found).toEqual(current);
    }
    await finishIngest();
    expect(await foundEverywhere()).toEqual(wholeEdition("five", 0));
  });
});
