/** One relay connection as the rest of the TCP edge sees it: its outbox, and what the relay says it can take. */
import {
  type AiMessageErrorCommand,
  encodeServiceCommand,
  type HelloCommand,
  isPacketDuration,
  type Route,
  SAMPLE_RATES_HZ,
  type ServiceCommand,
} from "@readback/protocol";
import { type User, userKey } from "../domain/user.js";
import type { Origin } from "../lib/origin.js";
import { isLoopback } from "../lib/private-address.js";
import type { AudioShape, OutletLink, SendResult } from "../turn/outlet.js";
import type { Outbox } from "./outbox.js";
import { ReadCheck } from "./read-check.js";
import type { RelayRights } from "./relay-tokens.js";

export class RelayLink implements OutletLink {
  /** Whether the relay has asked for acknowledgements [LT-46]. */
  acknowledges = false;
  /** Whether the relay takes what is said unasked, at any time [LT-106]. */
  announces = false;
  /** Whether the relay shows which systems of a site are asked [LT-107]. */
  showsSteps = false;
  /** Commands refused so far. */
  refused = 0;
  #shapes: readonly AudioShape[] = [];
  readonly reading = new ReadCheck();

  constructor(
    readonly id: string,
    readonly address: string,
    readonly outbox: Outbox,
    /** What the relay may claim; undefined while it has to show a token first [LT-48]. */
    public rights: RelayRights | undefined,
  ) {}

  /** Whether the relay may speak for users of `network`. */
  speaksFor(network: string): boolean {
    const { rights } = this;
    return rights !== undefined && (rights.networks?.includes(network) ?? true);
  }

  /** Whether consent that comes over it counts for what disrupts: its token says so, or none is asked for on this machine. */
  get mayConsent(): boolean {
    const { rights } = this;
    return rights?.mayConsent ?? (rights !== undefined && isLoopback(this.address));
  }

  /** Whose share of the service its work takes: its token's, without one its address's. */
  get peer(): string {
    return this.rights?.name || this.address;
  }

  /** For whom that is done which this connection causes, or a user on it. */
  origin(user?: User): Origin {
    return [`relay ${this.peer}`, this.id, user === undefined ? "" : userKey(user)];
  }

  /** The relay has said what it can take. */
  greet(hello: HelloCommand): void {
    this.#shapes = hello.audio.map(({ sampleRateHz, frameMs }) => ({ sampleRateHz, packetMs: frameMs }));
    this.acknowledges = hello.acknowledgements;
    this.announces = hello.announcements;
    this.showsSteps = hello.steps;
    this.reading.promise(hello.echoes);
  }

  /** What the relay says it takes, in order of preference, as far as the protocol carries it [LT-46]. */
  get shapes(): readonly AudioShape[] {
    return this.#shapes.filter(isCarried);
  }

  /** Whether packets of `shape` may go to this relay: a shape of the protocol, and one of its own list if it sent one. */
  accepts(shape: AudioShape): boolean {
    if (!isCarried(shape)) return false;
    return this.#shapes.length === 0 || this.#shapes.some((taken) => isSameShape(taken, shape));
  }

  /** Sends a command that belongs to no reply. */
  reply(command: ServiceCommand, route: Route): SendResult {
    return this.outbox.post(encodeServiceCommand(command, route));
  }

  /** Sends a `keep_alive` of our own, whose echo would say that everything before it was read [LT-105]. */
  keepAlive(nowMs: number): void {
    this.reading.ask(
      this.outbox.handedOver,
      nowMs,
      (json) => this.reply({ command: "keep_alive", json }, {}) === "accepted",
    );
  }

  refuse(error: Omit<AiMessageErrorCommand, "command">, route: Route): void {
    this.refused += 1;
    this.reply({ command: "ai_message_error", ...error }, route);
  }
}

const SAMPLE_RATES: readonly number[] = SAMPLE_RATES_HZ;

function isCarried({ sampleRateHz, packetMs }: AudioShape): boolean {
  return isPacketDuration(packetMs) && SAMPLE_RATES.includes(sampleRateHz);
}

function isSameShape(one: AudioShape, other: AudioShape): boolean {
  return one.sampleRateHz === other.sampleRateHz && one.packetMs === other.packetMs;
}
