/** Where each user is and was, by which `cid`, and what they did to stop an answer: whom a frame may come to, and where. */
import type { UserIdentity } from "@readback/protocol";
import { type ClosedEvent, keyOf, type OpenedEvent, type SentEvent } from "./trace.js";
import { type Fault, fault } from "./violation.js";

interface Visit {
  connectionId: string;
  /** The `cid` before that, good for what was under way. */
  previousId: string;
  changedMs: number;
  /** Absent while the user is here. */
  leftMs: number | undefined;
}

interface Person {
  relay: string;
  readonly visits: Map<string, Visit>;
  /** When the user came here from another relay. */
  arrivedMs: number;
  stoppedMs: number;
  absent: boolean;
}

interface Relay {
  readonly acknowledgements: boolean;
  holding: boolean;
}

const NEVER = Number.NEGATIVE_INFINITY;

/** What stops an answer [LT-86]; a typed question only where the service is configured so. */
const STOPS: readonly string[] = ["message", "cancel", "close_chat"];

export class Presence {
  readonly #people = new Map<string, Person>();
  readonly #relays = new Map<string, Relay>();

  readonly #stops: ReadonlySet<string>;

  constructor(
    private readonly inFlightMs: number,
    typingStops: boolean,
  ) {
    this.#stops = new Set(typingStops ? [...STOPS, "ai_message"] : STOPS);
  }

  opened({ relay, acknowledgements }: OpenedEvent): void {
    this.#relays.set(relay, { acknowledgements, holding: false });
  }

  /** The users who were there, as keys. */
  closed({ relay }: ClosedEvent): string[] {
    const there = [...this.#people].filter(([, person]) => person.relay === relay);
    for (const [, person] of there) person.absent = true;
    return there.map(([key]) => key);
  }

  sent({ user, relay, connectionId, atMs, command }: SentEvent): void {
    const key = keyOf(user);
    const person: Person = this.#people.get(key) ?? {
      relay,
      visits: new Map(),
      arrivedMs: NEVER,
      stoppedMs: NEVER,
      absent: false,
    };
    this.#people.set(key, person);
    if (this.#stops.has(command)) person.stoppedMs = atMs;
    if (person.relay !== relay) {
      const left = person.visits.get(person.relay);
      if (left !== undefined) left.leftMs = atMs;
      person.relay = relay;
      person.arrivedMs = atMs;
    }
    const visit = person.visits.get(relay);
    if (visit === undefined) {
      const changedMs = NEVER;
      person.visits.set(relay, { connectionId, previousId: connectionId, changedMs, leftMs: undefined });
      return;
    }
    visit.leftMs = undefined;
    if (visit.connectionId === connectionId) return;
    visit.previousId = visit.connectionId;
    visit.connectionId = connectionId;
    visit.changedMs = atMs;
  }

  /** Whether a frame for `user` that came on a relay belongs there. */
  faults(
    { relay, earliestMs }: { readonly relay: string; readonly earliestMs: number },
    user: UserIdentity,
    connectionId: string | undefined,
  ): Fault[] {
    const visit = this.#people.get(keyOf(user))?.visits.get(relay);
    if (visit === undefined) return [fault("foreign_user", `${user.username} of ${user.network}`)];
    const { leftMs } = visit;
    if (leftMs !== undefined && earliestMs - leftMs > this.inFlightMs)
      return [
        fault("left_relay", `${Math.round(earliestMs - leftMs)} ms after ${user.username} left ${relay}`),
      ];
    const isPrevious = connectionId === visit.previousId && earliestMs - visit.changedMs <= this.inFlightMs;
    if (connectionId === visit.connectionId || isPrevious) return [];
    return [fault("foreign_connection", `cid ${connectionId ?? "none"}, expected ${visit.connectionId}`)];
  }

  wantsAcknowledgements(relay: string): boolean {
    return this.#relays.get(relay)?.acknowledgements ?? false;
  }

  /** The relay does not read, or reads again; what it reads then may have lain there. */
  hold(relay: string, holding: boolean): void {
    const known = this.#relays.get(relay);
    if (known !== undefined) known.holding = holding;
  }

  isHolding(relay: string): boolean {
    return this.#relays.get(relay)?.holding ?? false;
  }

  /** Whether the connection of a user ever broke. */
  wasAbsent(user: UserIdentity): boolean {
    return this.#people.get(keyOf(user))?.absent ?? false;
  }

  /** Whether a user was on a relay other than `relay` at some time since then. */
  movedSince(user: UserIdentity, relay: string, sinceMs: number): boolean {
    const person = this.#people.get(keyOf(user));
    if (person === undefined) return false;
    return person.relay !== relay || person.arrivedMs >= sinceMs - this.inFlightMs;
  }

  /** Whether a user did something after that time which stops an answer. */
  stoppedSince(user: UserIdentity, sinceMs: number): boolean {
    return (this.#people.get(keyOf(user))?.stoppedMs ?? NEVER) > sinceMs;
  }
}
