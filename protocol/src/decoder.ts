/**
 * Cuts a byte stream into envelopes ([LT-1], [LT-10] to [LT-13]); frames may be split or joined at any byte.
 *
 * Memory: what is held of an unfinished frame is bounded by DECODER_BUFFERED_BYTES_MAX and never by what a header
 * claims; every length is checked before it is used. Ownership: a payload that lies whole in one chunk is a view of
 * that chunk. The decoder never writes into a chunk and forgets it once it is consumed; a caller that reuses its read
 * buffer, or keeps a small payload of a large chunk for long, copies the payload first.
 */
import type { DecodeResult, Envelope } from "./envelope.js";
import { HeaderParser } from "./header.js";
import { HEADER_BYTES_MAX } from "./limits.js";

const INCOMPLETE: DecodeResult = Object.freeze({ type: "incomplete" });
const NO_BYTES = new Uint8Array(0);
/** A split payload's buffer begins at this size and doubles as bytes arrive, in bytes. */
const PAYLOAD_BUFFER_BYTES_MIN = 4_096;

/**
 * Usage: `push` a chunk, then call `next` until it answers "incomplete" (push the next chunk) or "malformed"
 * (close the connection).
 */
export class EnvelopeDecoder {
  readonly #header = new HeaderParser();
  #stage: "header" | "payload" | "malformed" = "header";
  /** The chunk being consumed; the bytes before `#position` are consumed. */
  #chunk: Uint8Array = NO_BYTES;
  #position = 0;
  /** The bytes of a header that earlier chunks began. */
  #heldHeader: Uint8Array = NO_BYTES;
  #heldHeaderBytes = 0;
  /** The bytes of a payload that earlier chunks began. */
  #heldPayload: Uint8Array = NO_BYTES;
  #heldPayloadBytes = 0;
  #failure: DecodeResult = INCOMPLETE;

  /** Bytes held of pushed chunks: of an unfinished frame, and of the current chunk what is not consumed yet. */
  get bufferedBytes(): number {
    return this.#heldHeaderBytes + this.#heldPayloadBytes + (this.#chunk.length - this.#position);
  }

  /** Takes the next bytes of the stream. After "malformed" they are discarded. Throws if `next` has more to give. */
  push(chunk: Uint8Array): void {
    if (this.#stage === "malformed") return;
    if (this.#position < this.#chunk.length) {
      throw new Error("EnvelopeDecoder.push: call next() until it answers incomplete before pushing again");
    }
    this.#chunk = chunk;
    this.#position = 0;
  }

  /** The next envelope of what was pushed; "incomplete" when all of it is consumed. */
  next(): DecodeResult {
    if (this.#stage === "header") {
      const outcome = this.#heldHeaderBytes === 0 ? this.#readHeader() : this.#resumeHeader();
      if (outcome === "incomplete") return INCOMPLETE;
      if (outcome === "malformed") return this.#close();
      this.#stage = "payload";
    }
    if (this.#stage === "malformed") return this.#failure;
    const payload = this.#readPayload();
    if (payload === undefined) return INCOMPLETE;
    const envelope = this.#envelope(payload);
    this.#header.reset();
    this.#stage = "header";
    return { type: "envelope", envelope };
  }

  /** Parses a header in place; the beginning of an unfinished one is copied, so that no chunk is kept for it. */
  #readHeader(): "complete" | "incomplete" | "malformed" {
    const chunk = this.#chunk;
    const start = this.#position;
    const outcome = this.#header.parse(chunk, start, chunk.length);
    if (outcome === "complete") {
      this.#position = start + this.#header.length;
    } else if (outcome === "incomplete") {
      this.#holdHeader(chunk.subarray(start));
      this.#releaseChunk();
    }
    return outcome;
  }

  /** Goes on with a header that an earlier chunk began. */
  #resumeHeader(): "complete" | "incomplete" | "malformed" {
    const heldBefore = this.#heldHeaderBytes;
    const room = HEADER_BYTES_MAX - heldBefore;
    this.#holdHeader(this.#chunk.subarray(this.#position, this.#position + room));
    const outcome = this.#header.parse(this.#heldHeader, 0, this.#heldHeaderBytes);
    if (outcome === "complete") {
      this.#position += this.#header.length - heldBefore;
      this.#heldHeaderBytes = 0;
    } else if (outcome === "incomplete") {
      this.#releaseChunk(); // all of it fitted: a full header buffer is never incomplete
    }
    return outcome;
  }

  #holdHeader(bytes: Uint8Array): void {
    if (this.#heldHeader.length === 0) this.#heldHeader = new Uint8Array(HEADER_BYTES_MAX);
    this.#heldHeader.set(bytes, this.#heldHeaderBytes);
    this.#heldHeaderBytes += bytes.length;
  }

  /** The whole payload, or `undefined` after holding what there is of it. */
  #readPayload(): Uint8Array | undefined {
    const chunk = this.#chunk;
    const start = this.#position;
    const length = this.#header.contentLength;
    const missing = length - this.#heldPayloadBytes;
    const end = start + missing;
    if (end > chunk.length) {
      this.#holdPayload(chunk.subarray(start), length);
      this.#releaseChunk();
      return undefined;
    }
    this.#position = end;
    if (this.#heldPayloadBytes === 0) return chunk.subarray(start, end);
    this.#holdPayload(chunk.subarray(start, end), length);
    const payload = this.#heldPayload;
    this.#heldPayload = NO_BYTES;
    this.#heldPayloadBytes = 0;
    return payload.length === length ? payload : payload.subarray(0, length);
  }

  /** Appends to the held payload. Its buffer grows with what has come, not with what the header has promised. */
  #holdPayload(bytes: Uint8Array, length: number): void {
    const needed = this.#heldPayloadBytes + bytes.length;
    if (needed > this.#heldPayload.length) {
      const doubled = Math.max(PAYLOAD_BUFFER_BYTES_MIN, 2 * this.#heldPayload.length, needed);
      const grown = new Uint8Array(Math.min(doubled, length));
      grown.set(this.#heldPayload.subarray(0, this.#heldPayloadBytes));
      this.#heldPayload = grown;
    }
    this.#heldPayload.set(bytes, this.#heldPayloadBytes);
    this.#heldPayloadBytes = needed;
  }

  #envelope(payload: Uint8Array): Envelope {
    const header = this.#header;
    const connectionId = header.connectionId || undefined;
    if (header.contentType === "audio") {
      return {
        contentType: "audio",
        network: header.network!, // the header parser refuses audio without these
        username: header.username!,
        connectionId,
        messageId: header.messageId,
        packetId: header.packetId,
        payload,
      };
    }
    return {
      contentType: "json",
      network: header.network || undefined,
      username: header.username || undefined,
      connectionId,
      messageId: header.messageId < 0 ? undefined : header.messageId,
      packetId: header.packetId < 0 ? undefined : header.packetId,
      payload,
    };
  }

  #releaseChunk(): void {
    this.#chunk = NO_BYTES;
    this.#position = 0;
  }

  #close(): DecodeResult {
    const { reason, detail } = this.#header.failure!;
    this.#failure = { type: "malformed", reason, detail };
    this.#stage = "malformed";
    this.#releaseChunk();
    this.#heldHeader = NO_BYTES;
    this.#heldHeaderBytes = 0;
    return this.#failure;
  }
}
