/**
 * The relays of a benchmark, in a process of their own: they ask, and note when what came back arrived. A process can
 * speak LoudTalks, or, to the bare hop, nothing but bytes.
 */
import { serve } from "./child.js";
import { question, tagOf, withTag } from "./exchange.js";
import { RawClient } from "./raw-client.js";
import { type Heard, Relay, type Stop } from "./relay.js";
import { sharedNowMs } from "./stats.js";

/** Turns in lanes: each lane asks one after the other, `users` take turns. */
export interface LoopJob {
  /** Different for each job whose users shall have chats of their own. */
  readonly prefix: string;
  readonly users: number;
  readonly lanes: number;
  readonly turns: number;
  readonly responseType: "text" | "audio";
  /** Whose users they are, in turns; absent: of the network of the benchmarks. */
  readonly networks?: readonly string[];
  /** All lanes begin their turns in the same instant. */
  readonly lockstep: boolean;
  /** What is asked, `{tag}` being the turn's tag, instead of the usual question. */
  readonly question?: string;
  /** How the turns are stopped, by turn; absent: they are heard to their end. */
  readonly stops?: readonly Stop[];
}

/** Users who each ask once, one after the other within `rampMs`. */
export interface RampJob {
  readonly prefix: string;
  readonly users: number;
  readonly rampMs: number;
}

/** Users who come at a steady rate, whatever became of those before them: each asks once, over any of the relays. */
export interface StreamJob {
  readonly forMs: number;
  readonly responseType: "text" | "audio";
  /** How many of each network ask in a second. */
  readonly perSecond: ReadonlyMap<string, number>;
  /** Turns that the documents have something about. */
  readonly tags: number;
}

/** What one of these users asked, and how it ended, if it has. */
export interface StreamTurn {
  readonly network: string;
  readonly username: string;
  /** On the shared clock. */
  readonly askedMs: number;
  heard?: Pick<Heard, "ending" | "endedMs">;
}

/** One turn at the bare hop, and when its first byte arrived. */
export interface RawHeard {
  readonly tag: string;
  readonly askedMs: number;
  readonly arrivedMs: number;
}

export type RelayCalls = {
  connect: {
    /** `tagsFrom`: the number of the first tag less one, where several processes ask in one run. */
    input: { readonly port: number; readonly relays: number; readonly tagsFrom?: number };
    output: undefined;
  };
  disconnect: { input: undefined; output: undefined };
  loop: { input: LoopJob; output: readonly Heard[] };
  ramp: { input: RampJob; output: readonly Heard[] };
  /** Resolves `settleMs` after the last has asked. */
  stream: { input: StreamJob & { readonly settleMs: number }; output: readonly StreamTurn[] };
  rawLoop: {
    input: Pick<LoopJob, "lanes" | "turns" | "lockstep"> & {
      readonly port: number;
      readonly bodyBytes: number;
    };
    output: readonly RawHeard[];
  };
};

let relays: Relay[] = [];
let turnsAsked = 0;

serve<RelayCalls>({
  connect: async ({ port, relays: count, tagsFrom }) => {
    turnsAsked = tagsFrom ?? turnsAsked;
    const wanted = count - relays.length;
    relays.push(...(await Promise.all(Array.from({ length: wanted }, () => Relay.connect(port)))));
    return undefined;
  },
  disconnect: () => {
    for (const relay of relays) relay.close();
    relays = [];
    return undefined;
  },
  loop: (job) =>
    inLanes(job, (index) => {
      const { networks, prefix, question, responseType, stops, users } = job;
      const network = networks?.[index % networks.length];
      return ask(
        `${prefix}-${index % users}`,
        index % users,
        responseType,
        question,
        stops?.[index],
        network,
      );
    }),
  ramp: ({ prefix, users, rampMs }) => {
    const startMs = sharedNowMs();
    return Promise.all(
      Array.from({ length: users }, async (_, user) => {
        const waitMs = startMs + (user * rampMs) / users - sharedNowMs();
        await new Promise((resolve) => setTimeout(resolve, waitMs));
        return ask(`${prefix}-${user}`, user, "audio");
      }),
    );
  },
  stream: async (job) => {
    const turns: StreamTurn[] = [];
    await Promise.all([...job.perSecond].map((network) => streamOf(job, ...network, turns)));
    await until(sharedNowMs() + job.settleMs);
    return turns;
  },
  rawLoop: async (job) => {
    const clients = await Promise.all(
      Array.from({ length: job.lanes }, () => RawClient.connect(job.port, job.bodyBytes)),
    );
    const heard = await inLanes(job, async (index): Promise<RawHeard> => {
      const tag = nextTag();
      const askedMs = sharedNowMs();
      return { tag, askedMs, arrivedMs: await clients[index % job.lanes]!.ask(tag) };
    });
    for (const client of clients) client.close();
    return heard;
  },
});

/** A network's users, one after the other. */
async function streamOf(
  { forMs, responseType, tags }: StreamJob,
  network: string,
  perSecond: number,
  turns: StreamTurn[],
): Promise<void> {
  const startMs = sharedNowMs();
  const everyMs = 1_000 / perSecond;
  for (let user = 0; user * everyMs < forMs; user++) {
    await until(startMs + user * everyMs);
    turnsAsked += 1;
    const tag = tagOf(1 + (turnsAsked % tags));
    const relay = relays[turnsAsked % relays.length]!;
    const turn: StreamTurn = { network, username: `${network}-${turnsAsked}`, askedMs: sharedNowMs() };
    turns.push(turn);
    void relay.ask(turn.username, tag, question(tag), responseType, undefined, network).then((heard) => {
      turn.heard = { ending: heard.ending, endedMs: heard.endedMs };
    });
  }
}

function until(atMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, atMs - sharedNowMs()));
}

function ask(
  username: string,
  user: number,
  responseType: "text" | "audio",
  wording?: string,
  stop?: Stop,
  network?: string,
): Promise<Heard> {
  const tag = nextTag();
  const text = wording === undefined ? question(tag) : withTag(wording, tag);
  return relays[user % relays.length]!.ask(username, tag, text, responseType, stop, network);
}

function nextTag(): string {
  turnsAsked += 1;
  return tagOf(turnsAsked);
}

/** Runs `work(0)` … `work(turns - 1)` in lanes; lane k does every turn whose number leaves k when divided by `lanes`. */
async function inLanes<T>(
  { lanes, turns, lockstep }: Pick<LoopJob, "lanes" | "turns" | "lockstep">,
  work: (index: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  if (lockstep) {
    for (let from = 0; from < turns; from += lanes) {
      const count = Math.min(lanes, turns - from);
      results.push(...(await Promise.all(Array.from({ length: count }, (_, lane) => work(from + lane)))));
    }
    return results;
  }
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      for (let index = lane; index < turns; index += lanes) results.push(await work(index));
    }),
  );
  return results;
}
