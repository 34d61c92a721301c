/** Gives an answer to a caller: whole, or in pieces as soon as each is checked. */
import { hearAll } from "../chat/door.js";
import type { Answer } from "../domain/answer.js";
import type { AnswerReport } from "../domain/answer-report.js";
import { ask, type CallerAskDeps, type CallerQuestion } from "./ask.js";
import { answerIn } from "./outcome.js";
import { AnswerPieces } from "./pieces.js";
import { StopSequences, untilStop } from "./stop.js";

/** An answer as its caller gets it. */
export interface CallerAnswer {
  /** The answer's text, as far as the caller's stop sequences let it come. */
  readonly text: string;
  readonly answer: Answer;
  readonly report: AnswerReport;
}

/** Rejects with `Rejection` where there is no answer, and with the signal's reason when it was stopped. */
export async function tellWhole(
  deps: CallerAskDeps,
  question: CallerQuestion,
  signal: AbortSignal,
): Promise<CallerAnswer> {
  const { report } = await hearAll(ask(deps, question, signal, { streams: false }), signal);
  const answer = answerIn(report);
  return { text: untilStop(answer.text, question.stop), answer, report };
}

/** A piece of the text, or at the end the whole answer. */
export type AnswerPart =
  | { readonly type: "piece"; readonly text: string }
  | ({ readonly type: "told" } & CallerAnswer);

/** Pieces that put together are exactly the answer's text, none of them empty; then the answer. Throws as `tellWhole`. */
export async function* tellInPieces(
  deps: CallerAskDeps,
  question: CallerQuestion,
  signal: AbortSignal,
): AsyncGenerator<AnswerPart, void, undefined> {
  const pieces = new AnswerPieces();
  const stop = new StopSequences(question.stop ?? []);
  for await (const heard of ask(deps, question, signal, { streams: true })) {
    if (heard.type !== "event") continue;
    const { event } = heard;
    if (event.type === "text") {
      const text = stop.next(pieces.next(event.text));
      if (text !== "") yield { type: "piece", text };
    } else if (event.type === "finished") {
      const answer = answerIn(event.report);
      const rest = stop.end();
      if (rest !== "") yield { type: "piece", text: rest };
      yield { type: "told", text: untilStop(answer.text, question.stop), answer, report: event.report };
    }
  }
  signal.throwIfAborted();
}
