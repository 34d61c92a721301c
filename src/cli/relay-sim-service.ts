/** The service of a simulation: started on free ports, offline, with a data folder of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { childEnvironment, loadConfig } from "../config/load.js";
import { FILE_VARIABLE, SETTINGS, variableOf } from "../config/settings.js";
import { type Clock, systemClock } from "../lib/clock.js";
import { withDeadline } from "../lib/deadline.js";
import { type ListenAddress, listen } from "../lib/listen.js";
import { createService } from "../main.js";
import { ledgerFiles, readPublicKey } from "../operate/ledger/files.js";
import type { LedgerEntry } from "../operate/ledger/port.js";
import { rowsIn } from "../operate/ledger/rows.js";
import { verifyLedger } from "../operate/ledger/verify.js";
import type { LedgerOfRun } from "../sim/operations.js";
import { ScenarioProblem } from "../sim/read-scenario.js";
import type { ServiceControl } from "../sim/user.js";
import { ingestWhole } from "./ingest-told.js";

export interface ServiceRequest {
  /** Folders by network. */
  readonly documents: Readonly<Record<string, string>>;
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

type Work<T> = (address: ListenAddress, control: ServiceControl) => Promise<T>;

const HOST = "127.0.0.1";

/** How long a process may take to start, and to end when it is told to, in milliseconds. */
const START_MS_MAX = 60_000;
const STOP_MS_MAX = 20_000;

/** What a file of settings writes for the folder of data; what lies there, lies in the run's own. */
const USUAL_DATA_DIR = ".readback/";

/** Runs `work` with the service, and puts everything away. Settings of the environment do not count here. */
export async function withService<T>(
  { clock, documents, isMortal, settings, sites }: ServiceRequest,
  signal: AbortSignal,
  work: Work<T>,
): Promise<Served<T>> {
  const dataDir = await mkdtemp(join(tmpdir(), "readback-sim-"));
  try {
    const port = isMortal ? await freePort() : 0;
    const environment = environmentOf(settings, dataDir, port);
    if (sites !== undefined) {
      const file = join(dataDir, "sites.json");
      await writeFile(file, await sitesIn(sites, dataDir));
      environment[FILE_VARIABLE] = file;
    }
    for (const [network, folder] of Object.entries(documents))
      await ingestWhole(folder, network, loadConfig(environment).config, signal);
    const files = filesIn(dataDir);
    const result = isMortal
      ? await withProcess(environment, { host: HOST, port }, files, signal, work)
      : await withinProcess(environment, clock, files, work);
    return { result, ledger: await ledgerIn(dataDir) };
  } finally {
    await rm(dataDir, { recursive: true, maxRetries: 3 });
  }
}

async function withinProcess<T>(
  environment: Readonly<Record<string, string>>,
  clock: Clock,
  files: Omit<ServiceControl, "kill">,
  work: Work<T>,
): Promise<T> {
  const service = await createService(loadConfig(environment), {
    clock,
    logStream: new PassThrough().resume(),
  });
  const { relay } = await service.start();
  const kill = () => Promise.reject(new Error("a service in this process cannot be killed"));
  try {
    return await work({ host: HOST, port: relay }, { ...files, kill });
  } finally {
    await service.stop();
  }
}

async function withProcess<T>(
  environment: Readonly<Record<string, string>>,
  address: ListenAddress,
  files: Omit<ServiceControl, "kill">,
  signal: AbortSignal,
  work: Work<T>,
): Promise<T> {
  let child = await startProcess(environment, signal);
  const kill = async () => {
    await ended(child, "SIGKILL");
    child = await startProcess(environment, signal);
  };
  try {
    return await work(address, { ...files, kill });
  } finally {
    await ended(child, "SIGTERM").finally(() => child.kill("SIGKILL"));
  }
}

/** Resolves when it listens. Rejects when it ends before, or takes too long. */
async function startProcess(
  environment: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<ChildProcess> {
  const env = { ...childEnvironment(), ...environment };
  const child = spawn(process.execPath, [process.argv[1]!, "serve"], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const listening = async () => {
    for await (const line of createInterface({ input: child.stderr }))
      if (line.includes('"event":"service_started"')) return;
    throw new Error("the service ended before it listened");
  };
  try {
    await withDeadline(systemClock, "the start of the service", START_MS_MAX, signal, listening);
  } catch (error) {
    child.kill("SIGKILL");
    throw error;
  }
  child.stderr.resume();
  return child;
}

async function ended(child: ChildProcess, by: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill(by);
  await withDeadline(systemClock, "the end of the service", STOP_MS_MAX, NEVER, () => exit);
}

const NEVER = new AbortController().signal;

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server, { host: HOST, port: 0 });
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function filesIn(dataDir: string): Omit<ServiceControl, "kill"> {
  return {
    async write(name, text) {
      const file = join(dataDir, name);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    },
    remove: (name) => rm(join(dataDir, name), { recursive: true }),
  };
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
  for await (const { entry } of rowsIn(files.rows, {}, bytes)) entries.push(entry);
  return { entries, flaw: flaw?.why };
}

/** The settings as variables, and what every run of a simulation has. */
function environmentOf(
  settings: ServiceRequest["settings"],
  dataDir: string,
  port: number,
): Record<string, string> {
  const own = {
    data_dir: dataDir,
    "relay.host": HOST,
    "relay.port": port,
    "http.port": 0,
    "metrics.port": 0,
    "grpc.port": 0,
    shutdown_grace_ms: 0,
  };
  const unknown = Object.keys(settings).find((name) => !SETTINGS.some(({ path }) => path.join(".") === name));
  if (unknown !== undefined)
    throw new ScenarioProblem(`the scenario sets ${unknown}, which is no setting; see: readback config`);
  const all = Object.entries({ ...settings, ...own });
  return Object.fromEntries(all.map(([name, value]) => [variableOf(name.split(".")), String(value)]));
}
