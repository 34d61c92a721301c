/** `readback index` and the commands that search as processes, against the stand-in or a real server. */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../src/lib/clock.js";
import { systemRandom } from "../../src/lib/random.js";
import { NO_ABORT } from "../../src/retrieval/conformance.test-util.js";
import { ElasticsearchClient } from "../../src/retrieval/elasticsearch/client.js";
import { testOptions } from "../../src/retrieval/elasticsearch/engine-under-test.test-util.js";
import { patience } from "../support/patience.js";
import { openServer } from "./server.js";

const BIN = fileURLToPath(new URL("../../bin/readback.js", import.meta.url));
/** Nobody else's. */
const PREFIX = `readback-test-${randomBytes(6).toString("hex")}`;
const EMBEDDINGS = `${PREFIX}-embeddings`;
const METADATA = `${PREFIX}-metadata`;
const SYNC = `${PREFIX}-sync`;

const server = await openServer();
const WRONG_KEY = [
  "a wrong key",
  ["status"],
  { READBACK_ELASTICSEARCH_API_KEY: "wrong-key" },
  1,
  /refused the credentials/,
] as const;
let folder: string;
let client: ElasticsearchClient;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "readback-index-"));
  client = new ElasticsearchClient(testOptions(server.address), { clock: systemClock, random: systemRandom });
});
afterAll(async () => {
  const found = await client.call(
    "look",
    (api, call) => api.indices.getAlias({ index: `${PREFIX}-*` }, call),
    NO_ABORT,
  );
  const index = Object.keys(found);
  if (index.length > 0)
    await client.call("clean up", (api, call) => api.indices.delete({ index }, call), NO_ABORT);
  await client.close();
  await server.close();
  rmSync(folder, { recursive: true });
});

interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const index = (args: readonly string[], environment: Record<string, string> = {}) =>
  readback(["index", ...args], environment);

function readback(args: readonly string[], environment: Record<string, string> = {}): Promise<CommandResult> {
  const { url, apiKey } = server.address;
  const env = {
    PATH: process.env.PATH,
    READBACK_DATA_DIR: join(folder, "data"),
    READBACK_ELASTICSEARCH_URL: url,
    ...(apiKey === undefined ? {} : { READBACK_ELASTICSEARCH_API_KEY: apiKey }),
    READBACK_ELASTICSEARCH_EMBEDDINGS_INDEX: EMBEDDINGS,
    READBACK_ELASTICSEARCH_METADATA_INDEX: METADATA,
    READBACK_ELASTICSEARCH_SYNC_INDEX: SYNC,
    ...environment,
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [BIN, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === "number" ? error.code : 0, stdout, stderr });
    });
  });
}

describe("readback index", () => {
  it("makes, checks, migrates and rebuilds the indices, each as often as one likes", {
    timeout: patience(240_000),
  }, async () => {
    expect(await index(["status"])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`${EMBEDDINGS}: is not there\n  Run \`readback index create\`.`),
    });
    const created = await index(["create"]);
    expect(created).toMatchObject({ code: 0, stderr: "" });
    expect(created.stdout).toContain(`${METADATA}: made (${METADATA}-v1)`);
    expect((await index(["create"])).stdout).toContain(`${METADATA}: is there (${METADATA}-v1)`);
    expect(await index(["status"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(new RegExp(`${SYNC}: ${SYNC}-v1, (?:green|yellow), 0 documents`)),
    });
    const counted = await index(["migrate"]);
    expect(counted.stdout).toContain(`${EMBEDDINGS}: 0 documents would be stamped`);
    expect(counted.stdout).toContain("Run it with --apply to write this.");
    expect((await index(["migrate", "--apply"])).stdout).toContain(`${METADATA}: 0 documents stamped`);

    writeFileSync(join(folder, "fire.md"), "# Fire\n\nTake the red extinguisher at the dock door.\n");
    const ingested = await readback(["ingest", join(folder, "fire.md"), "--network", "acme"]);
    expect(ingested).toMatchObject({ code: 0, stdout: expect.stringContaining("1 added") });
    const rebuilt = await index(["rebuild", EMBEDDINGS, "--drop-old"]);
    expect(rebuilt).toMatchObject({
      code: 0,
      stdout: `${EMBEDDINGS}: now ${EMBEDDINGS}-v2 with 1 documents; ${EMBEDDINGS}-v1 is removed\n`,
    });
    const search = await readback(["search", "red extinguisher", "--network", "acme", "--as", "ann"]);
    expect(search).toMatchObject({ code: 0, stdout: expect.stringContaining("Take the red extinguisher") });
    server.standIn?.verify();
  });

  it("shows the legs that answer beside one that does not", { timeout: patience(240_000) }, async () => {
    const environment = {
      READBACK_RETRIEVAL_LEGS: "lexical,vector",
      READBACK_EMBEDDING_PROVIDER: "openai",
      // Nobody listens there.
      READBACK_EMBEDDING_BASE_URL: "http://127.0.0.1:9/v1",
    };
    const search = await readback(
      ["search", "red extinguisher", "--network", "acme", "--as", "ann"],
      environment,
    );
    expect(search).toMatchObject({ code: 0, stdout: expect.stringContaining("Take the red extinguisher") });
    expect(search.stdout).toContain("The leg vector could not be asked: ");
  });

  it.each([
    ["an unknown command", ["dance"], {}, 2, /unknown command 'dance'/],
    ["an index that is not one of ours", ["rebuild", "mine"], {}, 1, /There is no index mine to rebuild/],
    [
      "no cluster",
      ["status"],
      { READBACK_ELASTICSEARCH_URL: "" },
      1,
      /No Elasticsearch cluster is configured/,
    ],
    // A node of jars alone asks nobody for a key.
    ...(server.standIn === undefined ? [] : [WRONG_KEY]),
  ] as const)("says what is wrong with %s", async (_name, args, environment, code, text) => {
    const outcome = await index(args, environment);
    expect(outcome).toMatchObject({ code, stderr: expect.stringMatching(text) });
    expect(outcome.stderr).not.toMatch(/^\s+at |wrong-key/m);
  });
});
