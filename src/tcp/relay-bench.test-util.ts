/** A relay server on a real port with real chats; the turns are a test's, and so is the clock. */
import { ScriptedRelay } from "../../test/support/scripted-relay.js";
import { settle, VirtualClock } from "../../test/support/virtual-clock.js";
import { WrongKeys } from "../api/wrong-keys.js";
import type { RunTurn } from "../chat/chat.js";
import { admissionOf, announce, ROOMY } from "../chat/limits.test-util.js";
import { ChatRegistry } from "../chat/registry.js";
import type { PortGate } from "../lib/port-gate.js";
import type { Random } from "../lib/random.js";
import { createTelemetry, type TelemetryEvent } from "../telemetry/events.js";
import type { Overview, OverviewRequest, SummarySubject } from "../turn/overview.js";
import { greetingOf } from "./greeting.js";
import { RelayTokens, type RelayTokensOptions } from "./relay-tokens.js";
import { RelayServer, type RelayServerOptions } from "./server.js";

/** The clock stands still, so that no budget is ever filled up again. */
const UNLIMITED = 2 ** 40;

const OPTIONS: RelayServerOptions = {
  host: "127.0.0.1",
  port: 0,
  connectionsMax: 100,
  connectionsPerAddressMax: 100,
  idleTimeoutMs: 120_000,
  firstFrameTimeoutMs: 20_000,
  framesPerSecondMax: UNLIMITED,
  framesPerSecondPerAddressMax: UNLIMITED,
  bytesPerSecondMax: UNLIMITED,
  bytesPerSecondPerAddressMax: UNLIMITED,
};

/** Ids that count up. */
export function countingRandom(): Random {
  let last = 0;
  return { fraction: () => 0.5, id: () => (++last).toString(16).padStart(16, "0") };
}

/** Fails unless a test says what comes. */
class ScriptedOverview implements Overview {
  readonly requests: OverviewRequest[] = [];
  readonly subjects: SummarySubject[] = [];
  questions: () => Promise<readonly string[]> = () => Promise.reject(new Error("nobody expected that"));
  summary: () => Promise<string> = () => Promise.reject(new Error("nobody expected that"));

  suggest(request: OverviewRequest): Promise<readonly string[]> {
    this.requests.push(request);
    return this.questions();
  }

  summarize(request: OverviewRequest, subject: SummarySubject): Promise<string> {
    this.requests.push(request);
    this.subjects.push(subject);
    return this.summary();
  }
}

type EventOf<T extends TelemetryEvent["type"]> = TelemetryEvent & { readonly type: T };

type BenchOptions = Partial<RelayServerOptions & RelayTokensOptions> & { readonly gate?: PortGate };

export class RelayBench {
  readonly clock = new VirtualClock();
  readonly events: TelemetryEvent[] = [];
  readonly chats: ChatRegistry;
  readonly server: RelayServer;
  port = 0;
  /** What is asked for beside answers; a test sets what comes of it. */
  readonly overview = new ScriptedOverview();
  readonly #relays: ScriptedRelay[] = [];

  private constructor(runTurn: RunTurn, { gate, tokens = [], tokensFile, ...options }: BenchOptions) {
    const { clock } = this;
    const random = countingRandom();
    const telemetry = createTelemetry([(event) => this.events.push(event)]);
    const admission = admissionOf({ clock, telemetry });
    this.chats = new ChatRegistry({ clock, random, telemetry, admission, runTurn, announce }, ROOMY);
    const relayTokens = new RelayTokens({ tokens, tokensFile }, new WrongKeys(clock));
    const facts = { idleTimeoutMs: OPTIONS.idleTimeoutMs, hears: true };
    this.server = new RelayServer(
      { ...OPTIONS, ...options },
      {
        clock,
        random,
        telemetry,
        chats: this.chats,
        overview: this.overview,
        tokens: relayTokens,
        greeting: () => greetingOf({ ...facts, asksForTokens: relayTokens.needed }),
      },
      gate,
    );
  }

  static async start(runTurn: RunTurn, options: BenchOptions = {}): Promise<RelayBench> {
    const bench = new RelayBench(runTurn, options);
    bench.port = await bench.server.listen();
    return bench;
  }

  /** `from`: the address that it connects from. */
  async connect(allowHalfOpen = false, from = "127.0.0.1"): Promise<ScriptedRelay> {
    const relay = await ScriptedRelay.connect(this.port, allowHalfOpen, from);
    this.#relays.push(relay);
    return relay;
  }

  /** Waits for the `nth` event of this type (the first is 0). */
  async event<T extends TelemetryEvent["type"]>(type: T, nth = 0): Promise<EventOf<T>> {
    for (;;) {
      const found = this.eventsOf(type)[nth];
      if (found !== undefined) return found;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  eventsOf<T extends TelemetryEvent["type"]>(type: T): EventOf<T>[] {
    return this.events.filter((event): event is EventOf<T> => event.type === type);
  }

  /** Stops everything, whatever state the test left it in. */
  async stop(): Promise<void> {
    const closed = Promise.all([this.chats.shutdown(0), this.server.close()]);
    for (const relay of this.#relays) await relay.close();
    await this.clock.advance(1_000); // Lines that wait for a user, and the grace of closing sockets.
    await settle();
    await closed;
  }
}
