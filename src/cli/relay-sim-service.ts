/** The service of a simulation: started on free ports, offline, with a data folder of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { childEnvironment, loadConfig } from "../config/load.js";
import { FILE_VARIABLE, SETTINGS, variableOf } from "../config/settings.js";
import { type Clock, systemClock } from "../lib/clock.js";
import { withDeadline } from "../lib/deadline.js";
import type { ListenAddress } from "../lib/listen.js";
import { ledgerFiles, readPublicKey } from "../operate/ledger/files.js";
import type { LedgerEntry } from "../operate/ledger/port.js";
import { rowsIn, verifyLedger } from "../operate/ledger/rows.js";
import type { LedgerOfRun } from "../sim/operations.js";
import { ScenarioProblem } from "../sim/read-scenario.js";
import type { ServiceControl } from "../sim/user.js";
import { ingestWhole } from "./ingest-told.js";

export interface ServiceRequest {
  /** Folders by network. */
  readonly documents: Readonly<Record<string, string>>;
  /** Files by networks. */
  readonly guides?: Readonly<Record<string, readonly string[]>>;
  /** By names such as `chat.floor`, as text. */
  readonly settings: Readonly<Record<string, string>>;
  /** A file of settings whose sites it has, and addresses there that are locked out. */
  readonly sites?: { readonly file: string; readonly locked_out: readonly string[] } | undefined;
  readonly clock: Clock;
  /** Whether it will be killed: then it is a process of its own, on the machine's clock. */
  readonly isMortal: boolean;
}

export interface Served<T> {
  readonly result: T;
  /** Absent: it has none. */
  readonly ledger?: LedgerOfRun | undefined;
}

const HOST = "127.0.0.1";

/** How long a process may take to start, and to end when it is told to, in milliseconds. */
const START_MS_MAX = 60_000;
const STOP_MS_MAX = 20_000;

/** What a file of settings writes for the folder of data; what lies there, lies in the run's own. */
const USUAL_DATA_DIR = ".readback/";

/** A service that listens. */
interface Running extends Pick<ServiceControl, "kill" | "jump"> {
  readonly port: number;
  stop(): Promise<void>;
}

type Environment = Readonly<Record<string, string>>;

/** Runs `work` with the service, and puts everything away. Settings of the environment do not count here. */
export async function withService<T>(
  { clock, documents, guides = {}, isMortal, settings, sites }: ServiceRequest,
  signal: AbortSignal,
  work: (address: ListenAddress, control: ServiceControl) => Promise<T>,
): Promise<Served<T>> {
  const dataDir = await mkdtemp(join(tmpdir(), "readback-sim-"));
  try {
    const file = join(dataDir, "sites.json");
    if (sites !== undefined) await writeFile(file, await sitesIn(sites, dataDir));
    const environment = { ...environmentOf(settings, dataDir), ...(sites && { [FILE_VARIABLE]: file }) };
    for (const [network, folder] of Object.entries(documents))
      await ingestWhole(folder, network, loadConfig(environment).config, signal);
    for (const [network, files] of Object.entries(guides))
      for (const one of files) await cp(one, join(dataDir, "guides", network, basename(one)));
    const { stop, port, ...control } = await (isMortal
      ? ownProcess(environment, signal)
      : withinProcess(environment, clock));
    const write = (files: Parameters<ServiceControl["write"]>[0]) => changeFiles(dataDir, files);
    const result = await work({ host: HOST, port }, { ...control, write }).finally(stop);
    return { result, ledger: await ledgerIn(dataDir) };
  } finally {
    await rm(dataDir, { recursive: true, maxRetries: 3 });
  }
}

async function withinProcess(environment: Environment, clock: Clock): Promise<Running> {
  let jumpedMs = 0;
  const own = { ...clock, now: () => clock.now() + jumpedMs };
  const logStream = new PassThrough().resume();
  const { createService } = await import("../main.js");
  const service = await createService(loadConfig(environment), { clock: own, logStream });
  const { relay } = await service.start();
  return {
    port: relay,
    stop: () => service.stop(),
    kill: () => Promise.reject(new Error("a service in this process cannot be killed")),
    async jump(byMs) {
      jumpedMs += byMs;
    },
  };
}

async function ownProcess(environment: Environment, signal: AbortSignal): Promise<Running> {
  let { child, port } = await startProcess(environment, signal);
  const again = { ...environment, [variableOf(["relay", "port"])]: String(port) };
  return {
    port,
    stop: () => ended(child, "SIGTERM").finally(() => child.kill("SIGKILL")),
    async kill() {
      await ended(child, "SIGKILL");
      ({ child } = await startProcess(again, signal));
    },
    jump: () => Promise.reject(new Error("a service that is killed keeps the machine's clock")),
  };
}

/** Resolves when it listens. Rejects with the last that it said when it ends before, or takes too long. */
async function startProcess(
  environment: Environment,
  signal: AbortSignal,
): Promise<{ readonly child: ChildProcess; readonly port: number }> {
  const child = spawn(process.execPath, [process.argv[1]!, "serve"], {
    env: { ...childEnvironment(), ...environment },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const listening = async () => {
    let last = "";
    for await (const line of createInterface({ input: child.stderr })) {
      if (line.includes('"event":"service_started"')) {
        child.stderr.resume();
        return { child, port: (JSON.parse(line) as { readonly relay: number }).relay };
      }
      last = line;
    }
    throw new Error(`the service ended before it listened: ${last}`);
  };
  return withDeadline(systemClock, "the start of the service", START_MS_MAX, signal, listening).catch(
    (error: unknown) => {
      child.kill("SIGKILL");
      throw error;
    },
  );
}

async function ended(child: ChildProcess, by: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill(by);
  await withDeadline(
    systemClock,
    "the end of the service",
    STOP_MS_MAX,
    new AbortController().signal,
    () => exit,
  );
}

/** Of the data folder; undefined: such a file, or folder, is removed. */
async function changeFiles(
  dataDir: string,
  files: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const file = join(dataDir, name);
    if (text === undefined) await rm(file, { recursive: true });
    else await mkdir(dirname(file), { recursive: true }).then(() => writeFile(file, text));
  }
}

interface SitesFile {
  readonly sites: readonly { readonly resources: readonly { readonly address: string }[] }[];
}

async function sitesIn({ file, locked_out }: NonNullable<ServiceRequest["sites"]>, dataDir: string) {
  const text = (await readFile(file, "utf8")).replaceAll(USUAL_DATA_DIR, `${dataDir}/`);
  const { sites } = JSON.parse(text) as SitesFile;
  const locked = sites.map((site) => ({
    ...site,
    resources: site.resources.map((one) => ({ ...one, locked_out: locked_out.includes(one.address) })),
  }));
  return JSON.stringify({ sites: locked });
}

/** Undefined: nothing was operated. Where it is damaged, its good rows and why. */
async function ledgerIn(dataDir: string): Promise<LedgerOfRun | undefined> {
  const files = ledgerFiles(dataDir);
  if (!existsSync(files.folder)) return undefined;
  const { bytes, flaw } = await verifyLedger(files, await readPublicKey(files.key), "all");
  const entries: LedgerEntry[] = [];
  for await (const { entry } of rowsIn(files.rows, bytes)) entries.push(entry);
  return { entries, flaw: flaw?.why };
}

/** Nobody waits for a first answer in a simulation, unless its scenario says so. */
const UNHURRIED = { rehearsal_ms: 0, "speech.speak_ahead": "off" } as const;

/** The settings as variables, and what every run of a simulation has. */
function environmentOf(settings: ServiceRequest["settings"], dataDir: string): Environment {
  const ports = ["relay.port", "http.port", "metrics.port", "grpc.port"].map((name) => [name, 0] as const);
  const own = { data_dir: dataDir, "relay.host": HOST, ...Object.fromEntries(ports), shutdown_grace_ms: 0 };
  const unknown = Object.keys(settings).find((name) => !SETTINGS.some(({ path }) => path.join(".") === name));
  if (unknown !== undefined)
    throw new ScenarioProblem(`the scenario sets ${unknown}, which is no setting; see: readback config`);
  const all = Object.entries({ ...UNHURRIED, ...settings, ...own });
  return Object.fromEntries(all.map(([name, value]) => [variableOf(name.split(".")), String(value)]));
}
