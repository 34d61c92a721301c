/**
 * A sign that the question was heard, for answers that are likely to take long: a soft tone or a few words, as a
 * message of its own that has ended before the answer begins. Only where the relay wants it, and only when the answers
 * before it took long: who is answered at once needs no sign, and who must wait should not wonder whether the press
 * counted.
 */
import { TurnFailure } from "../domain/failure.js";
import { userKey } from "../domain/user.js";
import { type Clock, sleep } from "../lib/clock.js";
import { DeadlineExceeded } from "../lib/deadline.js";
import type { Random } from "../lib/random.js";
import type { Locales } from "../locale/locales.js";
import { opusPackets, type SpeechPackets } from "../speech/packets.js";
import { SpeechFailure, type TextToSpeech } from "../speech/port.js";
import { ShapeChoice, shaped } from "../speech/shape.js";
import { tonePackets } from "../speech/tone.js";
import type { Telemetry } from "../telemetry/events.js";
import { type Acknowledger, type Acknowledging, type DeliveryJob, deliver } from "./delivery.js";
import type { AudioShape } from "./outlet.js";
import { PacedVoice } from "./paced-voice.js";
import { spokenWords } from "./spoken-words.js";
import { WaitPredictor } from "./wait-predictor.js";

/** An answer that is ready within this is not announced, whatever was predicted. */
export const GRACE_MS = 250;

/** A sign is short: the answer waits for its end. */
export const SIGN_MS_MAX = 1_200;

/** The sound where the relay has not said what it takes. */
const USUAL_SHAPE: AudioShape = { sampleRateHz: 16_000, packetMs: 60 };

const PHRASES = ["acknowledgement_1", "acknowledgement_2", "acknowledgement_3", "acknowledgement_4"] as const;

/** Users of whom the last phrase is remembered. */
const USERS_MAX = 10_000;

export interface AcknowledgementDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly telemetry: Telemetry;
  readonly tts: TextToSpeech;
  readonly locales: Locales;
  nextMid(): number;
}

export interface AcknowledgementOptions {
  readonly sign: "tone" | "phrase";
  /** A predicted wait from here on is announced. */
  readonly thresholdMs: number;
}

/** All acknowledgements of a process: what they learn from answers, and which phrase each user heard last. */
export class Acknowledgements implements Acknowledger {
  readonly #waits = new WaitPredictor();
  readonly #lastPhrases = new Map<string, number>();

  constructor(
    private readonly deps: AcknowledgementDeps,
    private readonly options: AcknowledgementOptions,
  ) {}

  begin(job: DeliveryJob): Acknowledging {
    const { clock, telemetry } = this.deps;
    const startMs = clock.monotonic();
    const predictedMs = this.#waits.predict(job.route);
    const onReady = () => this.#waits.observe(job.route, clock.monotonic() - startMs);
    const isWorthIt = predictedMs !== undefined && predictedMs >= this.options.thresholdMs;
    if (!isWorthIt || !job.line.link.acknowledges) return new Acknowledgement(this.deps, job, onReady);
    const onPlayed = (sign: "tone" | "phrase") =>
      telemetry.emit({ type: "acknowledged", user: job.request.user, sign, predictedMs });
    const words = this.options.sign === "phrase" ? this.#phraseFor(job) : undefined;
    return new Acknowledgement(this.deps, job, onReady, { words, onPlayed });
  }

  /** One of the phrases, not the one that this user heard last. */
  #phraseFor({ language, request }: DeliveryJob): string {
    const key = userKey(request.user);
    const last = this.#lastPhrases.get(key);
    const others = PHRASES.map((_, i) => i).filter((i) => i !== last);
    const chosen = others[Math.floor(this.deps.random.fraction() * others.length)]!;
    this.#lastPhrases.delete(key);
    this.#lastPhrases.set(key, chosen);
    const [oldest] = this.#lastPhrases.keys();
    if (this.#lastPhrases.size > USERS_MAX && oldest !== undefined) this.#lastPhrases.delete(oldest);
    return this.deps.locales.of(language).say(PHRASES[chosen]!);
  }
}

/** What is to be played, if the answer takes long. */
interface Plan {
  /** Absent: the tone. */
  readonly words: string | undefined;
  onPlayed(sign: "tone" | "phrase"): void;
}

interface Sign extends SpeechPackets {
  readonly words: string | undefined;
}

/** `waiting`: for the answer, or for the sign to be ready. `over`: nothing of it will be sent from here on. */
type State = "waiting" | "playing" | "over";

/** The acknowledgement of one answer. */
class Acknowledgement implements Acknowledging {
  readonly #over: Promise<void>;
  readonly #givenUp = new AbortController();
  #state: State = "waiting";
  #failure: unknown;
  #onReady: (() => void) | undefined;

  constructor(
    private readonly deps: AcknowledgementDeps,
    private readonly job: DeliveryJob,
    onReady: () => void,
    plan?: Plan,
  ) {
    this.#onReady = onReady;
    this.#over = this.#run(plan);
  }

  async giveWay(ready: "packet" | "text"): Promise<void> {
    if (ready === "packet") this.#onReady?.();
    this.#onReady = undefined;
    await this.end();
    const { signal } = this.job;
    // A text that is whole when the time to begin is over is the answer all the same.
    const isLateText = ready === "text" && signal.reason instanceof DeadlineExceeded;
    if (!isLateText) signal.throwIfAborted();
    if (this.#failure !== undefined) throw this.#failure;
  }

  end(): Promise<void> {
    if (this.#state === "waiting") {
      this.#state = "over";
      this.#givenUp.abort();
    }
    return this.#over;
  }

  /** Never rejects. */
  async #run(plan: Plan | undefined): Promise<void> {
    if (plan !== undefined) {
      try {
        await this.#acknowledge(plan);
      } catch (error) {
        const stopped = this.#givenUp.signal.aborted || this.job.signal.aborted;
        if (!stopped) this.#failure = error;
      }
    }
    this.#state = "over";
  }

  async #acknowledge(plan: Plan): Promise<void> {
    const signal = AbortSignal.any([this.job.signal, this.#givenUp.signal]);
    await sleep(this.deps.clock, GRACE_MS, signal);
    const sign = (await this.#phrase(plan.words, signal)) ?? this.#tone();
    if (this.#state !== "waiting" || sign === undefined) return;
    this.#state = "playing";
    const played = await this.#play(sign);
    if (played) plan.onPlayed(sign.words === undefined ? "tone" : "phrase");
  }

  /** The spoken words; undefined where they cannot be had or take too long to say. */
  async #phrase(words: string | undefined, signal: AbortSignal): Promise<Sign | undefined> {
    if (words === undefined) return undefined;
    const { language, line } = this.job;
    const choice = new ShapeChoice(() => line.link.shapes ?? []);
    const speech = { text: spokenWords(words, language), shape: choice.preferred };
    const packets: Uint8Array[] = [];
    try {
      for await (const read of shaped(opusPackets(this.deps.tts.synthesize(speech, signal)), choice)) {
        packets.push(...read.packets);
        if (packets.length * read.shape.packetMs > SIGN_MS_MAX) return undefined;
      }
    } catch (error) {
      if (error instanceof SpeechFailure) return undefined;
      throw error;
    }
    return choice.settled && { packets, shape: choice.settled, words };
  }

  #tone(): Sign | undefined {
    const tone = tonePackets(this.job.line.link.shapes?.[0] ?? USUAL_SHAPE);
    return tone && { ...tone, words: undefined };
  }

  /** Plays the sign to its end, or to where the turn is stopped; false when the relay took nothing of it. */
  async #play({ packets, shape, words }: Sign): Promise<boolean> {
    const { line, request, signal } = this.job;
    const mid = this.deps.nextMid();
    try {
      const opening = { type: "message", mid, shape, kind: "acknowledgement" } as const;
      if ((await deliver(this.job, opening)) === "refused") return false;
      const head = { mid, packetMs: shape.packetMs, requestId: request.requestId };
      const voice = new PacedVoice(this.deps.clock, line, head, { take: (pid) => packets[pid] });
      await voice.play(packets[0]!, signal);
      await deliver(this.job, { type: "end_message", mid, durationMs: voice.audioMs });
      if (words !== undefined) await deliver(this.job, { type: "transcription", mid, text: words });
      return true;
    } catch (error) {
      line.breakOff(mid, signal.reason instanceof TurnFailure ? "interrupted" : undefined);
      throw error;
    }
  }
}
