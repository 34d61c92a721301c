/**
 * What happens when somebody asks: the edge between what the screen shows (`state.ts`) and the microphone, the service
 * and the loudspeaker. There is one question at a time; the next one silences the answer to the last.
 */

import type { Frame, Microphone } from "./microphone.js";
import { loudness, Recording } from "./recording.js";
import {
  type AnswerEvent,
  ConnectionLost,
  failureOf,
  LockedOut,
  type Service,
  TurnedDown,
} from "./service.js";
import { canAsk, canRepeat, type Happening, next, type Reading, type State } from "./state.js";
import type { Voice, VoiceListener } from "./voice.js";

export interface ConversationDeps {
  readonly service: Service;
  readonly microphone: Microphone;
  /** A loudspeaker for one answer. */
  newVoice(listener: VoiceListener): Voice;
  /** The language that was chosen; undefined: that of the question. */
  language(): string | undefined;
  show(state: State): void;
  /** How loud it is at the microphone, 0 to 1. */
  showLoudness(level: number): void;
}

/** A shorter press is a tap. */
export const PRESS_MS_MIN = 300;

/** Recorded after the release: what was said while letting go, and what is still on its way. */
const AFTER_MS = 200;

/** The service takes a minute; what was said just before the press is part of it. */
const RECORDING_MS_MAX = 58_000;

/** Characters of a typed question: what the service takes at the most. */
export const QUESTION_CHARS_MAX = 2_000;

interface Press {
  readonly recording: Recording;
  timer: ReturnType<typeof setTimeout> | undefined;
}

export class Conversation {
  #state: State = { type: "starting" };
  #session = newSession();
  #answer: AbortController | undefined;
  #voice: Voice | undefined;
  /** The sound of the last answer. */
  #sound = new SoundOfAnswer();
  #press: Press | undefined;
  #isFresh = true;

  constructor(private readonly deps: ConversationDeps) {}

  get state(): State {
    return this.#state;
  }

  /** Whether there is nothing to forget. */
  get isFresh(): boolean {
    return this.#isFresh;
  }

  happened(happening: Happening): void {
    const before = this.#state;
    this.#state = next(before, happening);
    if (this.#state !== before) this.deps.show(this.#state);
  }

  /** The button goes down: whatever is being said stops, and the microphone listens. */
  press(): void {
    if (!canAsk(this.#state)) return;
    this.#hush();
    this.#dropPress();
    this.#isFresh = false;
    this.happened({ type: "pressed" });
    const press: Press = { recording: new Recording(), timer: undefined };
    this.#press = press;
    this.deps.microphone
      .listen((frame) => this.#record(press, frame))
      .then(
        () => {
          if (this.#press === press) this.happened({ type: "sound_came" });
        },
        () => {
          if (this.#press === press) this.#giveUp({ type: "went_wrong", failure: "no_microphone" });
        },
      );
  }

  /** The button goes up: what was said is the question. */
  release(heldMs: number): void {
    const press = this.#press;
    if (press === undefined || press.timer !== undefined) return;
    if (heldMs < PRESS_MS_MIN || this.#state.type !== "listening") {
      this.#giveUp({ type: "tapped" });
      return;
    }
    press.timer = setTimeout(() => this.#send(press), AFTER_MS);
  }

  /** The press does not count. */
  cancelPress(): void {
    if (this.#press !== undefined && this.#press.timer === undefined) this.#giveUp({ type: "tapped" });
  }

  ask(text: string): void {
    const question = text.trim();
    if (question === "" || !canAsk(this.#state)) return;
    const { language, service } = this.deps;
    this.#begin({ type: "asked", question }, (signal) =>
      service.ask(question, this.#session, language(), signal),
    );
  }

  /** Silences the answer; what was said of it stays on the screen. */
  stop(): void {
    this.#hush();
    this.happened({ type: "stopped" });
  }

  /** Says the last answer again. */
  repeat(): void {
    if (!canRepeat(this.#state)) return;
    this.#hush();
    this.happened({ type: "repeated" });
    const voice = this.#newVoice();
    this.#sound.playOn(voice);
    voice.finish();
  }

  /** Forgets what was said, here and at the service. */
  forget(): void {
    this.#hush();
    this.#dropPress();
    const session = this.#session;
    this.#session = newSession();
    this.#sound = new SoundOfAnswer();
    this.#isFresh = true;
    void this.deps.microphone.close();
    this.happened({ type: "forgotten" });
    this.deps.service.forget(session).catch((error: unknown) => this.#tell(error));
  }

  #record(press: Press, frame: Frame): void {
    press.recording.add(frame);
    this.deps.showLoudness(loudness(frame));
    if (press.recording.lengthMs >= RECORDING_MS_MAX) this.release(press.recording.lengthMs);
  }

  #send({ recording }: Press): void {
    this.deps.microphone.rest();
    this.#press = undefined;
    this.#begin({ type: "asked" }, (signal) => this.#say(recording, signal));
  }

  async *#say(recording: Recording, signal: AbortSignal): AsyncGenerator<AnswerEvent> {
    const { language, service } = this.deps;
    const file = await recording.finish();
    yield* service.say(file, this.#session, language(), signal);
  }

  #giveUp(happening: Happening): void {
    this.#dropPress();
    this.happened(happening);
  }

  #dropPress(): void {
    const press = this.#press;
    this.#press = undefined;
    if (press === undefined) return;
    clearTimeout(press.timer);
    press.recording.discard();
    this.deps.microphone.rest();
  }

  #begin(asked: Happening, answer: (signal: AbortSignal) => AsyncIterable<AnswerEvent>): void {
    this.#hush();
    this.#dropPress();
    this.#isFresh = false;
    this.happened(asked);
    const stop = new AbortController();
    this.#answer = stop;
    void this.#hear(answer(stop.signal), stop.signal);
  }

  async #hear(events: AsyncIterable<AnswerEvent>, signal: AbortSignal): Promise<void> {
    const sound = new SoundOfAnswer();
    this.#sound = sound;
    let voice: Voice | undefined;
    try {
      for await (const event of events) {
        if (signal.aborted) return;
        if (event.type === "failed") throw new TurnedDown(event.error.code);
        if (event.type === "voice") {
          sound.packetMs = event.packet_ms;
        } else if (event.type === "packet") {
          voice ??= this.#newVoice();
          voice.add(...sound.add(event.data));
        } else if (event.type === "step") {
          this.happened({ type: "read", readings: readingsOf(event, Date.now()) });
        } else this.happened(event);
      }
      voice?.finish();
    } catch (error) {
      if (!signal.aborted) this.#failed(error);
    }
  }

  #newVoice(): Voice {
    this.#voice = this.deps.newVoice({ ended: () => this.happened({ type: "sound_ended" }) });
    this.happened({ type: "sound_began" });
    return this.#voice;
  }

  #failed(error: unknown): void {
    this.#hush();
    this.#tell(error);
  }

  #tell(error: unknown): void {
    if (error instanceof LockedOut) this.happened({ type: "locked_out" });
    else if (error instanceof ConnectionLost) this.happened({ type: "connection_lost" });
    else if (error instanceof TurnedDown)
      this.happened({ type: "went_wrong", failure: failureOf(error.code) });
    else this.happened({ type: "went_wrong", failure: "again" });
  }

  /** Hanging up stops the answer at the service too. */
  #hush(): void {
    this.#answer?.abort();
    this.#answer = undefined;
    this.#voice?.stop();
    this.#voice = undefined;
  }
}

/** What a step told, dated by this browser's clock; or of what it told nothing. */
function readingsOf(
  { evidence, ok, target }: AnswerEvent & { readonly type: "step" },
  nowMs: number,
): readonly Reading[] {
  if (!ok) return target === undefined ? [] : [{ text: target, readAtMs: undefined }];
  return evidence.map(({ age_ms: ageMs, text }) => ({ text, readAtMs: nowMs - ageMs }));
}

/** The packets of an answer, kept until the next: it may be heard again. */
class SoundOfAnswer {
  /** Of the packets that come next. */
  packetMs = 0;
  readonly #packets: (readonly [packet: Uint8Array, packetMs: number])[] = [];

  /** `data`: a packet in base64. */
  add(data: string): readonly [packet: Uint8Array, packetMs: number] {
    const packet = [Uint8Array.from(atob(data), (char) => char.charCodeAt(0)), this.packetMs] as const;
    this.#packets.push(packet);
    return packet;
  }

  playOn(voice: Voice): void {
    for (const packet of this.#packets) voice.add(...packet);
  }
}

/** A name that nobody else can guess. */
function newSession(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
