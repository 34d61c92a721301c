/**
 * What a server sends is counted before anything of it is parsed or kept: the bytes of a message, and
 * bytes and messages of a second.
 */
import type { Clock } from "../../lib/clock.js";
import { TokenBucket } from "../../lib/token-bucket.js";
import { SiteFailure } from "../port.js";

/** Replies of the largest size that a server may send in a second, whoever asked for them. */
const REPLIES_PER_SECOND_MAX = 8;

/** Messages that a server may send in a second, and at once after a rest: each takes longer to read than its bytes. */
const MESSAGES_PER_SECOND_MAX = 200;
const MESSAGES_AT_ONCE_MAX = 400;

const [LINE_FEED, CARRIAGE_RETURN] = [0x0a, 0x0d];

/** The limits of one connection. */
export class ByteLimits {
  readonly #bytes: TokenBucket;
  readonly #messages: TokenBucket;

  constructor(
    clock: Clock,
    private readonly replyBytesMax: number,
  ) {
    const perSecond = REPLIES_PER_SECOND_MAX * replyBytesMax;
    this.#bytes = new TokenBucket(clock, { perSecond, burst: perSecond });
    this.#messages = new TokenBucket(clock, {
      perSecond: MESSAGES_PER_SECOND_MAX,
      burst: MESSAGES_AT_ONCE_MAX,
    });
  }

  /** Counts bytes that arrived. Throws `SiteFailure` when they come too fast. */
  take(bytes: number): void {
    if (this.#bytes.take(bytes) > 0)
      throw new SiteFailure(
        "TOO_LARGE",
        `it sends more than ${REPLIES_PER_SECOND_MAX * this.replyBytesMax} bytes a second`,
      );
  }

  /** Counts a message that is complete. Throws `SiteFailure` when they come too fast. */
  takeMessage(): void {
    if (this.#messages.take(1) > 0)
      throw new SiteFailure("TOO_LARGE", `it sends more than ${MESSAGES_PER_SECOND_MAX} messages a second`);
  }

  /** Throws `SiteFailure` for a message that has so many bytes so far. */
  checkMessage(bytes: number): void {
    if (bytes > this.replyBytesMax)
      throw new SiteFailure(
        "TOO_LARGE",
        `a message of it has more than ${this.replyBytesMax} bytes (reply_bytes_max)`,
      );
  }
}

/** Cuts what arrives into lines, none of them longer than the limits allow. */
export class LineReader {
  #parts: Buffer[] = [];
  #bytes = 0;

  constructor(private readonly limits: ByteLimits) {}

  /** The lines that are complete with this chunk, without their ends. Throws `SiteFailure`. */
  *push(chunk: Buffer): Generator<string, void, undefined> {
    this.limits.take(chunk.length);
    let rest = chunk;
    for (let end = rest.indexOf(LINE_FEED); end >= 0; end = rest.indexOf(LINE_FEED)) {
      this.#keep(rest.subarray(0, end));
      const line = Buffer.concat(this.#parts).toString("utf8");
      this.#parts = [];
      this.#bytes = 0;
      rest = rest.subarray(end + 1);
      this.limits.takeMessage();
      if (line.trim() !== "") yield line;
    }
    this.#keep(rest);
  }

  #keep(part: Buffer): void {
    this.#bytes += part.length;
    this.limits.checkMessage(this.#bytes);
    if (part.length > 0) this.#parts.push(part);
  }
}

/**
 * Counts the bytes of one body. Of a body of events (text/event-stream) each event is a message, which ends with an empty
 * line; every other body is one message.
 */
export class BodyCounter {
  #bytes = 0;
  #isLineEmpty = true;

  constructor(
    private readonly limits: ByteLimits,
    private readonly isEvents: boolean,
  ) {}

  /** Throws `SiteFailure`. */
  take(chunk: Uint8Array): void {
    this.limits.take(chunk.length);
    if (!this.isEvents) this.#bytes += chunk.length;
    else for (const byte of chunk) this.#step(byte);
    this.limits.checkMessage(this.#bytes);
  }

  #step(byte: number): void {
    this.#bytes += 1;
    if (byte === CARRIAGE_RETURN) return;
    if (byte === LINE_FEED && this.#isLineEmpty) {
      this.#bytes = 0;
      this.limits.takeMessage();
    }
    this.#isLineEmpty = byte === LINE_FEED;
  }
}
