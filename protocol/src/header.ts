/**
 * Parses one envelope header ([LT-2] to [LT-9]), line by line and in place, resumable at any byte:
 *
 *     LT\n  key:value\n  key:value\n … \n
 *
 * The answer depends only on the bytes seen so far, never on how they were split, and the first defect in
 * byte order is the one that is reported.
 */
import type { MalformedReason } from "./envelope.js";
import {
  AUDIO_PAYLOAD_BYTES_MAX,
  CONNECTION_ID_BYTES_MAX,
  DECIMAL_DIGITS_MAX,
  HEADER_BYTES_MAX,
  JSON_PAYLOAD_BYTES_MAX,
  MID_MAX,
  NAME_BYTES_MAX,
  PID_MAX,
} from "./limits.js";
import { NameCache } from "./name-cache.js";
import { decodeUtf8, nameProblem } from "./utf8.js";

const LF = 0x0a;
const COLON = 0x3a;
const DIGIT_0 = 0x30;
const MAGIC = [0x4c, 0x54, LF] as const; // "LT\n"

// A key of up to three bytes as one number: a leading 1, so that its length counts, then its bytes.
const KEY_BYTES_MAX = 3;
const KEY_CT = 0x01_63_74;
const KEY_CL = 0x01_63_6c;
const KEY_NW = 0x01_6e_77;
const KEY_UN = 0x01_75_6e;
const KEY_CID = 0x01_63_69_64;
const KEY_MID = 0x01_6d_69_64;
const KEY_PID = 0x01_70_69_64;
const KEY_UNKNOWN = 0;

/** What the value parsers return instead of the start of the next line. */
const LINE_INCOMPLETE = -1;
const LINE_MALFORMED = -2;
/** A number that the header has not given. */
const ABSENT = -1;
/** One that it has given without a value, which means the same but may not be given again ([LT-9]). */
const EMPTY = -2;

export class HeaderParser {
  // The header's values: complete once parse() has answered "complete", until reset(). An empty text and a negative
  // number are none ([LT-8]).
  contentType: "json" | "audio" | undefined = undefined;
  contentLength: number = ABSENT;
  network: string | undefined = undefined;
  username: string | undefined = undefined;
  connectionId: string | undefined = undefined;
  messageId: number = ABSENT;
  packetId: number = ABSENT;
  /** Bytes of the header, magic and blank line included. */
  length = 0;
  /** Why parse() has answered "malformed". */
  failure: { reason: MalformedReason; detail: string } | undefined = undefined;

  readonly #names = new NameCache();
  readonly #unknownKeys = new Set<string>();
  /** Where the first line that is not parsed yet begins, counted from the start of the header. */
  #lineStart = 0;
  /** Hand-over from the value parsers, which return a position. */
  #number = 0;
  #text = "";

  /** Forgets the header parsed last. Names stay cached. */
  reset(): void {
    this.contentType = undefined;
    this.contentLength = ABSENT;
    this.network = undefined;
    this.username = undefined;
    this.connectionId = undefined;
    this.messageId = ABSENT;
    this.packetId = ABSENT;
    this.#lineStart = 0;
    if (this.#unknownKeys.size > 0) this.#unknownKeys.clear();
  }

  /**
   * Parses the header in `bytes` that begins at `start`; `end` is where the bytes known so far end.
   * After "incomplete" call again with the same header bytes, wherever they are now, and more behind them.
   */
  parse(bytes: Uint8Array, start: number, end: number): "complete" | "incomplete" | "malformed" {
    const limit = Math.min(end, start + HEADER_BYTES_MAX);
    if (this.#lineStart === 0) {
      const magic = this.#parseMagic(bytes, start, limit);
      if (magic !== "complete") return magic;
    }
    let at = start + this.#lineStart;
    while (at < limit) {
      if (bytes[at] === LF) {
        this.length = at + 1 - start;
        return this.#checkWhole();
      }
      const nextLine = this.#parseLine(bytes, at, limit);
      if (nextLine === LINE_INCOMPLETE) break;
      if (nextLine === LINE_MALFORMED) return "malformed";
      at = nextLine;
    }
    this.#lineStart = at - start;
    if (limit - start < HEADER_BYTES_MAX) return "incomplete";
    this.#fail("header_too_large", `no blank line within ${HEADER_BYTES_MAX} bytes`);
    return "malformed";
  }

  #parseMagic(bytes: Uint8Array, start: number, limit: number): "complete" | "incomplete" | "malformed" {
    for (let i = 0; i < MAGIC.length; i++) {
      if (start + i >= limit) return "incomplete";
      if (bytes[start + i] !== MAGIC[i]) {
        this.#fail("bad_magic", "a frame begins with the line LT");
        return "malformed";
      }
    }
    this.#lineStart = MAGIC.length;
    return "complete";
  }

  /** Parses the line at `from`; returns where the next one begins, or LINE_INCOMPLETE, or LINE_MALFORMED. */
  #parseLine(bytes: Uint8Array, from: number, limit: number): number {
    let key = 1;
    let colon = from;
    for (; colon < limit; colon++) {
      const byte = bytes[colon]!;
      if (byte === COLON) break;
      if (byte === LF) return this.#fail("missing_colon", "a header line is key:value");
      key = (key << 8) | byte;
    }
    if (colon >= limit) return LINE_INCOMPLETE;
    const value = colon + 1;
    let nextLine: number;
    switch (colon - from <= KEY_BYTES_MAX ? key : KEY_UNKNOWN) {
      case KEY_CT:
        if (this.contentType !== undefined) return this.#failRepeated("ct");
        return this.#parseContentType(bytes, value, limit);
      case KEY_CL:
        if (this.contentLength !== ABSENT) return this.#failRepeated("cl");
        nextLine = this.#parseDecimal(bytes, value, limit, "cl");
        if (nextLine >= 0) this.contentLength = this.#number;
        return nextLine;
      case KEY_NW:
        if (this.network !== undefined) return this.#failRepeated("nw");
        nextLine = this.#parseName(bytes, value, limit, "nw");
        if (nextLine >= 0) this.network = this.#text;
        return nextLine;
      case KEY_UN:
        if (this.username !== undefined) return this.#failRepeated("un");
        nextLine = this.#parseName(bytes, value, limit, "un");
        if (nextLine >= 0) this.username = this.#text;
        return nextLine;
      case KEY_CID:
        if (this.connectionId !== undefined) return this.#failRepeated("cid");
        nextLine = this.#parseName(bytes, value, limit, "cid");
        if (nextLine >= 0) this.connectionId = this.#text;
        return nextLine;
      case KEY_MID:
        if (this.messageId !== ABSENT) return this.#failRepeated("mid");
        nextLine = this.#parseDecimal(bytes, value, limit, "mid");
        if (nextLine >= 0) this.messageId = this.#number;
        return nextLine;
      case KEY_PID:
        if (this.packetId !== ABSENT) return this.#failRepeated("pid");
        nextLine = this.#parseDecimal(bytes, value, limit, "pid");
        if (nextLine >= 0) this.packetId = this.#number;
        return nextLine;
      default:
        return this.#parseUnknown(bytes, from, colon, limit);
    }
  }

  #parseContentType(bytes: Uint8Array, from: number, limit: number): number {
    let at = from;
    while (at < limit && bytes[at] !== LF) at++;
    if (at >= limit) return LINE_INCOMPLETE;
    const length = at - from;
    if (length === 1 && bytes[from] === 0x61) {
      this.contentType = "audio"; // "a"
    } else if (
      length === 4 &&
      bytes[from] === 0x6a &&
      bytes[from + 1] === 0x73 &&
      bytes[from + 2] === 0x6f &&
      bytes[from + 3] === 0x6e
    ) {
      this.contentType = "json";
    } else {
      return this.#fail("bad_content_type", "ct is neither json nor a");
    }
    return at + 1;
  }

  /** One to ten digits; leading zeros are allowed, nothing else is ([LT-7]); but for `cl` none, too ([LT-8]). */
  #parseDecimal(bytes: Uint8Array, from: number, limit: number, key: "cl" | "mid" | "pid"): number {
    let number = 0;
    let at = from;
    for (; at < limit; at++) {
      const byte = bytes[at]!;
      if (byte === LF) break;
      const digit = byte - DIGIT_0;
      if (digit < 0 || digit > 9)
        return this.#fail("bad_number", `${key} holds a byte that is no decimal digit`);
      if (at - from >= DECIMAL_DIGITS_MAX) {
        return this.#fail("bad_number", `${key} has more than ${DECIMAL_DIGITS_MAX} digits`);
      }
      number = number * 10 + digit;
    }
    if (at >= limit) return LINE_INCOMPLETE;
    if (at === from) {
      if (key === "cl") return this.#fail("bad_number", "cl is empty");
      this.#number = EMPTY;
      return at + 1;
    }
    if (key !== "cl" && number > (key === "mid" ? MID_MAX : PID_MAX)) {
      return this.#fail("bad_number", `${key} is beyond 32 bits`);
    }
    this.#number = number;
    return at + 1;
  }

  /** A name by [LT-31], or an empty value, which means that there is none ([LT-8]). */
  #parseName(bytes: Uint8Array, from: number, limit: number, key: "nw" | "un" | "cid"): number {
    let hash = 0;
    let at = from;
    for (; at < limit; at++) {
      const byte = bytes[at]!;
      if (byte === LF) break;
      hash = (Math.imul(hash, 31) + byte) | 0;
    }
    if (at >= limit) return LINE_INCOMPLETE;
    if (at === from) {
      this.#text = "";
      return at + 1;
    }
    const known = this.#names.get(bytes, from, at, hash);
    if (known !== undefined) {
      this.#text = known;
      return at + 1;
    }
    const text = decodeUtf8(bytes.subarray(from, at));
    if (text === undefined) return this.#fail("invalid_utf8", `${key} is not UTF-8`);
    const problem = nameProblem(text, key === "cid" ? CONNECTION_ID_BYTES_MAX : NAME_BYTES_MAX);
    if (problem !== undefined) return this.#fail("bad_name", `${key} ${problem}`);
    this.#names.set(bytes, from, at, hash, text);
    this.#text = text;
    return at + 1;
  }

  /** A key that we do not know is ignored, but it too is UTF-8 and given once ([LT-6]). */
  #parseUnknown(bytes: Uint8Array, from: number, colon: number, limit: number): number {
    let at = colon + 1;
    while (at < limit && bytes[at] !== LF) at++;
    if (at >= limit) return LINE_INCOMPLETE;
    const key = decodeUtf8(bytes.subarray(from, colon));
    if (key === undefined || decodeUtf8(bytes.subarray(colon + 1, at)) === undefined) {
      return this.#fail("invalid_utf8", "a header line is not UTF-8");
    }
    if (this.#unknownKeys.has(key))
      return this.#fail("repeated_key", "a key that is not ours is given twice");
    this.#unknownKeys.add(key);
    return at + 1;
  }

  /** What can be judged only with every line known ([LT-4], [LT-20]). */
  #checkWhole(): "complete" | "malformed" {
    const missing = this.#missingKey();
    if (missing !== undefined) {
      this.#fail("missing_key", `${missing} is missing`);
      return "malformed";
    }
    const payloadBytesMax = this.contentType === "audio" ? AUDIO_PAYLOAD_BYTES_MAX : JSON_PAYLOAD_BYTES_MAX;
    if (this.contentLength > payloadBytesMax) {
      this.#fail("payload_too_large", `cl is ${this.contentLength}, the limit ${payloadBytesMax} bytes`);
      return "malformed";
    }
    return "complete";
  }

  #missingKey(): string | undefined {
    if (this.contentType === undefined) return "ct";
    if (this.contentLength === ABSENT) return "cl";
    if (this.contentType === "json") return undefined;
    if (!this.network) return "nw";
    if (!this.username) return "un";
    if (this.messageId < 0) return "mid";
    if (this.packetId < 0) return "pid";
    return undefined;
  }

  #failRepeated(key: string): typeof LINE_MALFORMED {
    return this.#fail("repeated_key", `${key} is given twice`);
  }

  #fail(reason: MalformedReason, detail: string): typeof LINE_MALFORMED {
    this.failure = { reason, detail };
    return LINE_MALFORMED;
  }
}
