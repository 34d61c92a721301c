/** The files in `deploy/` say what is true: settings that load, metrics that exist, rules that Prometheus accepts. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { CLOSE_MS_MAX } from "../src/cli/serve.js";
import { loadConfig } from "../src/config/load.js";
import type { Outcome } from "../src/domain/answer.js";
import type { FailureCode } from "../src/domain/failure.js";
import { createMetrics } from "../src/telemetry/metrics.js";
import { alertRules, deployPath as deploy, panelExpressions, deployText as read } from "./support/deploy.js";
import { selectorsIn } from "./support/promql.js";

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

describe("the compose file and what it names", () => {
  const compose = parse(read("docker-compose.yml")) as ComposeFile;
  const services = Object.entries(compose.services);

  it("is a compose file by the specification's own schema", () => {
    const schema = JSON.parse(readFileSync(new URL("./deploy/compose-spec.json", import.meta.url), "utf8"));
    // Its identifier is a name and no address, which this validator does not take for a dialect.
    const validate = new Ajv({ strict: false, allErrors: true }).compile({ ...schema, $schema: undefined });
    expect(validate(compose), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ services: { readback: { prots: [] } } })).toBe(false);
  });

  it("has the profiles that the documents name", () => {
    const profiles = services.flatMap(([, { profiles = [] }]) => profiles);
    expect([...new Set(profiles)].sort()).toEqual(["elasticsearch", "guard", "local-ai", "monitoring"]);
  });

  it("takes every image at a version", () => {
    for (const [name, { image }] of services)
      expect(image, name).toMatch(name === "readback" ? /^readback$/ : /:v?\d+\.\d+\.\d+(?:-cpu)?$/);
  });

  it("publishes nothing beyond this machine but the relays' port", () => {
    const published = services.flatMap(([, { ports = [] }]) => ports);
    expect(published.filter((port) => !port.startsWith("127.0.0.1:"))).toEqual([
      // biome-ignore lint/suspicious/noTemplateCurlyInString: as compose writes it
      "${READBACK_RELAY_ADDRESS:-127.0.0.1}:8086:8086",
    ]);
  });

  it("mounts files that are there, and volumes that are declared", () => {
    for (const [name, { volumes = [] }] of services)
      for (const source of volumes.map(
        (volume) => volume.replace(/^\$\{\w+:-([^}]+)\}/, "$1").split(":")[0]!,
      ))
        if (source.startsWith(".")) expect(existsSync(deploy(source)), `${name}: ${source}`).toBe(true);
        else expect(Object.keys(compose.volumes), name).toContain(source);
  });

  it("has settings for models on this machine that load, and lead to its services", () => {
    const { llm, transcription, speech } = loadConfig({ READBACK_CONFIG: deploy("local-ai.json") }).config;
    for (const url of [llm.baseUrl, transcription.baseUrl, speech.baseUrl])
      expect(compose.services[new URL(url!).hostname]?.profiles, url).toEqual(["local-ai"]);
  });
});

interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

interface ComposeService {
  readonly image: string;
  readonly profiles?: readonly string[];
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
}

describe("the runbook", () => {
  const runbook = readFileSync(new URL("../RUNBOOK.md", import.meta.url), "utf8");
  const alerts = alertRules();

  it("has an entry for every alert, and for nothing else, in their order", () => {
    const entries = [...runbook.matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
    expect(entries).toEqual(alerts.map(({ alert }) => alert));
  });

  it("says of each how urgent it is, as the alert does", () => {
    const said = [...runbook.matchAll(/^## \w+\n\n\*\*(\w+)\.\*\*/gm)].map(([, severity]) => severity);
    expect(said).toEqual(alerts.map(({ labels }) => labels.severity));
  });
});

describe("the cases that promtool plays", () => {
  type Expectation = { readonly alertname: string; readonly exp_alerts?: readonly object[] };
  type Cases = { readonly tests: readonly { readonly alert_rule_test: readonly Expectation[] }[] };
  const expectations = (parse(read("alerts.test.yml")) as Cases).tests.flatMap((one) => one.alert_rule_test);

  it.each(alertRules().map(({ alert }) => alert))(
    "have one in which %s fires, and one in which not",
    (alert) => {
      const firing = expectations
        .filter(({ alertname }) => alertname === alert)
        .map(({ exp_alerts = [] }) => exp_alerts.length > 0);
      expect(new Set(firing)).toEqual(new Set([true, false]));
    },
  );
});

describe("the metrics that are asked for", () => {
  it.each([
    ["alerts", alertRules().map(({ alert, expr }) => ({ where: alert, expr }))],
    ["dashboard", panelExpressions("1m").map(({ panel, expr }) => ({ where: panel, expr }))],
  ])("exist, in the %s", async (_file, expressions) => {
    const known = await exportedNames();
    const asked = expressions.map(({ where, expr }) => ({
      where,
      names: selectorsIn(expr).map(({ name }) => name),
    }));
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
    const rules = panelExpressions("1m").map(({ expr }, index) => ({ record: `panel:${index}`, expr }));
    const file = join(directory, "rules.yml");
    writeFileSync(file, JSON.stringify({ groups: [{ name: "dashboard", rules }] }));
    promtool("check", "rules", file);
  });
});

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
