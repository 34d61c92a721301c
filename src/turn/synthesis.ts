/**
 * The script turned into packets: the sentence that is playing and a few after it are synthesized at the same time,
 * and packets come out in the order of the text.
 */
import type { Clock } from "../lib/clock.js";
import type { Condition } from "../lib/condition.js";
import type { SpeechPacket } from "../speech/packets.js";
import type { TextToSpeech } from "../speech/port.js";
import type { ShapeChoice } from "../speech/shape.js";
import type { Telemetry } from "../telemetry/events.js";
import type { DeliveryJob } from "./delivery.js";
import type { SpokenUnit } from "./heard.js";
import type { Script } from "./script.js";
import { SpeechUnit, type UnitReport } from "./speech-unit.js";
import { spokenWords } from "./spoken.js";

/** Sentences being synthesized beyond the one that is playing. */
export const UNITS_AHEAD_MAX = 2;

export interface SynthesisDeps {
  readonly clock: Clock;
  readonly tts: TextToSpeech;
  readonly telemetry: Telemetry;
  /** What shape the packets are to have, all of them the same. */
  readonly shape: ShapeChoice;
}

export type NextPacket =
  | { readonly type: "packet"; readonly packet: SpeechPacket }
  | { readonly type: "pending" }
  | { readonly type: "end" };

export class Synthesis {
  /** The playing sentence first. */
  #units: SpeechUnit[] = [];
  readonly #spoken: { readonly unit: SpeechUnit; readonly firstPid: number }[] = [];

  constructor(
    private readonly script: Script,
    private readonly changed: Condition,
    private readonly deps: SynthesisDeps,
    private readonly job: Pick<DeliveryJob, "language" | "mark" | "request" | "signal">,
  ) {}

  /** The next packet, which will leave as `pid`. Throws what synthesis or the script's writer failed with. */
  next(pid: number): NextPacket {
    for (;;) {
      this.#topUp();
      const unit = this.#units[0];
      if (unit === undefined) return { type: this.script.exhausted ? "end" : "pending" };
      const taken = unit.take();
      if (taken.type === "done") {
        this.#units.shift();
        continue;
      }
      if (taken.type === "pending") return taken;
      if (this.#spoken.at(-1)?.unit !== unit) this.#begin(unit, pid);
      return taken;
    }
  }

  /** What has been spoken so far, for counting the words heard. */
  spoken(packetMs: number): SpokenUnit[] {
    return this.#spoken.map(({ unit, firstPid }) => ({
      text: unit.text,
      firstPid,
      packets: unit.packets,
      packetMs,
      complete: unit.complete,
    }));
  }

  /** Stops every synthesis under way and forgets it. */
  abort(): void {
    for (const unit of this.#units) unit.abort();
    this.#units = [];
  }

  #begin(unit: SpeechUnit, firstPid: number): void {
    this.#spoken.push({ unit, firstPid });
    this.deps.telemetry.emit({
      type: "sentence_spoken",
      user: this.job.request.user,
      pid: firstPid,
      text: unit.text,
    });
  }

  #topUp(): void {
    while (this.#units.length < 1 + UNITS_AHEAD_MAX) {
      const sentence = this.script.take();
      if (sentence === undefined) return;
      const words = spokenWords(sentence, this.job.language);
      if (words !== "") this.#units.push(this.#start(sentence, words));
    }
  }

  #start(sentence: string, words: string): SpeechUnit {
    const { mark, request, signal } = this.job;
    mark("tts_request");
    const listener = {
      onFirstByte: () => mark("tts_first_byte"),
      onFinished: (report: UnitReport) =>
        this.deps.telemetry.emit({ type: "speech_unit_finished", user: request.user, ...report }),
    };
    return new SpeechUnit(sentence, words, this.deps, this.changed, listener, signal);
  }
}
