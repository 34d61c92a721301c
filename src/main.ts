/**
 * The composition root: settings in, a running service out. Everything that talks to the world is created here and
 * handed down; nothing below creates its own.
 */
import { Intake } from "./chat/intake.js";
import { type Answering, createAnswering, loadTexts } from "./compose/answering.js";
import { prepareDataDirectory } from "./compose/data-directory.js";
import { Doors, type Ports } from "./compose/doors.js";
import { type EvaluationDoor, openEvaluationDoor } from "./compose/evaluation-door.js";
import { type Knowledge, openKnowledge, tryGroupsFile } from "./compose/knowledge.js";
import { createSync, type Sync } from "./compose/syncing.js";
import type { LoadedConfig } from "./config/load.js";
import { secretsOf } from "./config/load.js";
import type { Config } from "./config/schema.js";
import { READY_CHECK_MS_MAX } from "./http/health.js";
import { type Clock, systemClock } from "./lib/clock.js";
import { Closers } from "./lib/closers.js";
import { withDeadline } from "./lib/deadline.js";
import type { LoopGuard } from "./lib/loop-guard.js";
import { Pressure } from "./lib/pressure.js";
import { type Random, systemRandom } from "./lib/random.js";
import { rotateSecrets } from "./lib/secret.js";
import { WatchedFiles } from "./lib/watched-files.js";
import { UnansweredLog } from "./store/unanswered-log.js";
import { createTelemetry, type Subscriber, type Telemetry } from "./telemetry/events.js";
import { createLog, type Log } from "./telemetry/logs.js";
import { createMetrics, type Metrics } from "./telemetry/metrics.js";
import type { Traces } from "./telemetry/traces/traces.js";
import { Rehearsal } from "./turn/rehearsal.js";

export interface ServiceOptions {
  readonly clock?: Clock;
  readonly random?: Random;
  /** Told of every event, besides metrics and log. */
  readonly subscriber?: Subscriber;
  /** Where the log goes; standard error unless given. */
  readonly logStream?: NodeJS.WritableStream;
  /** Whether the service answers itself at its start, so that its first users wait no longer than later ones. */
  readonly rehearses?: boolean;
  /** Watches the event loop, where the process is the service's own; told when the service stops. */
  readonly guard?: LoopGuard;
}

export interface Service {
  /** Opens the doors; resolves with the ports in use. Rejects when one cannot be had, with all closed again. */
  start(): Promise<Ports>;
  /** Stops accepting, lets answers finish within the grace period, tells the chats, closes. */
  stop(): Promise<void>;
  /** Says something to a user unasked. */
  readonly announce: Answering["chats"]["announce"];
}

/** What the last traces may take at the end, also where answers took all of the grace. */
const TRACES_MS_MIN = 250;

/** Sections whose secrets the doors take in by themselves. */
const DOORS = { http: undefined, relay: undefined };

/** How long the start waits for search and voice to be warm. */
const WARM_UP_MS_MAX = 5_000;

/**
 * Builds the service. Rejects with a readable error when prompts, texts or settings cannot be used, with everything
 * closed again that was opened.
 */
export async function createService(loaded: LoadedConfig, options: ServiceOptions = {}): Promise<Service> {
  const opened = new Closers();
  try {
    return await composeService(loaded, options, opened);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function composeService(
  loaded: LoadedConfig,
  options: ServiceOptions,
  opened: Closers,
): Promise<Service> {
  const { config } = loaded;
  const { clock = systemClock, guard, random = systemRandom } = options;
  const { log, metrics, telemetry, traces, unanswered } = await createWatching(loaded, options);
  opened.add(unanswered, (it) => it?.close());
  opened.add(traces, (it) => it?.close(0));
  const pressure = createPressure(config, clock, telemetry);
  const intake = new Intake(opened.add(pressure, async (it) => it.close()));
  const deps = { clock, random, telemetry, intake };
  prepareDataDirectory(config.dataDir);
  await tryGroupsFile(config);
  const texts = await loadTexts(config);
  const knowledge = opened.add(await openKnowledge(config, deps), (it) => it.close());
  const sync = opened.add(await createSync(config, knowledge, deps), (it) => it?.stop());
  const answering = opened.add(await createAnswering(config, texts, knowledge, deps), (it) => it.close());
  const { chats, guiding, operating, overview, recogniser, speech } = answering;
  const hears = recogniser !== undefined;
  const { retrieval } = knowledge;
  const ready = () =>
    within(clock, "the readiness check", READY_CHECK_MS_MAX, async (signal) => {
      if (intake.closedFor !== undefined) throw new Error(`no new turns are taken: ${intake.closedFor}`);
      await retrieval.ready(signal);
      const ledger = operating && { ledger: operating.ledger.state };
      return { guard: await knowledge.guard.state(signal), ...ledger };
    });
  const evaluating = { answering, knowledge, prompts: texts.prompts };
  const evaluation = opened.add(await openEvaluationDoor(config, evaluating, deps), (it) => it?.close());
  const watched = new WatchedFiles(clock, (what, error) =>
    telemetry.emit(error ? { type: "files_unusable", what, error } : { type: "files_reread", what }),
  );
  opened.add(watched, async (it) => it.stop());
  watched.add(guiding.watched);
  const capable = { chats, overview, operating, guiding, speech, hears };
  const parts = { watched, ...capable, metrics, ready, evaluation, unanswered };
  const shared = { ...deps, ...parts, locales: texts.locales };
  const doors = new Doors(config, shared);
  const { paths } = loaded;
  if (paths.length > 0) watched.add({ name: "settings", paths, reload: () => readAgain(loaded, log, doors) });
  metrics.observe({
    chats: () => chats.size,
    networks: () => chats.networks,
    voices: () => chats.voices,
    connections: () => doors.relay.connections,
    backlog: () => doors.relay.backlog,
    longestBlockMs: () => guard?.longestBlockMs ?? 0,
  });
  return new RunningService({
    config,
    clock,
    telemetry,
    doors,
    knowledge,
    sync,
    answering,
    evaluation,
    traces,
    unanswered,
    guard,
    pressure,
    intake,
    rehearsal: options.rehearses ? new Rehearsal(texts.locales.of(undefined), config.rehearsalMs) : undefined,
  });
}

/** Takes in the keys, tokens and other secrets of the settings as they are now. */
async function readAgain(loaded: LoadedConfig, log: Log, doors: Doors): Promise<void> {
  const again = loaded.reload();
  log.keepOut(secretsOf(again.file));
  await doors.adopt(again.config);
  rotateSecrets({ ...loaded.config, ...DOORS }, { ...again.config, ...DOORS });
}

interface Parts {
  readonly config: Config;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly doors: Doors;
  readonly knowledge: Knowledge;
  readonly sync: Sync | undefined;
  readonly answering: Answering;
  readonly evaluation: EvaluationDoor | undefined;
  readonly traces: Traces | undefined;
  readonly unanswered: UnansweredLog | undefined;
  readonly guard: LoopGuard | undefined;
  readonly pressure: Pressure;
  readonly intake: Intake;
  readonly rehearsal: Rehearsal | undefined;
}

class RunningService implements Service {
  constructor(private readonly parts: Parts) {}

  readonly announce: Service["announce"] = (announcement) =>
    this.parts.answering.chats.announce(announcement);

  async start(): Promise<Ports> {
    const { answering, doors, evaluation, knowledge, sync, telemetry } = this.parts;
    const { checking, connections, name: engine, operating, recogniser, speech } = answering;
    try {
      await Promise.all([
        this.#warmUp("retrieval", (signal) => knowledge.retrieval.ready(signal)),
        this.#warmUp("speech", (signal) => speech.warm(signal)),
        this.#warmUp("sites", async () => {
          await checking?.start();
          await operating?.start();
        }),
        this.#warmUp("guides", () => answering.guiding.start()),
        this.#warmUp("connections", () => connections.start()),
        this.#warmUp("recognition", async (signal) => recogniser?.warm(signal)),
      ]);
      const ports = await doors.open();
      sync?.start();
      evaluation?.start();
      const ears = recogniser === undefined ? {} : { recogniser: recogniser.name };
      const relays = doors.relay.believes;
      telemetry.emit({ type: "service_started", engine, speech: speech.name, ...ears, ...ports, relays });
      this.#watchLoop();
      this.parts.rehearsal?.start();
      return ports;
    } catch (error) {
      this.parts.guard?.stopping();
      await this.#close(0);
      throw error;
    }
  }

  /** From now on somebody waits for answers: what blocked the loop while it started hurt nobody. */
  #watchLoop(): void {
    const { guard, telemetry } = this.parts;
    guard?.reportTo({
      blocked: (ms) => telemetry.emit({ type: "loop_blocked", ms }),
      failed: (error) =>
        telemetry.emit({ type: "service_fault", where: "the watch of the event loop", error: String(error) }),
    });
  }

  async stop(): Promise<void> {
    const { answering, config, doors, intake, guard, telemetry } = this.parts;
    intake.stop();
    const lateMs = guard?.stopping() ?? 0;
    telemetry.emit({ type: "service_stopping", chats: answering.chats.size });
    doors.relay.stopAccepting();
    await this.#close(Math.max(0, config.shutdownGraceMs - lateMs));
  }

  /** A part that is not ready is no reason not to start: it may come round, and until then answers degrade. */
  async #warmUp(what: string, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { clock, telemetry } = this.parts;
    await within(clock, `warming up ${what}`, WARM_UP_MS_MAX, work).catch((error: unknown) => {
      telemetry.emit({ type: "service_fault", where: what, error: String(error) });
    });
  }

  async #close(finishWithinMs: number): Promise<void> {
    const { answering, clock, doors, evaluation, knowledge, sync, traces, unanswered } = this.parts;
    const { pressure, rehearsal } = this.parts;
    const untilMs = clock.monotonic() + finishWithinMs;
    pressure.close();
    await Promise.all([evaluation?.close(), rehearsal?.stop()]);
    await Promise.all([answering.chats.shutdown(finishWithinMs), sync?.stop()]);
    await doors.close();
    await Promise.all([knowledge.close(), answering.close(), unanswered?.close()]);
    await traces?.close(Math.max(TRACES_MS_MIN, untilMs - clock.monotonic()));
  }
}

function within<T>(
  clock: Clock,
  what: string,
  limitMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return withDeadline(clock, what, limitMs, new AbortController().signal, work);
}

function createPressure({ chat }: Config, clock: Clock, telemetry: Telemetry): Pressure {
  const { pressureHeapShareMax: heap, pressureLoopDelayMsMax: event_loop, pressureMs: tripMs } = chat;
  return new Pressure(clock, { max: { heap, event_loop }, tripMs }, (change) =>
    telemetry.emit({ type: "pressure_changed", ...change }),
  );
}

/** Metrics, log and traces, and what feeds them with events. */
async function createWatching(
  { config, file }: LoadedConfig,
  options: ServiceOptions,
): Promise<{
  readonly log: Log;
  readonly metrics: Metrics;
  readonly telemetry: Telemetry;
  readonly traces: Traces | undefined;
  readonly unanswered: UnansweredLog | undefined;
}> {
  const { clock = systemClock } = options;
  const { debugNetworks } = config.log;
  const metrics = createMetrics();
  const log = createLog({
    environment: config.environment,
    level: config.log.level,
    debugNetworks,
    secrets: secretsOf(file),
    stream: options.logStream,
    clock,
    onBroken: (error) =>
      telemetry.emit({ type: "service_fault", where: "the log's stream", error: String(error) }),
  });
  const emit: Telemetry["emit"] = (event) => telemetry.emit(event);
  const unanswered = config.chat.logUnanswered
    ? new UnansweredLog(config.dataDir, { clock, telemetry: { emit } })
    : undefined;
  const also: Subscriber[] = options.subscriber === undefined ? [] : [options.subscriber];
  if (unanswered !== undefined) also.push((event) => unanswered.note(event));
  // OpenTelemetry takes time to load, and is not wanted by most.
  const traces =
    config.traces.endpoint === undefined && config.traces.langfuseHost === undefined
      ? undefined
      : (await import("./telemetry/traces/traces.js")).openTraces(config.traces, {
          ...{ clock, debugNetworks, telemetry: { emit } },
        });
  if (traces !== undefined) also.push(traces.subscriber);
  const telemetry: Telemetry = createTelemetry([metrics.subscriber, log.subscriber, ...also]);
  return { log, metrics, telemetry, traces, unanswered };
}
