/**
 * The service under load: what a chat costs in memory, and how punctual the packets of many voices are that speak at
 * once, before one metronome gave them and after, against plain senders over the same sockets, in one run:
 *
 *     npm run bench -- load [--voices 500] [--relays 50] [--packet-ms 20] [--sentences 8] [--chats 5000]
 *         [--part memory|voices|peers|scale|crowd]… [--before FOLDER|none]
 *
 * Before is a build of an earlier commit: without `--before` that which `scripts/bench-before.sh` makes. `scale` tells
 * what a packet costs with more and more voices, and over more and more relays. `crowd` goes on with more voices, or with
 * fewer, until it is known how many of them the machine can take: with everything on it, servers and relays included.
 * Nothing that was said before is kept there, so each sentence is a request.
 *
 * Lateness is that of each packet's arrival at its relay against the arrival of packet 0 plus pid × duration: positive
 * when a listener would have run dry. The service sends ahead by its cushion, so its packets are also held against the
 * time by which its pacer means to send them.
 */
import { execFileSync } from "node:child_process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { columns } from "../src/lib/columns.js";
import { CUSHION_MS, groupSpanMs, TICK_MS } from "../src/turn/pacer.js";
import type { BareVoicesCalls, Pace } from "./support/bare-voices.child.js";
import { Child } from "./support/child.js";
import { countOf } from "./support/count-option.js";
import type { Behaviour } from "./support/provider.child.js";
import type { Heard } from "./support/relay.js";
import type { RelayCalls } from "./support/relays.child.js";
import type { Memory } from "./support/service.child.js";
import type { PacketMs } from "./support/speech-body.js";
import { metersOf, PROCESS_NAMES, type Stage, withStage } from "./support/stage.js";
import { figures, type Load, loadText, metered, type Summary, summarize, verdict } from "./support/stats.js";

const AIM_MS = 5;

/** Of a processor for each packet of the service, whole turns included. */
const AIM_MICROSECONDS = 15;

const MEMORY = { relays: 1_000, chats: 5_000, lanes: 50, warmUpTurns: 500, fullChats: 100, fullTurns: 9 };

/** Every voice speaks for `sentences` × `sentenceMs`; all of them at once for that less the ramp. */
const VOICES = { voices: 500, relays: 50, sentences: 8, sentenceMs: 4_020, rampMs: 8_000 };

/** Voices that begin so slowly that beginning is not what keeps the machine busy, and then speak all at once. */
const CROWD = { sentences: 9, sentenceMs: 6_000, rampMs: 30_000 };

/** Without `relays`: each voice over one of its own. */
const CROWDS: readonly (Omit<VoicesJob, "voices" | "relays"> & { readonly relays?: number })[] = [
  { ...CROWD, packetMs: 20, relays: 50, aimMs: AIM_MS },
  { ...CROWD, packetMs: 60, aimMs: 20 },
];

/** Packets of 20 ms: more voices over as many relays, and as many voices over more relays. */
const SCALES: readonly { readonly voices: number; readonly relays: number }[] = [
  { voices: 100, relays: 50 },
  { voices: 300, relays: 50 },
  { voices: 1_000, relays: 50 },
  { voices: 300, relays: 1 },
  { voices: 300, relays: 1_000 },
];

/** From one voice to the next, so that beginning is not what keeps the machine busy. */
const SCALE_RAMP_MS = 30;

/** Where to begin, and the steps from there. */
const CROWD_SIZE = 500;
const CROWD_SIZES = [125, 250, CROWD_SIZE, 1_000, 2_000, 4_000];

/** Relays and chats of the benchmark are kept, however long a machine that has other work takes for the turns of others. */
const PATIENT = {
  "relay.first_frame_timeout_ms": 3_600_000,
  "relay.idle_timeout_ms": 3_600_000,
  "chat.inactivity_ms_max": 3_600_000,
};

/** All relays of the crowd are at one address. */
const CROWD_SETTINGS = {
  ...PATIENT,
  "speech.cache_bytes_max": 0,
  "relay.connections_per_address_max": 4_096,
};

/** Enough to see how punctual a plain sender is. */
const FLOOR = { answerMs: 12_000, rampMs: 2_000 };

/** How often it is looked how much memory is resident. */
const LOOK_MS = 200;

/** From here on a voice's cushion is full, and packets leave when the pacer lets them. */
const PACED_FROM_MS = 1_000;

export interface LoadOptions {
  /** These and those below, where absent: as many as each part is about. */
  readonly voices?: number;
  readonly relays?: number;
  readonly packetMs: readonly PacketMs[];
  readonly parts: readonly ("memory" | "voices" | "peers" | "scale" | "crowd")[];
  /** Sentences of each voice. */
  readonly sentences?: number;
  readonly chats?: number;
  /** The folder of a build to hold this one against; absent: of the commit before the metronome. */
  readonly before?: string;
}

const DEFAULTS: LoadOptions = {
  packetMs: [60, 20],
  parts: ["memory", "voices", "peers", "scale", "crowd"],
};

export function run(): Promise<void> {
  return measure(DEFAULTS);
}

export function runWith(args: readonly string[]): Promise<void> {
  return measure(optionsFrom(args));
}

/** One build of the service that is measured; without a folder it is this one. */
interface Build {
  readonly name: "before" | "after";
  readonly folder?: string;
}

async function measure(options: LoadOptions): Promise<void> {
  const { chats = MEMORY.chats, packetMs, parts, sentences = VOICES.sentences } = options;
  const { relays = VOICES.relays, voices = VOICES.voices } = options;
  const builds = buildsOf(options);
  const onStage = <T>({ folder }: Build, work: (stage: Stage) => Promise<T>) =>
    withStage(work, PATIENT, undefined, folder);
  if (parts.includes("memory"))
    for (const build of builds) await onStage(build, (stage) => measureMemory(stage, build.name, chats));
  for (const duration of packetMs) {
    const rows: Row[] = [];
    const job = { ...VOICES, voices, relays, sentences, packetMs: duration, aimMs: AIM_MS };
    if (parts.includes("voices"))
      for (const build of builds)
        rows.push(await onStage(build, (stage) => measureVoices(stage, job, build.name)));
    if (parts.includes("peers"))
      for (const pace of ["interval", "deadline"] as const)
        rows.push(await measureFloor(voices, duration, pace));
    if (rows.length > 0) printRows(`${voices} voices over ${relays} relays, packets of ${duration} ms`, rows);
  }
  if (parts.includes("scale")) await measureScale(sentences, builds, onStage);
  if (parts.includes("crowd")) await measureCrowds(options);
}

function buildsOf({ before, parts }: LoadOptions): readonly Build[] {
  const after: Build = { name: "after" };
  const isCompared = (["memory", "voices", "scale"] as const).some((part) => parts.includes(part));
  if (before === "none" || !isCompared) return [after];
  return [{ name: "before", folder: before ?? madeBefore() }, after];
}

function madeBefore(): string {
  const script = fileURLToPath(new URL("../../scripts/bench-before.sh", import.meta.url));
  return execFileSync(script, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }).trim();
}

/** What a packet costs should not depend on how many voices and relays there are. */
async function measureScale(
  sentences: number,
  builds: readonly Build[],
  onStage: (build: Build, work: (stage: Stage) => Promise<Row>) => Promise<Row>,
): Promise<void> {
  const table = [["voices", "relays", ...builds.map(({ name }) => `${name}: microseconds a packet`)]];
  for (const { relays, voices } of SCALES) {
    const rampMs = voices * SCALE_RAMP_MS;
    const job = { ...VOICES, rampMs, voices, relays, sentences, packetMs: 20, aimMs: AIM_MS } as const;
    const cells: string[] = [];
    for (const build of builds)
      cells.push(microseconds(await onStage(build, (stage) => measureVoices(stage, job, build.name))));
    table.push([String(voices), String(relays), ...cells]);
  }
  console.log("\nWhat a packet of 20 ms costs the service, whole turns included:");
  for (const line of columns(table)) console.log(`  ${line}`);
}

/** What was measured of one sender of voices. */
interface Row {
  readonly name: string;
  /** True when the aim is met, by every voice without a gap. */
  readonly isMet: boolean;
  readonly lateness: Summary;
  readonly packets: number;
  /** Of the sender alone, and while how long. */
  readonly load: Load;
  readonly longestCollectionMs: number;
  /** Bytes of memory that became resident, a voice. */
  readonly voiceBytes: number;
}

function microseconds({ load, packets }: Row): string {
  return ((1_000 * load.own[0]! * load.elapsedMs) / packets).toFixed(1);
}

function printRows(title: string, rows: readonly Row[]): void {
  const head = ["", "µs a packet", "processors", "lateness in ms", "longest collection", "memory a voice"];
  const cells = rows.map((row) => [
    row.name,
    microseconds(row),
    row.load.own[0]!.toFixed(2),
    figures(row.lateness),
    `${row.longestCollectionMs.toFixed(1)} ms`,
    `${(row.voiceBytes / 1_024).toFixed(0)} KiB`,
  ]);
  console.log(`\n${title}; aims: under ${AIM_MICROSECONDS} µs, p99 under ${AIM_MS} ms`);
  for (const line of columns([head, ...cells])) console.log(`  ${line}`);
}

/** Runs `work` and tells how much memory of `child` became resident meanwhile, at the most. */
async function watched<T>(
  child: Pick<Child<never>, "residentBytes">,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly bytes: number }> {
  const before = child.residentBytes();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, child.residentBytes());
  }, LOOK_MS);
  try {
    return { result: await work(), bytes: most - before };
  } finally {
    clearInterval(timer);
  }
}

async function measureMemory(
  { service, provider, relays, relayPort }: Stage,
  build: string,
  chats: number,
): Promise<void> {
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
  const heard = await ask("user", chats, chats);
  const chatting = await service.call("memory", undefined);
  await ask("user", MEMORY.fullChats, MEMORY.fullChats * MEMORY.fullTurns);
  const full = await service.call("memory", undefined);

  const answered = heard.filter(({ ending }) => ending === "text").length;
  console.log(
    `\n${build}: ${MEMORY.relays} relays, ${chats} chats (${answered} answered); memory after collection`,
  );
  memoryRow(`service after ${MEMORY.warmUpTurns} turns`, start, 1, "in all");
  memoryRow("a relay's connection", minus(connected, start), MEMORY.relays - MEMORY.lanes, "each");
  memoryRow("a chat with one question and answer", minus(chatting, connected), chats, "each");
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
      const { isMet } = await withStage((stage) => measureVoices(stage, job, "after"), settings);
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

async function measureVoices(stage: Stage, job: VoicesJob, name: string): Promise<Row> {
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
  const { result, bytes } = await watched(stage.service, () =>
    metered(metersOf(stage), () => stage.relays.call("ramp", { prefix: "voice", users: voices, rampMs })),
  );
  const { result: heard, load } = result;
  const { utilization, collections, longestCollectionMs } = await stage.service.call("loop", undefined);
  const reported = reportVoices(
    `readback, ${name}, ${voices} voices over ${relays} relays, packets of ${packetMs} ms`,
    heard,
    {
      answerMs: sentences * sentenceMs,
      aheadMs: CUSHION_MS - groupSpanMs(packetMs) - TICK_MS,
      aimMs,
    },
  );
  console.log(`    ${loadText(PROCESS_NAMES, load)}`);
  const { packets } = reported;
  const each = load.own.map((share) => ((1_000 * share * load.elapsedMs) / packets).toFixed(1));
  const eachText = PROCESS_NAMES.map((name, i) => `${name} ${each[i]}`).join(", ");
  console.log(`    microseconds of a processor for each packet, whole turns included: ${eachText}`);
  console.log(
    `    event loop busy ${(100 * utilization).toFixed(0)}%, ${collections} collections of garbage, ` +
      `the longest ${longestCollectionMs.toFixed(1)} ms`,
  );
  return { name, ...reported, load, longestCollectionMs, voiceBytes: bytes / voices };
}

/** Plain senders in a process of their own, asked by the same relays. */
async function measureFloor(voices: number, packetMs: PacketMs, pace: Pace): Promise<Row> {
  const sender = new Child<BareVoicesCalls>("bare-voices.child");
  const relays = new Child<RelayCalls>("relays.child");
  try {
    const { answerMs, rampMs } = FLOOR;
    const { port } = await sender.call("start", { pace, packetMs, answerMs });
    await relays.call("connect", { port, relays: VOICES.relays });
    await sender.call("loop", undefined);
    const { result, bytes } = await watched(sender, () =>
      metered([sender, relays], () => relays.call("ramp", { prefix: "voice", users: voices, rampMs })),
    );
    const { longestCollectionMs } = await sender.call("loop", undefined);
    const aheadMs = pace === "deadline" ? CUSHION_MS : 0;
    const name = FLOOR_NAMES[pace];
    const reported = reportVoices(name, result.result, { answerMs, aheadMs, aimMs: AIM_MS });
    console.log(`    ${loadText(["sender", "relays"], result.load)}`);
    return { name, ...reported, load: result.load, longestCollectionMs, voiceBytes: bytes / voices };
  } finally {
    await Promise.all([sender.stop(), relays.stop()]);
  }
}

const FLOOR_NAMES = {
  interval: "peer: setInterval for each voice",
  deadline: "peer: setTimeout to each packet's deadline",
} as const;

/** `isMet`: no listener would have heard a gap, but for as many packets and as little as the aim allows. */
function reportVoices(
  label: string,
  heard: readonly Heard[],
  {
    answerMs,
    aheadMs,
    aimMs,
  }: { readonly answerMs: number; readonly aheadMs: number; readonly aimMs: number },
): Pick<Row, "isMet" | "lateness" | "packets"> {
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
  const isMet = all.p99 < aimMs && broken === 0 && spoken.length === heard.length;
  return { isMet, lateness: all, packets: heard.reduce((sum, one) => sum + one.arrivalsMs.length, 0) };
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
      part: { type: "string", multiple: true },
      sentences: { type: "string" },
      chats: { type: "string" },
      before: { type: "string" },
    },
  });
  const counts = ["voices", "relays", "sentences", "chats"] as const;
  const given = counts.filter((name) => values[name] !== undefined);
  return {
    ...Object.fromEntries(given.map((name) => [name, countOf(name, values[name])])),
    ...(values.before === undefined ? {} : { before: values.before }),
    packetMs: DEFAULTS.packetMs.filter((ms) => (values["packet-ms"] ?? String(ms)) === String(ms)),
    parts: DEFAULTS.parts.filter((part) => values.part?.includes(part) ?? true),
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await runWith(process.argv.slice(2));
