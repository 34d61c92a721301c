/**
 * What traces cost the service in processor time, by turn: the events of a turn that the service answered itself, and
 * what models and voices would have told in it, are told again to metrics alone and to metrics and traces, block by
 * block in turn. Traces go to a server in another process, all of them, by OTLP over HTTP:
 *
 *     npm run bench -- traces
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { loadConfig } from "../src/config/load.js";
import { systemClock } from "../src/lib/clock.js";
import { createService } from "../src/main.js";
import {
  createTelemetry,
  type Subscriber,
  type Telemetry,
  type TelemetryEvent,
} from "../src/telemetry/events.js";
import { createMetrics } from "../src/telemetry/metrics.js";
import { openTraces } from "../src/telemetry/traces/traces.js";
import { withKnowledge } from "./support/knowledge.js";
import { NETWORK } from "./support/relay.js";
import { median, verdict } from "./support/stats.js";

const AIM_MS = 0.2;
const BLOCKS = 15;
/** With pauses between, so that spans are sent and not dropped. */
const BURSTS = 10;
const TURNS_A_BURST = 60;
const PAUSE_MS = 60;
const TURNS = BURSTS * TURNS_A_BURST;
const WARM_UP_BLOCKS = 3;

const USER = { network: NETWORK, username: "ann" };
const QUESTION = "What do I do when the press jams?";
const ASKED = 40;

/** What two models, a voice and a recogniser tell in a turn. */
const OTHERS: readonly TelemetryEvent[] = [
  { type: "voice_received", user: USER, turn: "t", audioMs: 2_400 },
  {
    type: "speech_recognised",
    user: USER,
    turn: "t",
    result: "words",
    model: "whisper-1",
    audioMs: 2_400,
    ms: 350,
  },
  ...[1, 2].map(
    (n): TelemetryEvent => ({
      type: "model_called",
      slot: "main",
      model: "gpt-4.1-mini",
      result: "ok",
      ms: 700,
      ...(n === 2 && { firstMs: 300 }),
      inputTokens: 900,
      outputTokens: 60,
      costUsd: 0.000_456,
    }),
  ),
  { type: "stage_finished", user: USER, stage: "plan", ms: 700 },
  ...[1, 2, 3].map(
    (n): TelemetryEvent => ({
      type: "speech_unit_finished",
      user: USER,
      model: "tts-1/shimmer",
      ms: 400 * n,
      firstPacketMs: 200,
      packets: 120,
      preSkipSamples: 312,
      endTrimSamples: 0,
    }),
  ),
];

export async function run(): Promise<void> {
  const { cpuMs, events } = await withKnowledge(answered);
  const { child, url } = await startSink();
  try {
    const metrics = () => createMetrics().subscriber;
    const sent = { taken: 0, lost: 0 };
    const deps = { clock: systemClock, debugNetworks: [], telemetry: counting(sent) };
    const traces = openTraces({ endpoint: url, headers: {}, sampleRatio: 1 }, deps);
    const without: number[] = [];
    const added: number[] = [];
    const [alone, together] = [[metrics()], [metrics(), traces.subscriber]];
    for (let block = -WARM_UP_BLOCKS; block < BLOCKS; block++) {
      const base = await replayed(events, alone, block);
      const more = (await replayed(events, together, block)) - base;
      if (block < 0) continue;
      without.push(base);
      added.push(more);
    }
    await traces.close(10_000);
    const costMs = median(added);
    const spans = (sent.taken / TURNS / (BLOCKS + WARM_UP_BLOCKS)).toFixed(1);
    const spread = [Math.min(...added), Math.max(...added)].map((ms) => ms.toFixed(3)).join(" to ");
    console.log(`Traces: ${events.length} events a turn, ${spans} spans; ${sent.lost} spans dropped`);
    console.log(`  metrics alone          ${median(without).toFixed(3)} ms of processor time a turn`);
    console.log(`  traces add             ${costMs.toFixed(3)} ms (blocks: ${spread})`);
    console.log(
      `  a whole turn, offline  ${cpuMs.toFixed(2)} ms: traces are ${((100 * costMs) / cpuMs).toFixed(1)} % of it`,
    );
    console.log(`  aim: under ${AIM_MS} ms: ${verdict(costMs, AIM_MS)}`);
  } finally {
    child.kill();
  }
}

/** The events of a turn that a service without a model answers, with the others, and what such a turn takes in all. */
async function answered(
  dataDir: string,
): Promise<{ readonly cpuMs: number; readonly events: readonly TelemetryEvent[] }> {
  const told: TelemetryEvent[] = [];
  const ports = { "relay.port": 0, "http.port": 0, "metrics.port": 0, "grpc.port": 0 };
  const offline = {
    "llm.provider": "offline",
    "speech.provider": "offline",
    "log.level": "error",
    shutdown_grace_ms: 0,
  };
  const loaded = loadConfig({}, { data_dir: dataDir, ...ports, ...offline });
  const service = await createService(loaded, { subscriber: (event) => told.push(event) });
  const { http } = await service.start();
  const ask = async (n: number) => {
    const body = JSON.stringify({ ...USER, username: `ann-${n}`, text: QUESTION });
    const headers = { "content-type": "application/json" };
    const response = await fetch(`http://127.0.0.1:${http}/api/v1/answers`, {
      method: "POST",
      headers,
      body,
    });
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  };
  for (let n = 0; n < ASKED; n++) await ask(n);
  const sinceCpu = process.cpuUsage();
  for (let n = 0; n < ASKED; n++) await ask(ASKED + n);
  const cpuMs = cpuOf(sinceCpu) / ASKED;
  await service.stop();
  const turn = told.findLast(({ type }) => type === "turn_finished")?.turn;
  const own = told.filter((event) => event.turn === turn);
  const end = own.findIndex(({ type }) => type === "turn_waterfall");
  return { cpuMs, events: [...own.slice(0, end), ...OTHERS, ...own.slice(end)] };
}

/** Processor time of a turn in milliseconds. */
async function replayed(
  events: readonly TelemetryEvent[],
  subscribers: readonly Subscriber[],
  block: number,
): Promise<number> {
  const telemetry = createTelemetry(subscribers);
  const since = process.cpuUsage();
  for (let burst = 0; burst < BURSTS; burst++) {
    for (let n = 0; n < TURNS_A_BURST; n++) {
      const turn = `${block}-${burst}-${n}`;
      for (const event of events) telemetry.emit({ ...event, turn } as TelemetryEvent);
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return cpuOf(since) / TURNS;
}

function cpuOf(since: NodeJS.CpuUsage): number {
  const { system, user } = process.cpuUsage(since);
  return (system + user) / 1_000;
}

function counting(sent: { taken: number; lost: number }): Telemetry {
  return createTelemetry([
    (event) => {
      if (event.type !== "sink_sent") return;
      if (event.result === "taken") sent.taken += event.count;
      else sent.lost += event.count;
    },
  ]);
}

/** Takes everything and keeps nothing. */
const SINK =
  "const server = require('node:http').createServer((request, response) => request.resume().on('end', () => response.end('{}')));" +
  "server.listen(0, '127.0.0.1', () => console.log(server.address().port));";

async function startSink(): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const child = spawn(process.execPath, ["-e", SINK], { stdio: ["ignore", "pipe", "inherit"] });
  const [port] = (await once(child.stdout, "data")) as [Buffer];
  return { child, url: `http://127.0.0.1:${String(port).trim()}/v1/traces` };
}
