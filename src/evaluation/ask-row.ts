/** Asks the turns of a row one after the other, in one conversation. */
import type { AnswerFailure, AnswerReport } from "../domain/answer-report.js";
import type { FailureCode } from "../domain/failure.js";
import type { Answerer, Speaker } from "./answerer.js";
import type { DataSetRow } from "./data-set.js";

/** The report on the last turn, or on the first that failed. Rejects with the signal's reason. */
export async function askRow(
  row: DataSetRow,
  network: string,
  answerer: Answerer,
  signal: AbortSignal,
): Promise<AnswerReport> {
  const conversation = answerer(speakerOf(row, network));
  try {
    for (const [i, text] of row.turns.entries()) {
      const report = await conversation.ask(text, signal);
      if (report.answer === undefined || i === row.turns.length - 1)
        return named(report, i, row.turns.length);
    }
    throw new Error(`the row ${row.id} has no turn`);
  } finally {
    await conversation.close();
  }
}

function speakerOf(row: DataSetRow, network: string): Speaker {
  const { username, groups, features, mode, language } = row;
  return {
    network: row.network ?? network,
    username,
    groups,
    features,
    ...(mode !== undefined && { mode }),
    ...(language !== undefined && { language }),
  };
}

/** Says which turn failed when it was not the last. */
function named(report: AnswerReport, turn: number, turns: number): AnswerReport {
  if (report.failure === undefined || turn === turns - 1) return report;
  const { code, error } = report.failure;
  return { ...report, failure: { code, error: `turn ${turn + 1} of ${turns}: ${error}` } };
}

const PASSING: readonly FailureCode[] = [
  "assistant_unavailable",
  "timeout",
  "rate_limited",
  "chat_busy",
  "shutting_down",
];

/** Whether another try may come to an answer. */
export function isPassing({ code }: AnswerFailure): boolean {
  return PASSING.includes(code);
}
