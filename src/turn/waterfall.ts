/** Notes when one turn comes past which point, from what the turn tells and from those who speak. */

import type { DraftEvent } from "../capability/draft.js";
import { WATERFALL_MARKS, type Waterfall, type WaterfallMark } from "../domain/waterfall.js";
import type { Clock } from "../lib/clock.js";
import { firstClauseEnd } from "../speech/clause.js";
import type { Stage, TelemetryEvent } from "../telemetry/events.js";

/** Stages whose end is a point of the waterfall. */
const MARK_OF_STAGE: Readonly<Partial<Record<Stage, WaterfallMark>>> = {
  plan: "plan",
  search: "search",
  compose_first_text: "first_token",
};

/** Points that a turn may come past more than once: the last time counts. Of all others it is the first. */
const LAST_COUNTS: ReadonlySet<WaterfallMark> = new Set(["plan", "search", "last_packet"]);

/** Characters of a draft that are looked at for its first clause. */
const OPENING_CHARS_MAX = 500;

export class TurnWaterfall {
  readonly #atMs = new Map<WaterfallMark, number>();
  /** The draft up to its first clause; undefined when that was found. */
  #opening: string | undefined = "";
  #held = false;

  /** When the question was there, and when its button was pressed, on the clock's monotonic scale. */
  constructor(
    private readonly clock: Pick<Clock, "monotonic">,
    private readonly receivedMs: number,
    private readonly pressedMs?: number,
  ) {}

  /** The turn comes past this point now, or came past it at `atMs` (monotonic). May be handed on by itself. */
  readonly mark = (mark: WaterfallMark, atMs = this.clock.monotonic()): void => {
    if (this.#atMs.has(mark) && !LAST_COUNTS.has(mark)) return;
    this.#atMs.set(mark, atMs);
  };

  /** The first word of the answer waits for its last sentence. */
  hold(): void {
    this.#held = true;
  }

  /** The answer is written anew: what was noted since its first word does not count. */
  rewind(): void {
    for (const mark of WATERFALL_MARKS.slice(WATERFALL_MARKS.indexOf("first_token"))) this.#atMs.delete(mark);
    this.#opening = "";
    this.#held = false;
  }

  /** Hears what the turn tells of its stages. */
  hear(event: TelemetryEvent): void {
    const mark = event.type === "stage_finished" ? MARK_OF_STAGE[event.stage] : undefined;
    if (mark !== undefined) this.mark(mark);
  }

  /** The same draft, of which the first clause is noted; `also` hears it too. */
  async *watch(
    drafts: AsyncIterable<DraftEvent>,
    also?: (draft: DraftEvent) => void,
  ): AsyncGenerator<DraftEvent, void, undefined> {
    for await (const draft of drafts) {
      this.#read(draft);
      also?.(draft);
      yield draft;
    }
  }

  get value(): Waterfall {
    const passed = WATERFALL_MARKS.flatMap((mark) => {
      const atMs = this.#atMs.get(mark);
      return atMs === undefined ? [] : [[mark, atMs - this.receivedMs] as const];
    });
    const { pressedMs, receivedMs } = this;
    const button = pressedMs === undefined ? {} : { buttonMs: receivedMs - pressedMs };
    return { marksMs: Object.fromEntries(passed), held: this.#held, ...button };
  }

  #read(draft: DraftEvent): void {
    if (this.#opening === undefined) return;
    if (draft.type === "text") this.#opening += draft.text;
    const isWhole = draft.type === "claim" || draft.type === "end";
    const isFound = firstClauseEnd(this.#opening) !== undefined || this.#opening.length > OPENING_CHARS_MAX;
    if (!isFound && !isWhole) return;
    if (isFound || draft.type === "claim" || this.#opening.trim() !== "") this.mark("first_clause");
    this.#opening = undefined;
  }
}
