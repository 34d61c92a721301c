/**
 * Line 3: a damaged index of one network stops nobody else. A real service, three networks, real sockets; the files of one
 * are damaged in many ways before the start and while it runs. READBACK_TEST_SEED repeats a run.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { loadConfig } from "../../src/config/load.js";
import { systemClock } from "../../src/lib/clock.js";
import { databasePath, knowledgeDirectory } from "../../src/retrieval/embedded/database.js";
import { EmbeddedEngine } from "../../src/retrieval/embedded/embedded-engine.js";
import { openWriterProcess } from "../../src/retrieval/embedded/writer-process.js";
import { SearchUnavailable } from "../../src/retrieval/port.js";
import { KnowledgeUnusable } from "../../src/retrieval/writer.js";
import { createTelemetry } from "../../src/telemetry/events.js";
import { Child, serve } from "../e2e/child.js";
import { LOCKOUT, SPILL } from "../e2e/documents.js";
import { TestRelay } from "../e2e/relay.js";
import { ingestFolder, temporaryDirectory } from "../e2e/world.js";
import { patience } from "../support/patience.js";
import { childrenOf, gone } from "./support/processes.js";

const NO_ABORT = new AbortController().signal;
const VICTIM = "acme";
const OTHERS = ["plant", "shop"];
const UNAVAILABLE = "I can't search the documents right now";
const QUESTION = "How is press 4 locked out?";
const ANSWER = "red padlock at breaker B12";
const FLIPS = 8;
const SEED = Number(process.env.READBACK_TEST_SEED ?? Date.now() % 1_000_000);

interface Site {
  readonly documents: string;
  readonly directory: string;
  readonly victim: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** A process that searches starts anew within it, on a machine that has time. */
const SEARCH_MS_MAX = 5_000;

/** Three networks with the same documents. */
async function site(): Promise<Site> {
  const base = temporaryDirectory();
  const documents = join(base, "documents");
  mkdirSync(documents);
  writeFileSync(join(documents, "lockout.md"), LOCKOUT);
  writeFileSync(join(documents, "spill.md"), SPILL);
  for (let i = 0; i < 40; i++)
    writeFileSync(
      join(documents, `n${i}.md`),
      `# Pump ${i}\n\n${`Pump ${i} needs oil grade ${i}. `.repeat(30)}`,
    );
  const dataDir = join(base, "data");
  for (const network of [VICTIM, ...OTHERS])
    await ingestFolder(documents, network, loadConfig({}, { data_dir: dataDir }));
  const directory = knowledgeDirectory(dataDir);
  const environment = {
    READBACK_DATA_DIR: dataDir,
    READBACK_LLM_PROVIDER: "offline",
    READBACK_RETRIEVAL_SEARCH_TIMEOUT_MS: String(patience(SEARCH_MS_MAX)),
  };
  return { documents, directory, victim: databasePath(directory, VICTIM), environment };
}

/** Numbers from 0 to below 1, the same ones for the same seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function remove(path: string): void {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { recursive: true, force: true });
}

/** What can be done to a file, each of which leaves nothing to answer from. */
const DAMAGES: Readonly<Record<string, (site: Site, intact: Buffer) => void>> = {
  "cut in half": ({ victim }, intact) => writeFileSync(victim, intact.subarray(0, intact.length >> 1)),
  emptied: ({ victim }) => writeFileSync(victim, ""),
  "of another network": ({ victim, directory }) => copyFileSync(databasePath(directory, "shop"), victim),
  "a folder": ({ victim }) => mkdirSync(victim),
  missing: () => undefined,
};

class Asker {
  #asked = 0;
  constructor(private readonly relay: TestRelay) {}

  async ask(network: string, text = QUESTION): Promise<string> {
    const id = `r-${++this.#asked}`;
    // Another user each time: nothing of an earlier answer counts.
    const user = this.relay.user(network, `user ${this.#asked}`);
    user.ask(text, { request_id: id });
    return String((await user.answered(id)).text);
  }

  async expectOthers(): Promise<void> {
    const answers = await Promise.all(OTHERS.map((network) => this.ask(network)));
    for (const answer of answers) expect(answer).toContain(ANSWER);
  }
}

async function asker(port: number): Promise<Asker> {
  const relay = await TestRelay.connect(port);
  onTestFinished(() => relay.close());
  return new Asker(relay);
}

const scrape = async (port: number) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
const DAMAGED_METRIC = `readback_index_damaged{network="${VICTIM}"} 1`;

describe("a damaged index", { timeout: patience(240_000) }, () => {
  test("takes nobody else along, says so, and is built anew by a command", async () => {
    const place = await site();
    const intact = readFileSync(place.victim);
    const ruined = Buffer.from(intact);
    ruined.fill(0xa5, 4096);
    writeFileSync(place.victim, ruined);
    const { child, ports } = await serve(place.environment);
    const asking = await asker(ports.relay);

    expect(await asking.ask(VICTIM)).toContain(UNAVAILABLE);
    await asking.expectOthers();
    const [line] = await child.printed(/^.*"event":"index_damaged".*$/m);
    expect(line).toContain(`readback index rebuild --network ${VICTIM}`);
    expect(await scrape(ports.metrics)).toContain(DAMAGED_METRIC);

    const ingested = Child.run(["ingest", place.documents, "--network", VICTIM], place.environment);
    expect((await ingested.exited).code).toBe(1);
    expect(ingested.stderr).toContain(`readback index rebuild --network ${VICTIM}`);
    const rebuilt = Child.run(
      ["index", "rebuild", "--network", VICTIM, "--from", place.documents],
      place.environment,
    );
    expect((await rebuilt.exited).code).toBe(0);
    expect(readdirSync(place.directory).filter((name) => /\.db\.damaged-.*Z$/.test(name))).toHaveLength(1);
    expect(await asking.ask(VICTIM)).toContain(ANSWER);
    expect(await scrape(ports.metrics)).not.toContain(DAMAGED_METRIC);
    const checked = Child.run(["index", "check", "--network", VICTIM], place.environment);
    await checked.printed(/is sound: 42 documents/);

    const whole = readFileSync(place.victim);
    for (const [what, damage] of Object.entries(DAMAGES)) {
      remove(place.victim);
      damage(place, whole);
      const [answer] = await Promise.all([asking.ask(VICTIM), asking.expectOthers()]);
      expect(answer, what).toContain(UNAVAILABLE);
      remove(place.victim);
      writeFileSync(place.victim, whole);
      expect(await asking.ask(VICTIM), `after it was ${what}`).toContain(ANSWER);
    }
    child.kill("SIGTERM");
    expect(await child.exited).toEqual({ code: 0, signal: null });
  });
});

describe("the processes that search", { timeout: patience(240_000) }, () => {
  test("may be killed in the middle of searches, and end with a service that is killed", async () => {
    const place = await site();
    const { child, ports } = await serve(place.environment);
    const asking = await asker(ports.relay);
    await asking.expectOthers();
    const before = childrenOf(child.pid, "search.child");
    expect(before.length).toBeGreaterThan(0);
    const answers = Array.from({ length: 20 }, (_, i) => asking.ask([VICTIM, ...OTHERS][i % 3]!));
    for (const pid of before) process.kill(pid, "SIGKILL");
    for (const answer of await Promise.all(answers)) expect(answer).toContain(ANSWER);
    const now = childrenOf(child.pid, "search.child");
    expect(now.length).toBeGreaterThan(0);
    child.kill("SIGKILL");
    await child.exited;
    await gone(now);
  });
});

describe(`one flipped byte (seed ${SEED})`, { timeout: patience(240_000) }, () => {
  test("changes no answer: it is found, or it was not read", async () => {
    const place = await site();
    const intact = readFileSync(place.victim);
    const random = seeded(SEED);
    const queries = ["press 4 locked out padlock", "pump oil grade", "solvent spill absorbent"];
    const ask = async () => {
      const engine = new EmbeddedEngine({
        clock: systemClock,
        telemetry: createTelemetry([]),
        directory: place.directory,
        options: { searchQueueLengthMax: 64, searchProcesses: 1 },
      });
      const search = (network: string, query: string) => {
        const access = { network, username: "ann", groups: [], kiosk: false };
        return engine.search({ leg: "lexical", query, access, limit: 10 }, NO_ABORT).then(
          (passages) => passages.map(({ chunkId, text, score }) => ({ chunkId, text, score })),
          (error: unknown) => {
            if (error instanceof SearchUnavailable) return "unavailable";
            throw error;
          },
        );
      };
      const found = await Promise.all(queries.map((query) => search(VICTIM, query)));
      const others = await Promise.all(queries.map((query) => search("shop", query)));
      await engine.close();
      return { found, others };
    };
    const reference = await ask();
    for (let flip = 0; flip < FLIPS; flip++) {
      const at = Math.floor(random() * intact.length);
      // Half of them where the pages keep their structure.
      const where = flip % 2 === 0 ? at : at - (at % 4096) + Math.floor(random() * 64);
      const bytes = Buffer.from(intact);
      bytes[where]! ^= 1 + Math.floor(random() * 255);
      remove(place.victim);
      writeFileSync(place.victim, bytes);
      const { found, others } = await ask();
      expect(others).toEqual(reference.others);
      for (const [i, one] of found.entries())
        if (one !== "unavailable") expect(one, `byte ${where}`).toEqual(reference.found[i]);
      const writing = openWriterProcess({ clock: systemClock, directory: place.directory }, VICTIM, NO_ABORT);
      await writing
        .then((writer) => writer.close())
        .catch((error: unknown) => {
          if (!(error instanceof KnowledgeUnusable)) throw error;
        });
    }
  });
});

describe("files with documents", () => {
  test("may be read by their owner alone, whatever the umask, also those that were there before", async () => {
    const before = process.umask(0);
    onTestFinished(() => void process.umask(before));
    const place = await site();
    const modes = () =>
      Object.fromEntries(
        readdirSync(place.directory).map((name) => [
          name,
          statSync(join(place.directory, name)).mode & 0o777,
        ]),
      );
    expect(statSync(place.directory).mode & 0o777).toBe(0o700);
    expect(new Set(Object.values(modes()))).toEqual(new Set([0o600]));
    const writer = await openWriterProcess(
      { clock: systemClock, directory: place.directory },
      VICTIM,
      NO_ABORT,
    );
    expect(Object.keys(modes()).some((name) => name.endsWith("-wal"))).toBe(true);
    expect(Object.keys(modes()).some((name) => name.endsWith("-shm"))).toBe(true);
    expect(new Set(Object.values(modes()))).toEqual(new Set([0o600]));
    await writer.close();
  });
});
