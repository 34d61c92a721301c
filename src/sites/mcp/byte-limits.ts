/** What a server sends is counted before it is parsed: the bytes of a message, and bytes and messages of a second. */
import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import type { Clock } from "../../lib/clock.js";
import { TokenBucket } from "../../lib/token-bucket.js";
import { SiteFailure } from "../port.js";

/** Replies of the largest size that a server may send in a second, whoever asked for them. */
const REPLIES_PER_SECOND_MAX = 8;

/** Messages that a server may send in a second, and at once after a rest: each takes longer to read than its bytes. */
const MESSAGES = { perSecond: 200, burst: 400 };

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** What answers a call in place of a reply that is too large; the code is none of the protocol's. */
export const TOO_LARGE_CODE = -32_050;

/** The limits of one connection. What breaks one of the whole connection throws `SiteFailure`. */
export class ByteLimits {
  readonly #bytes: TokenBucket;
  readonly #messages: TokenBucket;

  constructor(
    clock: Clock,
    /** Of one message. */
    readonly replyBytesMax: number,
  ) {
    const perSecond = REPLIES_PER_SECOND_MAX * replyBytesMax;
    this.#bytes = new TokenBucket(clock, { perSecond, burst: perSecond });
    this.#messages = new TokenBucket(clock, MESSAGES);
  }

  /** Counts bytes that arrived. */
  take(bytes: number): void {
    if (this.#bytes.take(bytes) > 0)
      throw new SiteFailure(
        "TOO_LARGE",
        `it sends more than ${REPLIES_PER_SECOND_MAX * this.replyBytesMax} bytes a second`,
      );
  }

  /** Counts a message that is over. */
  message(): void {
    if (this.#messages.take(1) > 0)
      throw new SiteFailure("TOO_LARGE", `it sends more than ${MESSAGES.perSecond} messages a second`);
  }

  /** Counts a stream, chunk by chunk; false: a message of it is too large. Each ends with an empty line, or with the stream. */
  counter(end: "empty_line" | "stream"): (chunk: Uint8Array) => boolean {
    let bytes = 0;
    let isLineEmpty = true;
    return (chunk) => {
      this.take(chunk.length);
      for (const byte of chunk) {
        bytes += 1;
        if (bytes > this.replyBytesMax) return false;
        if (byte === LINE_FEED && end === "empty_line" && isLineEmpty) {
          bytes = 0;
          this.message();
        }
        if (byte !== CARRIAGE_RETURN) isLineEmpty = byte === LINE_FEED;
      }
      return true;
    };
  }

  /** What the call of this id is answered in place of a message that is too large. */
  refusal(id: string | number): JSONRPCMessage {
    const message = `a message of it has more than ${this.replyBytesMax} bytes (reply_bytes_max)`;
    return { jsonrpc: "2.0", id, error: { code: TOO_LARGE_CODE, message } };
  }
}
