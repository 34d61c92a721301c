/** Traces made by hand: what a relay sees of a service that does everything right, to be spoilt by tests. */
import type { AudioEndCommand, AudioMessageCommand, ServiceCommand } from "@readback/protocol";
import { WireCheck } from "./check.js";
import type { AudioEvent, CommandEvent, OpenedEvent, SentEvent, TraceEvent } from "./trace.js";
import type { ViolationKind } from "./violation.js";

export const ANN = { network: "acme", username: "ann" };
export const BOB = { network: "acme", username: "bob" };
export const PACKET_MS = 60;
export const IN_FLIGHT_MS = 100;

/** 60 ms of mono, and 20 ms of it. */
export const OPUS_60 = Uint8Array.of(0x58);
export const OPUS_20 = Uint8Array.of(0x48);

export function opened(relay = "hall", acknowledgements = false): OpenedEvent {
  return { type: "opened", atMs: 0, relay, acknowledgements };
}

export function sent(atMs: number, over: Partial<SentEvent> = {}): SentEvent {
  const user = over.user ?? ANN;
  const relay = over.relay ?? "hall";
  return {
    type: "sent",
    atMs,
    relay,
    user,
    connectionId: `${user.username}@${relay}`,
    command: "ai_message",
    requestId: "r1",
    ...over,
  };
}

interface Place {
  readonly relay?: string;
  readonly user?: typeof ANN;
  /** How long it may have lain unread. */
  readonly unreadMs?: number;
}

export function came(
  atMs: number,
  command: ServiceCommand,
  { relay = "hall", user = ANN, unreadMs = 0 }: Place = {},
): CommandEvent {
  const route = { ...user, connectionId: `${user.username}@${relay}` };
  return { type: "command", atMs, earliestMs: atMs - unreadMs, relay, command, route };
}

export function packet(
  atMs: number,
  messageId: number,
  packetId: number,
  { relay = "hall", user = ANN, unreadMs = 0 }: Place = {},
): AudioEvent {
  const connectionId = `${user.username}@${relay}`;
  const audio = {
    contentType: "audio" as const,
    ...user,
    connectionId,
    messageId,
    packetId,
    payload: OPUS_60,
  };
  return { type: "audio", atMs, earliestMs: atMs - unreadMs, relay, audio };
}

export function message(messageId: number, over: Partial<AudioMessageCommand> = {}): AudioMessageCommand {
  return {
    command: "message",
    messageId,
    kind: "answer",
    codec: "opus",
    codecHeader: { sampleRateHz: 16_000, framesPerPacket: 1, frameMs: 60 },
    durationMs: PACKET_MS,
    requestId: "r1",
    ...over,
  };
}

export function end(
  messageId: number,
  packets: number,
  ending: AudioEndCommand["ending"] = "complete",
  requestId = "r1",
): AudioEndCommand {
  return { command: "end_message", messageId, durationMs: packets * PACKET_MS, ending, requestId };
}

export function words(messageId: number, text = "Cool it for 20 minutes.", requestId = "r1"): ServiceCommand {
  return { command: "transcription", messageId, text, role: "answer", requestId };
}

export interface TraceAnswer extends Place {
  readonly mid?: number;
  readonly packets?: number;
  readonly firstPid?: number;
  readonly startMs?: number;
  readonly requestId?: string;
  readonly ending?: AudioEndCommand["ending"];
  readonly text?: string;
}

/** A spoken answer at the pace of speech: message, packets, end, and the words unless it moves. */
export function answer(options: TraceAnswer = {}): TraceEvent[] {
  const {
    mid = 9,
    packets = 5,
    firstPid = 0,
    startMs = 1_000,
    requestId = "r1",
    ending = "complete",
    text,
    ...place
  } = options;
  const opening = message(mid, { requestId, ...(firstPid === 0 ? {} : { firstPacketId: firstPid }) });
  const endMs = startMs + packets * PACKET_MS;
  return [
    came(startMs, opening, place),
    ...Array.from({ length: packets }, (_, i) => packet(startMs + i * PACKET_MS, mid, firstPid + i, place)),
    came(endMs, end(mid, firstPid + packets, ending, requestId), place),
    ...(ending === "moved" ? [] : [came(endMs, words(mid, text, requestId), place)]),
  ];
}

/** Ann asks on the hall's relay, and is answered. */
export function conversation(options: TraceAnswer = {}): TraceEvent[] {
  return [opened(), sent(0), ...answer(options)];
}

/** The kinds of what is wrong with a trace, in the order in which it was seen. */
export function kindsOf(trace: readonly TraceEvent[], repeatable = true): ViolationKind[] {
  const check = new WireCheck({ inFlightMs: IN_FLIGHT_MS, repeatable });
  for (const event of trace) check.observe(event);
  check.finish(trace.at(-1)!.atMs);
  return check.violations.map(({ kind }) => kind);
}
