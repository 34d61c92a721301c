/**
 * A synthesizer's Ogg Opus body to the packets in it, each the moment its last byte arrives, byte for byte. Where its
 * time runs ahead of its packets nothing was sent for a while; receivers play by counting packets, so that empty ones
 * stand in there.
 */
import {
  emptyOpusPacketLike,
  OggOpusDemuxer,
  type OggOpusEvent,
  OPUS_SAMPLE_RATES_HZ,
  type OpusHead,
  parseToc,
  SAMPLES_PER_MS,
} from "@readback/audio";
import { SpeechFailure, type SpeechShape } from "./port.js";

/** Packets that were complete at the same time. */
export interface SpeechPackets {
  /** At least one; views of what was read. */
  readonly packets: readonly Uint8Array[];
  /** The same object for every packet of a body. */
  readonly shape: SpeechShape;
}

/** What a body amounted to; trimming is reported here and applied to nothing. In samples at 48 kHz. */
export interface SpeechTotals {
  /** Those for gaps included. */
  readonly packets: number;
  readonly preSkipSamples: number;
  readonly endTrimSamples: number;
}

/** Size of one packet that the wire can carry, at the most. */
const PACKET_BYTES_MAX = 8_192;

/** How long a body may send nothing. No voice pauses for longer within a sentence: a wider jump is damage, no gap. */
export const GAP_MS_MAX = 2_000;

/** Packet durations that the wire can carry, in milliseconds. */
const PACKET_MS: readonly number[] = [20, 40, 60];

/**
 * The packets of `body`, those of each chunk together; returns its totals. `onChunk` is told of each chunk before it is
 * read. Throws what the body throws, and `SpeechFailure`: `not_audio` when there is no packet in it, `wrong_shape` when a
 * packet is not 20, 40 or 60 ms mono or not like the first one, `cut` when the stream is damaged or ends early, after the
 * packets that came before.
 */
export async function* opusPackets(
  body: AsyncIterable<Uint8Array>,
  onChunk?: () => void,
): AsyncGenerator<SpeechPackets, SpeechTotals, undefined> {
  const reader = new BodyReader();
  const demuxer = new OggOpusDemuxer();
  for await (const chunk of body) {
    onChunk?.();
    yield* reader.read(demuxer.push(chunk));
  }
  yield* reader.read(demuxer.end());
  return reader.totals();
}

class BodyReader {
  #head: OpusHead | undefined;
  #shape: SpeechShape | undefined;
  /** Those of the chunk being read. */
  #chunk: Uint8Array[] = [];
  #packets = 0;
  /** The packet before. */
  #latest: Uint8Array | undefined;
  /** The first byte of a packet of this stream that is mono, which tells the channels of all that begin with it. */
  #monoByte: number | undefined;
  #preSkipSamples = 0;
  #endTrimSamples = 0;

  /** What the events of a chunk come to; throws what they break, after the packets before it. */
  *read(events: readonly OggOpusEvent[]): Generator<SpeechPackets, void, undefined> {
    this.#chunk = [];
    try {
      for (const event of events) this.#take(event);
    } finally {
      if (this.#chunk.length > 0) yield { packets: this.#chunk, shape: this.#shape! };
    }
  }

  #take(event: OggOpusEvent): void {
    switch (event.type) {
      case "head":
        this.#head = event.head;
        this.#monoByte = undefined;
        return;
      case "tags":
        return;
      case "packet":
        return this.#packet(event.data, event.durationSamples / SAMPLES_PER_MS);
      case "gap":
        return this.#gap(event.durationSamples / SAMPLES_PER_MS);
      case "end":
        this.#preSkipSamples += event.totals.preSkipSamples;
        this.#endTrimSamples += event.totals.endTrimSamples;
        return;
      case "truncated":
        // Some encoders never mark the last page. Whether the body itself is whole, its transport knows.
        if (event.missing === "end_of_stream") return;
        throw this.#broken(
          `the audio ends within ${event.missing === "headers" ? "its headers" : `a ${event.missing}`}`,
        );
      case "malformed":
        throw this.#broken(`${event.reason}: ${event.detail}`);
    }
  }

  totals(): SpeechTotals {
    if (this.#packets === 0) throw this.#broken("there is no packet in the audio");
    return {
      packets: this.#packets,
      preSkipSamples: this.#preSkipSamples,
      endTrimSamples: this.#endTrimSamples,
    };
  }

  #packet(bytes: Uint8Array, packetMs: number): void {
    if (bytes.length > PACKET_BYTES_MAX) {
      throw new SpeechFailure(
        "wrong_shape",
        `a packet of ${bytes.length} bytes; at most ${PACKET_BYTES_MAX} are carried`,
      );
    }
    this.#shape ??= this.#firstShape(packetMs);
    if (packetMs !== this.#shape.packetMs || !this.#isMono(bytes)) {
      throw new SpeechFailure("wrong_shape", `a packet of the audio is not ${this.#shape.packetMs} ms mono`);
    }
    this.#latest = bytes;
    this.#packets += 1;
    this.#chunk.push(bytes);
  }

  #isMono(bytes: Uint8Array): boolean {
    if (bytes[0] === this.#monoByte) return true;
    const toc = parseToc(bytes);
    const isMono = toc.ok && toc.toc.channels === 1 && this.#head?.channels === 1;
    if (isMono) this.#monoByte = bytes[0];
    return isMono;
  }

  /** Empty packets like the one before; what is left of the gap is shorter than a packet. */
  #gap(gapMs: number): void {
    if (this.#shape === undefined || this.#latest === undefined || gapMs > GAP_MS_MAX) return;
    const empty = emptyOpusPacketLike(this.#latest);
    if (!empty.ok) return;
    const count = Math.floor(gapMs / this.#shape.packetMs);
    this.#packets += count;
    for (let i = 0; i < count; i++) this.#chunk.push(empty.packet);
  }

  #firstShape(packetMs: number): SpeechShape {
    if (!PACKET_MS.includes(packetMs)) {
      throw new SpeechFailure(
        "wrong_shape",
        `packets of ${packetMs} ms are none of ${PACKET_MS.join(", ")} ms`,
      );
    }
    const rateHz = this.#head?.inputSampleRateHz ?? 0;
    const isOpusRate = (OPUS_SAMPLE_RATES_HZ as readonly number[]).includes(rateHz);
    return { sampleRateHz: isOpusRate ? rateHz : 48_000, packetMs };
  }

  #broken(what: string): SpeechFailure {
    return new SpeechFailure(this.#packets === 0 ? "not_audio" : "cut", what);
  }
}
