/** What a server sends is counted before it is parsed: the bytes of a message, and bytes and messages of a second. */
import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import type { Clock } from "../../lib/clock.js";
import { TokenBucket } from "../../lib/token-bucket.js";
import { SiteFailure } from "../port.js";

/** Replies of the largest size that a server may send in a second, whoever asked for them. */
const REPLIES_PER_SECOND_MAX = 8;

/** Messages that a server may send in a second, and at once after a rest: each takes longer to read than its bytes. */
const MESSAGES = { perSecond: 200, burst: 400 };

/** A message that is too large is passed over, up to so many times what it may have; its ends are kept: they tell whose it is. */
const PASSED_OVER_TIMES_MAX = 256;
const END_CHARS = 200;

/** What answers a call in place of a reply that is too large; the code is none of the protocol's. */
export const TOO_LARGE_CODE = -32_050;

/** The limits of one connection. What breaks one of the whole connection throws `SiteFailure`. */
export class ByteLimits {
  readonly #bytes: TokenBucket;
  readonly #messages: TokenBucket;

  constructor(
    clock: Clock,
    /** Of one message. */
    private readonly replyBytesMax: number,
  ) {
    const perSecond = REPLIES_PER_SECOND_MAX * replyBytesMax;
    this.#bytes = new TokenBucket(clock, { perSecond, burst: perSecond });
    this.#messages = new TokenBucket(clock, MESSAGES);
  }

  /** Counts bytes that arrived. */
  take(bytes: number): void {
    const perSecondMax = REPLIES_PER_SECOND_MAX * this.replyBytesMax;
    if (this.#bytes.take(bytes) > 0) refuse(`it sends more than ${perSecondMax} bytes a second`);
  }

  /**
   * Cuts a stream, chunk by chunk, into messages. Each ends with its line, with an empty line, or with the stream. Of one that
   * is too large only the ends are kept; unless it is a line, it is given as soon as that is known. Characters count as bytes.
   */
  cutter(end: "line" | "empty_line" | "stream") {
    const decoder = new TextDecoder();
    let [text, passedOver, isLineEmpty] = ["", 0, true];
    const add = (part: string) => {
      text += part;
      if (passedOver === 0 && text.length <= this.replyBytesMax) return;
      passedOver += part.length;
      const max = PASSED_OVER_TIMES_MAX * this.replyBytesMax;
      if (passedOver > max) refuse(`a message of it has more than ${max} bytes`);
      text = text.slice(0, END_CHARS) + text.slice(-END_CHARS);
    };
    return (chunk: Uint8Array) => {
      if (passedOver === 0) this.take(chunk.length);
      const messages: { readonly text: string; readonly isTooLarge: boolean }[] = [];
      const lines = decoder.decode(chunk, { stream: true }).split("\n");
      for (const [at, line] of lines.entries()) {
        const isEnded = at < lines.length - 1;
        add(isEnded ? `${line}\n` : line);
        isLineEmpty &&= line === "" || line === "\r";
        const isOver = isEnded && (end === "line" || (end === "empty_line" && isLineEmpty));
        const isTooLarge = passedOver > 0;
        if (isOver || (isTooLarge && end !== "line")) messages.push({ text, isTooLarge });
        if (isOver) {
          if (this.#messages.take(1) > 0)
            refuse(`it sends more than ${MESSAGES.perSecond} messages a second`);
          [text, passedOver] = ["", 0];
        }
        isLineEmpty ||= isEnded;
      }
      return messages;
    };
  }

  /** What the call of this id is answered in place of a message that is too large. */
  refusal(id: string | number): JSONRPCMessage {
    const message = `a message of it has more than ${this.replyBytesMax} bytes (reply_bytes_max)`;
    return { jsonrpc: "2.0", id, error: { code: TOO_LARGE_CODE, message } };
  }
}

function refuse(why: string): never {
  throw new SiteFailure("TOO_LARGE", why);
}
