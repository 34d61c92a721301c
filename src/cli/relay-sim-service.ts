/** The service of a simulation: started in this process on free ports, offline, with a data folder of its own. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { type LoadedConfig, loadConfig } from "../config/load.js";
import type { Config } from "../config/schema.js";
import { SETTINGS } from "../config/settings.js";
import type { Clock } from "../lib/clock.js";
import type { ListenAddress } from "../lib/listen.js";
import { createService } from "../main.js";
import { ScenarioProblem } from "../sim/read-scenario.js";
import { ingestWhole } from "./ingest-told.js";

export interface ServiceRequest {
  /** Folders by network. */
  readonly documents: Readonly<Record<string, string>>;
  /** By names such as `chat.floor`, as text. */
  readonly settings: Readonly<Record<string, string>>;
  readonly clock: Clock;
}

const HOST = "127.0.0.1";

/** Runs `work` with the service, and puts everything away. Settings of the environment do not count here. */
export async function withService<T>(
  { documents, settings, clock }: ServiceRequest,
  signal: AbortSignal,
  work: (address: ListenAddress, config: Config) => Promise<T>,
): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), "readback-sim-"));
  try {
    const loaded = settingsOf(settings, dataDir);
    for (const [network, folder] of Object.entries(documents))
      await ingestWhole(folder, network, loaded.config, signal);
    const service = await createService(loaded, { clock, logStream: new PassThrough().resume() });
    const { relay } = await service.start();
    try {
      return await work({ host: HOST, port: relay }, loaded.config);
    } finally {
      await service.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true });
  }
}

function settingsOf(settings: ServiceRequest["settings"], dataDir: string): LoadedConfig {
  const environment: Record<string, string> = {};
  for (const [name, text] of Object.entries(settings)) {
    const setting = SETTINGS.find(({ path }) => path.join(".") === name);
    if (setting === undefined)
      throw new ScenarioProblem(`the scenario sets ${name}, which is no setting; see: readback config`);
    environment[setting.variable] = text;
  }
  return loadConfig(environment, {
    data_dir: dataDir,
    "relay.host": HOST,
    "relay.port": 0,
    "http.port": 0,
    "metrics.port": 0,
    "grpc.port": 0,
    shutdown_grace_ms: 0,
  });
}
