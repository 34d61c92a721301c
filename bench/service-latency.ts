/**
 * The time that the service itself adds to a spoken answer, against a bare hop that forwards bytes, in one run:
 *
 *     node dist/bench/service-latency.js
 *
 * Two spans are measured between processes, on the machine's monotonic clock: from the model server's write of the
 * word that shows that the first sentence is over to the arrival of the request to speak it; and from the speech
 * server's write of the last byte of the first Opus packet to the arrival of packet 0 at the relay.
 */
import { pathToFileURL } from "node:url";
import type { BareHopCalls } from "./support/bare-hop.child.js";
import { Child } from "./support/child.js";
import type { Behaviour, Marks } from "./support/provider.child.js";
import type { Heard } from "./support/relay.js";
import type { LoopJob } from "./support/relays.child.js";
import { metersOf, PROCESS_NAMES, type Stage, withStage } from "./support/stage.js";
import { averageLoad, figures, type Load, loadText, metered, summarize, verdict } from "./support/stats.js";

const AIM_MS = 5;
/** In how many parts each scene is played. */
const BLOCKS = 5;

/** Two short sentences: six packets of 20 ms, which the cushion lets through at once. */
const ANSWER = { sentences: 2, sentenceMs: 60, packetMs: 20, chunkMs: 20, firstChunk: "packet" } as const;

interface Scene {
  readonly label: string;
  readonly lanes: number;
  readonly turns: number;
  readonly lockstep: boolean;
  readonly behaviour: Behaviour;
}

const SCENES: readonly Scene[] = [
  {
    label: "1 turn at a time",
    lanes: 1,
    turns: 250,
    lockstep: false,
    behaviour: { ...ANSWER, planMs: [2, 5], composeMs: [2, 5], wordMs: 1, speechMs: [2, 5] },
  },
  {
    label: "20 turns at once, think times of 50 to 150 ms, a word every 10 ms",
    lanes: 20,
    turns: 400,
    lockstep: false,
    behaviour: { ...ANSWER, planMs: [50, 150], composeMs: [50, 150], wordMs: 10, speechMs: [50, 150] },
  },
  {
    label: "20 turns begun in the same instant, at servers that need no time",
    lanes: 20,
    turns: 400,
    lockstep: true,
    behaviour: { ...ANSWER, planMs: [0, 0], composeMs: [0, 0], wordMs: 0, speechMs: [0, 0] },
  },
];

const WARM_UP: Scene = { ...SCENES[0]!, lanes: 5, turns: 200 };

/** All turns of the service and of the bare hop. */
const TURNS_MAX = 2 * [WARM_UP, WARM_UP, ...SCENES].reduce((sum, { turns }) => sum + turns, 0);

/** The two spans of one turn. */
interface Spans {
  readonly toSpeechRequest: number;
  readonly toFirstPacket: number;
}

const SPAN_NAMES: { readonly [Span in keyof Spans]: string } = {
  toSpeechRequest: "end of the first sentence → request to speak it",
  toFirstPacket: "last byte of the first packet → relay",
};

interface Arrival {
  readonly tag: string;
  readonly arrivedMs: number;
}

export async function run(): Promise<void> {
  await withStage(
    async (stage) => {
      const floor = new Child<BareHopCalls>("bare-hop.child");
      try {
        const { port } = await floor.call("start", { baseUrl: stage.baseUrl });
        await stage.relays.call("connect", { port: stage.relayPort, relays: 20 });
        await firstTurns(stage);
        console.log(`\nTime that the service adds to an answer, in ms; aim: p99 under ${AIM_MS}`);
        await play(stage, port, WARM_UP, "warm-up");
        for (const [index, scene] of SCENES.entries())
          report(scene, await play(stage, port, scene, `scene-${index}`));
      } finally {
        await floor.stop();
      }
    },
    {},
    TURNS_MAX,
  );
}

/** The very first searches read the index from the disk: what comes of them does not count. */
async function firstTurns({ provider, relays }: Stage): Promise<void> {
  const { behaviour, lanes, lockstep } = WARM_UP;
  await provider.call("behave", behaviour);
  await relays.call("loop", {
    lanes,
    lockstep,
    turns: lanes,
    prefix: "first",
    users: lanes,
    responseType: "audio",
  });
  await provider.call("marks", undefined);
}

/** What was measured in one scene. */
interface Played {
  readonly ours: readonly Spans[];
  readonly floor: readonly Spans[];
  /** While the service had its turns. */
  readonly loads: readonly Load[];
}

/** Service and bare hop take turns block by block, so that what disturbs the machine disturbs both. */
async function play(stage: Stage, floorPort: number, scene: Scene, prefix: string): Promise<Played> {
  const { lanes, lockstep } = scene;
  const { bodyBytes } = await stage.provider.call("behave", scene.behaviour);
  const turns = { lanes, lockstep, turns: scene.turns / BLOCKS };
  const ours: Spans[] = [];
  const floor: Spans[] = [];
  const loads: Load[] = [];
  for (let block = 0; block < BLOCKS; block++) {
    const job: LoopJob = { ...turns, prefix, users: lanes, responseType: "audio" };
    const { result: heard, load } = await metered(metersOf(stage), () => stage.relays.call("loop", job));
    loads.push(load);
    ours.push(...spans(heard.map(arrivalOf), await stage.provider.call("marks", undefined)));
    const raw = await stage.relays.call("rawLoop", { ...turns, port: floorPort, bodyBytes });
    floor.push(...spans(raw, await stage.provider.call("marks", undefined)));
  }
  return { ours, floor, loads };
}

function report({ label }: Scene, { ours, floor, loads }: Played): void {
  console.log(`\n  ${label}, ${ours.length} turns each`);
  for (const [span, name] of Object.entries(SPAN_NAMES) as [keyof Spans, string][]) {
    const mine = summarize(ours.map((spans) => spans[span]));
    const bare = summarize(floor.map((spans) => spans[span]));
    const added = mine.p99 - bare.p99;
    console.log(`    ${name}   aim ${verdict(mine.p99, AIM_MS)}`);
    console.log(`      readback  ${figures(mine)}`);
    console.log(
      `      bare hop  ${figures(bare)}   p99: readback adds ${added.toFixed(2)}, ${(mine.p99 / bare.p99).toFixed(1)}x`,
    );
  }
  console.log(`    ${loadText(PROCESS_NAMES, averageLoad(loads))}`);
}

function arrivalOf({ tag, ending, outOfOrder, arrivalsMs }: Heard): Arrival {
  if (ending !== "voice" || outOfOrder > 0)
    throw new Error(`${tag} ended with ${ending}, ${outOfOrder} gaps`);
  return { tag, arrivedMs: arrivalsMs[0]! };
}

/** What was marked on the way of each turn that arrived. */
function spans(arrivals: readonly Arrival[], marks: ReadonlyMap<string, Marks>): Spans[] {
  return arrivals.map(({ tag, arrivedMs }) => {
    const { sentenceWrittenMs, speechAskedMs, packetWrittenMs } = marks.get(tag) ?? {};
    if (sentenceWrittenMs === undefined || speechAskedMs === undefined || packetWrittenMs === undefined)
      throw new Error(
        `the servers saw nothing, or not all, of turn ${tag}: ${JSON.stringify(marks.get(tag))}`,
      );
    return {
      toSpeechRequest: speechAskedMs - sentenceWrittenMs,
      toFirstPacket: arrivedMs - packetWrittenMs,
    };
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await run();
