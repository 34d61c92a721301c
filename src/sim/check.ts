/**
 * The rules of the wire, held against everything that a service sends, whatever a scenario expects. Pure: it is told
 * what happens and says what is wrong with it.
 */
import type { AudioMessageCommand, ServiceCommand, UserIdentity } from "@readback/protocol";
import { RequestCheck } from "./check-requests.js";
import { VoiceTrace } from "./check-voice.js";
import { Presence } from "./presence.js";
import { StoppedAnswers } from "./stopped-answers.js";
import { type CommandEvent, keyOf, lineOf, type SentEvent, type TraceEvent, userOf } from "./trace.js";
import { type Fault, fault, type Violation } from "./violation.js";

export interface CheckOptions {
  /** How long what was under way when a user moved may still come where the user was. */
  readonly inFlightMs: number;
  /** Whether the same question has the same answer each time: then the words heard can be held against the whole. */
  readonly repeatable: boolean;
  /** Whether a typed question stops an answer, as with `chat.floor: any`. */
  readonly typingStops?: boolean;
}

/** Violations that are kept; beyond that they are counted. */
export const VIOLATIONS_KEPT_MAX = 200;

/** Frames that a violation shows. */
const FRAMES_SHOWN = 6;

export class WireCheck {
  readonly violations: Violation[] = [];
  #total = 0;
  readonly #requests = new RequestCheck();
  readonly #presence: Presence;
  readonly #heard = new StoppedAnswers();
  readonly #voices = new Map<number, VoiceTrace>();
  /** Answers that began while an earlier one was open on another relay, where the end may only be late to be read. */
  readonly #overlapping = new Map<VoiceTrace, number>();
  readonly #frames = new Map<string, TraceEvent[]>();
  #startMs: number | undefined;

  constructor(private readonly options: CheckOptions) {
    this.#presence = new Presence(options.inFlightMs, options.typingStops ?? false);
  }

  /** All there were, also those that were not kept. */
  get total(): number {
    return this.#total;
  }

  /** For each spoken answer how long its receiver ran dry, in ms. */
  get gapsMs(): readonly number[] {
    return [...this.#voices.values()].flatMap(({ gapsMs }) => gapsMs);
  }

  observe(event: TraceEvent): void {
    this.#startMs ??= event.atMs;
    this.#remember(event);
    const faults = this.#faultsOf(event);
    for (const found of faults) this.#report(found, event, userOf(event));
  }

  /** Packets for this relay are held on their way, since it does not read, or come again as they are sent. */
  hold(relay: string, holding: boolean): void {
    this.#presence.hold(relay, holding);
    if (holding) for (const voice of this.#voices.values()) voice.held(relay);
  }

  /** The service was killed, and another one begins: it counts its messages from the beginning. */
  restarted(atMs: number): void {
    this.#silenced(atMs);
    this.#voices.clear();
    this.#overlapping.clear();
  }

  /** Nothing more will come. */
  finish(atMs: number): void {
    this.#silenced(atMs);
    for (const { sent, fault: found } of this.#requests.finish())
      this.#report(found, { atMs, relay: sent.relay }, sent.user);
    if (!this.options.repeatable) return;
    for (const { text, event } of this.#heard.contradictions()) {
      this.#report(fault("heard_not_prefix", JSON.stringify(text)), event, userOf(event), [event]);
    }
  }

  #silenced(atMs: number): void {
    for (const voice of this.#voices.values()) {
      const { user } = voice;
      for (const found of voice.finish()) this.#report(found, { atMs, relay: voice.relay ?? "" }, user);
    }
  }

  #faultsOf(event: TraceEvent): Fault[] {
    switch (event.type) {
      case "opened":
        this.#presence.opened(event);
        return [];
      case "sent":
        this.#sent(event);
        return [];
      case "closed":
        for (const user of this.#presence.closed(event)) this.#requests.absent(user, event.atMs);
        for (const voice of this.#voices.values()) voice.lose(event.relay);
        return event.by === "service" && event.cause === undefined
          ? [fault("connection_closed", event.error ?? "without an error")]
          : [];
      case "unreadable":
        return [fault(event.what, event.detail)];
      case "audio": {
        const voice = this.#voices.get(event.audio.messageId);
        const name = `packet ${event.audio.packetId} of message ${event.audio.messageId}`;
        const address = this.#presence.faults(event, event.audio, event.audio.connectionId);
        if (voice === undefined) return [...address, fault("packet_without_message", name)];
        if (keyOf(voice.user) !== keyOf(event.audio))
          return [...address, fault("foreign_user", `${name}, which is ${voice.user.username}'s`)];
        return [...address, ...voice.packet(event), ...this.#lateOverlap(voice, event.atMs)];
      }
      case "command":
        return this.#command(event);
    }
  }

  #sent(event: SentEvent): void {
    this.#presence.sent(event);
    this.#requests.sent(event);
  }

  #command(event: CommandEvent): Fault[] {
    const { command, route } = event;
    const user = userOf(event);
    if (command.command === "keep_alive" || user === undefined) return [];
    const voice = "messageId" in command ? this.#voices.get(command.messageId) : undefined;
    return [
      ...this.#presence.faults(event, user, route.connectionId),
      ...this.#requests.received(
        command,
        user,
        isOutcome(command, voice),
        isAnnouncement(command) || (voice !== undefined && isAnnouncement(voice.message)),
      ),
      ...this.#voiceFaults(event, command, user, voice),
    ];
  }

  #voiceFaults(
    event: CommandEvent,
    command: ServiceCommand,
    user: UserIdentity,
    voice: VoiceTrace | undefined,
  ): Fault[] {
    const { relay } = event;
    switch (command.command) {
      case "message":
        return voice === undefined
          ? this.#begin(event, command, user)
          : this.#resume(event, command, user, voice);
      case "end_message":
        if (voice === undefined || keyOf(voice.user) !== keyOf(user))
          return [fault("end_without_message", `${user.username} has no message ${command.messageId}`)];
        return [
          ...voice.end(relay, command),
          ...this.#causeFaults(event, voice, command.ending),
          ...this.#lateOverlap(voice, event.atMs),
        ];
      case "transcription":
        if (command.role === "question") return this.#requests.understood(command.messageId, user);
        if (voice === undefined || keyOf(voice.user) !== keyOf(user))
          return [fault("transcription_unexpected", `${user.username} has no message ${command.messageId}`)];
        if (voice.message.kind === "answer")
          this.#heard.add(
            this.#requests.get(command.requestId),
            event,
            command.text,
            voice.ending === "interrupted",
          );
        return voice.transcription(relay);
      case "text_message":
        this.#heard.add(this.#requests.get(command.requestId), event, command.text, false);
        return this.#overlapFaults(user, relay, event.atMs, "an answer as text");
      default:
        return [];
    }
  }

  /** A message that was never seen here; `first_pid` is above 0 only if its beginning was lost with a connection. */
  #begin(event: CommandEvent, command: AudioMessageCommand, user: UserIdentity): Fault[] {
    const { relay } = event;
    const { messageId, firstPacketId = 0, kind } = command;
    const faults = this.#overlapFaults(user, relay, event.atMs, `message ${messageId}`);
    const voice = new VoiceTrace(user, command, event.earliestMs);
    this.#voices.set(messageId, voice);
    voice.open(relay, firstPacketId);
    if (this.#presence.isHolding(relay)) voice.held(relay);
    if (firstPacketId > 0 && !this.#presence.wasAbsent(user))
      faults.push(fault("move_gap", `message ${messageId} begins at packet ${firstPacketId}`));
    if (kind === "acknowledgement" && !this.#presence.wantsAcknowledgements(relay))
      faults.push(fault("acknowledgement_unwanted", `message ${messageId}`));
    return faults;
  }

  #resume(event: CommandEvent, command: AudioMessageCommand, user: UserIdentity, voice: VoiceTrace): Fault[] {
    const { messageId, firstPacketId = 0 } = command;
    const { ending } = voice;
    const goesOn =
      !voice.over && (ending === undefined || ending === "moved") && !voice.isOpenOn(event.relay);
    if (keyOf(voice.user) !== keyOf(user) || !goesOn) return [fault("mid_reused", `message ${messageId}`)];
    return voice.open(event.relay, firstPacketId);
  }

  #causeFaults(event: CommandEvent, voice: VoiceTrace, ending: string): Fault[] {
    const name = `message ${voice.message.messageId}`;
    if (ending === "moved" && !this.#presence.movedSince(voice.user, event.relay, voice.startMs))
      return [fault("move_without_cause", name)];
    const asked = this.#requests.get(voice.message.requestId);
    // An acknowledgement gives way to the answer.
    if (ending !== "interrupted" || voice.message.kind === "acknowledgement" || asked === undefined)
      return [];
    return this.#presence.stoppedSince(voice.user, asked.atMs)
      ? []
      : [fault("interruption_without_cause", name)];
  }

  #overlapFaults(user: UserIdentity, relay: string, atMs: number, what: string): Fault[] {
    const faults: Fault[] = [];
    for (const voice of this.#voices.values()) {
      if (voice.over || keyOf(voice.user) !== keyOf(user)) continue;
      const detail = `${what} begins before message ${voice.message.messageId} is over`;
      if (voice.isOpenOn(relay)) faults.push(fault("answers_overlap", detail));
      else if (voice.ending === undefined) this.#overlapping.set(voice, atMs);
    }
    return faults;
  }

  /** A frame of an answer during which, on another relay, the next one has begun. */
  #lateOverlap(voice: VoiceTrace, atMs: number): Fault[] {
    const sinceMs = this.#overlapping.get(voice);
    if (sinceMs === undefined || atMs - sinceMs <= this.options.inFlightMs) return [];
    this.#overlapping.delete(voice);
    return [
      fault("answers_overlap", `message ${voice.message.messageId} goes on after the next answer began`),
    ];
  }

  #remember(event: TraceEvent): void {
    const user = userOf(event);
    if (user === undefined) return;
    const key = keyOf(user);
    const frames = this.#frames.get(key) ?? [];
    frames.push(event);
    if (frames.length > FRAMES_SHOWN) frames.shift();
    this.#frames.set(key, frames);
  }

  #report(
    { kind, detail }: Fault,
    at: { atMs: number; relay: string },
    user: UserIdentity | undefined,
    frames = user === undefined ? [] : (this.#frames.get(keyOf(user)) ?? []),
  ): void {
    this.#total += 1;
    if (this.violations.length >= VIOLATIONS_KEPT_MAX) return;
    this.violations.push({
      kind,
      atMs: at.atMs,
      relay: at.relay,
      username: user?.username,
      detail,
      frames: frames.map((event) => lineOf(event, this.#startMs ?? 0)),
    });
  }
}

function isAnnouncement(command: ServiceCommand): boolean {
  return "kind" in command && command.kind === "announcement";
}

/** Whether a command is the last that its request causes. */
function isOutcome(command: ServiceCommand, voice: VoiceTrace | undefined): boolean {
  switch (command.command) {
    case "message":
    case "end_message":
    case "keep_alive":
      return false;
    case "transcription":
      return command.role === "answer" && voice?.message.kind !== "acknowledgement";
    default:
      return true;
  }
}
