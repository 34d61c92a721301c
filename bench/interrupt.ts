/**
 * The time from a press of the button to silence, against the round trip of a bare hop, in one run:
 *
 *     node dist/bench/interrupt.js [--interruptions 200] [--voices 100]
 *
 * A user asks, hears, and stops the answer at some moment: half of the time by pressing the button (`message`), half by
 * `cancel`. From then until its relay has the last packet of the answer, and until it has its `end_message`.
 */
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { Child } from "./support/child.js";
import type { EchoCalls } from "./support/echo.child.js";
import type { Behaviour } from "./support/provider.child.js";
import type { Heard, Stop } from "./support/relay.js";
import type { RawHeard, RelayCalls } from "./support/relays.child.js";
import { metersOf, PROCESS_NAMES, SECOND_RELAYS_TAGS_FROM, type Stage, withStage } from "./support/stage.js";
import { averageLoad, figures, type Load, loadText, metered, summarize, verdict } from "./support/stats.js";

const AIM_MS = 60;

export interface InterruptOptions {
  readonly interruptions: number;
  /** Others who speak meanwhile, in the second half. */
  readonly voices: number;
}

const DEFAULTS: InterruptOptions = { interruptions: 200, voices: 100 };

/** In how many parts each half is played, with round trips of the bare hop between. */
const BLOCKS = 10;

/** From an answer's first packet to when it is stopped: any moment, in the cushion and after it. */
const MOMENTS_MS = [10, 600] as const;

const VOICES_RELAYS = 20;
/** Time for all others to have begun. */
const RAMP_MS = 4_000;

/** The longest answer there is room for, so that the others speak throughout. */
const LONG: Behaviour = {
  planMs: [20, 40],
  composeMs: [20, 40],
  wordMs: 5,
  speechMs: [20, 40],
  chunkMs: 50,
  firstChunk: "full",
  sentences: 29,
  sentenceMs: 4_020,
  packetMs: 20,
};

export async function run({ interruptions, voices }: InterruptOptions = DEFAULTS): Promise<void> {
  await withStage(async (stage) => {
    const echo = new Child<EchoCalls>("echo.child");
    const interrupter = new Child<RelayCalls>("relays.child");
    try {
      const { port } = await echo.call("start", undefined);
      await stage.provider.call("behave", LONG);
      await interrupter.call("connect", {
        port: stage.relayPort,
        relays: 1,
        tagsFrom: SECOND_RELAYS_TAGS_FROM,
      });
      console.log(`\nFrom a press of the button to silence, in ms; aim: p99 under ${AIM_MS}`);
      await play(stage, interrupter, port, "warm-up", 2 * BLOCKS);
      report("alone", await play(stage, interrupter, port, "alone", interruptions));
      // Not before: the service lets go of relays that are silent for two minutes.
      await stage.relays.call("connect", { port: stage.relayPort, relays: VOICES_RELAYS });
      let silent = false;
      const others = stage.relays.call("ramp", { prefix: "voice", users: voices, rampMs: RAMP_MS });
      // They are cut short when this is over, which is no fault.
      void Promise.allSettled([others]).then(() => {
        silent = true;
      });
      await new Promise((resolve) => setTimeout(resolve, RAMP_MS));
      report(`while ${voices} others speak`, await play(stage, interrupter, port, "among", interruptions));
      if (silent) console.log("    the others fell silent before the end: ask for fewer interruptions");
    } finally {
      await Promise.all([echo.stop(), interrupter.stop()]);
    }
  });
}

interface Played {
  readonly stopped: readonly Heard[];
  readonly stops: readonly Stop["by"][];
  readonly hops: readonly RawHeard[];
  readonly loads: readonly Load[];
}

async function play(
  stage: Stage,
  interrupter: Child<RelayCalls>,
  echoPort: number,
  prefix: string,
  interruptions: number,
): Promise<Played> {
  const turns = Math.ceil(interruptions / BLOCKS);
  const stopped: Heard[] = [];
  const bys: Stop["by"][] = [];
  const hops: RawHeard[] = [];
  const loads: Load[] = [];
  for (let block = 0; block < BLOCKS; block++) {
    const stops = Array.from({ length: turns }, (_, turn) => stopAt(block * turns + turn));
    const once = { lanes: 1, lockstep: false } as const;
    const job = { ...once, turns, users: turns, stops, responseType: "audio" } as const;
    const { result, load } = await metered(metersOf(stage), () =>
      interrupter.call("loop", { ...job, prefix: `${prefix}-${block}` }),
    );
    stopped.push(...result);
    bys.push(...stops.map(({ by }) => by));
    loads.push(load);
    hops.push(
      ...(await interrupter.call("rawLoop", { ...once, turns, port: echoPort, bodyBytes: TAG_BYTES })),
    );
  }
  return { stopped, stops: bys, hops, loads };
}

/** What goes to the bare hop and comes back from it. */
const TAG_BYTES = 9;

/** Moments spread evenly over the range, in no order: by the golden ratio. */
function stopAt(index: number): Stop {
  const share = (index * 0.618_033_988_75) % 1;
  const [from, to] = MOMENTS_MS;
  return { by: index % 2 === 0 ? "press" : "cancel", afterMs: Math.round(from + share * (to - from)) };
}

function report(label: string, { stopped, stops, hops, loads }: Played): void {
  console.log(`\n  ${label}; ${stopped.length} interruptions`);
  for (const by of ["press", "cancel"] as const) {
    const chosen = stopped.filter((_, i) => stops[i] === by);
    const last = summarize(
      chosen.map(({ arrivalsMs, stoppedMs }) => Math.max(0, arrivalsMs.at(-1)! - stoppedMs)),
    );
    const end = summarize(chosen.map(({ endMessageMs, stoppedMs }) => endMessageMs - stoppedMs));
    console.log(`    ${by.padEnd(6)} → last packet      ${figures(last)}`);
    console.log(`    ${by.padEnd(6)} → end_message      ${figures(end)}   aim ${verdict(end.p99, AIM_MS)}`);
  }
  const bare = summarize(hops.map(({ arrivedMs, askedMs }) => arrivedMs - askedMs));
  const end = summarize(stopped.map(({ endMessageMs, stoppedMs }) => endMessageMs - stoppedMs));
  console.log(
    `    bare hop, there and back  ${figures(bare)}   p99: readback takes ${(end.p99 / bare.p99).toFixed(1)}x`,
  );
  const broken = stopped.filter(
    ({ ending, outOfOrder, stoppedMs }) => ending !== "voice" || outOfOrder > 0 || Number.isNaN(stoppedMs),
  );
  console.log(`    answers not stopped, or with a gap: ${broken.length}`);
  console.log(`    ${loadText(PROCESS_NAMES, averageLoad(loads))}`);
}

function optionsFrom(args: readonly string[]): InterruptOptions {
  const { values } = parseArgs({
    args: [...args],
    options: { interruptions: { type: "string" }, voices: { type: "string" } },
  });
  return {
    interruptions: Number(values.interruptions ?? DEFAULTS.interruptions),
    voices: Number(values.voices ?? DEFAULTS.voices),
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  await run(optionsFrom(process.argv.slice(2)));
