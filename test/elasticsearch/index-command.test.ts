/** `readback index` as a process, against the stand-in. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ElasticsearchServer } from "../support/elasticsearch/server.js";

const BIN = fileURLToPath(new URL("../../bin/readback.js", import.meta.url));

let server: ElasticsearchServer;
beforeAll(async () => {
  server = await ElasticsearchServer.start();
});
afterAll(() => server.close());

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function index(args: readonly string[], environment: Record<string, string> = {}): Promise<Outcome> {
  const env = {
    PATH: process.env.PATH,
    READBACK_ELASTICSEARCH_URL: server.url,
    READBACK_ELASTICSEARCH_API_KEY: server.apiKey,
    ...environment,
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [BIN, "index", ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === "number" ? error.code : 0, stdout, stderr });
    });
  });
}

describe("readback index", () => {
  it("makes, checks, migrates and rebuilds the indices, each as often as one likes", {
    timeout: 60_000,
  }, async () => {
    expect(await index(["status"])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("document-embeddings: is not there\n  Run `readback index create`."),
    });
    const created = await index(["create"]);
    expect(created).toMatchObject({ code: 0, stderr: "" });
    expect(created.stdout).toContain("document-metadata: made (document-metadata-v1)");
    expect((await index(["create"])).stdout).toContain("document-metadata: is there (document-metadata-v1)");
    expect(await index(["status"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("document-sync: document-sync-v1, green, 0 documents"),
    });
    const counted = await index(["migrate"]);
    expect(counted.stdout).toContain("document-embeddings: 0 documents would be stamped");
    expect(counted.stdout).toContain("Run it with --apply to write this.");
    expect((await index(["migrate", "--apply"])).stdout).toContain("document-metadata: 0 documents stamped");
    const rebuilt = await index(["rebuild", "document-embeddings", "--drop-old"]);
    expect(rebuilt.stdout).toBe(
      "document-embeddings: now document-embeddings-v2 with 0 documents; document-embeddings-v1 is removed\n",
    );
    server.verify();
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
    [
      "a wrong key",
      ["status"],
      { READBACK_ELASTICSEARCH_API_KEY: "wrong-key" },
      1,
      /refused the credentials/,
    ],
  ] as const)("says what is wrong with %s", async (_name, args, environment, code, text) => {
    const outcome = await index(args, environment);
    expect(outcome).toMatchObject({ code, stderr: expect.stringMatching(text) });
    expect(outcome.stderr).not.toMatch(/^\s+at |wrong-key/m);
  });
});
