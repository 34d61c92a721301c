/** The doors of the service: relays, the HTTP API with its health checks, gRPC, and the metrics. */

import { ApiKeys, type Caller } from "../api/api-keys.js";
import type { CallerAskDeps } from "../api/ask.js";
import { GivenAnswers } from "../api/given-answers.js";
import { type Keys, LimitedKeys } from "../api/limited-keys.js";
import { WrongKeys } from "../api/wrong-keys.js";
import type { ChatRegistry } from "../chat/registry.js";
import type { Config } from "../config/schema.js";
import { variableOf } from "../config/settings.js";
import { answersDoor } from "../http/answers.js";
import { approvalsDoor, type OperatingDoor } from "../http/approvals/door.js";
import { operationsPage } from "../http/approvals/page.js";
import { checksDoor } from "../http/checks.js";
import { editorPage } from "../http/editor/page.js";
import { rehearsalDoor } from "../http/editor/rehearsal.js";
import type { ApiDeps } from "../http/exchange.js";
import { guard } from "../http/guard.js";
import { type BuildingDoor, guideSessionsDoor } from "../http/guide-sessions/door.js";
import { type GuidingDoor, guidesDoor } from "../http/guides/door.js";
import { healthRoutes, type ReadyCheck } from "../http/health.js";
import { type KioskDeps, kioskDoor } from "../http/kiosk/door.js";
import { Kiosks } from "../http/kiosk/kiosks.js";
import { metricsRoutes } from "../http/metrics.js";
import { ollamaDoor } from "../http/ollama.js";
import { openaiDoor } from "../http/openai.js";
import { overviewDoor } from "../http/overview.js";
import { HttpServer } from "../http/server.js";
import { unansweredDoor } from "../http/unanswered.js";
import type { Clock } from "../lib/clock.js";
import { isOwnPeer } from "../lib/peer-user.js";
import { isLoopbackHost } from "../lib/private-address.js";
import type { Random } from "../lib/random.js";
import type { WatchedFiles } from "../lib/watched-files.js";
import type { Locales } from "../locale/locales.js";
import type { TextToSpeech } from "../speech/port.js";
import type { UnansweredLog } from "../store/unanswered-log.js";
import { greetingOf } from "../tcp/greeting.js";
import { RelayTokens } from "../tcp/relay-tokens.js";
import { RelayServer } from "../tcp/server.js";
import type { Telemetry } from "../telemetry/events.js";
import type { Overview } from "../turn/overview.js";
import type { EvaluationDoor } from "./evaluation-door.js";
import { createGates } from "./gates.js";
import { suggestAtKiosk } from "./overview.js";

export interface DoorsDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly telemetry: Telemetry;
  readonly chats: ChatRegistry;
  readonly overview: Overview;
  readonly metrics: Parameters<typeof metricsRoutes>[0];
  readonly ready: ReadyCheck;
  readonly evaluation: EvaluationDoor | undefined;
  readonly locales: Locales;
  readonly unanswered: UnansweredLog | undefined;
  /** Absent: nothing is ever done. */
  readonly operating?: OperatingDoor | undefined;
  readonly guiding: GuidingDoor & KioskDeps["guiding"] & { readonly building: BuildingDoor };
  /** The voice that answers are spoken in. */
  readonly speech: TextToSpeech;
  /** Whether spoken questions are recognised. */
  readonly hears: boolean;
  /** Where certificates and tokens are read again. */
  readonly watched: WatchedFiles;
}

/** Ports in use. */
export interface Ports {
  readonly relay: number;
  readonly http: number;
  readonly metrics: number;
  /** Absent when the kiosks have no port of their own. */
  readonly kiosk?: number;
  /** Absent when that door is not opened. */
  readonly grpc?: number;
}

interface Door {
  listen(): Promise<number>;
  close(): Promise<void>;
}

/** The keys that settings have, with their limits; replaced when the settings are read again. */
type Limited = <C extends Caller>(keysOf: (http: Config["http"]) => Keys<C>) => LimitedKeys<C>;

export class Doors {
  readonly relay: RelayServer;
  readonly #http: Door;
  readonly #kiosk: Door | undefined;
  readonly #metrics: Door;
  readonly #makeGrpc: (() => Promise<Door>) | undefined;
  #grpc: Door | undefined;
  readonly #watched: WatchedFiles;
  /** Hand the keys of other settings to the doors. */
  readonly #rekey: ((http: Config["http"]) => void)[] = [];

  constructor(config: Config, parts: DoorsDeps) {
    const { clock, watched } = parts;
    this.#watched = watched;
    const deps = { ...parts, given: new GivenAnswers(clock), routes: config.routing.routes };
    const gates = createGates(config, deps);
    const wrongKeys = new WrongKeys(clock);
    const limited: Limited = (keysOf) => {
      let keys = keysOf(config.http);
      this.#rekey.push((http) => {
        keys = keysOf(http);
      });
      return new LimitedKeys(() => keys, { clock, wrongKeys, limits: config.http });
    };
    const tokens = new RelayTokens(config.relay, wrongKeys);
    const { idleTimeoutMs } = config.relay;
    const greeting = () => greetingOf({ idleTimeoutMs, hears: deps.hears, asksForTokens: tokens.needed });
    const relay = new RelayServer(config.relay, { ...deps, tokens, greeting }, gates.relay);
    this.relay = relay;
    const { tokensFile } = config.relay;
    if (tokensFile !== undefined)
      watched.add({ name: "relay.tokens_file", paths: [tokensFile], reload: () => relay.readTokens() });
    const { defaultNetwork, defaultUsername, host, kioskHost, kioskPort, modelNames } = config.http;
    const kiosk = kioskRoutes(config, deps, limited);
    const own =
      kioskPort === undefined || kiosk.length === 0 ? undefined : { host: kioskHost, port: kioskPort };
    const keysAt = (portIsPrivate: boolean) =>
      limited(({ apiKeys }) => new ApiKeys(apiKeys, { portIsPrivate, isOwnPeer }));
    const sharesPort = kiosk.length > 0 && own === undefined;
    const otherwise = { network: defaultNetwork, username: defaultUsername };
    const api = { ...deps, keys: keysAt(isLoopbackHost(host) && !sharesPort), otherwise, modelNames };
    const evaluations = deps.evaluation === undefined ? [] : [deps.evaluation.routes];
    const health = healthRoutes(deps.ready, () => watched.troubled);
    const routes = [
      health,
      answersDoor(api),
      checksDoor(api),
      overviewDoor(api),
      unansweredDoor(api),
      ...operatingRoutes(api),
      guidesDoor(api),
      guideSessionsDoor({ ...api, building: deps.guiding.building }),
      rehearsalDoor({ ...api, building: deps.guiding.building }),
      editorPage(deps.locales),
      guard(api, "evaluations", "/api/v1/evaluations"),
      ...evaluations,
      openaiDoor(api),
      ollamaDoor(api),
      ...(sharesPort ? kiosk : []),
    ];
    this.#http = new HttpServer(config.http, routes, deps, gates.http);
    this.#kiosk = own && new HttpServer(own, kiosk, deps, gates.kiosk);
    const metrics = [health, metricsRoutes(deps.metrics)];
    this.#metrics = new HttpServer(config.metrics, metrics, deps, gates.metrics);
    if (config.grpc.enabled) {
      const keys = keysAt(isLoopbackHost(config.grpc.host));
      const grpc = { ...api, keys, evaluate: deps.evaluation?.evaluate };
      // What it is made of takes time to load, and is not wanted by most.
      this.#makeGrpc = async () =>
        new (await import("../grpc/server.js")).GrpcServer(config.grpc, grpc, gates.grpc);
    }
  }

  /** Takes in the keys and tokens of settings that were read again. Rejects where they cannot be used. */
  async adopt({ http, relay }: Config): Promise<void> {
    for (const rekey of this.#rekey) rekey(http);
    await this.relay.readTokens(relay.tokens);
  }

  /** Opens all. Rejects when one cannot be had, with a message that names the settings to change. */
  async open(): Promise<Ports> {
    this.#grpc = await this.#makeGrpc?.();
    return {
      relay: await opened("relay", this.relay),
      http: await opened("http", this.#http),
      ...(this.#kiosk === undefined ? {} : { kiosk: await opened("http", this.#kiosk, "kiosk_") }),
      metrics: await opened("metrics", this.#metrics),
      ...(this.#grpc === undefined ? {} : { grpc: await opened("grpc", this.#grpc) }),
    };
  }

  async close(): Promise<void> {
    this.#watched.stop();
    const doors: (Door | undefined)[] = [this.relay, this.#http, this.#kiosk, this.#metrics, this.#grpc];
    await Promise.all(doors.map((door) => door?.close()));
  }
}

/** Empty where nothing is ever done. */
function operatingRoutes({
  operating,
  ...api
}: DoorsDeps & ApiDeps): readonly ReturnType<typeof approvalsDoor>[] {
  return operating === undefined ? [] : [approvalsDoor({ ...api, operating }), operationsPage(api.locales)];
}

/** Empty where there are no kiosks. */
function kioskRoutes({ http }: Config, deps: DoorsDeps & CallerAskDeps, limited: Limited) {
  if (http.kiosks.length === 0) return [];
  const kiosksOf = ({ kiosks }: Config["http"]) => new Kiosks(kiosks, deps.locales.languages);
  const { logos } = kiosksOf(http);
  return kioskDoor({ ...deps, suggest: suggestAtKiosk(deps.overview), keys: limited(kiosksOf), logos });
}

/** `prefix`: of the settings' names within their section. */
async function opened(
  section: "relay" | "http" | "metrics" | "grpc",
  door: Door,
  prefix = "",
): Promise<number> {
  try {
    return await door.listen();
  } catch (error) {
    const settings = ["host", "port"].map((name) => [section, `${prefix}${name}`]);
    const names = settings.map((path) => path.join(".")).join(" and ");
    const variables = settings.map((path) => variableOf(path)).join(", ");
    const remedy = `Set ${names} (${variables}) to what is free here`;
    throw new Error(`${(error as Error).message}. ${remedy}.`, { cause: error });
  }
}
