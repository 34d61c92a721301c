/** What a chat says of a message that it does not answer. */
import type { AnswerReport } from "../domain/answer-report.js";
import { Overload, TurnFailure } from "../domain/failure.js";

export const STOPPED = new TurnFailure("cancelled", "The answer was stopped.");

export const NOT_UNDERSTOOD_HERE = "Spoken questions cannot be understood here. Send text.";

/** The second is the failure as its user is told of it. */
export function refusalReport(refused: TurnFailure, { code, message }: TurnFailure): AnswerReport {
  return {
    answer: undefined,
    failure: { code, error: message, ...(refused instanceof Overload && { isOverload: true }) },
    sources: [],
    timingsMs: {},
    usage: { inputTokens: 0, outputTokens: 0 },
  };
}
