/** Asks the turns of a row one after the other, each with what was said before, as in one conversation. */
import type { AnswerFailure, AnswerReport } from "../domain/answer-report.js";
import type { FailureCode } from "../domain/failure.js";
import type { HistoryEntry } from "../domain/turn.js";
import type { Answerer, EvaluationQuestion } from "./answerer.js";
import type { DataSetRow } from "./data-set.js";

/** The report on the last turn, or on the first that failed. Rejects with the signal's reason. */
export async function askRow(
  row: DataSetRow,
  network: string,
  answerer: Answerer,
  signal: AbortSignal,
): Promise<AnswerReport> {
  const history: HistoryEntry[] = [];
  for (const [i, text] of row.turns.entries()) {
    const report = await answerer(questionOf(row, network, text, history), signal);
    const { answer, sources } = report;
    if (answer === undefined || i === row.turns.length - 1) return named(report, i, row.turns.length);
    history.push({ role: "user", text, sources }, { role: "assistant", text: answer.text, sources });
  }
  throw new Error(`the row ${row.id} has no turn`);
}

function questionOf(
  row: DataSetRow,
  network: string,
  text: string,
  history: readonly HistoryEntry[],
): EvaluationQuestion {
  const { username, groups, features, mode, language } = row;
  return {
    network: row.network ?? network,
    username,
    groups,
    features,
    text,
    ...(mode !== undefined && { mode }),
    ...(language !== undefined && { language }),
    ...(history.length > 0 && { history: [...history] }),
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
