/**
 * The service under load: what a chat costs in memory, and how punctual the packets of many voices are that speak at
 * once, against plain senders over the same sockets, in one run:
 *
 *     node dist/bench/load.js [--voices 500] [--relays 50] [--packet-ms 20] [--part memory|voices|peers|crowd]
 *
 * `crowd` goes on with more voices, or with fewer, until it is known how many of them the machine can take: with
 * everything on it, servers and relays included. Nothing that was said before is kept, so each sentence is a request.
 *
 * Lateness is that of each packet's arrival at its relay against the arrival of packet 0 plus pid × duration: positive
 * when a listener would have run dry. The service sends ahead by its cushion, so its packets are also held against the
 * time by which its pacer means to send them.
 */
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { CUSHION_MS, groupSpanMs, TICK_MS } from "../src/turn/pacer.js";
import type { BareVoicesCalls, Pace } from "./support/bare-voices.child.js";
import { Child } from "./support/child.js";
import type { Behaviour } from "./support/provider.child.js";
import type { Heard } from "./support/relay.js";
import type { RelayCalls } from "./support/relays.child.js";
import type { Memory } from "./support/service.child.js";
import type { PacketMs } from "./support/speech-body.js";
import { metersOf, PROCESS_NAMES, type Stage, withStage } from "./support/stage.js";
import { figures, loadText, metered, type Summary, summarize, verdict } from "./support/stats.js";

const AIM_MS = 5;

const MEMORY = { relays: 1_000, chats: 1_000, lanes: 50, warmUpTurns: 500, fullChats: 100, fullTurns: 9 };

/** Every voice speaks for `sentences` × `sentenceMs`; all of them at once for that less the ramp. */
const VOICES = { voices: 500, relays: 50, sentences: 8, sentenceMs: 4_020, rampMs: 8_000 };

/** Voices that begin so slowly that beginning is not what keeps the machine busy, and then speak all at once. */
const CROWD = { sentences: 9, sentenceMs: 6_000, rampMs: 30_000 };

/** Without `relays`: each voice over one of its own. */
const CROWDS: readonly (Omit<VoicesJob, "voices" | "relays"> & { readonly relays?: number })[] = [
  { ...CROWD, packetMs: 20, relays: 50, aimMs: AIM_MS },
  { ...CROWD, packetMs: 60, aimMs: 20 },
];

/** Where to begin, and the steps from there. */
const CROWD_SIZE = 500;
const CROWD_SIZES = [125, 250, CROWD_SIZE, 1_000, 2_000, 4_000];

/** All relays of the crowd are at one address. */
const CROWD_SETTINGS = { "speech.cache_bytes_max": 0, "relay.connections_per_address_max": 4_096 };

/** Enough to see how punctual a plain sender is. */
const FLOOR = { answerMs: 12_000, rampMs: 2_000 };

/** From here on a voice's cushion is full, and packets leave when the pacer lets them. */
const PACED_FROM_MS = 1_000;

export interface LoadOptions {
  /** Absent: as many as each part is about. */
  readonly voices?: number;
  /** Of the crowd; absent: as it is meant to be. */
  readonly relays?: number;
  readonly packetMs: readonly PacketMs[];
  readonly parts: readonly ("memory" | "voices" | "peers" | "crowd")[];
}

const DEFAULTS: LoadOptions = { packetMs: [60, 20], parts: ["memory", "voices", "peers", "crowd"] };

export async function run(options: LoadOptions = DEFAULTS): Promise<void> {
  const { packetMs, parts, voices = VOICES.voices } = options;
  if (parts.includes("memory")) await withStage(measureMemory);
  if (parts.includes("crowd")) await measureCrowds(options);
  if (!parts.includes("voices") && !parts.includes("peers")) return;
  console.log(
    `\n${voices} voices at once over ${VOICES.relays} relays; lateness in ms, aim: p99 under ${AIM_MS}`,
  );
  for (const duration of packetMs) {
    const job = { ...VOICES, voices, packetMs: duration, aimMs: AIM_MS };
    if (parts.includes("voices")) await withStage((stage) => measureVoices(stage, job));
    if (!parts.includes("peers")) continue;
    for (const pace of ["interval", "deadline"] as const) await measureFloor(voices, duration, pace);
  }
}

async function measureMemory({ service, provider, relays, relayPort }: Stage): Promise<void> {
  const quick: Behaviour = {
    planMs: [0, 0],
    composeMs: [0, 0],
    wordMs: 0,
    speechMs: [0, 0],
    chunkMs: 20,
    firstChunk: "full",
    sentences: 2,
    sentenceMs: 60,
    packetMs: 60,
  };
  const ask = (prefix: string, users: number, turns: number) =>
    relays.call("loop", { prefix, users, turns, lanes: MEMORY.lanes, responseType: "text", lockstep: false });
  await provider.call("behave", quick);
  await relays.call("connect", { port: relayPort, relays: MEMORY.lanes });
  await ask("warm-up", MEMORY.lanes, MEMORY.warmUpTurns);
  const start = await service.call("memory", undefined);
  await relays.call("connect", { port: relayPort, relays: MEMORY.relays });
  const connected = await service.call("memory", undefined);
  const heard = await ask("user", MEMORY.chats, MEMORY.chats);
  const chatting = await service.call("memory", undefined);
  await ask("user", MEMORY.fullChats, MEMORY.fullChats * MEMORY.fullTurns);
  const full = await service.call("memory", undefined);

  const answered = heard.filter(({ ending }) => ending === "text").length;
  console.log(
    `\n${MEMORY.relays} relays, ${MEMORY.chats} chats (${answered} answered); memory after collection`,
  );
  memoryRow(`service after ${MEMORY.warmUpTurns} turns`, start, 1, "in all");
  memoryRow("a relay's connection", minus(connected, start), MEMORY.relays - MEMORY.lanes, "each");
  memoryRow("a chat with one question and answer", minus(chatting, connected), MEMORY.chats, "each");
  memoryRow("more for a history that is full", minus(full, chatting), MEMORY.fullChats, "each");
  memoryRow("service with all of them", full, 1, "in all");
}

function minus(one: Memory, other: Memory): Memory {
  return { rss: one.rss - other.rss, heap: one.heap - other.heap, external: one.external - other.external };
}

function memoryRow(label: string, memory: Memory, count: number, each: string): void {
  const kib = (bytes: number) => `${(bytes / count / 1_024).toFixed(1).padStart(9)} KiB`;
  const { rss, heap, external } = memory;
  console.log(
    `  ${label.padEnd(38)} resident ${kib(rss)}   heap ${kib(heap)}   buffers ${kib(external)}   ${each}`,
  );
}

/** Tries each crowd as it is meant to be, then steps up while its aim is met, or down while it is missed. */
async function measureCrowds({ packetMs, relays, voices }: LoadOptions): Promise<void> {
  for (const crowd of CROWDS.filter((one) => packetMs.includes(one.packetMs))) {
    const sizes = voices === undefined ? CROWD_SIZES : [voices];
    let index = Math.max(0, sizes.indexOf(CROWD_SIZE));
    let direction: 1 | -1 | undefined;
    let most = 0;
    for (let size = sizes[index]; size !== undefined; size = sizes[index]) {
      const job = { ...crowd, voices: size, relays: relays ?? crowd.relays ?? size };
      const settings = { ...CROWD_SETTINGS, "chat.turns_running_max": 2 * size };
      const isMet = await withStage((stage) => measureVoices(stage, job), settings);
      if (isMet) most = Math.max(most, size);
      direction ??= isMet ? 1 : -1;
      if (isMet !== (direction === 1)) break;
      index += direction;
    }
    console.log(`  packets of ${crowd.packetMs} ms: the most voices tried that met the aim: ${most}`);
  }
}

/** Voices that speak at once, and what is asked of their packets. */
interface VoicesJob {
  readonly voices: number;
  readonly relays: number;
  readonly sentences: number;
  readonly sentenceMs: number;
  readonly rampMs: number;
  readonly packetMs: PacketMs;
  readonly aimMs: number;
}

/** True when the aim is met, by every voice without a gap. */
async function measureVoices(stage: Stage, job: VoicesJob): Promise<boolean> {
  const { voices, relays, sentences, sentenceMs, rampMs, packetMs, aimMs } = job;
  const patient: Behaviour = {
    planMs: [100, 300],
    composeMs: [100, 300],
    wordMs: 10,
    speechMs: [200, 800],
    chunkMs: 50,
    firstChunk: "full",
    sentences,
    sentenceMs,
    packetMs,
  };
  await stage.provider.call("behave", patient);
  await stage.relays.call("connect", { port: stage.relayPort, relays });
  await stage.relays.call("loop", {
    prefix: "warm-up",
    users: VOICES.relays,
    lanes: VOICES.relays,
    turns: 4 * VOICES.relays,
    responseType: "text",
    lockstep: false,
  });
  await stage.service.call("loop", undefined);
  const { result: heard, load } = await metered(metersOf(stage), () =>
    stage.relays.call("ramp", { prefix: "voice", users: voices, rampMs }),
  );
  const { utilization, collections, longestCollectionMs } = await stage.service.call("loop", undefined);
  const isMet = reportVoices(
    `readback, ${voices} voices over ${relays} relays, packets of ${packetMs} ms`,
    heard,
    {
      answerMs: sentences * sentenceMs,
      aheadMs: CUSHION_MS - groupSpanMs(packetMs) - TICK_MS,
      aimMs,
    },
  );
  console.log(`    ${loadText(PROCESS_NAMES, load)}`);
  const packets = heard.reduce((sum, { arrivalsMs }) => sum + arrivalsMs.length, 0);
  const each = load.own.map((share) => ((1_000 * share * load.elapsedMs) / packets).toFixed(1));
  const eachText = PROCESS_NAMES.map((name, i) => `${name} ${each[i]}`).join(", ");
  console.log(`    microseconds of a processor for each packet, whole turns included: ${eachText}`);
  console.log(
    `    event loop busy ${(100 * utilization).toFixed(0)}%, ${collections} collections of garbage, ` +
      `the longest ${longestCollectionMs.toFixed(1)} ms`,
  );
  return isMet;
}

/** Plain senders in a process of their own, asked by the same relays. */
async function measureFloor(voices: number, packetMs: PacketMs, pace: Pace): Promise<void> {
  const sender = new Child<BareVoicesCalls>("bare-voices.child");
  const relays = new Child<RelayCalls>("relays.child");
  try {
    const { answerMs, rampMs } = FLOOR;
    const { port } = await sender.call("start", { pace, packetMs, answerMs });
    await relays.call("connect", { port, relays: VOICES.relays });
    const { result: heard, load } = await metered([sender, relays], () =>
      relays.call("ramp", { prefix: "voice", users: voices, rampMs }),
    );
    const aheadMs = pace === "deadline" ? CUSHION_MS : 0;
    reportVoices(FLOOR_NAMES[pace], heard, { answerMs, aheadMs, aimMs: AIM_MS });
    console.log(`    ${loadText(["sender", "relays"], load)}`);
  } finally {
    await Promise.all([sender.stop(), relays.stop()]);
  }
}

const FLOOR_NAMES = {
  interval: "peer: setInterval for each voice",
  deadline: "peer: setTimeout to each packet's deadline",
} as const;

/** True when no listener would have heard a gap, but for as many packets and as little as the aim allows. */
function reportVoices(
  label: string,
  heard: readonly Heard[],
  {
    answerMs,
    aheadMs,
    aimMs,
  }: { readonly answerMs: number; readonly aheadMs: number; readonly aimMs: number },
): boolean {
  const spoken = heard.filter(({ ending }) => ending === "voice");
  const fromMs = Math.max(...spoken.map(({ arrivalsMs }) => arrivalsMs[0]!));
  const toMs = Math.min(...spoken.map(({ arrivalsMs }) => arrivalsMs.at(-1)!));
  const lateness = (only: LatenessSelection) => summarize(spoken.flatMap((one) => latenessMs(one, only)));
  const all = lateness({});
  console.log(
    `\n  ${label}: ${all.count} packets, all voices at once for ${((toMs - fromMs) / 1_000).toFixed(1)} s`,
  );
  latenessRow("against play-out", all, aimMs);
  latenessRow("  while all speak", lateness({ fromMs, toMs }), aimMs);
  if (aheadMs > 0) {
    const paced = { aheadMs, playedFromMs: PACED_FROM_MS };
    latenessRow(`against ${aheadMs} ms before it`, lateness(paced), aimMs);
    latenessRow("  while all speak", lateness({ ...paced, fromMs, toMs }), aimMs);
  }
  const dry = spoken.flatMap((one) => latenessMs(one, {})).filter((late) => late > 0).length;
  const broken = spoken.filter((one) => !isWhole(one, answerMs)).length;
  console.log(
    `    packets after their play-out ${dry}; voices with a gap or cut short ${broken}; ` +
      `answers that were no voice ${heard.length - spoken.length}`,
  );
  return all.p99 < aimMs && broken === 0 && spoken.length === heard.length;
}

function latenessRow(label: string, summary: Summary, aimMs: number): void {
  console.log(`    ${label.padEnd(28)} ${figures(summary)}   aim ${verdict(summary.p99, aimMs)}`);
}

/** Of which packets the lateness is told, and against what. */
interface LatenessSelection {
  /** Packets that arrive between these times. */
  readonly fromMs?: number;
  readonly toMs?: number;
  /** Packets that play this long after the first, or later. */
  readonly playedFromMs?: number;
  /** How long before its play-out a packet is due. */
  readonly aheadMs?: number;
}

function latenessMs({ arrivalsMs, packetMs }: Heard, only: LatenessSelection): number[] {
  const { fromMs = 0, toMs = Number.POSITIVE_INFINITY, playedFromMs = 0, aheadMs = 0 } = only;
  const late: number[] = [];
  for (let pid = Math.ceil(playedFromMs / packetMs); pid < arrivalsMs.length; pid++) {
    const arrivedMs = arrivalsMs[pid]!;
    if (arrivedMs >= fromMs && arrivedMs <= toMs)
      late.push(arrivedMs - arrivalsMs[0]! - pid * packetMs + aheadMs);
  }
  return late;
}

function isWhole({ arrivalsMs, durationMs, outOfOrder, packetMs }: Heard, answerMs: number): boolean {
  return outOfOrder === 0 && durationMs === answerMs && arrivalsMs.length * packetMs === answerMs;
}

function optionsFrom(args: readonly string[]): LoadOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      voices: { type: "string" },
      relays: { type: "string" },
      "packet-ms": { type: "string" },
      part: { type: "string" },
    },
  });
  return {
    ...(values.voices === undefined ? {} : { voices: Number(values.voices) }),
    ...(values.relays === undefined ? {} : { relays: Number(values.relays) }),
    packetMs: DEFAULTS.packetMs.filter((ms) => (values["packet-ms"] ?? String(ms)) === String(ms)),
    parts: DEFAULTS.parts.filter((part) => (values.part ?? part) === part),
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  await run(optionsFrom(process.argv.slice(2)));
