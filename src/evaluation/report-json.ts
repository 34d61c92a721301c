/** Runs, rows and results as JSON, in the names of the wire. `compare.ts` reads it back. */
import type { Answer } from "../domain/answer.js";
import type { AnswerKey } from "./data-set.js";
import type { EvaluatedRun } from "./evaluations.js";
import type { Marked, Marks, Tally } from "./marking.js";
import type { Percentiles } from "./metrics/latency.js";
import { type EvaluatedRow, isFinal, type Run } from "./run.js";
import type { Score } from "./score.js";
import type { Summary } from "./summary.js";

/** A run and how far it is. */
export function runJson(run: Run) {
  const { id, spec, status, reason, createdAtMs, startedAtMs, finishedAtMs, rows } = run;
  return {
    id,
    status,
    ...(reason !== undefined && { reason }),
    dataset: spec.dataSet,
    ...(spec.network !== undefined && { network: spec.network }),
    metrics: spec.metrics,
    ...(spec.judge !== undefined && { judge: spec.judge }),
    created_at: timeOf(createdAtMs),
    ...(startedAtMs !== undefined && { started_at: timeOf(startedAtMs) }),
    ...(finishedAtMs !== undefined && { finished_at: timeOf(finishedAtMs) }),
    progress: {
      rows: rows.pending + rows.answered + rows.done + rows.failed,
      done: rows.done,
      failed: rows.failed,
      answered: rows.answered,
      pending: rows.pending,
      is_over: isFinal(status),
    },
  };
}

/** What a run came to. */
export function resultJson(summary: Summary) {
  const {
    globalScore,
    unscored,
    verdict,
    metrics,
    categories,
    outcomes,
    marks,
    latency,
    riskCoverage,
    usage,
  } = summary;
  return {
    global_score: globalScore ?? null,
    verdict,
    unscored_rows: unscored,
    metrics: mapValues(metrics, ({ mean, scored, failed, notApplicable, counts }) => ({
      mean: mean ?? null,
      scored,
      failed,
      not_applicable: notApplicable,
      counts,
    })),
    categories: categories.map(({ category, rows, means }) => ({ category, rows, means })),
    outcomes,
    ...(marks && { marks: marksJson(marks) }),
    latency_ms: mapValues(latency, percentilesJson),
    risk_coverage: { aurc: riskCoverage.aurc ?? null, points: riskCoverage.points },
    usage: {
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      ...(usage.costUsd !== undefined && { cost_usd: usage.costUsd }),
    },
  };
}

/** One row with its answer, its figures and what was expected. */
export function rowJson({ row, status, attempts, report, scores, checks, marked, reason }: EvaluatedRow) {
  const { id, category, turns, network, username, groups, features, mode, language, expected } = row;
  return {
    id,
    category,
    status,
    ...(reason !== undefined && { reason }),
    attempts,
    turns,
    ...(network !== undefined && { network }),
    username,
    groups,
    features,
    ...(mode !== undefined && { mode }),
    ...(language !== undefined && { language }),
    expected: {
      ...(expected.outcomes && { outcomes: expected.outcomes }),
      must_say: expected.mustSay,
      must_not_say: expected.mustNotSay,
      ...(expected.documents && { documents: expected.documents }),
      ...(expected.groundTruth !== undefined && { ground_truth: expected.groundTruth }),
      ...(expected.sameWordsAs !== undefined && { same_words_as: expected.sameWordsAs }),
      ...(expected.key && { key: keyJson(expected.key) }),
    },
    ...(report?.answer && answerJson(report.answer)),
    ...(report?.failure && { failure: report.failure }),
    ...(report && {
      timings_ms: report.timingsMs,
      usage: {
        input_tokens: report.usage.inputTokens,
        output_tokens: report.usage.outputTokens,
        ...(report.usage.costUsd !== undefined && { cost_usd: report.usage.costUsd }),
      },
    }),
    checks,
    ...(marked && { mark: markJson(marked) }),
    scores: mapValues(scores, scoreJson),
  };
}

/** A whole run: what `report.json` holds. */
export function reportJson({ run, rows, summary }: EvaluatedRun) {
  return { ...runJson(run), ...resultJson(summary), rows: rows.map(rowJson) };
}

function answerJson(answer: Answer) {
  return {
    outcome: answer.outcome,
    route: answer.route.route,
    answer: answer.text,
    spoken: answer.spoken,
    search_queries: answer.queries,
    passages: answer.passages.map((passage) => ({
      chunk_id: passage.chunkId,
      title: passage.title,
      ...(passage.revision !== undefined && { revision: passage.revision }),
      source_file: passage.sourceFile,
      headings: passage.headings,
      ...(passage.page !== undefined && { page: passage.page }),
      score: passage.score,
      text: passage.text,
    })),
    claims: answer.claims,
    uncertainties: answer.uncertainties,
    confidence: answer.confidence,
    degraded: answer.degraded,
  };
}

function keyJson({ answerable, partialOk, items, hurts, source }: AnswerKey) {
  return { answerable, partial_ok: partialOk, ...(items && { items }), hurts, ...(source && { source }) };
}

export function markJson({ mark, partly, couldHurt, lacks, forbidden }: Marked) {
  return { mark, partly, could_hurt: couldHurt, lacks, forbidden };
}

export function marksJson({ total, answerable, unanswerable, kinds }: Marks) {
  return {
    total: tallyJson(total),
    answerable: tallyJson(answerable),
    unanswerable: tallyJson(unanswerable),
    kinds: kinds.map(({ kind, tally }) => ({ kind, ...tallyJson(tally) })),
  };
}

function tallyJson({ couldHurt, ...counts }: Tally) {
  return { ...counts, could_hurt: couldHurt };
}

function scoreJson(score: Score) {
  switch (score.type) {
    case "scored":
      return { value: score.value, ...(score.notes.length > 0 && { notes: score.notes }) };
    case "not_applicable":
      return { not_applicable: score.why };
    case "failed":
      return { failed: score.why };
  }
}

function percentilesJson({ count, p50Ms, p90Ms, p95Ms, maxMs }: Percentiles) {
  return { count, p50: p50Ms, p90: p90Ms, p95: p95Ms, max: maxMs };
}

function mapValues<T, U>(
  values: Readonly<Record<string, T>> | Readonly<Partial<Record<string, T>>>,
  change: (value: T) => U,
): Record<string, U> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, change(value)]])),
  );
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
