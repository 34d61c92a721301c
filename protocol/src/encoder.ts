/**
 * Envelopes to bytes ([LT-14]). Keys are written in the order of [LT-3]. Nothing that a decoder would refuse is
 * written: the functions throw EncodeError instead, so that no name can inject a header.
 */
import type { Envelope, Route } from "./envelope.js";
import { EncodeError } from "./errors.js";
import {
  AUDIO_PAYLOAD_BYTES_MAX,
  CONNECTION_ID_BYTES_MAX,
  DECIMAL_DIGITS_MAX,
  JSON_PAYLOAD_BYTES_MAX,
  MID_MAX,
  NAME_BYTES_MAX,
  PID_MAX,
} from "./limits.js";
import { encodeUtf8, nameProblem } from "./utf8.js";

const DIGIT_0 = 0x30;
const AUDIO_PREFIX = encodeUtf8("LT\nct:a\ncl:");

/** Who an audio packet is for. */
export interface AudioRoute extends Route {
  readonly network: string;
  readonly username: string;
}

/** One audio packet with everything that its header says. */
export interface AudioPacket extends AudioRoute {
  readonly messageId: number;
  readonly packetId: number;
  readonly payload: Uint8Array;
}

/** Any envelope as bytes; a decoder gives back an equal one. */
export function encodeEnvelope(envelope: Envelope): Uint8Array {
  if (envelope.contentType === "audio") return encodeAudio(envelope);
  let tail = routeLines(envelope);
  if (envelope.messageId !== undefined) tail += `mid:${uint32("mid", envelope.messageId, MID_MAX)}\n`;
  if (envelope.packetId !== undefined) tail += `pid:${uint32("pid", envelope.packetId, PID_MAX)}\n`;
  return joinJson(tail, envelope.payload);
}

/** A `ct:json` frame whose payload is `value` as JSON text. */
export function encodeJson(value: object, route: Route = {}): Uint8Array {
  return encodeJsonText(encodeUtf8(JSON.stringify(value)), route);
}

/** A `ct:json` frame whose payload is JSON text already, carried byte for byte. */
export function encodeJsonText(json: Uint8Array, route: Route = {}): Uint8Array {
  return joinJson(routeLines(route), json);
}

/** A `ct:a` frame. For many packets of one message use `audioEncoder`. */
export function encodeAudio(packet: AudioPacket): Uint8Array {
  return audioEncoder(packet, packet.messageId).encode(packet.packetId, packet.payload);
}

/** A frame that is not written yet. */
export interface FrameBytes {
  /** In bytes. */
  readonly length: number;
  /** Writes it into `target` from `at` on, where there is room for it. */
  writeTo(target: Uint8Array, at: number): void;
}

/** Encodes the packets of one message. */
export interface AudioEncoder {
  /** The frame of packet `packetId`; `payload` is copied into it. */
  encode(packetId: number, payload: Uint8Array): Uint8Array;
  /** The same, to be written later: until then `payload` must not change. */
  frame(packetId: number, payload: Uint8Array): FrameBytes;
}

/** Checks and encodes once what all packets of message `messageId` have in common. */
export function audioEncoder(route: AudioRoute, messageId: number): AudioEncoder {
  const middle = encodeUtf8(`\n${routeLines(route)}mid:${uint32("mid", messageId, MID_MAX)}\npid:`);
  const frame = (packetId: number, payload: Uint8Array) => new PacketBytes(middle, packetId, payload);
  const encode = (packetId: number, payload: Uint8Array) => {
    const bytes = frame(packetId, payload);
    const written = new Uint8Array(bytes.length);
    bytes.writeTo(written, 0);
    return written;
  };
  return { encode, frame };
}

class PacketBytes implements FrameBytes {
  readonly length: number;

  /** `middle`: what stands between the length of the payload and the number of the packet. */
  constructor(
    private readonly middle: Uint8Array,
    private readonly packetId: number,
    private readonly payload: Uint8Array,
  ) {
    uint32("pid", packetId, PID_MAX);
    checkPayload(payload, AUDIO_PAYLOAD_BYTES_MAX);
    const digits = countDigits(payload.length) + countDigits(packetId);
    this.length = AUDIO_PREFIX.length + middle.length + digits + "\n\n".length + payload.length;
  }

  writeTo(target: Uint8Array, start: number): void {
    const { middle, packetId, payload } = this;
    target.set(AUDIO_PREFIX, start);
    let at = writeDecimal(target, start + AUDIO_PREFIX.length, payload.length);
    target.set(middle, at);
    at = writeDecimal(target, at + middle.length, packetId);
    target[at] = 0x0a;
    target[at + 1] = 0x0a;
    target.set(payload, at + 2);
  }
}

function joinJson(tail: string, payload: Uint8Array): Uint8Array {
  checkPayload(payload, JSON_PAYLOAD_BYTES_MAX);
  const header = encodeUtf8(`LT\nct:json\ncl:${payload.length}\n${tail}\n`);
  const frame = new Uint8Array(header.length + payload.length);
  frame.set(header);
  frame.set(payload, header.length);
  return frame;
}

function routeLines(route: Route): string {
  let lines = "";
  if (route.network !== undefined) lines += `nw:${checkedName("nw", route.network, NAME_BYTES_MAX)}\n`;
  if (route.username !== undefined) lines += `un:${checkedName("un", route.username, NAME_BYTES_MAX)}\n`;
  if (route.connectionId !== undefined) {
    lines += `cid:${checkedName("cid", route.connectionId, CONNECTION_ID_BYTES_MAX)}\n`;
  }
  return lines;
}

function checkedName(key: string, name: string, bytesMax: number): string {
  const problem = nameProblem(name, bytesMax);
  if (problem !== undefined) throw new EncodeError("bad_name", `${key} ${problem}`);
  return name;
}

function uint32(key: string, value: number, max: number): number {
  if (!Number.isInteger(value) || value < 0 || value > max) {
    throw new EncodeError("out_of_range", `${key} is ${value}; expected an integer from 0 to ${max}`);
  }
  return value;
}

function checkPayload(payload: Uint8Array, bytesMax: number): void {
  if (payload.length > bytesMax) {
    throw new EncodeError(
      "payload_too_large",
      `the payload has ${payload.length} bytes, the limit is ${bytesMax}`,
    );
  }
}

function countDigits(value: number): number {
  let digits = 1;
  for (let bound = 10; value >= bound && digits < DECIMAL_DIGITS_MAX; bound *= 10) digits++;
  return digits;
}

/** Writes `value` at `at`; returns the position behind it. */
function writeDecimal(into: Uint8Array, at: number, value: number): number {
  const digits = countDigits(value);
  let rest = value;
  for (let i = at + digits - 1; i >= at; i--) {
    into[i] = DIGIT_0 + (rest % 10);
    rest = Math.floor(rest / 10);
  }
  return at + digits;
}
