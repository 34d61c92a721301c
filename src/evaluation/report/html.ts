/** A run as one HTML file: no scripts, nothing from elsewhere, light and dark, a table beside each chart. */

import { html, type Markup } from "../../lib/markup.js";
import type { EvaluatedRun } from "../evaluations.js";
import { MARK_COLUMNS, type Marks, markLines } from "../marking.js";
import { type EvaluatedRow, isFinal, type Run } from "../run.js";
import type { MetricName } from "../score.js";
import type { Grade, Summary } from "../summary.js";
import { CASES_MAX, caseArticle, worstRows } from "./cases.js";
import {
  binName,
  histogramChart,
  histogramOf,
  percent,
  riskChart,
  shareBar,
  waterfall,
  waterfallChart,
} from "./charts.js";
import { STYLE } from "./style.js";

export function reportHtml({ run, rows, summary }: EvaluatedRun): string {
  const title = `Evaluation of ${run.spec.dataSet}`;
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${STYLE}</style></head>
<body><main>
<h1>${title}</h1>
${headline(run, summary)}
${metricsSection(summary)}
${categoriesSection(summary)}
${marksSection(summary.marks)}
${outcomesSection(summary)}
${distributionsSection(rows, summary)}
${latencySection(summary)}
${riskSection(summary)}
${casesSection(rows)}
${rowsSection(rows, run)}
</main></body></html>
`.text;
}

const VERDICT_LOOKS: Readonly<Record<Grade, string>> = {
  EXCELLENT: "good",
  ACCEPTABLE: "fair",
  INSUFFICIENT: "bad",
};

function headline(run: Run, { globalScore, verdict, usage }: Summary): Markup {
  const { rows, spec, reason } = run;
  const waiting = rows.pending + rows.answered;
  const state = isFinal(run.status) ? run.status : `${run.status}: the figures are those so far`;
  const facts: readonly (readonly [string, string])[] = [
    ["Run", `${run.id}, ${state}${reason === undefined ? "" : ` (${reason})`}`],
    ["Started", new Date(run.startedAtMs ?? run.createdAtMs).toISOString().replace("T", " ").slice(0, 19)],
    ["Rows", `${rows.done} measured, ${rows.failed} failed${waiting > 0 ? `, ${waiting} waiting` : ""}`],
    ["Judge", spec.judge ?? "none: the score is of relevancy and context, by words"],
    ["Tokens", tokensText(usage)],
  ];
  return html`<section class="headline" aria-label="Result"><div>
<div class="score">${globalScore === undefined ? "–" : globalScore.toFixed(3)}</div>
<div class="soft small">mean of the metrics in the score</div></div>
<span class="badge ${VERDICT_LOOKS[verdict]}">${verdict}</span>
<dl class="facts small">${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl></section>`;
}

function tokensText({ inputTokens, outputTokens, costUsd }: Summary["usage"]): string {
  const cost = costUsd === undefined ? "" : `, ${costUsd.toFixed(4)} US dollars`;
  return `${inputTokens.toLocaleString("en")} in, ${outputTokens.toLocaleString("en")} out${cost}`;
}

function metricsSection({ metrics }: Summary): Markup {
  const rows = Object.entries(metrics).map(
    ([metric, { mean, scored, failed, notApplicable, counts }]) => html`<tr><th scope="row">${metric}</th>
<td class="number">${mean === undefined ? "–" : mean.toFixed(3)}</td><td>${mean === undefined ? undefined : shareBar(mean)}</td>
<td class="number">${scored}</td><td class="number">${failed}</td><td class="number">${notApplicable}</td>
<td>${counts ? "yes" : "no"}</td></tr>`,
  );
  return html`<h2>Metrics</h2><div class="wide"><table>
<caption>Means over the rows that could be scored. What failed or does not apply is not averaged.</caption>
<thead><tr><th scope="col">Metric</th><th scope="col" class="number">Mean</th><th scope="col">0 to 1</th>
<th scope="col" class="number">Scored</th><th scope="col" class="number">Failed</th>
<th scope="col" class="number">Not applicable</th><th scope="col">In the score</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

/** The metric that tells most about a category: the first of these that was asked for. */
const CATEGORY_METRICS: readonly MetricName[] = [
  "as_expected",
  "correct_refusal",
  "faithfulness",
  "faithfulness_deterministic",
  "answer_relevancy",
  "answer_relevancy_deterministic",
];

function categoriesSection({ categories, metrics }: Summary): Markup | undefined {
  const asked = Object.keys(metrics) as MetricName[];
  const barOf = CATEGORY_METRICS.find((metric) => asked.includes(metric)) ?? asked[0];
  if (categories.length === 0 || barOf === undefined) return undefined;
  const shown = [barOf, ...CATEGORY_METRICS.filter((metric) => metric !== barOf && asked.includes(metric))];
  const rows = categories.map(({ category, rows: count, means }) => {
    const cells = shown.map((metric) => html`<td class="number">${means[metric]?.toFixed(2) ?? "–"}</td>`);
    const bar = means[barOf] === undefined ? undefined : shareBar(means[barOf]);
    return html`<tr><th scope="row">${category}</th><td class="number">${count}</td><td>${bar}</td>${cells}</tr>`;
  });
  const heads = shown.map((metric) => html`<th scope="col" class="number">${spaced(metric)}</th>`);
  return html`<h2>Categories</h2><div class="wide"><table><caption>Bars show ${spaced(barOf)}.</caption>
<thead><tr><th scope="col">Category</th><th scope="col" class="number">Rows</th><th scope="col">0 to 1</th>${heads}</tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

function marksSection(marks: Marks | undefined): Markup | undefined {
  if (marks === undefined) return undefined;
  const heads = MARK_COLUMNS.map((name) => html`<th scope="col" class="number">${name}</th>`);
  const lines = markLines(marks).map(
    ([name, ...counts]) =>
      html`<tr><th scope="row">${spaced(name!)}</th>${counts.map((count) => html`<td class="number">${count}</td>`)}</tr>`,
  );
  return html`<h2>Marks</h2><div class="wide"><table>
    <caption>Of the rows that say whether the documents answer them. A refusal is right where they do not.</caption>
<thead><tr>${heads}</tr></thead><tbody>${lines}</tbody></table></div>`;
}

function outcomesSection({ outcomes }: Summary): Markup | undefined {
  if (outcomes.length === 0) return undefined;
  const rows = outcomes.map(({ expected, came, count }) => {
    const verdict = expected === "any" ? undefined : expectationBadge(expected.split(" or ").includes(came));
    return html`<tr><td>${spaced(expected)}</td><td>${spaced(came)}</td><td class="number">${count}</td>
<td>${verdict}</td></tr>`;
  });
  const head = html`<th scope="col">Expected</th><th scope="col">Came to</th><th scope="col" class="number">Rows</th>`;
  return html`<h2>Outcomes</h2><div class="wide"><table><caption>What was expected, and what it came to.</caption>
<thead><tr>${head}<th scope="col"></th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

function expectationBadge(isMet: boolean): Markup {
  return html`<span class="badge ${isMet ? "good" : "bad"}">${isMet ? "as expected" : "otherwise"}</span>`;
}

function distributionsSection(rows: readonly EvaluatedRow[], { metrics }: Summary): Markup | undefined {
  const figures = (Object.keys(metrics) as MetricName[]).flatMap((metric) => {
    const values = rows.flatMap(({ scores }) => {
      const score = scores[metric];
      return score?.type === "scored" ? [score.value] : [];
    });
    if (values.length === 0) return [];
    const histogram = histogramOf(values);
    const filled = histogram.counts.flatMap((count, bin) => (count > 0 ? [{ count, bin }] : []));
    const cells = filled.map(
      ({ count, bin }) => html`<tr><th scope="row">${binName(bin)}</th><td class="number">${count}</td></tr>`,
    );
    return [
      html`<figure><h3>${spaced(metric)}</h3>${histogramChart(histogram, `How many rows have which ${spaced(metric)}`)}
<details><summary>Figures</summary><table><thead><tr><th scope="col">Score</th><th scope="col" class="number">Rows</th></tr></thead>
<tbody>${cells}</tbody></table></details></figure>`,
    ];
  });
  if (figures.length === 0) return undefined;
  return html`<h2>Distributions</h2><p class="soft small">Rows by score.</p><div class="grid">${figures}</div>`;
}

function latencySection({ latency }: Summary): Markup | undefined {
  const bars = waterfall(latency);
  if (bars.length === 0) return undefined;
  const rows = bars.map(
    ({
      stage,
      latency: { count, p50Ms, p90Ms, p95Ms, maxMs },
    }) => html`<tr><th scope="row">${stage}</th><td class="number">${count}</td>
${[p50Ms, p90Ms, p95Ms, maxMs].map((ms) => html`<td class="number">${msText(ms)}</td>`)}</tr>`,
  );
  return html`<h2>Latency</h2><figure class="wide">${waterfallChart(bars)}</figure>
<p class="soft small">Bars are medians and begin where the medians before them end; whiskers reach to the 95th percentile.</p>
<div class="wide"><table><caption>Milliseconds.</caption><thead><tr><th scope="col">Stage</th><th scope="col" class="number">Answers</th>
<th scope="col" class="number">p50</th><th scope="col" class="number">p90</th><th scope="col" class="number">p95</th>
<th scope="col" class="number">Longest</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

function msText(ms: number): string {
  return ms < 10 ? ms.toFixed(2) : ms.toFixed(0);
}

function riskSection({ riskCoverage }: Summary): Markup | undefined {
  const { aurc, points } = riskCoverage;
  if (aurc === undefined) return undefined;
  const rows = points.map(
    ({ confidence, coverage, risk }) => html`<tr><td class="number">${confidence.toFixed(3)}</td>
<td class="number">${percent(coverage)}</td><td class="number">${percent(risk)}</td></tr>`,
  );
  const figures = html`<tbody>${rows}</tbody></table></details>`;
  return html`<h2>Risk and coverage</h2><p>AURC ${aurc.toFixed(4)} <span class="soft">(lower is better)</span></p>
<figure class="wide">${riskChart(riskCoverage)}</figure>
<p class="soft small">Answers are given from the surest on. A point says how many questions are answered when everything at
least so sure is, and how many of those answers are wrong.</p>
<details><summary>Figures</summary><table><thead><tr><th scope="col" class="number">Confidence</th>
<th scope="col" class="number">Answered</th><th scope="col" class="number">Wrong among them</th></tr></thead>${figures}`;
}

function casesSection(rows: readonly EvaluatedRow[]): Markup {
  const worst = worstRows(rows);
  if (worst.length === 0)
    return html`<h2>Worst cases</h2><p>No row broke an expectation or scored below 1.</p>`;
  const note =
    worst.length === CASES_MAX ? html`<p class="soft small">The ${CASES_MAX} worst.</p>` : undefined;
  return html`<h2>Worst cases</h2>${note}${worst.map(caseArticle)}`;
}

function rowsSection(rows: readonly EvaluatedRow[], run: Run): Markup {
  const cells = rows.map(({ row, status, report, checks }) => {
    const broken = checks.some(({ passed }) => !passed);
    const mark = checks.length === 0 ? "plain" : broken ? "bad" : "good";
    const word = report === undefined || checks.length === 0 ? status : broken ? "broken" : "as expected";
    return html`<tr><th scope="row">${row.id}</th><td>${row.category}</td><td>${row.turns.at(-1)}</td>
<td>${spaced(report?.answer?.outcome ?? report?.failure?.code ?? "")}</td><td><span class="badge ${mark}">${word}</span></td></tr>`;
  });
  const head = ["Row", "Category", "Question", "Outcome", "Expectations"].map(
    (word) => html`<th scope="col">${word}</th>`,
  );
  return html`<h2>All rows</h2><details><summary>${rows.length} rows of ${run.spec.dataSet}</summary><div class="wide"><table class="small">
<thead><tr>${head}</tr></thead>
<tbody>${cells}</tbody></table></div></details>`;
}

function spaced(name: string): string {
  return name.replaceAll("_", " ");
}
