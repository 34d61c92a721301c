/** The rows that went worst, each with everything that one needs to see why. */
import type { AnswerClaim } from "../../domain/answer.js";
import { html, type Markup } from "../../lib/markup.js";
import type { EvaluatedRow } from "../run.js";
import { meanOf } from "../summary.js";

export const CASES_MAX = 20;

/** Those that failed, broke an expectation or have a score below 1, the worst first. */
export function worstRows(rows: readonly EvaluatedRow[]): readonly EvaluatedRow[] {
  return rows
    .filter((row) => row.report !== undefined || row.status === "failed")
    .map((row) => ({ row, badness: badnessOf(row) }))
    .filter(({ badness }) => badness > 0)
    .sort((a, b) => b.badness - a.badness)
    .slice(0, CASES_MAX)
    .map(({ row }) => row);
}

/** Broken expectations weigh more than failures to measure, and both more than low scores. */
function badnessOf({ checks, scores, status }: EvaluatedRow): number {
  const broken = checks.filter(({ passed }) => !passed).length;
  const values = Object.values(scores).flatMap((score) => (score?.type === "scored" ? [score.value] : []));
  return (broken > 0 ? 2 + broken / 100 : 0) + (status === "failed" ? 1 : 0) + 1 - (meanOf(values) ?? 1);
}

export function caseArticle({ position, row, report, checks, scores, reason, status }: EvaluatedRow): Markup {
  const answer = report?.answer;
  const truth = row.expected.groundTruth;
  const turns = row.turns.map((turn) => html`<li>${turn}</li>`);
  const asked =
    row.turns.length === 1
      ? html`<p><strong>${row.turns[0]}</strong></p>`
      : html`<ol class="turns">${turns}</ol>`;
  const words = answer?.text ?? report?.failure?.error ?? reason ?? "";
  const who = [row.username, ...row.groups, ...row.features].join(", ");
  return html`<article id="row-${position}"><header><h3>${row.id}</h3>
<span class="badge plain">${row.category}</span>
<span class="badge ${answer === undefined ? "bad" : "plain"}">${answer?.outcome ?? report?.failure?.code ?? status}</span>
<span class="soft small">asked by ${who}</span></header>
${asked}<blockquote>${words}</blockquote>
${reason === undefined || answer === undefined ? undefined : html`<p class="small">Not measured: ${reason}</p>`}
${checkList(checks)}${scoreLine(scores)}
${truth === undefined ? undefined : html`<p class="small"><span class="soft">Ground truth:</span> ${truth}</p>`}
${answer === undefined ? undefined : claimList(answer.claims)}
${answer === undefined ? undefined : passageList(answer.passages)}</article>`;
}

function checkList(checks: EvaluatedRow["checks"]): Markup | undefined {
  if (checks.length === 0) return undefined;
  return html`<ul class="checks">${checks.map(
    ({ passed, text }) =>
      html`<li class="small"><span class="badge ${passed ? "good" : "bad"}">${passed ? "kept" : "broken"}</span> ${text}</li>`,
  )}</ul>`;
}

function scoreLine(scores: EvaluatedRow["scores"]): Markup | undefined {
  const low = Object.entries(scores).flatMap(([metric, score]) => {
    if (metric === "as_expected" || score.type === "not_applicable") return [];
    if (score.type === "failed") return [html`<li>${metric}: failed. ${score.why}</li>`];
    if (score.value >= 1) return [];
    return [
      html`<li>${metric} ${score.value.toFixed(2)}${score.notes.length > 0 ? `: ${score.notes.join("; ")}` : ""}</li>`,
    ];
  });
  return low.length === 0 ? undefined : html`<ul class="small">${low}</ul>`;
}

function claimList(claims: readonly AnswerClaim[]): Markup | undefined {
  if (claims.length === 0) return undefined;
  const items = claims.map(({ text, verdict, said, confidence, evidence, reasons }) => {
    const details = [
      ...reasons.map((one) => html`<li>${one.text}</li>`),
      ...evidence.map(
        ({ source, value }) => html`<li><q>${value}</q> <span class="soft">${source}</span></li>`,
      ),
    ];
    return html`<li><span class="badge ${verdict === "supported" ? "good" : "bad"}">${verdict}</span>
${text} <span class="soft">${said ? "said" : "held back"}, ${confidence.toFixed(2)}</span>
${details.length === 0 ? undefined : html`<ul>${details}</ul>`}</li>`;
  });
  return html`<details><summary>Claims and evidence (${claims.length})</summary><ul class="claims small">${items}</ul></details>`;
}

function passageList(
  passages: NonNullable<NonNullable<EvaluatedRow["report"]>["answer"]>["passages"],
): Markup {
  const items = passages.map(
    ({ title, headings, sourceFile, text }) =>
      html`<li><strong>${[title, ...headings].join(" › ")}</strong> <span class="soft">${sourceFile}</span>
<blockquote>${text}</blockquote></li>`,
  );
  return html`<details><summary>Passages (${passages.length})</summary><ol class="small">${items}</ol></details>`;
}
