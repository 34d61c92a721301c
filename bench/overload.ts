/**
 * More asked than there is room for: the share of turns that begin within their deadline, by network, where one network is
 * greedy and three are modest, beside the same service that lets turns in as it used to (oldest first; what is over the
 * line's bound is given up). In one run:
 *
 *     node dist/bench/overload.js
 *
 * First the load is doubled that four equal networks ask for, until it is not kept on time any more: the last one that was
 * is 1×. The modest networks then ask for half of their fair share of that, and the greedy one for all the rest. All come
 * over the same relays. The line of the peer is as long as it is by default, or, knowing the answer, as long
 * as what can begin in time.
 */
import { pathToFileURL } from "node:url";
import { Child } from "./support/child.js";
import { machineDocument } from "./support/exchange.js";
import { withKnowledge } from "./support/knowledge.js";
import type { NotedTurn, OverloadCalls, OverloadSetup } from "./support/overload-service.child.js";
import type { Behaviour, ProviderCalls } from "./support/provider.child.js";
import type { RelayCalls, StreamTurn } from "./support/relays.child.js";
import { median } from "./support/stats.js";

const GREEDY = "greedy";
const MODEST = ["modest-1", "modest-2", "modest-3"] as const;
const NETWORKS = [GREEDY, ...MODEST];

const PLACES = 8;
/** How long a turn may wait for its place. */
const DEADLINE_MS = 2_000;
const FOR_MS = 8_000;
const PROBE_MS = 6_000;
const LOADS = [2, 5];

/** Turns a second of all networks together, doubled from here on. */
const FIRST_RATE = 2;
const RATE_MAX = 256;
/** What is kept on time: so many of all turns begin within their deadline. */
const KEPT_SHARE = 0.99;
/** Of its fair share of 1×, what a modest network asks for. */
const MODEST_SHARE = 0.5;

const RELAYS = 2;
const TAGS = 400;
const DEFAULT_WAITING_MAX = 1_024;

/** A text holds its place for about a second, a voice for as long as it speaks besides. */
const BEHAVIOUR: Behaviour = {
  ...{ planMs: [200, 400], composeMs: [400, 600], wordMs: 2, speechMs: [100, 200] },
  ...{ chunkMs: 20, firstChunk: "full", sentences: 2, sentenceMs: 1_500, packetMs: 60 },
};

const QUICK: Behaviour = {
  ...BEHAVIOUR,
  planMs: [0, 0],
  composeMs: [0, 0],
  wordMs: 0,
  speechMs: [0, 0],
  sentences: 1,
};
const WARM_UP_TURNS = 12;

const SETTINGS = {
  "chat.turns_running_max": PLACES,
  "chat.turn_wait_ms_max": DEADLINE_MS,
  "llm.answer_cache": false,
};

type Policy = OverloadSetup["oldestFirst"];

interface Job {
  readonly policy: Policy;
  readonly perSecond: ReadonlyMap<string, number>;
  readonly responseType: "text" | "audio";
  readonly forMs: number;
}

/** One turn as its user and the service saw it. */
type Outcome = StreamTurn & NotedTurn;

export async function run(): Promise<void> {
  console.log(`Turns that begin within ${DEADLINE_MS} ms, of ${PLACES} places, by network`);
  await withKnowledge(measure, { "work-on-a-machine.md": machineDocument(TAGS) }, NETWORKS);
}

async function measure(dataDir: string): Promise<void> {
  const play = (job: Job) => played(dataDir, job);
  const once = await keptRate(play);
  console.log(`\n  1×: ${once} turns a second, the last of the doubled loads that was kept on time`);
  const fitted = { turnsRunningMax: PLACES, turnsWaitingMax: Math.round((once * DEADLINE_MS) / 1_000) };
  const policies: readonly (readonly [string, Policy])[] = [
    ["by deadline", undefined],
    [`oldest first, ${DEFAULT_WAITING_MAX} wait`, { ...fitted, turnsWaitingMax: DEFAULT_WAITING_MAX }],
    [`oldest first, ${fitted.turnsWaitingMax} wait`, fitted],
  ];
  for (const load of LOADS) {
    const perSecond = unequal(once, load);
    console.log(
      `\n  ${load}×: ${[...perSecond].map(([name, rate]) => `${name} ${rate.toFixed(1)}/s`).join(", ")}`,
    );
    const shares = [];
    for (const [name, policy] of policies) {
      const outcome = await play({ policy, perSecond, responseType: "text", forMs: FOR_MS });
      shares.push(report(name, outcome));
    }
    const [own, ...peers] = shares as [Shares, ...Shares[]];
    for (const [i, peer] of peers.entries()) {
      const ratios = [`modest ${ratio(own.modest, peer.modest)}`, `all ${ratio(own.all, peer.all)}`];
      console.log(`    ratio to "${policies[i + 1]![0]}": ${ratios.join(", ")}`);
    }
  }
  const perSecond = unequal(once, 1);
  console.log(`\n  all asked aloud, at 1×, where a voice holds its place for as long as it speaks`);
  for (const [name, policy] of [policies[0]!, policies[2]!])
    report(name, await play({ policy, perSecond, responseType: "audio", forMs: FOR_MS }));
}

/** Doubles the load while it is kept, and tries once between the last that was and the first that was not. */
async function keptRate(play: (job: Job) => Promise<readonly Outcome[]>): Promise<number> {
  const isKept = async (rate: number) => {
    const perSecond = new Map(NETWORKS.map((network) => [network, rate / NETWORKS.length]));
    const turns = await play({ policy: undefined, perSecond, responseType: "text", forMs: PROBE_MS });
    const share = shareOf(NETWORKS, turns);
    console.log(`    ${String(rate).padStart(4)} turns a second: ${percent(share)} begin in time`);
    return share >= KEPT_SHARE;
  };
  let kept = 0;
  for (let rate = FIRST_RATE; rate <= RATE_MAX && (await isKept(rate)); rate *= 2) kept = rate;
  if (kept === 0) throw new Error(`not even ${FIRST_RATE} turns a second are kept on time here`);
  return (await isKept(1.5 * kept)) ? 1.5 * kept : kept;
}

/** What each network asks for in a second, where all together ask for so many times 1×. */
function unequal(once: number, load: number): ReadonlyMap<string, number> {
  const modest = (MODEST_SHARE * once) / NETWORKS.length;
  const greedy = load * once - MODEST.length * modest;
  return new Map(NETWORKS.map((network) => [network, network === GREEDY ? greedy : modest]));
}

/** A fresh service and fresh relays for each, so that none inherits what waits for another. */
async function played(
  dataDir: string,
  { forMs, perSecond, policy, responseType }: Job,
): Promise<readonly Outcome[]> {
  const provider = new Child<ProviderCalls>("provider.child");
  const relays = new Child<RelayCalls>("relays.child");
  const service = new Child<OverloadCalls>("overload-service.child", { stderr: "pipe" });
  try {
    const { baseUrl } = await provider.call("start", undefined);
    const setup = { dataDir, baseUrl, settings: SETTINGS, oldestFirst: policy };
    const { relay: port } = await service.call("start", setup);
    await relays.call("connect", { port, relays: RELAYS });
    // Each network once with all that is loaded when it is used first; the line learns for how long turns hold their places.
    for (const behaviour of [QUICK, BEHAVIOUR]) {
      await provider.call("behave", behaviour);
      const warmUp = {
        users: WARM_UP_TURNS,
        turns: WARM_UP_TURNS,
        lanes: NETWORKS.length,
        lockstep: false,
      } as const;
      await relays.call("loop", {
        ...warmUp,
        prefix: `warm-up-${behaviour.wordMs}`,
        networks: NETWORKS,
        responseType,
      });
    }
    const job = { forMs, perSecond, responseType, tags: TAGS, settleMs: DEADLINE_MS };
    const asked = await relays.call("stream", job);
    const noted = await service.call("turns", undefined);
    return asked.map((turn) => ({ ...turn, ...noted.get(turn.username) }));
  } finally {
    await Promise.all([relays.stop(), service.stop(), provider.stop()]);
  }
}

interface Shares {
  readonly all: number;
  readonly modest: number;
}

function report(name: string, turns: readonly Outcome[]): Shares {
  const shares = { all: shareOf(NETWORKS, turns), modest: shareOf(MODEST, turns) };
  const each = NETWORKS.map((network) => `${network} ${percent(shareOf([network], turns))}`);
  console.log(
    `    ${name.padEnd(26)} ${each.join(", ")}; modest ${percent(shares.modest)}, all ${percent(shares.all)}`,
  );
  const refusedMs = turns.flatMap(({ askedMs, heard }) =>
    heard?.ending.startsWith("error") ? [heard.endedMs - askedMs] : [],
  );
  const reasons = new Map<string, number>();
  for (const { refusedFor } of turns)
    if (refusedFor !== undefined) reasons.set(refusedFor, (reasons.get(refusedFor) ?? 0) + 1);
  const why = [...reasons].map(([reason, count]) => `${count} ${reason}`).join(", ") || "crowded out";
  const refused =
    refusedMs.length === 0
      ? "none refused"
      : `${refusedMs.length} refused (${why}), after ${median(refusedMs).toFixed(0)} ms (median)`;
  const begun = turns.filter(({ begunMs }) => begunMs !== undefined);
  const asText = begun.filter((turn) => turn.asText).length;
  console.log(
    `    ${"".padEnd(26)} ${turns.length} asked, ${begun.length} begun (${asText} of them without the voice), ${refused}`,
  );
  return shares;
}

/** Of the turns of these networks, those that began within their deadline, counted from the moment of asking. */
function shareOf(networks: readonly string[], turns: readonly Outcome[]): number {
  const asked = turns.filter(({ network }) => networks.includes(network));
  return (
    asked.filter(({ askedMs, begunMs = Infinity }) => begunMs - askedMs <= DEADLINE_MS).length / asked.length
  );
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0).padStart(3)}%`;
}

function ratio(own: number, peer: number): string {
  return peer === 0 ? "∞" : (own / peer).toFixed(2);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await run();
