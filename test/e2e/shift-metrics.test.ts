/**
 * A shift as operators see it: four services, one that works and three that go wrong in many ways, the relay simulator at
 * the first, and a real Prometheus that scrapes all of them by `deploy/prometheus.yml` and `deploy/alerts.yml`. Whatever
 * alerts and panels of the dashboard ask for has to be there. docs/deployment.md says how to look at the pages.
 */
import { appendFileSync, cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { expect, onTestFinished, test, vi } from "vitest";
import { loadConfig } from "../../src/config/load.js";
import { databasePath, knowledgeDirectory } from "../../src/retrieval/embedded/database.js";
import { Authority } from "../support/certificates.js";
import { alertRules, panelExpressions } from "../support/deploy.js";
import { GUARD_TOKEN, LlmGuardServer } from "../support/llm-guard-server.js";
import { errorReply, hangReply } from "../support/openai-replies.js";
import { OpenAiServer, type OpenAiServerOptions } from "../support/openai-server.js";
import { transcriptReply } from "../support/openai-transcriptions.js";
import { patience } from "../support/patience.js";
import { hasPrometheus, Prometheus } from "../support/prometheus.js";
import { labelsIn, selectorsIn } from "../support/promql.js";
import { Child, serve } from "./child.js";
import { examplePlant, type Plant } from "./plant.js";
import { TestRelay, type TestUser } from "./relay.js";
import { librarian } from "./script.js";
import { ingestFolder, temporaryDirectory } from "./world.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const HANDBOOK = join(ROOT, "examples/handbook");
const SCENARIO = join(ROOT, "test/fixtures/shift/shift.yaml");

/** Where pictures of Prometheus' own pages go; none are taken unless it is given. */
const FOLDER = process.env.SCREENSHOTS;
const CHROMIUM = "/usr/bin/chromium";

/** The whole of a run is within this range, so that rates count all of it. */
const RANGE = "15m";

/** What a run needs before everything has been seen twice, and what it may take. */
const SHIFT_MS_MAX = patience(180_000);
const LOOK_MS = 1_000;

/** Nobody listens there. */
const NOWHERE = "http://127.0.0.1:9/v1";
const QUESTION = "How long do I cool a burn?";

vi.setConfig({ testTimeout: 2 * SHIFT_MS_MAX });

/** Alerts that this shift does not raise, and why; alerts.test.yml raises all. */
const NOT_RAISED: Readonly<Record<string, string>> = {
  ReadbackFaults: "it takes an error in the service itself",
  ReadbackDocumentsPending:
    "the embedded engine takes in a whole folder at once; with Elasticsearch documents wait",
  ReadbackRelaySlow: "the buffers of sockets on one machine hold more than such a shift says",
};

const WANTED = alertRules()
  .map(({ alert }) => alert)
  .filter((alert) => !Object.hasOwn(NOT_RAISED, alert));

/** Panels of which a part shows nothing after this shift, by a metric of that part, and why. */
const EMPTY: Readonly<Record<string, string>> = {
  documents_pending_times_seconds_bucket: "documents wait only with Elasticsearch",
  readback_frames_dropped_total: "as ReadbackRelaySlow",
};

type Settings = Readonly<Record<string, unknown>>;

interface Instance {
  readonly child: Child;
  readonly ports: Awaited<ReturnType<typeof serve>>["ports"];
  readonly dataDir: string;
}

async function modelServer(respond: OpenAiServerOptions["respond"]): Promise<OpenAiServer> {
  const server = await OpenAiServer.start({ respond: respond ?? {} });
  onTestFinished(() => server.close());
  return server;
}

/** A service as a process of its own, with these settings in its file. */
async function instance(
  settings: Settings,
  environment: Readonly<Record<string, string>> = {},
  networks: readonly string[] = [],
): Promise<Instance> {
  const directory = temporaryDirectory();
  const dataDir = join(directory, "data");
  for (const network of networks)
    await ingestFolder(HANDBOOK, network, loadConfig({}, { data_dir: dataDir }));
  const file = join(directory, "readback.json");
  writeFileSync(file, JSON.stringify({ data_dir: dataDir, ...settings }));
  return { ...(await serve({ READBACK_CONFIG: file, ...environment })), dataDir };
}

async function user({ ports }: Instance, network: string, name: string): Promise<TestUser> {
  const relay = await TestRelay.connect(ports.relay);
  onTestFinished(() => relay.close());
  return relay.user(network, name);
}

/** What is at the site that cannot be asked. */
const ELSEWHERE = [{ address: "w9", kind: "pump", names: ["well nine"] }];

let asked = 0;

/** Asks, and waits for whatever comes of it. */
async function answer(one: TestUser, text: string, aloud = false): Promise<string> {
  const request_id = `r-${asked++}`;
  if (aloud) one.askAloud(text, { request_id });
  else one.ask(text, { request_id });
  return String((await one.answered(request_id)).text ?? "");
}

/** Says this again and again, until it is told to stop. */
async function again(everyMs: number, over: AbortSignal, work: () => Promise<unknown>): Promise<void> {
  while (!over.aborted) {
    await work();
    await delay(everyMs);
  }
}

/** The service that works; its model and its voice are away for a while in the middle. */
async function shiftInstance(plant: Plant): Promise<{ readonly one: Instance; ill(isIll: boolean): void }> {
  let isIll = false;
  const server = await modelServer({
    chat: (request) => (isIll ? errorReply(500) : librarian.chat(request)),
    speech: () => (isIll ? errorReply(500) : librarian.speech()),
    transcription: () => transcriptReply(QUESTION),
  });
  const documents = join(temporaryDirectory(), "documents");
  cpSync(HANDBOOK, documents, { recursive: true });
  const price = { input_per_million: 1, output_per_million: 2 };
  const breaker = { failures_max: 2, pause_ms: 500, pause_ms_max: 1_000 };
  const llm = { base_url: server.baseUrl, api_key: server.apiKey, price, breaker, retry_delay_ms: 0 };
  const one = await instance({
    llm: { ...llm, fallbacks: [{ model: "gpt-4.1-mini-spare" }] },
    operate: { mode: "on" },
    sites: [plant.site],
    sync: { enabled: true, network: "acme", folder: documents },
  });
  const ill = (now: boolean) => {
    isIll = now;
  };
  return { one, ill };
}

/** The service at which nearly everything fails. */
async function poorInstance(
  plant: Plant,
): Promise<{ readonly one: Instance; readonly secrets: string; readonly groups: string }> {
  const guard = await LlmGuardServer.start();
  guard.fault = 500;
  onTestFinished(() => guard.close());
  const folder = temporaryDirectory();
  const [secrets, groups] = [join(folder, "openai-key"), join(folder, "groups.json")];
  writeFileSync(secrets, "sk-0123456789");
  writeFileSync(groups, "{}");
  const { cert, key } = new Authority(folder).issue("service");
  const broken = {
    ...plant.site,
    name: "broken",
    server: { type: "mcp", command: ["false"] },
    resources: ELSEWHERE,
  };
  const one = await instance(
    {
      llm: { base_url: NOWHERE, retry_delay_ms: 0, attempts_max: 1, breaker: { failures_max: 1 } },
      guard: { url: guard.url, token: GUARD_TOKEN, timeout_ms: 500 },
      operate: { mode: "on" },
      sites: [plant.site, broken],
      groups: { file: groups, refresh_ms: 500 },
      grpc: { tls: { cert_file: cert, key_file: key } },
    },
    { OPENAI_API_KEY_FILE: secrets },
    ["acme", "lab"],
  );
  return { one, secrets, groups };
}

/** The service with room for one turn, whose model takes long. */
async function fullInstance(): Promise<Instance> {
  const server = await modelServer({ chat: () => hangReply, speech: librarian.speech });
  return instance(
    {
      llm: {
        base_url: server.baseUrl,
        api_key: server.apiKey,
        attempts_max: 1,
        first_byte_timeout_ms: 11_000,
      },
      chat: { turns_running_max: 1, turn_wait_ms_max: 15_000 },
    },
    {},
    ["acme"],
  );
}

/** Bad keys, bad documents, bad consent, a ledger that somebody else writes to: as long as it is let. */
async function goWrong(
  { one, secrets, groups }: Awaited<ReturnType<typeof poorInstance>>,
  over: AbortSignal,
) {
  const ann = await user(one, "acme", "ann");
  for (let time = 0; time < 4; time++) {
    expect(await answer(ann, "restart label printer two")).toContain("Say confirm");
    await answer(ann, "confirm zebra");
    await answer(ann, "no");
  }
  rmSync(secrets);
  damageIndex(one.dataDir);
  const [bob, cid] = [await user(one, "acme", "bob"), await user(one, "lab", "cid")];
  let time = 0;
  await again(1_000, over, async () => {
    await answer(bob, QUESTION, true);
    await answer(cid, QUESTION);
    const stranger = connect(one.ports.grpc, "127.0.0.1").on("error", () => {});
    stranger.end("nothing of TLS");
    time += 1;
    if (time === 5) appendFileSync(join(one.dataDir, "ledger", "rows.jsonl"), "\n");
    if (time > 5 && time < 12) {
      killSearchProcesses(one.child.pid);
      await answer(ann, "restart label printer two");
    }
    if (time === 8) writeFileSync(groups, "{");
  });
}

function damageIndex(dataDir: string): void {
  const path = databasePath(knowledgeDirectory(dataDir), "lab");
  for (const suffix of ["", "-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true });
  writeFileSync(path, "no database\n".repeat(1_000));
}

/** Kills those processes of a service that search. */
function killSearchProcesses(pid: number): void {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
  for (const child of children.filter((one) => one !== "")) {
    const command = readFileSync(`/proc/${child}/cmdline`, "utf8");
    if (command.includes("search.child")) process.kill(Number(child), "SIGKILL");
  }
}

/** Loaded before a service: something in its process holds up its event loop again and again. */
const HOLDS_UP = `
  if (require("node:worker_threads").isMainThread)
    setInterval(() => {
      for (const until = Date.now() + 300; Date.now() < until; );
    }, 600).unref();
`;

/** The service that nobody reaches, on a machine that is too small and too busy. */
async function idleInstance(): Promise<Instance> {
  const file = join(temporaryDirectory(), "holds-up.cjs");
  writeFileSync(file, HOLDS_UP);
  const chat = { pressure_heap_share_max: 0.0001, pressure_ms: 0 };
  return instance({ chat }, { NODE_OPTIONS: `--require ${file}` });
}

/** The plant of the example; effects are awaited for no longer than this shift has time. */
function hastyPlant(): Plant {
  const { tools } = examplePlant().site as { readonly tools: Readonly<Record<string, object>> };
  const hasty = Object.entries(tools).map(([name, tool]) => [
    name,
    "window_ms" in tool ? { ...tool, window_ms: 3_000 } : tool,
  ]);
  return examplePlant({ settings: { call_ms_max: 2_000, tools: Object.fromEntries(hasty) } });
}

/** Once the printer is being restarted, nothing can be read any more. */
async function failToRead(plant: Plant, over: AbortSignal): Promise<void> {
  const calls = join(plant.directory, "calls");
  const isCalled = () => existsSync(calls) && readFileSync(calls, "utf8").includes("restart");
  while (!isCalled()) await delay(100, undefined, { signal: over });
  plant.fault("slow read_status");
  await delay(8_000, undefined, { signal: over });
  plant.fault();
}

async function takePictures(url: string): Promise<void> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  const graph = (expr: string) =>
    `/classic/graph?g0.expr=${encodeURIComponent(expr)}&g0.tab=0&g0.range_input=3m`;
  const turns = 'sum by (result) (rate(readback_turns_total{instance="shift"}[30s]))';
  const stages = "histogram_quantile(0.95, sum by (le, stage) (rate(readback_stage_seconds_bucket[30s])))";
  const pages = { alerts: "/classic/alerts", turns: graph(turns), stages: graph(stages) };
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 1400 } });
    for (const [name, path] of Object.entries(pages)) {
      await page.goto(`${url}${path}`, { waitUntil: "networkidle" });
      await page.waitForTimeout(2_000);
      await page.screenshot({ path: join(FOLDER!, `prometheus-${name}.png`) });
    }
  } finally {
    await browser.close();
  }
}

const OF_MOMENTS = ["packet_early", "packet_late", "left_relay"];

/**
 * Rules of the wire that were broken, as the simulator tells, but for those on milliseconds: with five processes on one machine
 * a packet may come too early after others that were held up, and a frame to a relay whose user has left it a moment ago.
 */
function wronged(report: string): string[] {
  const { violations } = JSON.parse(report) as { readonly violations: readonly { readonly kind: string }[] };
  return violations.map(({ kind }) => kind).filter((kind) => !OF_MOMENTS.includes(kind));
}

/** Expressions of the dashboard that have no value, or none with a label of the legend, and should. */
async function emptyPanels(prometheus: Prometheus): Promise<string[]> {
  const empty: string[] = [];
  for (const { panel, expr, labels } of panelExpressions(RANGE)) {
    if (selectorsIn(expr).some(({ name }) => Object.hasOwn(EMPTY, name))) continue;
    const drawn = (await prometheus.query(expr)).filter(({ metric }) =>
      labels.every((label) => metric[label]),
    );
    if (drawn.length === 0) empty.push(`${panel}: ${expr}`);
  }
  return empty;
}

/** What alerts ask for and no series has: a metric, one of its labels, a value of these. */
async function unknownSelectors(prometheus: Prometheus): Promise<string[]> {
  const unknown: string[] = [];
  for (const { alert, expr } of alertRules())
    for (const { text } of selectorsIn(expr)) {
      const series = await prometheus.query(`last_over_time(${text}[${RANGE}])`);
      const names = new Set(series.flatMap(({ metric }) => Object.keys(metric)));
      const lacking = labelsIn(expr).filter((label) => !names.has(label));
      if (series.length === 0 || lacking.length > 0) unknown.push(`${alert}: ${text} ${lacking.join()}`);
    }
  return unknown;
}

test.skipIf(!hasPrometheus)("a shift: alerts fire, and no panel is empty", async () => {
  const [plant, other] = [hastyPlant(), hastyPlant()];
  plant.fault("no_effect acknowledge_alarm");
  const { one: shift, ill } = await shiftInstance(plant);
  const poor = await poorInstance(other);
  const full = await fullInstance();
  const idle = await idleInstance();
  const instances = { shift, poor: poor.one, full, idle };
  const targets = Object.fromEntries(
    Object.entries(instances).map(([name, { ports }]) => [name, ports.metrics]),
  );
  const prometheus = await Prometheus.start(targets, temporaryDirectory());
  onTestFinished(() => prometheus.close());

  const over = new AbortController();
  onTestFinished(() => over.abort());
  const server = `127.0.0.1:${shift.ports.relay}`;
  const simulated = Child.run(["relay-sim", SCENARIO, "--server", server, "--json"]);
  const crowd = await Promise.all(
    ["dan", "eve", "fay", "gus", "hal"].map((name) => user(full, "acme", name)),
  );
  let failed: unknown;
  const others = [
    goWrong(poor, over.signal),
    failToRead(plant, over.signal),
    again(1_000, over.signal, () => Promise.all(crowd.map((one) => answer(one, QUESTION, true)))),
  ].map((one) =>
    one.catch((error: unknown) => {
      if (!over.signal.aborted) failed ??= error;
    }),
  );
  await delay(10_000);
  ill(true);
  await delay(15_000);
  ill(false);

  const startMs = performance.now();
  const missing = async () => {
    const fired = await prometheus.fired();
    return WANTED.filter((alert) => alert !== "ReadbackDown" && !fired.has(alert));
  };
  while ((await missing()).length > 0 && performance.now() - startMs < SHIFT_MS_MAX && failed === undefined)
    await delay(LOOK_MS);
  expect(failed).toBeUndefined();
  expect(await missing()).toEqual([]);
  await simulated.exited;
  expect(wronged(simulated.stdout)).toEqual([]);
  over.abort();
  idle.child.kill("SIGKILL");
  while (!(await prometheus.fired()).has("ReadbackDown") && performance.now() - startMs < SHIFT_MS_MAX)
    await delay(LOOK_MS);

  if (FOLDER !== undefined) await takePictures(prometheus.url);
  const fired = await prometheus.fired();
  expect(WANTED.filter((alert) => !fired.has(alert))).toEqual([]);
  expect(await emptyPanels(prometheus)).toEqual([]);
  expect(await unknownSelectors(prometheus)).toEqual([]);
  await Promise.allSettled(others);
});
