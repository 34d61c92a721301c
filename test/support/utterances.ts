/** Utterances for tests: one that is over, and one that grows as the test says. */
import type { Utterance, UtteranceShape } from "../../src/domain/utterance.js";

export const SHAPE_16K: UtteranceShape = { sampleRateHz: 16_000, packetMs: 60 };

/** An utterance of which all packets are there. */
export function utteranceOf(packets: readonly Uint8Array[], shape: UtteranceShape = SHAPE_16K): Utterance {
  const held = new HeldUtterance(shape);
  for (const packet of packets) held.say(packet);
  held.release();
  return held;
}

type State =
  | { readonly type: "held" }
  | { readonly type: "released" }
  | { readonly type: "given_up"; readonly reason: unknown };

/** The button is held until `release` or `giveUp`. */
export class HeldUtterance implements Utterance {
  readonly #packets: Uint8Array[] = [];
  #state: State = { type: "held" };
  #wake: (() => void)[] = [];

  constructor(readonly shape: UtteranceShape = SHAPE_16K) {}

  say(packet: Uint8Array): void {
    this.#packets.push(packet);
    this.#wakeAll();
  }

  release(): void {
    this.#state = { type: "released" };
    this.#wakeAll();
  }

  giveUp(reason: unknown): void {
    this.#state = { type: "given_up", reason };
    this.#wakeAll();
  }

  async *packets(): AsyncGenerator<Uint8Array, void, undefined> {
    for (let at = 0; ; ) {
      if (this.#state.type === "given_up") throw this.#state.reason;
      const packet = this.#packets[at];
      if (packet !== undefined) {
        at++;
        yield packet;
      } else if (this.#state.type === "released") {
        return;
      } else {
        await new Promise<void>((resolve) => this.#wake.push(resolve));
      }
    }
  }

  #wakeAll(): void {
    const waiting = this.#wake;
    this.#wake = [];
    for (const wake of waiting) wake();
  }
}
