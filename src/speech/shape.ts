/**
 * Speech in the shape that its receiver takes. A voice message has one shape from its first packet to its last; where
 * the receiver takes the synthesizer's packets, they pass byte for byte, else their frames are regrouped into packets
 * of a duration that it takes, without decoding them. The sample rate is nominal: any Opus decoder plays any packet at
 * any rate, so that a receiver that asked for a rate is told that rate, whatever the encoder was fed with.
 */
import { OpusRegrouper, parseToc, type RegroupResult } from "@readback/audio";
import type { SpeechPacket, SpeechTotals } from "./packets.js";
import { SpeechFailure, type SpeechShape } from "./port.js";

/**
 * Empty frames that regrouping may put into one text's speech: some at its end, and some where the encoder changed its
 * mode, as encoders do once or twice. What changes more often would stutter.
 */
export const FILL_MS_MAX = 400;

/** The one shape of a voice message. It is settled by the first packet that asks for it. */
export class ShapeChoice {
  #settled: { readonly shape: SpeechShape; readonly declared: boolean } | undefined;

  /** `taken`: the shapes that the receiver takes, in order of preference; empty: any. */
  constructor(private readonly taken: () => readonly SpeechShape[]) {}

  /** What a voice that encodes its own packets should make; undefined: as it likes. */
  get preferred(): SpeechShape | undefined {
    return this.#settled?.shape ?? this.taken()[0];
  }

  /**
   * The shape for packets of `offered` with frames of `frameMs`. Throws `SpeechFailure`: `wrong_shape`. Packets are
   * regrouped only for a receiver that declared what it takes: to any other they go byte for byte, or not at all.
   */
  settle(offered: SpeechShape, frameMs: number): SpeechShape {
    const settled = this.#settled;
    const taken = settled === undefined ? this.taken() : [settled.shape];
    const declared = settled?.declared ?? taken.length > 0;
    const chosen = chooseShape(offered, frameMs, taken);
    if (chosen === undefined || (!declared && chosen.packetMs !== offered.packetMs)) {
      const wanted = taken.map(({ packetMs }) => packetMs).join(", ");
      throw new SpeechFailure("wrong_shape", `packets of ${offered.packetMs} ms cannot go as ${wanted} ms`);
    }
    this.#settled = { shape: chosen, declared };
    return chosen;
  }

  /** Forgets what was settled, as long as nothing of the message has left. */
  reset(): void {
    this.#settled = undefined;
  }
}

/**
 * What packets of shape `offered` should become: themselves where they are taken; with another nominal rate where only
 * that differs; else the first duration taken that is a whole number of their frames.
 */
export function chooseShape(
  offered: SpeechShape,
  frameMs: number,
  taken: readonly SpeechShape[],
): SpeechShape | undefined {
  const isOffered = ({ sampleRateHz, packetMs }: SpeechShape) =>
    sampleRateHz === offered.sampleRateHz && packetMs === offered.packetMs;
  if (taken.length === 0 || taken.some(isOffered)) return offered;
  return (
    taken.find(({ packetMs }) => packetMs === offered.packetMs) ??
    taken.find(({ packetMs }) => packetMs % frameMs === 0)
  );
}

/**
 * The packets in the shape that `choice` settles for them; returns their totals. Throws what `packets` throws, and
 * `SpeechFailure`: `wrong_shape` when they cannot be given that shape.
 */
export async function* shaped(
  packets: AsyncGenerator<SpeechPacket, SpeechTotals, undefined>,
  choice: ShapeChoice,
): AsyncGenerator<SpeechPacket, SpeechTotals, undefined> {
  let count = 0;
  let shaper: Shaper | undefined;
  try {
    let next = await packets.next();
    for (; !next.done; next = await packets.next()) {
      shaper ??= new Shaper(choice, next.value);
      for (const packet of shaper.take(next.value)) {
        count += 1;
        yield packet;
      }
    }
    for (const packet of shaper?.end() ?? []) {
      count += 1;
      yield packet;
    }
    return { ...next.value, packets: count };
  } finally {
    await packets.return({ packets: count, preSkipSamples: 0, endTrimSamples: 0 });
  }
}

/** The speech of one text on its way into its shape. */
class Shaper {
  readonly #shape: SpeechShape;
  /** Absent where packets pass as they are. */
  readonly #regrouper: OpusRegrouper | undefined;
  #fillMs = 0;

  constructor(choice: ShapeChoice, { bytes, shape }: SpeechPacket) {
    const toc = parseToc(bytes);
    this.#shape = choice.settle(shape, toc.ok ? toc.toc.frameMs : shape.packetMs);
    if (this.#shape.packetMs !== shape.packetMs) this.#regrouper = new OpusRegrouper(this.#shape.packetMs);
  }

  take({ bytes }: SpeechPacket): readonly SpeechPacket[] {
    if (this.#regrouper === undefined) return [{ bytes, shape: this.#shape }];
    return this.#packets(this.#regrouper.push(bytes));
  }

  end(): readonly SpeechPacket[] {
    return this.#regrouper === undefined ? [] : this.#packets(this.#regrouper.flush());
  }

  #packets(regrouped: RegroupResult): readonly SpeechPacket[] {
    const { packetMs } = this.#shape;
    if (!regrouped.ok) {
      throw new SpeechFailure(
        "wrong_shape",
        `a packet cannot be made into packets of ${packetMs} ms: ${regrouped.reason}`,
      );
    }
    this.#fillMs += regrouped.fillMs;
    if (this.#fillMs > FILL_MS_MAX) {
      throw new SpeechFailure("wrong_shape", `the audio changes too often for packets of ${packetMs} ms`);
    }
    return regrouped.packets.map((bytes) => ({ bytes, shape: this.#shape }));
  }
}
