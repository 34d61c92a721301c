/** What a chat says of a message that it does not answer. */
import type { AnswerReport } from "../domain/answer-report.js";
import { TurnFailure } from "../domain/failure.js";

export const STOPPED = new TurnFailure("cancelled", "The answer was stopped.");

export const NOT_UNDERSTOOD_HERE = "Spoken questions cannot be understood here. Send text.";

export function refusalReport({ code, message }: TurnFailure): AnswerReport {
  return {
    answer: undefined,
    failure: { code, error: message },
    sources: [],
    timingsMs: {},
    usage: { inputTokens: 0, outputTokens: 0 },
  };
}
