/**
 * A process whose event loop is blocked, whose stop does not end, or whose settings cannot be used: it ends, says why,
 * and ends for no other reason. Real processes, held up on purpose from outside the product's code.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { CLOSE_MS_MAX } from "../../src/cli/serve.js";
import { Child, FREE_PORTS, serve } from "../e2e/child.js";
import { temporaryDirectory } from "../e2e/world.js";
import { patience } from "../support/patience.js";

const HOLD_UP = pathToFileURL(join(import.meta.dirname, "../../dist/test/support/hold-up.js")).href;

/** No grace, so that the margin alone is waited for. */
function heldUp(variables: Readonly<Record<string, string>> = {}) {
  const { NODE_OPTIONS = "", ...others } = variables;
  return serve({
    READBACK_DATA_DIR: temporaryDirectory(),
    READBACK_SHUTDOWN_GRACE_MS: "0",
    NODE_OPTIONS: `--import=${HOLD_UP} ${NODE_OPTIONS}`,
    ...others,
  });
}

async function block({ child }: { readonly child: Child }): Promise<void> {
  child.kill("SIGUSR2");
  await child.printed(/held up/);
}

/** The figures about the event loop, by their names. */
async function metricsOf({ ports }: { readonly ports: { readonly metrics: number } }) {
  const response = await fetch(`http://127.0.0.1:${ports.metrics}/metrics`);
  const samples = (await response.text()).matchAll(/^(readback_loop_\w+) (\S+)$/gm);
  return Object.fromEntries([...samples].map(([, name, value]) => [name, Number(value)]));
}

const ENDED_ITSELF = { code: null, signal: "SIGALRM" };

describe("a blocked event loop", () => {
  test("ends its process, told to stop or not; under a debugger it does not", async () => {
    const debugged = await heldUp({ NODE_OPTIONS: "--inspect=127.0.0.1:0" });
    const [silent, told] = [await heldUp(), await heldUp()];
    await block(debugged);
    await block(silent);
    await block(told);
    told.child.kill("SIGTERM");
    expect(await told.child.exited).toEqual(ENDED_ITSELF);
    expect(await silent.child.exited).toEqual(ENDED_ITSELF);
    for (const { child } of [told, silent])
      expect(child.stderr).toMatch(/^readback: the event loop has not run for 5000 ms.*SIGALRM/m);
    expect(debugged.child.running).toBe(true);
  });

  test("that runs again in time handles the signal that came meanwhile, and stops as always", async () => {
    const service = await heldUp({ HOLD_UP_MS: "1000" });
    await block(service);
    service.child.kill("SIGTERM");
    expect(await service.child.exited).toEqual({ code: 0, signal: null });
    expect(service.child.stderr).toContain('"event":"service_stopping"');
  });

  test("may be blocked for longer while it starts", async () => {
    const { child } = await heldUp({ HOLD_UP_START_MS: String(CLOSE_MS_MAX + 2_000) });
    expect(child.stderr).toContain("held up");
    child.kill("SIGTERM");
    expect(await child.exited).toEqual({ code: 0, signal: null });
  });

  test("is counted and told once it runs again", async () => {
    const service = await heldUp({ HOLD_UP_MS: "400" });
    const before = await metricsOf(service);
    await block(service);
    await service.child.printed(/"event":"loop_blocked"/);
    const after = await metricsOf(service);
    expect(after.readback_loop_blocks_total).toBeGreaterThan(before.readback_loop_blocks_total!);
    expect(after.readback_loop_longest_block_seconds).toBeGreaterThan(0.2);
  });
});

describe("a process that was stopped and goes on", () => {
  test("lives, and the time that it was stopped counts as no block", async () => {
    const service = await heldUp();
    const { child, ports } = service;
    const stoppedMs = patience(CLOSE_MS_MAX + 1_000);
    child.kill("SIGSTOP");
    await wait(stoppedMs);
    child.kill("SIGCONT");
    for (const _ of [1, 2, 3])
      expect((await fetch(`http://127.0.0.1:${ports.http}/healthz`)).status).toBe(200);
    // Not that there was none: a busy machine makes short ones of its own.
    const { readback_loop_longest_block_seconds: longestSeconds } = await metricsOf(service);
    expect(longestSeconds! * 1_000).toBeLessThan(stoppedMs / 2);
    child.kill("SIGTERM");
    expect(await child.exited).toEqual({ code: 0, signal: null });
  });
});

describe("a stop that does not end", () => {
  test("ends its process", async () => {
    const { child } = await heldUp();
    child.kill("SIGWINCH");
    await child.printed(/left open/);
    child.kill("SIGTERM");
    expect(await child.exited).toEqual(ENDED_ITSELF);
    expect(child.stderr).toMatch(/^readback: the stop has taken longer than 5000 ms.*SIGALRM/m);
  });
});

const PROCESS_1 = join(import.meta.dirname, "../../bin/process-1.sh");

describe("a program that starts the service", () => {
  const environment = () => ({ ...FREE_PORTS, READBACK_DATA_DIR: temporaryDirectory() });

  test.each([
    ["process 1 of the image", PROCESS_1, ["serve"]],
    ["npm", "npm", ["start"]],
  ])("%s hands on the signal to stop, and ends as the service does", async (_name, file, args) => {
    const child = Child.runBy(file, args, environment());
    await child.printed(/"event":"service_started"/);
    child.kill("SIGTERM");
    expect(await child.exited).toEqual({ code: 0, signal: null });
    expect(child.stderr).toContain('"event":"service_stopping"');
  });

  test("ends with the exit code of a command", async () => {
    const child = Child.runBy(PROCESS_1, ["ask"], environment());
    expect(await child.exited).toEqual({ code: 2, signal: null });
  });
});

describe("serve with a setting that cannot be used", () => {
  const directory = mkdtempSync(join(tmpdir(), "readback-attack-"));
  afterAll(() => rmSync(directory, { recursive: true }));
  const file = join(directory, "file");
  writeFileSync(file, "{");
  const empty = join(directory, "empty");
  mkdirSync(empty);
  const syncing = {
    READBACK_SYNC_ENABLED: "true",
    READBACK_SYNC_NETWORK: "acme",
    READBACK_SYNC_FOLDER: empty,
    READBACK_ROUTING_LOG_INTENTS: "true",
    READBACK_LLM_KEEP_WARM: "true",
    OPENAI_BASE_URL: "http://127.0.0.1:1/v1",
  };
  const KEYS = '[{"key": "a-key-0123456789"}]';
  /** One of each kind: refused as a setting, by what is composed from it, and by the system once other parts run. */
  const BAD: readonly (readonly [setting: string, variables: Readonly<Record<string, string>>])[] = [
    ["relay.port", { READBACK_RELAY_PORT: "eighty" }],
    ["http.host", { READBACK_HTTP_HOST: "192.0.2.1", READBACK_HTTP_API_KEYS: KEYS }],
    ["grpc.host", { READBACK_GRPC_HOST: "no.such.host.invalid", READBACK_HTTP_API_KEYS: KEYS, ...syncing }],
    ["data_dir", { READBACK_DATA_DIR: file }],
    ["data_dir", { READBACK_DATA_DIR: "/proc/readback" }],
    ["llm.base_url", { OPENAI_BASE_URL: "ftp://models.plant.example" }],
    ["elasticsearch.cloud_id", { READBACK_ELASTICSEARCH_CLOUD_ID: "plant" }],
    ["retrieval.legs", { READBACK_RETRIEVAL_LEGS: "semantic" }],
    ["llm.prompts_dir", { READBACK_LLM_PROMPTS_DIR: empty }],
    ["locale.dir", { READBACK_LOCALE_DIR: join(directory, "none") }],
    ["groups.file", { READBACK_GROUPS_FILE: file }],
    ["routing.classifier_file", { READBACK_ROUTING_CLASSIFIER_FILE: file, ...syncing }],
    [
      "transcription.local_command",
      { READBACK_TRANSCRIPTION_PROVIDER: "local", READBACK_TRANSCRIPTION_LOCAL_COMMAND: "/none" },
    ],
    ["sync.network", { READBACK_SYNC_ENABLED: "true" }],
    ["is not JSON", { READBACK_CONFIG: file }],
  ];

  test.each(BAD)("%s: says so, and exits", async (setting, variables) => {
    const data = join(directory, "data");
    const child = Child.run(["serve"], { ...FREE_PORTS, READBACK_DATA_DIR: data, ...variables });
    expect([1, 2]).toContain((await child.exited).code);
    expect(child.stderr).toContain(setting);
    expect(child.stderr).not.toMatch(/^\s+at /m);
  });

  test("a disk that is full: the start ends either way", async () => {
    const child = Child.runOnFullDisk(0, ["serve"], {
      ...FREE_PORTS,
      ...syncing,
      READBACK_DATA_DIR: join(directory, "full"),
    });
    void child.printed(/service_started/).then(
      () => child.kill("SIGTERM"),
      () => {},
    );
    expect((await child.exited).signal).toBeNull();
  });
});
