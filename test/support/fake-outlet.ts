/** A relay connection as a turn sees it: records what was handed over, and can be slow, full or gone. */
import assert from "node:assert/strict";
import type {
  AudioShape,
  Outlet,
  OutletFrame,
  OutletLink,
  Revocation,
  SendResult,
} from "../../src/turn/outlet.js";

type AudioFrame = OutletFrame & { readonly type: "audio" };

export class FakeOutlet implements Outlet {
  readonly link: OutletLink = this;
  /** What the relay has got, in order. */
  readonly handed: OutletFrame[] = [];
  /** When it got each, on the clock given. */
  readonly handedAtMs: number[] = [];
  /** The shapes that the relay says it takes, in order of preference; empty: any. */
  shapes: readonly AudioShape[] = [];
  /** Whether it wants acknowledgements. */
  acknowledges = false;
  /** Whether it takes announcements at any time. */
  announces = false;
  /** Which shapes the relay takes. */
  takes: (shape: AudioShape) => boolean = ({ sampleRateHz, packetMs }) =>
    this.shapes.length === 0 ||
    this.shapes.some((taken) => taken.sampleRateHz === sampleRateHz && taken.packetMs === packetMs);
  /** Refuses whatever may be refused. */
  full = false;
  #state: "open" | "slow" | "closed" = "open";
  #waiting: OutletFrame[] = [];
  readonly #givenUp = new Map<number, number>();

  constructor(private readonly now: () => number = () => 0) {}

  accepts(shape: AudioShape): boolean {
    return this.takes(shape);
  }

  send(frame: OutletFrame): SendResult {
    if (this.#state === "closed") return "closed";
    if (frame.type === "audio" && this.#givenUp.has(frame.mid)) return "refused";
    const mustPass = frame.type === "end_message" || frame.type === "transcription";
    if (this.full && !mustPass) {
      if (frame.type === "audio") this.giveUp(frame.mid, frame.pid);
      return "refused";
    }
    if (frame.type === "end_message") this.#givenUp.delete(frame.mid);
    if (this.#state === "open") this.#hand([frame]);
    else this.#waiting.push(frame);
    return "accepted";
  }

  revoke(mid: number): Revocation {
    const frames = this.#waiting.filter((frame) => midOf(frame) === mid);
    this.#waiting = this.#waiting.filter((frame) => midOf(frame) !== mid);
    const firstPid = frames.find(isAudio)?.pid ?? this.#givenUp.get(mid);
    this.#givenUp.delete(mid);
    return { frames, firstPid };
  }

  /** From now on frames wait here until `drain`. */
  slow(): void {
    this.#state = "slow";
  }

  /** Hands over what waits; takes frames at once again. */
  drain(): void {
    assert.notEqual(this.#state, "closed");
    this.#hand(this.#waiting.splice(0));
    this.#state = "open";
  }

  /** Hands over the first `count` waiting frames. */
  handOver(count: number): void {
    this.#hand(this.#waiting.splice(0, count));
  }

  /** The connection is gone; what waits stays here to be revoked. */
  close(): void {
    this.#state = "closed";
  }

  get gone(): boolean {
    return this.#state === "closed";
  }

  /** Gives up an answer as an outbox does: its waiting packets are dropped, and no more are taken. */
  giveUp(mid: number, nextPid: number): void {
    const first = this.#waiting.find((frame): frame is AudioFrame => isAudio(frame) && frame.mid === mid);
    this.#waiting = this.#waiting.filter((frame) => !(isAudio(frame) && frame.mid === mid));
    this.#givenUp.set(mid, first?.pid ?? nextPid);
  }

  /** The frames handed over, in short: `message 1+3`, `audio 1.4`, `end 1 240 moved`, `transcription 1 words`. */
  get brief(): string[] {
    return this.handed.map(briefly);
  }

  /** Like `brief`, with runs of packets as `audio 1.0-6`. */
  get story(): string[] {
    const lines: string[] = [];
    let run: { mid: number; first: number; last: number } | undefined;
    const close = () => {
      if (run !== undefined) lines.push(`audio ${run.mid}.${run.first}-${run.last}`);
      run = undefined;
    };
    for (const frame of this.handed) {
      if (isAudio(frame) && run?.mid === frame.mid && frame.pid === run.last + 1) run.last = frame.pid;
      else {
        close();
        if (isAudio(frame)) run = { mid: frame.mid, first: frame.pid, last: frame.pid };
        else lines.push(briefly(frame));
      }
    }
    close();
    return lines;
  }

  #hand(frames: readonly OutletFrame[]): void {
    for (const frame of frames) {
      this.handed.push(frame);
      this.handedAtMs.push(this.now());
    }
  }

  /** The packets of `mid` that the relay has got. */
  packets(mid: number): AudioFrame[] {
    return this.handed.filter((frame): frame is AudioFrame => isAudio(frame) && frame.mid === mid);
  }
}

export function briefly(frame: OutletFrame): string {
  switch (frame.type) {
    case "message":
      return `${frame.kind ?? "message"} ${frame.mid}${frame.firstPid === undefined ? "" : `+${frame.firstPid}`}`;
    case "audio":
      return `audio ${frame.mid}.${frame.pid}`;
    case "end_message":
      return `end ${frame.mid} ${frame.durationMs}${frame.flag === undefined ? "" : ` ${frame.flag}`}`;
    case "transcription":
    case "text_message":
      return `${frame.type === "transcription" ? "transcription" : "text"} ${frame.mid} ${frame.text}`;
    case "question":
      return `question ${frame.messageId} ${frame.text}`;
    case "step":
      return `step ${frame.step.tool}`;
    case "error":
      return `error ${frame.code}`;
    case "chat_closed":
      return `chat_closed ${frame.reason}`;
  }
}

/**
 * Holds what one relay got to the order of a spoken answer: `message`, packets without a gap from the first one
 * announced, `end_message`, `transcription`. A relay that was not told of a message gets at most its transcription.
 */
export function assertWellFormed(frames: readonly OutletFrame[], { complete = true } = {}): void {
  const open = new Map<number, number>();
  const transcribed = new Set<number>();
  for (const frame of frames) {
    if (frame.type === "message") {
      assert(!open.has(frame.mid), `${briefly(frame)}: opened twice`);
      open.set(frame.mid, frame.firstPid ?? 0);
    } else if (frame.type === "audio") {
      assert.equal(open.get(frame.mid), frame.pid, `${briefly(frame)}: a hole, a repetition, or not open`);
      open.set(frame.mid, frame.pid + 1);
    } else if (frame.type === "end_message") {
      assert(open.delete(frame.mid), `${briefly(frame)}: not open`);
    } else if (frame.type === "transcription") {
      assert(!open.has(frame.mid), `${briefly(frame)}: before the end`);
      assert(!transcribed.has(frame.mid), `${briefly(frame)}: twice`);
      transcribed.add(frame.mid);
    }
  }
  if (complete) assert.deepEqual([...open.keys()], [], "messages without an end");
}

function isAudio(frame: OutletFrame): frame is AudioFrame {
  return frame.type === "audio";
}

function midOf(frame: OutletFrame): number | undefined {
  return "mid" in frame ? frame.mid : undefined;
}
