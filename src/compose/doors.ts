/** The doors of the service: relays, the HTTP API with its health checks, gRPC, and the metrics. */
import type { ChatRegistry } from "../chat/registry.js";
import type { Config } from "../config/schema.js";
import { variableOf } from "../config/settings.js";
import { ApiKeys } from "../door/api-keys.js";
import { GrpcServer } from "../grpc/server.js";
import { answersDoor } from "../http/answers.js";
import { checksDoor } from "../http/checks.js";
import { extrasDoor } from "../http/extras.js";
import { guard } from "../http/guard.js";
import { healthRoutes, type ReadyCheck } from "../http/health.js";
import { kioskDoor } from "../http/kiosk/door.js";
import { Kiosks } from "../http/kiosk/kiosks.js";
import { metricsRoutes } from "../http/metrics.js";
import { ollamaDoor } from "../http/ollama.js";
import { openaiDoor } from "../http/openai.js";
import { HttpServer } from "../http/server.js";
import type { Clock } from "../lib/clock.js";
import type { Random } from "../lib/random.js";
import type { Locales } from "../locale/locales.js";
import { RelayTokens } from "../tcp/relay-tokens.js";
import { RelayServer } from "../tcp/server.js";
import type { Telemetry } from "../telemetry/events.js";
import type { ExtrasOffered } from "../turn/extras.js";
import type { EvaluationDoor } from "./evaluation-door.js";
import { suggestAtKiosk } from "./extras.js";

export interface DoorsDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly telemetry: Telemetry;
  readonly chats: ChatRegistry;
  readonly extras: ExtrasOffered;
  readonly metrics: Parameters<typeof metricsRoutes>[0];
  readonly ready: ReadyCheck;
  readonly evaluation: EvaluationDoor | undefined;
  readonly locales: Locales;
}

/** Ports in use. */
export interface Ports {
  readonly relay: number;
  readonly http: number;
  readonly metrics: number;
  /** Absent when that door is not opened. */
  readonly grpc?: number;
}

interface Door {
  listen(): Promise<number>;
  close(): Promise<void>;
}

export class Doors {
  readonly relay: RelayServer;
  readonly #http: Door;
  readonly #metrics: Door;
  readonly #grpc: Door | undefined;

  constructor(config: Config, deps: DoorsDeps) {
    this.relay = new RelayServer(config.relay, {
      ...deps,
      tokens: new RelayTokens(config.relay, deps.telemetry),
    });
    const { apiKeys, defaultNetwork, defaultUsername, kiosks, modelNames } = config.http;
    const otherwise = { network: defaultNetwork, username: defaultUsername };
    const api = { ...deps, keys: new ApiKeys(apiKeys), otherwise, modelNames };
    const evaluate = deps.evaluation?.evaluate;
    const evaluations = deps.evaluation === undefined ? [] : [deps.evaluation.routes];
    const kiosk =
      kiosks.length === 0
        ? []
        : kioskDoor({
            ...deps,
            suggest: suggestAtKiosk(deps.extras),
            keys: new Kiosks(kiosks, deps.locales.languages),
          });
    const routes = [
      healthRoutes(deps.ready),
      answersDoor(api),
      checksDoor(api),
      extrasDoor(api),
      guard(api, "evaluations", "/api/v1/evaluations"),
      ...evaluations,
      openaiDoor(api),
      ollamaDoor(api),
      ...kiosk,
    ];
    this.#http = new HttpServer(config.http, routes, deps);
    this.#metrics = new HttpServer(config.metrics, [metricsRoutes(deps.metrics)], deps);
    if (config.grpc.enabled) this.#grpc = new GrpcServer(config.grpc, { ...api, evaluate });
  }

  /** Opens all. Rejects when one cannot be had, with a message that names the settings to change. */
  async open(): Promise<Ports> {
    return {
      relay: await opened("relay", this.relay),
      http: await opened("http", this.#http),
      metrics: await opened("metrics", this.#metrics),
      ...(this.#grpc === undefined ? {} : { grpc: await opened("grpc", this.#grpc) }),
    };
  }

  async close(): Promise<void> {
    const doors: (Door | undefined)[] = [this.relay, this.#http, this.#metrics, this.#grpc];
    await Promise.all(doors.map((door) => door?.close()));
  }
}

async function opened(name: keyof Ports, door: Door): Promise<number> {
  try {
    return await door.listen();
  } catch (error) {
    const [host, port] = ["host", "port"].map((setting) => variableOf([name, setting]));
    const remedy = `Set ${name}.host and ${name}.port (${host}, ${port}) to what is free here`;
    throw new Error(`${(error as Error).message}. ${remedy}.`, { cause: error });
  }
}
