/**
 * One spoken answer as its receivers see it: a leg for each relay on which it was announced, packets in order on each,
 * an end, the next leg where the one before it stopped [LT-80 to LT-92].
 */
import { parseToc } from "@readback/audio";
import type { AudioEndCommand, AudioMessageCommand, UserIdentity } from "@readback/protocol";
import { Playout } from "./playout.js";
import type { AudioEvent } from "./trace.js";
import { type Fault, fault } from "./violation.js";

/** A receiver that stays dry for longer has lost the voice; what comes then should not have been sent. */
export const UNDERRUN_MS_MAX = 2_000;

type LegState =
  | { readonly type: "open" }
  | { readonly type: "ended"; readonly ending: AudioEndCommand["ending"] }
  /** Its connection is gone: what of it was on its way is lost. */
  | { readonly type: "lost" };

interface Leg {
  readonly relay: string;
  readonly firstPid: number;
  /** After the highest that came. */
  nextPid: number;
  /** Below that, and not come yet. */
  readonly missing: Set<number>;
  state: LegState;
}

export class VoiceTrace {
  readonly #legs: Leg[] = [];
  readonly #playout: Playout;
  #transcribed = false;
  #gaps: number[] = [];

  constructor(
    readonly user: UserIdentity,
    readonly message: AudioMessageCommand,
    readonly startMs: number,
  ) {
    this.#playout = new Playout(message.durationMs);
  }

  /** Times in ms for which the receiver had nothing to play. */
  get gapsMs(): readonly number[] {
    return this.#gaps;
  }

  get relay(): string | undefined {
    return this.#legs.at(-1)?.relay;
  }

  /** How the last leg ended, if it has. */
  get ending(): AudioEndCommand["ending"] | undefined {
    const state = this.#legs.at(-1)?.state;
    return state?.type === "ended" ? state.ending : undefined;
  }

  /** Whether nothing more may come of it. */
  get over(): boolean {
    const { ending } = this;
    if (this.message.kind === "acknowledgement") return ending !== undefined && ending !== "moved";
    return this.#transcribed;
  }

  isOpenOn(relay: string): boolean {
    return this.#legOn(relay)?.state.type === "open";
  }

  /** The message is announced on a relay, for the first time or again after a move. */
  open(relay: string, firstPid: number): Fault[] {
    const previous = this.#legs.at(-1);
    const leg: Leg = { relay, firstPid, nextPid: firstPid, missing: new Set(), state: { type: "open" } };
    this.#legs.push(leg);
    if (previous === undefined) return [];
    this.#playout.hold();
    if (previous.state.type === "lost") this.#playout.skip(Math.max(0, firstPid - previous.nextPid));
    return previous.state.type === "open" ? [] : continuity(previous, leg);
  }

  packet({ audio, relay, earliestMs, atMs }: AudioEvent): Fault[] {
    const leg = this.#legOn(relay);
    const name = `packet ${audio.packetId} of message ${audio.messageId}`;
    if (leg === undefined) return [fault("packet_without_message", name)];
    if (leg.state.type === "ended") return [fault("packet_after_end", name)];
    return [
      ...orderFaults(leg, audio.packetId, name),
      ...shapeFaults(audio.payload, this.message.durationMs, name),
      ...this.#timingFaults(earliestMs, atMs, name),
    ];
  }

  /** Packets of this answer may be held by `relay` from here on. */
  held(relay: string): void {
    if (this.relay === relay) this.#playout.hold();
  }

  end(relay: string, { ending, durationMs, messageId }: AudioEndCommand): Fault[] {
    const leg = this.#legOn(relay);
    if (leg === undefined || leg.state.type !== "open")
      return [fault("end_without_message", `the message ${messageId} is not open on ${relay}`)];
    leg.state = { type: "ended", ending };
    const next = this.#legs[this.#legs.indexOf(leg) + 1];
    const expectedMs = leg.nextPid * this.message.durationMs;
    return [
      ...missingFaults(leg, messageId),
      ...(durationMs === expectedMs
        ? []
        : [fault("duration_wrong", `message ${messageId}: ${durationMs} ms, expected ${expectedMs} ms`)]),
      ...(next === undefined ? [] : continuity(leg, next)),
    ];
  }

  /** The words of the answer: once, and after the end. */
  transcription(relay: string): Fault[] {
    const { messageId } = this.message;
    if (this.#transcribed)
      return [fault("transcription_unexpected", `message ${messageId} has had its transcription`)];
    this.#transcribed = true;
    const leg = this.#legOn(relay);
    if (leg === undefined) {
      // Where the rest of it cannot be spoken, a relay to which it moved gets the words alone.
      const goesOn = this.ending === "moved" || this.#legs.at(-1)?.state.type === "lost";
      return goesOn ? [] : [fault("transcription_unexpected", `message ${messageId} was never on ${relay}`)];
    }
    return leg.state.type === "open"
      ? [fault("transcription_before_end", `message ${messageId} has not ended`)]
      : [];
  }

  /** The connection of `relay` is gone. */
  lose(relay: string): void {
    for (const leg of this.#legs)
      if (leg.relay === relay && leg.state.type === "open") leg.state = { type: "lost" };
  }

  /** Nothing more will come. What a broken connection took with it is not missed. */
  finish(): Fault[] {
    const name = `message ${this.message.messageId}`;
    if (this.#legs.some(({ state }) => state.type === "open")) return [fault("message_without_end", name)];
    if (this.over || this.#legs.at(-1)?.state.type === "lost") return [];
    return this.ending === "moved"
      ? [fault("message_without_end", `${name} moved and never went on`)]
      : [fault("transcription_missing", name)];
  }

  #legOn(relay: string): Leg | undefined {
    return this.#legs.findLast((leg) => leg.relay === relay);
  }

  #timingFaults(earliestMs: number, atMs: number, name: string): Fault[] {
    const { earlyMs, dryMs } = this.#playout.packet(earliestMs, atMs);
    if (dryMs > 0) this.#gaps.push(dryMs);
    if (earlyMs > 0) return [fault("packet_early", `${name}: ${Math.ceil(earlyMs)} ms too early`)];
    if (dryMs > UNDERRUN_MS_MAX)
      return [fault("packet_late", `${name}: ${Math.floor(dryMs)} ms after the receiver ran dry`)];
    return [];
  }
}

/** Where one leg stopped the next begins; what was on its way on a broken connection may be lost, nothing comes twice. */
function continuity(previous: Leg, next: Leg): Fault[] {
  const { firstPid, relay } = next;
  const good = previous.state.type === "lost" ? firstPid >= previous.nextPid : firstPid === previous.nextPid;
  if (good) return [];
  const detail = `goes on at packet ${firstPid} on ${relay}; ${previous.relay} had the packets before ${previous.nextPid}`;
  return [fault("move_gap", detail)];
}

/** A packet that is ahead may yet be followed by those before it: whether they are missing shows at the end. */
function orderFaults(leg: Leg, pid: number, name: string): Fault[] {
  if (pid >= leg.nextPid) {
    for (let passed = leg.nextPid; passed < pid && leg.missing.size < MISSING_MAX; passed++)
      leg.missing.add(passed);
    leg.nextPid = pid + 1;
    return [];
  }
  if (leg.missing.delete(pid)) return [fault("packet_reordered", name)];
  return [fault("packet_repeated", name)];
}

/** Packets of a message that are remembered as missing: a wrong number may be four thousand million ahead. */
const MISSING_MAX = 1_000;

function missingFaults({ missing }: Leg, messageId: number): Fault[] {
  if (missing.size === 0) return [];
  const first = Math.min(...missing);
  return [fault("packet_missing", `${missing.size} of message ${messageId}, the first of them ${first}`)];
}

function shapeFaults(payload: Uint8Array, packetMs: number, name: string): Fault[] {
  const result = parseToc(payload);
  if (!result.ok) return [fault("packet_malformed", `${name}: ${result.reason}`)];
  const { durationMs, channels } = result.toc;
  if (durationMs === packetMs && channels === 1) return [];
  return [
    fault(
      "packet_shape",
      `${name}: ${durationMs} ms, ${channels} channels; the message has ${packetMs} ms mono`,
    ),
  ];
}
