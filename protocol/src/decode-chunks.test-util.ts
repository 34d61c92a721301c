/** Feeds a decoder chunk by chunk and holds it to what must be true whatever the bytes are. */
import { EnvelopeDecoder } from "./decoder.js";
import type { Envelope } from "./envelope.js";
import { DECODER_BUFFERED_BYTES_MAX } from "./limits.js";
import { type DecodingResult, toEnd, toVector } from "./naive.test-util.js";

/** Envelopes and the end of `chunks`, in the vectors' form. Throws if the decoder breaks one of its promises. */
export function decodeChunks(chunks: Iterable<Uint8Array>): DecodingResult {
  const decoder = new EnvelopeDecoder();
  const envelopes: unknown[] = [];
  let end: DecodingResult["end"] = "incomplete";
  for (const chunk of chunks) {
    decoder.push(chunk);
    end = drain(decoder, chunk.length, (envelope) => envelopes.push(toVector(envelope)));
    if (decoder.bufferedBytes > DECODER_BUFFERED_BYTES_MAX) {
      throw new Error(`the decoder holds ${decoder.bufferedBytes} bytes`);
    }
    if (end !== "incomplete" && decoder.bufferedBytes > 0) throw new Error("a closed decoder holds bytes");
  }
  return { envelopes, end };
}

/** Calls `next` until it has no more; a frame has at least ten bytes, which bounds how often that can be. */
function drain(
  decoder: EnvelopeDecoder,
  chunkBytes: number,
  take: (envelope: Envelope) => void,
): DecodingResult["end"] {
  const answersMax = chunkBytes + 2;
  for (let answers = 0; answers < answersMax; answers++) {
    const result = decoder.next();
    if (result.type !== "envelope") return toEnd(result);
    take(result.envelope);
  }
  throw new Error(`the decoder does not come to an end with ${chunkBytes} bytes`);
}

/** `bytes` one at a time. */
export function* oneByOne(bytes: Uint8Array): Generator<Uint8Array> {
  for (let i = 0; i < bytes.length; i++) yield bytes.subarray(i, i + 1);
}
