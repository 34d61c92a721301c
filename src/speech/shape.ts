/**
 * Speech in the shape that its receiver takes. A voice message has one shape from its first packet to its last; where
 * the receiver takes the synthesizer's packets, they pass byte for byte, else their frames are regrouped into packets
 * of a duration that it takes, without decoding them. The sample rate is nominal: any Opus decoder plays any packet at
 * any rate, so that a receiver that asked for a rate is told that rate, whatever the encoder was fed with.
 */
import { OpusRegrouper, parseToc, type RegroupResult } from "@readback/audio";
import type { SpeechPackets, SpeechTotals } from "./packets.js";
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

  /** That of the message, once its first packet is there. */
  get settled(): SpeechShape | undefined {
    return this.#settled?.shape;
  }

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
  packets: AsyncGenerator<SpeechPackets, SpeechTotals, undefined>,
  choice: ShapeChoice,
): AsyncGenerator<SpeechPackets, SpeechTotals, undefined> {
  let shaper: Shaper | undefined;
  try {
    let next = await packets.next();
    for (; !next.done; next = await packets.next()) {
      shaper ??= new Shaper(choice, next.value);
      yield* shaper.take(next.value);
    }
    yield* shaper?.end() ?? [];
    return { ...next.value, packets: shaper?.count ?? 0 };
  } finally {
    await packets.return({ packets: 0, preSkipSamples: 0, endTrimSamples: 0 });
  }
}

/** The speech of one text on its way into its shape. */
class Shaper {
  /** Packets in their shape so far. */
  count = 0;
  readonly #shape: SpeechShape;
  /** Absent where packets pass as they are. */
  readonly #regrouper: OpusRegrouper | undefined;
  #fillMs = 0;

  constructor(choice: ShapeChoice, { packets, shape }: SpeechPackets) {
    const toc = parseToc(packets[0]!);
    this.#shape = choice.settle(shape, toc.ok ? toc.toc.frameMs : shape.packetMs);
    if (this.#shape.packetMs !== shape.packetMs) this.#regrouper = new OpusRegrouper(this.#shape.packetMs);
  }

  *take({ packets }: SpeechPackets): Generator<SpeechPackets, void, undefined> {
    const regrouper = this.#regrouper;
    if (regrouper === undefined) {
      yield* this.#given(packets);
      return;
    }
    const regrouped: Uint8Array[] = [];
    try {
      for (const packet of packets) regrouped.push(...this.#packets(regrouper.push(packet)));
    } finally {
      yield* this.#given(regrouped);
    }
  }

  end(): readonly SpeechPackets[] {
    return this.#regrouper === undefined ? [] : this.#given(this.#packets(this.#regrouper.flush()));
  }

  #given(packets: readonly Uint8Array[]): readonly SpeechPackets[] {
    this.count += packets.length;
    return packets.length === 0 ? [] : [{ packets, shape: this.#shape }];
  }

  #packets(regrouped: RegroupResult): readonly Uint8Array[] {
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
    return regrouped.packets;
  }
}
