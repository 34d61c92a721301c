/**
 * Plays a plan against a service: connects the relays, lets every user do what is planned, lets relays break as
 * planned, waits until all answers are in, and gives everything that was seen to the checks.
 */
import { setMaxListeners } from "node:events";
import { type Clock, sleep } from "../lib/clock.js";
import type { DialAddress } from "../lib/dial.js";
import { LoopWatch } from "../lib/loop-watch.js";
import { type Random, seededRandom } from "../lib/random.js";
import { WireCheck } from "./check.js";
import type { Exchange } from "./exchange.js";
import { GHOST, garbageOf, isRequest } from "./garbage.js";
import { Kept } from "./kept.js";
import type { PlannedRelayEvent, PlannedStep, ScenarioPlan } from "./plan.js";
import { Relay } from "./relay.js";
import type { RelayShape, Scenario } from "./scenario.js";
import { keyOf, type TraceEvent, userOf } from "./trace.js";
import { type RequestIds, type ServiceControl, SimulatedUser } from "./user.js";
import type { Violation } from "./violation.js";
import type { Utterances } from "./voice.js";

export interface SimulationDeps {
  readonly clock: Clock;
  /** How many times as fast as the machine's clock it runs. */
  readonly speed: number;
  readonly address: DialAddress;
  /** What each relay shows in `hello`, where the service asks for it. */
  readonly token?: string | undefined;
  readonly utterances: Utterances;
  readonly seed: number;
  /** Whether the same question always has the same answer. */
  readonly repeatable: boolean;
  /** Where the service is the simulation's own. */
  readonly service?: ServiceControl | undefined;
  /** Told how much of the planned time is over, in ms. */
  readonly onProgress?: (elapsedMs: number) => void;
}

export interface RunObservations {
  readonly exchanges: readonly Exchange[];
  readonly violations: readonly Violation[];
  /** All there were, also those that are not listed. */
  readonly violationCount: number;
  /** What relays did that the service did not react to as it must, a line each. */
  readonly relayProblems: readonly string[];
  /** Times for which somebody's receiver had nothing to play, in ms. */
  readonly gapsMs: readonly number[];
  readonly startMs: number;
  readonly endMs: number;
}

/** On the machine's clock: what was on its way when a user moved has come by then. */
const IN_FLIGHT_MS = 100;

/** How long a service may take to close a connection that sent what is malformed, on the machine's clock. */
const REACTION_MS_MAX = 5_000;

/**
 * How often the event loop is looked at, on the machine's clock: a packet is given its time in one turn of the loop and
 * written at the end of it.
 */
const LOOK_MS = 4;

/** How often progress is told, on the machine's clock. */
const PROGRESS_INTERVAL_MS = 500;

/** A connection that was read slowly has caught up by then, on the machine's clock. */
const CATCH_UP_MS = 500;

/** Rejects with the signal's reason, and when the service cannot be reached. */
export async function simulate(
  plan: ScenarioPlan,
  scenario: Pick<Scenario, "relays" | "settings">,
  deps: SimulationDeps,
  signal: AbortSignal,
): Promise<RunObservations> {
  const simulation = new Simulation(plan, scenario, deps);
  try {
    return await simulation.run(signal);
  } finally {
    simulation.close();
  }
}

class Simulation {
  readonly #loop: LoopWatch;
  readonly #check: WireCheck;
  readonly #relays: ReadonlyMap<string, Relay>;
  readonly #users: readonly SimulatedUser[];
  readonly #byKey: ReadonlyMap<string, SimulatedUser>;
  readonly #relayProblems: string[] = [];
  readonly #random: Random;
  readonly #startMs: number;
  readonly #numbers: RequestIds;
  readonly #playing = new AbortController();

  constructor(
    private readonly plan: ScenarioPlan,
    { relays: shapes, settings }: Pick<Scenario, "relays" | "settings">,
    private readonly deps: SimulationDeps,
  ) {
    const { clock, speed, seed, address, token, utterances } = deps;
    this.#startMs = clock.monotonic();
    this.#random = seededRandom(seed);
    this.#loop = new LoopWatch(clock, LOOK_MS * speed);
    this.#check = new WireCheck({
      inFlightMs: IN_FLIGHT_MS * speed,
      repeatable: deps.repeatable,
      typingStops: typingStops(settings),
    });
    let number = 0;
    this.#numbers = { next: () => ++number };
    const emit = (event: TraceEvent) => {
      // What closing does to the connections is no part of the run.
      if (!this.#playing.signal.aborted) this.#observe(event);
    };
    this.#relays = new Map(
      Object.entries(shapes).map(([name, shape]) => [
        name,
        new Relay(name, capabilitiesOf(shape), {
          clock,
          loop: this.#loop,
          address,
          token: shape.token ?? token,
          emit,
        }),
      ]),
    );
    const userDeps = {
      clock,
      startMs: this.#startMs,
      patienceMs: plan.patienceMs,
      relays: this.#relays,
      utterances,
      numbers: this.#numbers,
      kept: new Kept(),
      service: this.#control(deps.service ?? NO_CONTROL),
      emit,
    };
    this.#users = plan.users.map((planned) => new SimulatedUser(planned, userDeps));
    this.#byKey = new Map(this.#users.map((user) => [keyOf(user.planned), user]));
  }

  async run(signal: AbortSignal): Promise<RunObservations> {
    const both = AbortSignal.any([signal, this.#playing.signal]);
    // Every user waits on it.
    setMaxListeners(0, both);
    await Promise.all([...this.#relays.values()].map((relay) => relay.connect(both)));
    const progress = this.#tellProgress(both);
    try {
      await Promise.all([
        ...this.#users.map((user) => user.play(both)),
        ...this.plan.relayEvents.map((event) => this.#relayEvent(event, both)),
      ]);
      await Promise.all(this.#users.map((user) => user.settled(both)));
      // A second outcome or a packet too many would come now.
      await sleep(this.deps.clock, IN_FLIGHT_MS * this.deps.speed, both);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw error;
    } finally {
      this.#playing.abort();
      await progress;
    }
    return this.#seen();
  }

  close(): void {
    this.#playing.abort();
    this.#loop.close();
    for (const relay of this.#relays.values()) relay.disconnect();
  }

  #seen(): RunObservations {
    const endMs = this.deps.clock.monotonic();
    this.#check.finish(endMs);
    return {
      exchanges: this.#users.flatMap(({ exchanges }) => exchanges),
      violations: this.#check.violations,
      violationCount: this.#check.total,
      relayProblems: this.#relayProblems,
      gapsMs: this.#check.gapsMs,
      startMs: this.#startMs,
      endMs,
    };
  }

  #observe(event: TraceEvent): void {
    this.#check.observe(event);
    const about = userOf(event);
    const user = about && this.#byKey.get(keyOf(about));
    if (event.type === "audio") user?.receiveAudio(event);
    if (event.type === "command") user?.receive(event);
    if (event.type === "closed") for (const each of this.#usersOn(event.relay)) each.cut();
  }

  #usersOn(relay: string): SimulatedUser[] {
    return this.#users.filter((user) => user.relay === relay);
  }

  /** Relays lose their connections with the service, and come back when it does. */
  #control(service: ServiceControl): ServiceControl {
    const kill = async () => {
      const relays = [...this.#relays.values()];
      for (const relay of relays) relay.sendBytes(new Uint8Array(), "the service was killed");
      const closed = relays.map((relay) => relay.closed());
      await Promise.all([service.kill(), ...closed]);
      this.#check.restarted(this.deps.clock.monotonic());
      await Promise.all(relays.map((relay) => relay.connect(this.#playing.signal)));
      // Another process is busy at times that nobody sees here: when it meant a packet to be sent is not known.
      for (const relay of relays) this.#check.hold(relay.name, true);
    };
    return { ...service, kill };
  }

  async #relayEvent(event: PlannedRelayEvent, signal: AbortSignal): Promise<void> {
    const leftMs = this.#startMs + event.atMs - this.deps.clock.monotonic();
    if (leftMs > 0) await sleep(this.deps.clock, leftMs, signal);
    const relay = this.#relays.get(event.relay);
    if (relay === undefined) throw new Error(`there is no relay ${event.relay}`);
    switch (event.does.type) {
      case "disconnect":
        return this.#disconnect(relay, event.does, signal);
      case "garbage":
        return this.#sendGarbage(relay, event.does.kind, signal);
      case "stop_reading": {
        const { forMs } = event.does;
        this.#check.hold(relay.name, true);
        relay.stopReading("it did not read");
        await sleep(this.deps.clock, forMs, signal);
        relay.readAgain();
        await sleep(this.deps.clock, CATCH_UP_MS * this.deps.speed, signal);
        relay.caughtUp();
        this.#check.hold(relay.name, false);
        await relay.connect(signal);
      }
    }
  }

  /** The users of a relay that is gone turn up elsewhere, one after the other. */
  async #disconnect(
    relay: Relay,
    does: PlannedRelayEvent["does"] & { readonly type: "disconnect" },
    signal: AbortSignal,
  ): Promise<void> {
    const { clock } = this.deps;
    const users = this.#usersOn(relay.name);
    relay.disconnect();
    const returns =
      does.awayMs === undefined
        ? undefined
        : sleep(clock, does.awayMs, signal).then(() => relay.connect(signal));
    const moves = users.map(async (user, i) => {
      const to = does.usersTo[i % does.usersTo.length];
      if (to === undefined) return;
      await sleep(clock, (does.withinMs * (i + 1)) / users.length, signal);
      if (user.relay === relay.name) user.moveTo(to, TURNED_UP);
    });
    await Promise.all([returns, ...moves]);
  }

  async #sendGarbage(
    relay: Relay,
    kind: Parameters<typeof garbageOf>[0],
    signal: AbortSignal,
  ): Promise<void> {
    const { clock, speed } = this.deps;
    await relay.connect(signal);
    const requestId = `g${this.#numbers.next()}`;
    const { connectionId, ...user } = GHOST;
    const sent = {
      type: "sent",
      atMs: clock.monotonic(),
      relay: relay.name,
      user,
      connectionId,
      command: "get_chat",
    } as const;
    this.#observe(isRequest(kind) ? { ...sent, requestId } : sent);
    const { bytes, reaction } = garbageOf(kind, requestId, this.#random);
    relay.sendBytes(bytes, reaction === "close" ? kind : undefined);
    if (reaction === "hang_up") relay.disconnect();
    if (reaction !== "close") return;
    const patience = sleep(clock, REACTION_MS_MAX * speed, signal).then(() => "late" as const);
    if ((await Promise.race([relay.closed(), patience])) !== "late") return;
    this.#relayProblems.push(`${relay.name}: ${kind} did not close the connection`);
    relay.disconnect();
  }

  async #tellProgress(signal: AbortSignal): Promise<void> {
    const { clock, onProgress, speed } = this.deps;
    if (onProgress === undefined) return;
    while (!signal.aborted) {
      onProgress(Math.min(this.plan.durationMs, clock.monotonic() - this.#startMs));
      await sleep(clock, PROGRESS_INTERVAL_MS * speed, signal).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
    }
  }
}

const refused = () => Promise.reject(new Error("the service that is played to is not the simulation's own"));
const NO_CONTROL: ServiceControl = { kill: refused, write: refused, jump: refused };

/** What a user says on arriving: nothing is expected of it but an outcome. */
const TURNED_UP: PlannedStep = {
  action: { type: "do", command: "get_chat" },
  when: { type: "after", delayMs: 0 },
  answer: "text",
  expect: undefined,
};

function capabilitiesOf({ audio = [], acknowledgements = false, announcements }: RelayShape) {
  return {
    audio: audio.map(({ sample_rate, frame_ms }) => ({ sampleRateHz: sample_rate, frameMs: frame_ms })),
    acknowledgements,
    announcements,
  };
}

function typingStops(settings: Scenario["settings"]): boolean {
  return Object.entries(settings).some(
    ([name, value]) => name.startsWith("chat.floor") && value.includes("any"),
  );
}
