/** What delivering an answer needs and what comes of it: the common part of text and voice. */
import type { TurnEvent, TurnRequest } from "../domain/turn.js";
import type { WaterfallMark } from "../domain/waterfall.js";
import type { Clock } from "../lib/clock.js";
import type { TextToSpeech } from "../speech/port.js";
import type { Telemetry } from "../telemetry/events.js";
import type { Line } from "./line.js";
import type { OutletFrame } from "./outlet.js";

export interface DeliveryDeps {
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly tts: TextToSpeech;
  /** A number for a reply, unique in this process. */
  nextMid(): number;
  /** Absent: nothing is said before an answer. */
  readonly acknowledger?: Acknowledger;
}

/** Gives signs that a question was heard; see acknowledgement.ts. */
export interface Acknowledger {
  /** The wait for the answer begins. */
  begin(job: DeliveryJob): Acknowledging;
}

/** The acknowledgement of one answer, if there is one. */
export interface Acknowledging {
  /**
   * The answer is ready: no sign begins any more. Resolves when one that is being given has ended; rejects when the
   * user is gone or the turn is stopped. A text is still given when the time to begin is over.
   */
  giveWay(ready: "packet" | "text"): Promise<void>;
  /** There will be no answer. Resolves like `giveWay`, and never rejects. */
  end(): Promise<void>;
}

/** Where and for whom one answer is delivered. */
export interface DeliveryJob {
  readonly request: TurnRequest;
  readonly line: Line;
  /** Absent: an answer. */
  readonly kind?: "announcement" | undefined;
  /** The route that was chosen, as configured. */
  readonly route: string;
  /** What a sentence is spoken in that does not tell its own language: a BCP 47 tag. */
  readonly language?: string;
  /** Called once, when the first packet or the text has left. */
  onFirst(what: "packet" | "text"): void;
  /** Told when the delivery comes past a point, or at which time (monotonic) it did. */
  mark(mark: WaterfallMark, atMs?: number): void;
  /** Aborts with the reason why the answer must stop. */
  readonly signal: AbortSignal;
}

/** What of an answer reached its user. */
export interface DeliveryResult {
  /** The whole answer as far as it was written. */
  readonly text: string;
  /** What reached the user: less than `text` only when the answer was broken off. */
  readonly heard: string;
  readonly audioMs: number;
  /** When the last packet that left was due (monotonic, in milliseconds); absent where none left. */
  readonly lastDueMs?: number | undefined;
  /** Stopped by its user or by the service. */
  readonly interrupted: boolean;
}

export interface Delivery {
  /**
   * Delivers the answer that `events` tell. Rejects when nothing of it reached the user. It may be over before the
   * events are: then nobody waits for the rest of them.
   */
  run(events: AsyncIterable<TurnEvent>): Promise<DeliveryResult>;
  /** Forgets what was said so far, if none of it has left; false when it is too late for that. */
  rewind(): boolean;
}

/** Sends a frame of the reply to wherever the user is; see `Line.deliver`. */
export function deliver({ line, request: { requestId }, signal }: DeliveryJob, frame: OutletFrame) {
  return line.deliver(requestId === undefined ? frame : { ...frame, requestId }, signal);
}
