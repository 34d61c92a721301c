/** One spoken answer on a bench: a writer and a synthesizer that do what a test says, relays, and a virtual clock. */
import { RecordedEvents } from "../../test/support/events.js";
import { FakeOutlet } from "../../test/support/fake-outlet.js";
import { ScriptedSpeech } from "../../test/support/fake-speech.js";
import { locales } from "../../test/support/locales.js";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import { watch } from "../../test/support/watch.js";
import type { TurnEvent, TurnRequest } from "../domain/turn.js";
import type { WaterfallMark } from "../domain/waterfall.js";
import { Channel } from "../lib/channel.js";
import { seededRandom } from "../lib/random.js";
import { Acknowledgements } from "./acknowledgement.js";
import { VoiceDelivery } from "./deliver-voice.js";
import type { DeliveryJob } from "./delivery.js";
import { Line } from "./line.js";

export const request: TurnRequest = {
  id: "turn-1",
  user: { network: "plant", username: "ann" },
  text: "How do I lock the press?",
  responseType: "audio",
  features: [],
  groups: [],
  requestId: "r",
};

export class VoiceBench {
  readonly clock = new VirtualClock();
  readonly startMs = this.clock.now();
  readonly events = new RecordedEvents();
  readonly tts = new ScriptedSpeech();
  readonly relay = this.newRelay();
  readonly line = new Line(this.relay, this.clock, () => {});
  readonly stop = new AbortController();
  firsts = 0;
  readonly marks: WaterfallMark[] = [];
  readonly delivery: VoiceDelivery;
  readonly #written = new Channel<TurnEvent>(Number.POSITIVE_INFINITY);

  readonly acknowledgements: Acknowledgements;

  /** `acknowledge`: what is said before an answer that was expected to take a second or longer. */
  constructor({ acknowledge }: { acknowledge?: "tone" | "phrase" } = {}) {
    let mid = 0;
    const nextMid = () => {
      mid += 1;
      return mid;
    };
    const deps = { clock: this.clock, telemetry: this.events, tts: this.tts, nextMid };
    this.acknowledgements = new Acknowledgements(
      { ...deps, random: seededRandom(1), locales },
      { sign: acknowledge ?? "tone", thresholdMs: 1_000 },
    );
    const acknowledger = acknowledge === undefined ? {} : { acknowledger: this.acknowledgements };
    this.delivery = new VoiceDelivery({ ...deps, ...acknowledger }, this.job);
  }

  readonly job: DeliveryJob = {
    request,
    line: this.line,
    route: "knowledge",
    onFirst: () => {
      this.firsts += 1;
    },
    mark: (mark) => this.marks.push(mark),
    signal: this.stop.signal,
  };

  newRelay(): FakeOutlet {
    return new FakeOutlet(() => this.clock.now() - this.startMs);
  }

  /** Begins to deliver what is written. */
  run() {
    return watch(this.delivery.run(this.#written));
  }

  write(text: string): void {
    this.#written.put({ type: "text", text });
  }

  /** The first sentence begins with `text`, and is not checked yet. */
  clause(text: string): void {
    this.#written.put({ type: "clause", text });
  }

  /** The writer has finished, after `text`. */
  finish(text?: string): void {
    if (text !== undefined) this.write(text);
    this.#written.close();
  }

  breakDown(error: unknown): void {
    this.#written.fail(error);
  }
}
