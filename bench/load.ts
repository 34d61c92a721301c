/**
 * The service under load: what a chat costs in memory, and how punctual the packets of many voices are that speak at
 * once, against plain senders over the same sockets, in one run:
 *
 *     node dist/bench/load.js [--voices 500] [--packet-ms 20] [--part memory|voices|peers]
 *
 * Lateness is that of each packet's arrival at its relay against the arrival of packet 0 plus pid × duration: positive
 * when a listener would have run dry. The service sends ahead by its cushion, so its packets are also held against the
 * time by which its pacer means to send them.
 */
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { CUSHION_MS, groupSpanMs } from "../src/turn/pacer.js";
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

const MEMORY = { relays: 1_000, chats: 5_000, lanes: 50, warmUpTurns: 1_000, fullChats: 200, fullTurns: 9 };

/** Every voice speaks for `sentences` × `sentenceMs`; all of them at once for that less the ramp. */
const VOICES = { voices: 500, relays: 50, sentences: 8, sentenceMs: 4_020, rampMs: 8_000 };

/** Enough to see how punctual a plain sender is. */
const FLOOR = { answerMs: 12_000, rampMs: 2_000 };

/** From here on a voice's cushion is full, and packets leave when the pacer lets them. */
const PACED_FROM_MS = 1_000;

export interface LoadOptions {
  readonly voices: number;
  readonly packetMs: readonly PacketMs[];
  readonly parts: readonly ("memory" | "voices" | "peers")[];
}

const DEFAULTS: LoadOptions = {
  voices: VOICES.voices,
  packetMs: [60, 20],
  parts: ["memory", "voices", "peers"],
};

export async function run({ voices, packetMs, parts }: LoadOptions = DEFAULTS): Promise<void> {
  if (parts.includes("memory")) await withStage(measureMemory);
  if (!parts.includes("voices") && !parts.includes("peers")) return;
  console.log(
    `\n${voices} voices at once over ${VOICES.relays} relays; lateness in ms, aim: p99 under ${AIM_MS}`,
  );
  for (const duration of packetMs) {
    if (parts.includes("voices")) await withStage((stage) => measureVoices(stage, voices, duration));
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

async function measureVoices(stage: Stage, voices: number, packetMs: PacketMs): Promise<void> {
  const { sentences, sentenceMs, rampMs } = VOICES;
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
  await stage.relays.call("connect", { port: stage.relayPort, relays: VOICES.relays });
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
  reportVoices(
    `readback, packets of ${packetMs} ms`,
    heard,
    sentences * sentenceMs,
    CUSHION_MS - groupSpanMs(packetMs),
  );
  console.log(`    ${loadText(PROCESS_NAMES, load)}`);
  console.log(
    `    event loop busy ${(100 * utilization).toFixed(0)}%, ${collections} collections of garbage, ` +
      `the longest ${longestCollectionMs.toFixed(1)} ms`,
  );
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
    reportVoices(FLOOR_NAMES[pace], heard, answerMs, pace === "deadline" ? CUSHION_MS : 0);
    console.log(`    ${loadText(["sender", "relays"], load)}`);
  } finally {
    await Promise.all([sender.stop(), relays.stop()]);
  }
}

const FLOOR_NAMES = {
  interval: "peer: setInterval for each voice",
  deadline: "peer: setTimeout to each packet's deadline",
} as const;

function reportVoices(label: string, heard: readonly Heard[], answerMs: number, aheadMs: number): void {
  const spoken = heard.filter(({ ending }) => ending === "voice");
  const fromMs = Math.max(...spoken.map(({ arrivalsMs }) => arrivalsMs[0]!));
  const toMs = Math.min(...spoken.map(({ arrivalsMs }) => arrivalsMs.at(-1)!));
  const lateness = (only: LatenessSelection) => summarize(spoken.flatMap((one) => latenessMs(one, only)));
  const all = lateness({});
  console.log(
    `\n  ${label}: ${all.count} packets, all voices at once for ${((toMs - fromMs) / 1_000).toFixed(1)} s`,
  );
  latenessRow("against play-out", all);
  latenessRow("  while all speak", lateness({ fromMs, toMs }));
  if (aheadMs > 0) {
    const paced = { aheadMs, playedFromMs: PACED_FROM_MS };
    latenessRow(`against ${aheadMs} ms before it`, lateness(paced));
    latenessRow("  while all speak", lateness({ ...paced, fromMs, toMs }));
  }
  const dry = spoken.flatMap((one) => latenessMs(one, {})).filter((late) => late > 0).length;
  const broken = spoken.filter((one) => !isWhole(one, answerMs)).length;
  console.log(
    `    packets after their play-out ${dry}; voices with a gap or cut short ${broken}; ` +
      `answers that were no voice ${heard.length - spoken.length}`,
  );
}

function latenessRow(label: string, summary: Summary): void {
  console.log(`    ${label.padEnd(28)} ${figures(summary)}   aim ${verdict(summary.p99, AIM_MS)}`);
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
    options: { voices: { type: "string" }, "packet-ms": { type: "string" }, part: { type: "string" } },
  });
  return {
    voices: Number(values.voices ?? DEFAULTS.voices),
    packetMs: DEFAULTS.packetMs.filter((ms) => (values["packet-ms"] ?? String(ms)) === String(ms)),
    parts: DEFAULTS.parts.filter((part) => (values.part ?? part) === part),
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  await run(optionsFrom(process.argv.slice(2)));
