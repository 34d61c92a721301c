/** Questions that were not answered, kept for whoever looks after the documents: only where an operator asks for it. */
import { OUTCOMES, type Outcome } from "../domain/answer.js";
import { cutToChars } from "../lib/cut.js";
import type { TelemetryEvent } from "../telemetry/events.js";
import { type LogDeps, type LogEntry, WriteBehindLog } from "./write-behind-log.js";

/** Characters of a question that are kept. */
export const QUESTION_CHARS_MAX = 200;

const FIRST_LAYOUT = `
  CREATE TABLE unanswered (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    network TEXT NOT NULL,
    question TEXT NOT NULL,
    outcome TEXT NOT NULL,
    at INTEGER NOT NULL
  ) STRICT
`;

export const LAYOUTS = { first: 1, steps: [FIRST_LAYOUT] };

/** Nothing tells who asked, nor what of the documents was withheld. */
export interface UnansweredQuestion extends LogEntry {
  /** The beginning of the question. */
  readonly question: string;
  readonly outcome: Outcome;
}

export class UnansweredLog extends WriteBehindLog<UnansweredQuestion> {
  constructor(
    dataDirectory: string,
    private readonly deps: LogDeps,
  ) {
    super(dataDirectory, {
      name: "unanswered",
      layouts: LAYOUTS,
      columns: ["question", "outcome"],
      values: ({ question, outcome }) => [question, outcome],
      entry: ({ network, question, outcome, at }) => ({
        network: network as string,
        question: question as string,
        outcome: outcome as Outcome,
        atMs: Number(at),
      }),
      lost: (lost, error) => deps.telemetry.emit({ type: "unanswered_log_failed", lost, error }),
    });
  }

  /** Keeps the question of an event that tells of one without its answer. */
  note(event: TelemetryEvent): void {
    if (event.type !== "answer_inspected" || !OUTCOMES[event.outcome].isGap) return;
    const question = cutToChars(event.question.trim(), QUESTION_CHARS_MAX);
    if (question === "") return;
    const { outcome, user } = event;
    this.put({ network: user.network, question, outcome, atMs: Math.trunc(this.deps.clock.now()) });
  }
}
