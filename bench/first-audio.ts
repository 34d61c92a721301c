/**
 * The time from a question to the first sound of its answer, against three ways to do it, on one local server with the
 * latencies of a cloud, in one run:
 *
 *     node dist/bench/first-audio.js [--turns 40]
 *
 * (a) serially: the whole answer, then the whole body of its speech, then packets. (b) Sentence by sentence as LiveKit
 * Agents does it with its OpenAI plugin, which buffers each sentence's speech; with their own code, if
 * `BENCH_LIVEKIT_DIR` names a directory where it is installed. (c) The floor of each turn, from the server's own marks:
 * stage 1, stage 2 up to the end of the first clause, speech up to the last byte of the first packet.
 */
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import type { Child } from "./support/child.js";
import {
  type Exchange,
  HELD_EXCHANGE,
  LONG_EXCHANGE,
  REWORDED_EXCHANGE,
  SHORT_EXCHANGE,
  tagOf,
  withTag,
} from "./support/exchange.js";
import { type Lab, type Name, SEARCH_MS, TURNS_MAX, withLab } from "./support/first-audio-lab.js";
import type { Behaviour, Marks } from "./support/provider.child.js";
import type { Heard, Stop } from "./support/relay.js";
import type { LoopJob, RelayCalls } from "./support/relays.child.js";
import { type Load, loadText, median, metered, percentile, verdict } from "./support/stats.js";

const OVER_FLOOR_AIM_MS = 30;
const TIMES_FASTER_AIM = 2.5;
const TURNS = 40;
const WARM_UP_TURNS = 8;
/** From one contestant's turn to the next one's: they run side by side, but do not begin together. */
const STAGGER_MS = 150;

/** 80 tokens a second; speech of 150 words a minute, at 6.5 times real time. */
const CLOUD: Omit<Behaviour, "exchange"> = {
  planMs: [350, 350],
  composeMs: [350, 350],
  wordMs: 12.5,
  speechMs: [250, 250],
  spokenWordMs: 400,
  chunkMs: 20,
  firstChunk: "packet",
  sentences: 1,
  sentenceMs: 6_000,
  packetMs: 20,
};

const LIVEKIT_INSTALL = "npm install --prefix <dir> @livekit/agents@1 @livekit/agents-plugin-openai@1";

const LABELS: Readonly<Record<Name, string>> = {
  early: "readback",
  whole: "readback, speech.early_clause off",
  serial: "(a) serial",
  livekit: "(b) LiveKit Agents",
};

interface Scene {
  readonly label: string;
  readonly exchange: Exchange;
  readonly names: readonly Name[];
  /** Whether the contestants' turns overlap: what is asked of the speech server must then tell whose it is. */
  readonly together: boolean;
  readonly aims: readonly ("floor" | "serial")[];
}

const SCENES: readonly Scene[] = [
  {
    label: "three sentences, 45 words",
    exchange: LONG_EXCHANGE,
    names: ["early", "whole", "serial", "livekit"],
    together: true,
    aims: ["floor", "serial"],
  },
  {
    label: "one sentence, 15 words",
    exchange: SHORT_EXCHANGE,
    names: ["early", "whole", "serial", "livekit"],
    together: true,
    aims: ["floor"],
  },
  {
    label: "45 words, where the model searches in words of its own: the search ahead is lost",
    exchange: REWORDED_EXCHANGE,
    names: ["early"],
    together: true,
    aims: [],
  },
  {
    label:
      "held: four steps, 20 words, of which none may be said before all are checked; the floor is their end",
    exchange: HELD_EXCHANGE,
    names: ["early", "serial"],
    together: false,
    aims: [],
  },
];

export async function run(turns = TURNS): Promise<void> {
  await withLab(async (lab) => {
    console.log(
      "\nFrom the question to the first packet at the relay, in ms; stage 1 350, first token 350, 80 tokens/s, " +
        `speech 250 at 6.5x, search ${SEARCH_MS} (each search of the service waits for so long)`,
    );
    if (lab.contestants.livekit === undefined)
      console.log(`  (b) is not installed: BENCH_LIVEKIT_DIR=<dir> after ${LIVEKIT_INSTALL}`);
    // First, since the service lets go of relays that are silent for two minutes.
    await reportRemembered(lab, turns);
    for (const scene of SCENES) {
      await play(lab, scene, WARM_UP_TURNS);
      const { result, load } = await metered([lab.provider, lab.service], () => play(lab, scene, turns));
      report(scene, result, load);
    }
  });
}

/** One turn of one contestant. */
interface Turn {
  readonly firstMs: number;
  readonly floorMs: number;
  readonly gaps: Gaps;
}

/** Where the time over the floor goes: together they are all of it. */
interface Gaps {
  readonly toStage1: number;
  readonly toStage2: number;
  readonly toSpeech: number;
  readonly toRelay: number;
}

const GAP_NAMES: { readonly [Gap in keyof Gaps]: string } = {
  toStage1: "question → stage 1",
  toStage2: "stage 1 → stage 2",
  toSpeech: "first clause → speech",
  toRelay: "first packet of speech → relay",
};

type Played = Readonly<Record<Name, readonly Turn[]>>;

/** Each round is one turn of every contestant, in another order each time. */
async function play({ contestants, provider }: Lab, scene: Scene, rounds: number): Promise<Played> {
  const { exchange, names, together } = scene;
  await provider.call("behave", { ...CLOUD, exchange });
  const present = names.filter((name) => contestants[name] !== undefined);
  const played: Record<Name, Turn[]> = { early: [], whole: [], serial: [], livekit: [] };
  for (let round = 0; round < rounds; round++) {
    const order = present.map((_, i) => present[(i + round) % present.length]!);
    const ask = (name: Name) => askOnce(contestants[name]!, exchange.question);
    const heard: Heard[] = [];
    if (together)
      heard.push(
        ...(await Promise.all(
          order.map(async (name, i) => {
            await new Promise((resolve) => setTimeout(resolve, i * STAGGER_MS));
            return ask(name);
          }),
        )),
      );
    else for (const name of order) heard.push(await ask(name));
    const marks = await provider.call("marks", undefined);
    for (const [i, name] of order.entries())
      played[name].push(turnOf(heard[i]!, marks.get(heard[i]!.tag), scene));
  }
  return played;
}

let asked = 0;

/** As a user who never asked before; the answer is stopped at its first packet. */
async function askOnce(
  relays: Child<RelayCalls>,
  question: string,
  stop: Stop = { by: "cancel", afterMs: 0 },
  prefix = `user-${++asked}`,
): Promise<Heard> {
  const once = { users: 1, lanes: 1, turns: 1, lockstep: false, responseType: "audio" } as const;
  const job: LoopJob = { ...once, prefix, question, stops: [stop] };
  const [heard] = await relays.call("loop", job);
  if (heard!.ending !== "voice") throw new Error(`${heard!.tag} ended with ${heard!.ending} ${heard!.text}`);
  return heard!;
}

function turnOf({ tag, askedMs, arrivalsMs }: Heard, marks: Marks | undefined, { label }: Scene): Turn {
  const { planAskedMs, planWrittenMs, composeAskedMs, firstUnitWrittenMs, speechAskedMs, packetWrittenMs } =
    marks ?? {};
  const all = [
    planAskedMs,
    planWrittenMs,
    composeAskedMs,
    firstUnitWrittenMs,
    speechAskedMs,
    packetWrittenMs,
  ];
  if (marks?.plans !== 1 || all.some((mark) => mark === undefined))
    throw new Error(
      `${label}: the servers saw nothing, not all, or too much of turn ${tag}: ${JSON.stringify(marks)}`,
    );
  const [planAsked, planWritten, composeAsked, unitWritten, speechAsked, packetWritten] = all as number[] & {
    readonly length: 6;
  };
  const firstMs = arrivalsMs[0]!;
  return {
    firstMs: firstMs - askedMs,
    floorMs: planWritten! - planAsked! + (unitWritten! - composeAsked!) + (packetWritten! - speechAsked!),
    gaps: {
      toStage1: planAsked! - askedMs,
      toStage2: composeAsked! - planWritten!,
      toSpeech: speechAsked! - unitWritten!,
      toRelay: firstMs - packetWritten!,
    },
  };
}

function report({ label, names, aims }: Scene, played: Played, load: Load): void {
  console.log(`\n  ${label}; ${played.early.length} turns each`);
  const floor = median(played.early.map(({ floorMs }) => floorMs));
  for (const name of names) {
    const turns = played[name];
    if (turns.length === 0) continue;
    const over = turns.map(({ firstMs, floorMs }) => firstMs - floorMs);
    const against = ratios(played.serial, turns);
    const ratio =
      against.length === 0 || name === "serial" ? "" : `   (a) takes ${median(against).toFixed(2)}x`;
    row(
      LABELS[name],
      turns.map(({ firstMs }) => firstMs),
      `over the floor ${median(over).toFixed(1)}${ratio}`,
    );
  }
  console.log(`    ${"(c) floor".padEnd(34)} p50 ${floor.toFixed(1).padStart(8)}`);
  const over = median(played.early.map(({ firstMs, floorMs }) => firstMs - floorMs));
  if (aims.includes("floor"))
    console.log(`    within ${OVER_FLOOR_AIM_MS} ms of the floor: ${verdict(over, OVER_FLOOR_AIM_MS)}`);
  if (aims.includes("serial")) {
    const faster = median(ratios(played.serial, played.early));
    console.log(`    ${TIMES_FASTER_AIM}x faster than (a): ${verdict(TIMES_FASTER_AIM, faster)}`);
  }
  for (const name of ["early", "whole"] as const) if (played[name].length > 0) reportGaps(name, played[name]);
  console.log(`    ${loadText(["servers", "service"], load)}`);
}

/** How much longer the one takes than the other, round by round. */
function ratios(slow: readonly Turn[], fast: readonly Turn[]): number[] {
  return slow.flatMap(({ firstMs }, i) => (fast[i] === undefined ? [] : [firstMs / fast[i].firstMs]));
}

function reportGaps(name: Name, turns: readonly Turn[]): void {
  const parts = (Object.entries(GAP_NAMES) as [keyof Gaps, string][]).map(
    ([gap, what]) => `${what} ${median(turns.map(({ gaps }) => gaps[gap])).toFixed(1)}`,
  );
  console.log(`    over the floor, ${LABELS[name]}: ${parts.join(", ")}`);
}

/** The same question again, at a service that remembers the answer and what it said: only the search is left. */
async function reportRemembered({ provider, remembering }: Lab, turns: number): Promise<void> {
  await provider.call("behave", { ...CLOUD, exchange: LONG_EXCHANGE });
  const question = withTag(LONG_EXCHANGE.question, tagOf(TURNS_MAX));
  // Until the answer is written, and then some; a chat that is closed forgets that this was asked before.
  await askOnce(remembering, question, { by: "close_chat", afterMs: 3_000 }, "again");
  const took: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const { arrivalsMs, askedMs } = await askOnce(
      remembering,
      question,
      { by: "close_chat", afterMs: 0 },
      "again",
    );
    took.push(arrivalsMs[0]! - askedMs);
  }
  console.log(`\n  45 words, asked before; ${turns} turns, llm.answer_cache on, speech kept`);
  row("readback", took, `the search takes ${SEARCH_MS} of it`);
}

function row(label: string, values: readonly number[], note: string): void {
  const sorted = Float64Array.from(values).sort();
  const [p50, p95] = [0.5, 0.95].map((p) => percentile(sorted, p).toFixed(1).padStart(8));
  console.log(`    ${label.padEnd(34)} p50 ${p50}   p95 ${p95}   ${note}`);
}

function turnsFrom(args: readonly string[]): number {
  const { values } = parseArgs({ args: [...args], options: { turns: { type: "string" } } });
  return Number(values.turns ?? TURNS);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  await run(turnsFrom(process.argv.slice(2)));
