/** What a server sends is counted before it is parsed: the bytes of a message, and bytes and messages of a second. */
import type { Clock } from "../../lib/clock.js";
import { TokenBucket } from "../../lib/token-bucket.js";
import { SiteFailure } from "../port.js";

/** Replies of the largest size that a server may send in a second, whoever asked for them. */
const REPLIES_PER_SECOND_MAX = 8;

/** Messages that a server may send in a second, and at once after a rest: each takes longer to read than its bytes. */
const MESSAGES = { perSecond: 200, burst: 400 };

export const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** The limits of one connection. All that it counts with throws `SiteFailure` when a limit is broken. */
export class ByteLimits {
  readonly #bytes: TokenBucket;
  readonly #messages: TokenBucket;

  constructor(
    clock: Clock,
    private readonly replyBytesMax: number,
  ) {
    const perSecond = REPLIES_PER_SECOND_MAX * replyBytesMax;
    this.#bytes = new TokenBucket(clock, { perSecond, burst: perSecond });
    this.#messages = new TokenBucket(clock, MESSAGES);
  }

  /** Counts bytes that arrived. */
  take(bytes: number): void {
    if (this.#bytes.take(bytes) > 0)
      throw tooLarge(`it sends more than ${REPLIES_PER_SECOND_MAX * this.replyBytesMax} bytes a second`);
  }

  /** Counts a stream, chunk by chunk: each message of it ends with a line, or with an empty one, or with the stream. */
  counter(end: "line" | "empty_line" | "stream"): (chunk: Uint8Array) => void {
    let bytes = 0;
    let isLineEmpty = true;
    return (chunk) => {
      this.take(chunk.length);
      for (const byte of chunk) {
        bytes += 1;
        if (bytes > this.replyBytesMax)
          throw tooLarge(`a message of it has more than ${this.replyBytesMax} bytes (reply_bytes_max)`);
        if (byte === LINE_FEED && (end === "line" || (end === "empty_line" && isLineEmpty))) {
          bytes = 0;
          if (this.#messages.take(1) > 0)
            throw tooLarge(`it sends more than ${MESSAGES.perSecond} messages a second`);
        }
        if (byte !== CARRIAGE_RETURN) isLineEmpty = byte === LINE_FEED;
      }
    };
  }
}

function tooLarge(message: string): SiteFailure {
  return new SiteFailure("TOO_LARGE", message);
}
