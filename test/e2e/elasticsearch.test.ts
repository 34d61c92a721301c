/**
 * The same assistant on Elasticsearch: made with the commands of the README, against a stand-in. What it may not read
 * stays unread, and a cluster that is down is not "not in the documents".
 */
import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../src/lib/clock.js";
import { ElasticsearchServer } from "../support/elasticsearch/server.js";
import { patience } from "../support/patience.js";
import { LOCKOUT, PAYROLL } from "./documents.js";
import { temporaryDirectory, World } from "./world.js";

const BIN = fileURLToPath(new URL("../../bin/readback.js", import.meta.url));
const run = promisify(execFile);

interface Site {
  readonly server: ElasticsearchServer;
  readonly config: Readonly<Record<string, unknown>>;
  /** Runs `readback` as an operator would; gives its standard output. */
  readback(...args: string[]): Promise<string>;
  /** Makes `files` the folder of the network's documents, and ingests it. */
  ingest(files: Readonly<Record<string, string>>): Promise<string>;
}

async function openSite(): Promise<Site> {
  const server = await ElasticsearchServer.start();
  onTestFinished(() => server.close());
  const directory = temporaryDirectory();
  const env = {
    PATH: process.env.PATH,
    READBACK_DATA_DIR: join(directory, "data"),
    READBACK_ELASTICSEARCH_URL: server.url,
    READBACK_ELASTICSEARCH_API_KEY: server.apiKey,
  };
  const readback = async (...args: string[]) => {
    const { stdout } = await run(process.execPath, [BIN, ...args], { env });
    return stdout;
  };
  return {
    server,
    readback,
    config: {
      "llm.provider": "offline",
      "speech.provider": "offline",
      "elasticsearch.url": server.url,
      "elasticsearch.api_key": server.apiKey,
      "elasticsearch.attempts_max": 1,
    },
    async ingest(files) {
      const folder = join(directory, "documents");
      mkdirSync(folder, { recursive: true });
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
      return readback("ingest", folder, "--network", "acme");
    },
  };
}

describe("on Elasticsearch", { timeout: patience(240_000) }, () => {
  test("a site is made, filled, asked and looked at with the commands", async () => {
    const site = await openSite();
    await site.readback("index", "create");
    expect(await site.ingest({ "lockout.md": LOCKOUT, "payroll.md": PAYROLL })).toContain("2 added");
    expect(await site.ingest({ "lockout.md": LOCKOUT })).toContain("2 unchanged");

    const world = await World.start({ config: site.config, clock: systemClock });
    const ann = (await world.relay()).user("acme", "ann");
    ann.ask("How is press 4 locked out?", { request_id: "lockout" });
    expect(await ann.answered("lockout")).toMatchObject({
      text: expect.stringContaining("red padlock at breaker B12"),
    });
    ann.ask("What opens the payroll safe?", { request_id: "payroll" });
    expect(JSON.stringify(await ann.answered("payroll"))).not.toContain("PAYROLL93");
    ann.ask("What opens the payroll safe?", { request_id: "manager", groups: ["managers"] });
    expect(await ann.answered("manager")).toMatchObject({ text: expect.stringContaining("PAYROLL93") });

    const search = ["search", "payroll safe code", "--network", "acme", "--as", "ann"];
    expect(await site.readback(...search)).toMatch(/Payroll codes.*\n.*WITHHELD/);
    expect(await site.readback("documents", "list", "--network", "acme")).toContain(
      "restricted to groups managers",
    );
    site.server.verify();
  });

  test("a cluster without a model is searched by words, and the start says so", async () => {
    const site = await openSite();
    site.server.cluster.inference.clear();
    await site.readback("index", "create");
    await site.ingest({ "lockout.md": LOCKOUT });
    const world = await World.start({ config: site.config, clock: systemClock });
    const ann = (await world.relay()).user("acme", "ann");
    ann.ask("How is press 4 locked out?", { request_id: "lockout" });
    expect(await ann.answered("lockout")).toMatchObject({
      text: expect.stringContaining("red padlock at breaker B12"),
    });
    expect(world.eventsOf("legs_chosen")).toMatchObject([
      { legs: ["lexical"], reason: expect.stringContaining("no inference endpoint .elser-2-elasticsearch") },
    ]);
    site.server.verify();
  });

  test("a cluster that is down is told apart from a document that is missing, and comes back by itself", async () => {
    const site = await openSite();
    await site.readback("index", "create");
    await site.ingest({ "lockout.md": LOCKOUT });
    const world = await World.start({ config: site.config, clock: systemClock });
    const ann = (await world.relay()).user("acme", "ann");
    const asks = async (id: string) => {
      ann.ask("How is press 4 locked out?", { request_id: id });
      return String((await ann.answered(id)).text);
    };
    expect(await asks("before")).toContain("red padlock");
    site.server.faults.next({ endpoint: "search" }, { kind: "answer", status: 503 }, 100);
    expect(await asks("down")).toContain("I can't search the documents right now");
    expect(world.eventsOf("turn_finished").at(-1)).toMatchObject({ result: "search_unavailable" });
    site.server.faults.clear();
    expect(await asks("after")).toContain("red padlock");
    expect(world.log).not.toContain(site.server.apiKey);
    site.server.verify();
  });
});
