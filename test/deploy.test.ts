/** The files in `deploy/` say what is true: settings that load, metrics that exist, rules that Prometheus accepts. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { CLOSE_MS_MAX } from "../src/cli/serve.js";
import { loadConfig } from "../src/config/load.js";
import type { Outcome } from "../src/domain/answer.js";
import type { FailureCode } from "../src/domain/failure.js";
import { createMetrics } from "../src/telemetry/metrics.js";

const deploy = (name: string) => fileURLToPath(new URL(`../deploy/${name}`, import.meta.url));
const read = (name: string) => readFileSync(deploy(name), "utf8");

/** Turns that count as failed in the alerts. */
const FAILED: readonly (Outcome | FailureCode)[] = ["assistant_unavailable", "timeout", "search_unavailable"];

describe("the sample configuration", () => {
  it("loads", () => {
    const { config } = loadConfig({ READBACK_CONFIG: deploy("readback.example.json") });
    expect(config).toMatchObject({ environment: "production", llm: { provider: "auto" } });
  });

  it("writes out defaults, so that leaving it out changes nothing", () => {
    const sample = loadConfig({ READBACK_CONFIG: deploy("readback.example.json") }).file;
    const { level, ...log } = sample.log;
    expect(level).toBe("info");
    expect({ ...sample, log }).toEqual(loadConfig({}).file);
  });
});

describe("the compose file", () => {
  type Compose = { services: { readback: { ports: string[]; stop_grace_period: string } } };
  const { readback } = (parse(read("docker-compose.yml")) as Compose).services;

  it("publishes the ports that the service listens on", () => {
    const { relay, http, metrics, grpc } = loadConfig({}).config;
    const published = readback.ports.map((port) => Number(port.split(":").at(-1)));
    expect(published).toEqual([relay.port, http.port, metrics.port, grpc.port]);
  });

  it("gives the service more time to stop than it takes", () => {
    expect(Number.parseInt(readback.stop_grace_period, 10) * 1_000).toBeGreaterThan(
      loadConfig({}).config.shutdownGraceMs + CLOSE_MS_MAX,
    );
  });
});

describe("the metrics that are asked for", () => {
  it.each([
    ["alerts", alertExpressions()],
    ["dashboard", dashboardExpressions()],
  ])("exist, in the %s", async (_file, expressions) => {
    const known = await exportedNames();
    const asked = expressions.map(([where, expression]) => ({ where, names: metricNames(expression) }));
    expect(
      asked.filter(({ names }) => names.length === 0 || !names.every((name) => known.has(name))),
    ).toEqual([]);
  });

  it("count as failed the turns that end without an answer", () => {
    const [, failed] = /readback_turns_total\{result=~"([^"]+)"\}/.exec(read("alerts.yml"))!;
    expect(failed!.split("|")).toEqual(FAILED);
  });
});

describe.skipIf(!promtoolIsHere())("Prometheus itself (promtool, from the Debian package prometheus)", () => {
  it("accepts the configuration and the alerts", () => {
    promtool("check", "config", deploy("prometheus.yml"));
  });

  it("raises the alerts when it should and not otherwise", () => {
    promtool("test", "rules", deploy("alerts.test.yml"));
  });

  it("understands every expression of the dashboard", () => {
    const directory = mkdtempSync(join(tmpdir(), "readback-deploy-"));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const rules = dashboardExpressions().map(([, expr], index) => ({ record: `panel:${index}`, expr }));
    const file = join(directory, "rules.yml");
    writeFileSync(file, JSON.stringify({ groups: [{ name: "dashboard", rules }] }));
    promtool("check", "rules", file);
  });
});

function alertExpressions(): [string, string][] {
  const { groups } = parse(read("alerts.yml")) as { groups: { rules: { alert: string; expr: string }[] }[] };
  return groups.flatMap(({ rules }) => rules.map(({ alert, expr }): [string, string] => [alert, expr]));
}

/** With Grafana's own variable for a range replaced, as Grafana would. */
function dashboardExpressions(): [string, string][] {
  type Panel = { title: string; targets?: { expr: string }[] };
  const { panels } = JSON.parse(read("grafana-dashboard.json")) as { panels: Panel[] };
  return panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }): [string, string] => [title, expr.replaceAll("$__rate_interval", "1m")]),
  );
}

/** What is left of a PromQL expression without its strings, label lists, ranges, functions and operators. */
function metricNames(expression: string): string[] {
  const bare = expression.replaceAll(/\{[^}]*\}|\[[^\]]*\]|"[^"]*"|\b(?:by|without)\s*\([^)]*\)/g, " ");
  const words = bare.match(/\b[a-z_][a-z0-9_:]*\b(?!\s*\()/gi) ?? [];
  return words.filter((word) => !["and", "or", "unless"].includes(word));
}

async function exportedNames(): Promise<Set<string>> {
  const metrics = createMetrics();
  metrics.observe({
    chats: () => 0,
    networks: () => 0,
    voices: () => ({ count: 0, bytes: 0 }),
    connections: () => 0,
    backlog: () => ({ bytes: 0, oldestMs: 0 }),
    longestBlockMs: () => 0,
  });
  const { text } = await metrics.scrape();
  const declared = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  const names = declared.flatMap(([, name, type]) => (type === "histogram" ? [`${name}_bucket`] : [name!]));
  return new Set(["up", ...names]); // `up` is Prometheus' own.
}

function promtool(...parameters: string[]): void {
  const { status, stdout, stderr, error } = spawnSync("promtool", parameters, { encoding: "utf8" });
  expect(error).toBeUndefined();
  expect({ status, output: `${stdout}${stderr}` }).toMatchObject({ status: 0 });
}

function promtoolIsHere(): boolean {
  return spawnSync("promtool", ["--version"]).error === undefined;
}
