/**
 * A real Prometheus (the Debian package) with the configuration and the rules of `deploy/`, as they are but for where the
 * services are, how often they are asked, and how long an alert waits: a shift of a minute stands for one of an hour.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parse } from "yaml";
import { listen } from "../../src/lib/listen.js";
import { deployText, type RuleFile } from "./deploy.js";
import { patience } from "./patience.js";

/** `for: 5m` of a rule is five seconds here. Ranges such as `[5m]` are as they are. */
const FOR_FACTOR = 60;

/** How often services are scraped and rules are evaluated: every 15 seconds in `deploy/`. */
const INTERVAL = "1s";

const START_MS_MAX = patience(30_000);
const LOOK_MS = 200;
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600 };

/** A series and its last value. */
export interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The port of metrics of each service, by the name that it has as an instance. */
export type Targets = Readonly<Record<string, number>>;

export const hasPrometheus = spawnSync("prometheus", ["--version"]).error === undefined;

interface PrometheusFile {
  readonly global: object;
  readonly scrape_configs: readonly { readonly job_name: string }[];
}

export class Prometheus {
  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
  ) {}

  /** Keeps its files in `folder`. Resolves when it has scraped all targets: what is counted later, it sees grow. */
  static async start(targets: Targets, folder: string): Promise<Prometheus> {
    const file = join(folder, "prometheus.yml");
    writeFileSync(file, JSON.stringify(configuration(targets)));
    writeFileSync(join(folder, "alerts.yml"), JSON.stringify(hastenedRules()));
    const server = createServer();
    const port = await listen(server, { host: "127.0.0.1", port: 0 });
    await new Promise((resolve) => server.close(resolve));
    const parameters = [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(folder, "series")}`,
      `--web.listen-address=127.0.0.1:${port}`,
      "--log.level=warn",
    ];
    const child = spawn("prometheus", parameters, { stdio: ["ignore", "ignore", "inherit"] });
    const prometheus = new Prometheus(`http://127.0.0.1:${port}`, child);
    const isReady = () =>
      fetch(`${prometheus.url}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    await prometheus.#becomes("ready", isReady);
    const wanted = Object.keys(targets).length;
    await prometheus.#becomes(
      "able to scrape",
      async () => (await prometheus.query("up == 1")).length === wanted,
    );
    return prometheus;
  }

  /** What `expression` comes to now; NaN, where nothing was counted, is no value. */
  async query(expression: string): Promise<readonly Sample[]> {
    const response = await fetch(`${this.url}/api/v1/query?query=${encodeURIComponent(expression)}`);
    const { data, error } = (await response.json()) as {
      error?: string;
      data: { result: { metric: Sample["metric"]; value: [number, string] }[] };
    };
    if (error !== undefined) throw new Error(`${expression}: ${error}`);
    return data.result
      .map(({ metric, value: [, value] }) => ({ metric, value: Number(value) }))
      .filter(({ value }) => !Number.isNaN(value));
  }

  /** Names of the alerts that have fired since the start. */
  async fired(): Promise<ReadonlySet<string>> {
    const fired = await this.query('last_over_time(ALERTS{alertstate="firing"}[1h])');
    return new Set(fired.map(({ metric }) => metric.alertname!));
  }

  async close(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const exit = once(this.child, "exit");
    this.child.kill("SIGTERM");
    await exit;
  }

  async #becomes(what: string, look: () => Promise<boolean>): Promise<void> {
    const startMs = performance.now();
    while (!(await look())) {
      if (this.child.exitCode !== null) throw new Error(`Prometheus ended before it was ${what}`);
      if (performance.now() - startMs > START_MS_MAX) throw new Error(`Prometheus did not become ${what}`);
      await delay(LOOK_MS);
    }
  }
}

function configuration(targets: Targets): object {
  const { global, scrape_configs } = parse(deployText("prometheus.yml")) as PrometheusFile;
  const [job] = scrape_configs;
  const found = Object.entries(targets).map(([instance, port]) => ({
    targets: [`127.0.0.1:${port}`],
    labels: { instance },
  }));
  return {
    global: { ...global, scrape_interval: INTERVAL, scrape_timeout: INTERVAL, evaluation_interval: INTERVAL },
    rule_files: ["alerts.yml"],
    scrape_configs: [{ ...job, static_configs: found }],
  };
}

function hastenedRules(): RuleFile {
  const { groups } = parse(deployText("alerts.yml")) as RuleFile;
  const hastened = (rule: RuleFile["groups"][number]["rules"][number]) =>
    rule.for === undefined ? rule : { ...rule, for: hastenedTime(rule.for) };
  return { groups: groups.map((group) => ({ ...group, rules: group.rules.map(hastened) })) };
}

function hastenedTime(written: string): string {
  const [, amount, unit] = /^(\d+)([smh])$/.exec(written)!;
  return `${Math.ceil((Number(amount) * SECONDS[unit!]!) / FOR_FACTOR)}s`;
}
