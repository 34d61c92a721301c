/**
 * The whole service in this process, on real sockets, with a scripted model and speech server, its own data folder
 * and everything that it tells recorded. Closed again when the test ends.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Writable } from "node:stream";
import { onTestFailed, onTestFinished } from "vitest";
import type { Ports } from "../../src/compose/doors.js";
import { openSource } from "../../src/compose/ingestion.js";
import { openKnowledge } from "../../src/compose/knowledge.js";
import { type LoadedConfig, loadConfig } from "../../src/config/load.js";
import { ingest } from "../../src/ingest/ingest.js";
import type { Clock } from "../../src/lib/clock.js";
import { createService, type Service } from "../../src/main.js";
import { knowledgeDirectory } from "../../src/retrieval/embedded/database.js";
import type { TelemetryEvent } from "../../src/telemetry/events.js";
import { ingestDeps } from "../support/ingest-deps.js";
import { OpenAiServer, type OpenAiServerOptions } from "../support/openai-server.js";
import { VirtualClock } from "../support/virtual-clock.js";
import { Changes, PATIENCE_MS } from "./changes.js";
import { TestRelay } from "./relay.js";

/** File name to text, by network. */
export type Documents = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface WorldOptions {
  readonly documents?: Documents;
  /** Settings by their dotted names. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly environment?: Readonly<Record<string, string>>;
  /** One that stands still unless given: nothing is late by itself, however busy the machine is. */
  readonly clock?: Clock;
  /** What the model server answers where nothing is scripted. */
  readonly respond?: OpenAiServerOptions["respond"];
  /** The key that the model server wants. */
  readonly apiKey?: string;
}

export class World {
  readonly events: TelemetryEvent[] = [];
  #log = "";
  readonly #changes = new Changes();
  #service: Service | undefined;
  #ports: Ports | undefined;

  private constructor(
    readonly directory: string,
    readonly server: OpenAiServer,
    private readonly options: WorldOptions,
  ) {}

  static async start(options: WorldOptions = {}): Promise<World> {
    const directory = temporaryDirectory();
    const { respond, apiKey } = options;
    const server = await OpenAiServer.start({
      ...(respond === undefined ? {} : { respond }),
      ...(apiKey === undefined ? {} : { apiKey }),
    });
    const world = new World(directory, server, options);
    onTestFinished(async () => {
      await world.stop();
      await server.close();
    });
    onTestFailed(() => console.error(`The log of the service:\n${world.log}`));
    for (const [network, files] of Object.entries(options.documents ?? {}))
      await world.ingest(network, files);
    await world.#begin();
    return world;
  }

  get ports(): Ports {
    return this.#ports!;
  }

  get dataDir(): string {
    return join(this.directory, "data");
  }

  /** Has the service say something unasked, through its real registry of chats. */
  get announce(): Service["announce"] {
    return this.#service!.announce;
  }

  /** Everything that was logged. */
  get log(): string {
    return this.#log;
  }

  /** Every request body that the model server received, as JSON. */
  get requestText(): string {
    return this.server.requests.map(({ body }) => JSON.stringify(body)).join("\n");
  }

  async relay(): Promise<TestRelay> {
    const relay = await TestRelay.connect(this.ports.relay);
    onTestFinished(() => relay.close());
    return relay;
  }

  /** Makes `files` the whole folder of the network's documents, and brings the index up to date with it. */
  async ingest(network: string, files: Readonly<Record<string, string>>): Promise<void> {
    const folder = join(this.directory, "documents", encodeURIComponent(network));
    rmSync(folder, { recursive: true, force: true });
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    mkdirSync(folder, { recursive: true });
    await ingestFolder(folder, network, this.#loadConfig());
  }

  /** The `count`th event of this type, waiting for it if need be. */
  happened<T extends TelemetryEvent["type"]>(
    type: T,
    count = 1,
  ): Promise<TelemetryEvent & { readonly type: T }> {
    return this.#changes.until(
      () => this.eventsOf(type)[count - 1],
      () =>
        `waited for ${count} × ${type} in vain; there were: ${this.events.map((event) => event.type).join(", ")}`,
    );
  }

  eventsOf<T extends TelemetryEvent["type"]>(type: T): (TelemetryEvent & { readonly type: T })[] {
    return this.events.filter((event): event is TelemetryEvent & { readonly type: T } => event.type === type);
  }

  /** The text of the metrics page. */
  async metrics(): Promise<string> {
    const response = await fetch(`http://127.0.0.1:${this.ports.metrics}/metrics`);
    return response.text();
  }

  /** One metric's value, such as `readback_turns_total{result="partial"}`; 0 when it is not there. */
  async metric(name: string): Promise<number> {
    const line = (await this.metrics()).split("\n").find((text) => text.startsWith(`${name} `));
    return Number(line?.slice(name.length + 1) ?? 0);
  }

  /** Reads a metric again and again until it is as wanted. */
  async metricBecomes(name: string, wanted: (value: number) => boolean): Promise<void> {
    const startMs = performance.now();
    while (!wanted(await this.metric(name))) {
      if (performance.now() - startMs >= PATIENCE_MS)
        throw new Error(`${name} is ${await this.metric(name)}`);
    }
  }

  async stop(): Promise<void> {
    const service = this.#service;
    this.#service = undefined;
    await service?.stop();
  }

  /** Ends the service and begins it anew, on other ports, with the data that it left. */
  async restart(): Promise<void> {
    await this.stop();
    await this.#begin();
  }

  async #begin(): Promise<void> {
    const log = new Writable({
      write: (chunk, _encoding, done) => {
        this.#log += String(chunk);
        done();
      },
    });
    const subscriber = (event: TelemetryEvent) => {
      this.events.push(event);
      this.#changes.notify();
    };
    const { clock = new VirtualClock() } = this.options;
    const service = await createService(this.#loadConfig(), { clock, subscriber, logStream: log });
    this.#ports = await service.start();
    this.#service = service;
  }

  #loadConfig() {
    const { environment = {} } = this.options;
    return loadConfig(environment, {
      data_dir: this.dataDir,
      "relay.port": 0,
      "http.port": 0,
      "metrics.port": 0,
      "grpc.port": 0,
      "llm.base_url": this.server.baseUrl,
      ...(environment.OPENAI_API_KEY_FILE === undefined && { "llm.api_key": this.server.apiKey }),
      "llm.retry_delay_ms": 0,
      // Scripts expect each request for speech, also for words that were spoken before.
      "speech.cache_bytes_max": 0,
      // The requests of a script are those that its questions cause.
      "llm.keep_warm": false,
      // Scripts count calls: who tests another search in other words asks for it.
      "retrieval.retry_below": 0,
      shutdown_grace_ms: 0,
      ...this.options.config,
    });
  }
}

/** What `readback ingest` does, all of it in this process: other processes are tried where they are the matter. */
export async function ingestFolder(path: string, network: string, { config }: LoadedConfig): Promise<void> {
  const signal = new AbortController().signal;
  const knowledge = await openKnowledge(config);
  const { elasticsearch, embedder } = knowledge;
  const deps = ingestDeps(knowledgeDirectory(config.dataDir), config.ingest, {
    ...(embedder && { embedding: { embedder, batchSize: config.embedding.batchSize } }),
    ...(elasticsearch && { openWriter: knowledge.openWriter }),
  });
  const request = { source: await openSource(path, config), network, options: config.ingest };
  const report = await ingest(request, deps, () => {}, signal).finally(() => knowledge.close());
  if (report.failed.length > 0) throw new Error(`not ingested: ${JSON.stringify(report.failed)}`);
}

/** A folder that is gone when the test is over. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "readback-e2e-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** The relay stops reading, and so much is sent to it that the service has to keep what comes next. */
export async function congest(world: World, relay: TestRelay): Promise<void> {
  relay.pause();
  const probe = relay.user("nowhere", "nobody");
  const padding = "x".repeat(PADDING_CHARS);
  const received = () => world.eventsOf("command_received").length;
  for (let step = 1; (await world.metric("readback_outbox_bytes")) < CONGESTED_BYTES; step++) {
    if (step > STEPS_MAX) throw new Error("the socket takes everything");
    for (let frame = 0; frame < FRAMES_PER_STEP; frame++) relay.send({ command: "keep_alive", padding });
    const before = received();
    probe.send("get_chat");
    await world.happened("command_received", before + 1);
  }
}

/** So much is more than what waits for a turn of the event loop only, and far less than what makes the outbox full. */
const CONGESTED_BYTES = 1_000_000;
const PADDING_CHARS = 200_000;
const FRAMES_PER_STEP = 5;
const STEPS_MAX = 100;
