/** The charts of the report as SVG. Each says in words what it shows, and stands beside a table of its figures. */
import { scaleBand, scaleLinear } from "d3-scale";
import { curveStepAfter, line } from "d3-shape";
import { html, type Markup } from "../../lib/markup.js";
import type { Percentiles } from "../metrics/latency.js";
import type { RiskCoverage } from "../metrics/risk-coverage.js";

/** A share of 1 as a bar. */
export function shareBar(share: number): Markup {
  const label = `${Math.round(share * 100)} percent`;
  return html`<svg class="bar" viewBox="0 0 140 10" preserveAspectRatio="none" role="img" aria-label="${label}">
<rect width="140" height="10" rx="2"/><rect width="${round(140 * clamped(share))}" height="10" rx="2"/></svg>`;
}

export interface Histogram {
  /** Rows by score: [0, 0.1), [0.1, 0.2) … [0.9, 1]. */
  readonly counts: readonly number[];
}

const BINS = 10;

export function histogramOf(values: readonly number[]): Histogram {
  const counts = Array.from({ length: BINS }, () => 0);
  // What is 0.7 but for the last bit belongs to the bin that begins with it.
  for (const value of values) counts[Math.min(BINS - 1, Math.floor(clamped(value) * BINS + 1e-9))]! += 1;
  return { counts };
}

/** The name of a bin, such as `0.4–0.5`. */
export function binName(bin: number): string {
  return `${(bin / BINS).toFixed(1)}–${((bin + 1) / BINS).toFixed(1)}`;
}

export function histogramChart({ counts }: Histogram, description: string): Markup {
  const [width, height, bottom, top] = [260, 120, 18, 14];
  const x = scaleBand<number>()
    .domain(counts.map((_, bin) => bin))
    .range([0, width])
    .paddingInner(0.12);
  const y = scaleLinear()
    .domain([0, Math.max(1, ...counts)])
    .range([height - bottom, top]);
  const bars = counts.map((count, bin) => {
    const [left, edge] = [x(bin)!, y(count)];
    const label =
      count === 0
        ? undefined
        : html`<text x="${round(left + x.bandwidth() / 2)}" y="${round(edge - 3)}" text-anchor="middle">${count}</text>`;
    const size = html`width="${round(x.bandwidth())}" height="${round(y(0) - edge)}"`;
    return html`<rect class="mark" x="${round(left)}" y="${round(edge)}" ${size}/>${label}`;
  });
  return html`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${description}">${bars}
<line class="axis" x1="0" x2="${width}" y1="${y(0)}" y2="${y(0)}"/>
<text x="0" y="${height - 4}">0</text><text x="${width / 2}" y="${height - 4}" text-anchor="middle">0.5</text>
<text x="${width}" y="${height - 4}" text-anchor="end">1</text></svg>`;
}

/** Stages that follow one another; those beside each other in a group begin together. */
const STAGE_ORDER: readonly (readonly string[])[] = [
  ["route"],
  ["plan"],
  ["search"],
  ["compose_first_text", "compose"],
  ["gate"],
];

export interface StageBar {
  readonly stage: string;
  /** Where it begins when everything before it takes its median, in milliseconds. */
  readonly fromMs: number;
  readonly latency: Percentiles;
}

/** Stages one below the other, each where the median of those before it ends; what is not known begins at 0, `total` last. */
export function waterfall(latency: Readonly<Record<string, Percentiles>>): readonly StageBar[] {
  const bars: StageBar[] = [];
  let fromMs = 0;
  for (const group of STAGE_ORDER) {
    const present = group.filter((stage) => latency[stage] !== undefined);
    bars.push(...present.map((stage) => ({ stage, fromMs, latency: latency[stage]! })));
    fromMs += Math.max(0, ...present.map((stage) => latency[stage]!.p50Ms));
  }
  const known = new Set(STAGE_ORDER.flat());
  const others = Object.entries(latency).filter(([stage]) => !known.has(stage));
  const last = (stage: string) => (stage === "total" ? 1 : 0);
  others.sort(([a], [b]) => last(a) - last(b));
  return [...bars, ...others.map(([stage, one]) => ({ stage, fromMs: 0, latency: one }))];
}

/** Bars are medians, whiskers reach to the 95th percentile. */
export function waterfallChart(bars: readonly StageBar[]): Markup {
  const [width, left, right, rowHeight, bottom] = [1_000, 150, 30, 30, 24];
  const height = bars.length * rowHeight + bottom;
  const endMs = Math.max(1, ...bars.map(({ fromMs, latency }) => fromMs + latency.p95Ms));
  const x = scaleLinear()
    .domain([0, endMs])
    .nice()
    .range([left, width - right]);
  const ticks = x.ticks(6).map(
    (ms) => html`<line class="axis" x1="${round(x(ms))}" x2="${round(x(ms))}" y1="0" y2="${height - bottom}"/>
<text x="${round(x(ms))}" y="${height - 8}" text-anchor="middle">${x.tickFormat(6)(ms)} ms</text>`,
  );
  const rows = bars.map(({ stage, fromMs, latency }, i) => {
    const middle = i * rowHeight + rowHeight / 2;
    const [start, end, reach] = [x(fromMs), x(fromMs + latency.p50Ms), x(fromMs + latency.p95Ms)];
    return html`<text class="name" x="${left - 10}" y="${middle + 4}" text-anchor="end">${stage}</text>
<line class="whisker" x1="${round(end)}" x2="${round(reach)}" y1="${middle}" y2="${middle}"/>
<line class="whisker" x1="${round(reach)}" x2="${round(reach)}" y1="${middle - 4}" y2="${middle + 4}"/>
<rect class="mark" x="${round(start)}" y="${middle - 8}" width="${round(Math.max(1, end - start))}" height="16" rx="2"/>`;
  });
  const label =
    "Time by stage: medians as bars, the 95th percentile as whiskers. The table below has the figures.";
  return html`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">${ticks}${rows}</svg>`;
}

/** Risk over coverage, as steps: the next answer changes the risk of all that are given. */
export function riskChart({ points }: RiskCoverage): Markup {
  const [width, height, left, right, top, bottom] = [1_000, 300, 60, 30, 14, 44];
  const highest = Math.max(0.1, ...points.map(({ risk }) => risk));
  const x = scaleLinear()
    .domain([0, 1])
    .range([left, width - right]);
  const y = scaleLinear()
    .domain([0, highest])
    .nice()
    .range([height - bottom, top]);
  const across = x
    .ticks(5)
    .map(
      (share) =>
        html`<text x="${round(x(share))}" y="${height - bottom + 18}" text-anchor="middle">${percent(share)}</text>`,
    );
  const up = y.ticks(5).map(
    (
      share,
    ) => html`<line class="axis" x1="${left}" x2="${width - right}" y1="${round(y(share))}" y2="${round(y(share))}"/>
<text x="${left - 8}" y="${round(y(share) + 4)}" text-anchor="end">${percent(share)}</text>`,
  );
  const path = line<(typeof points)[number]>(
    ({ coverage }) => round(x(coverage)),
    ({ risk }) => round(y(risk)),
  ).curve(curveStepAfter)(points);
  const dots = points.map(
    ({
      coverage,
      risk,
      confidence,
    }) => html`<circle class="mark" cx="${round(x(coverage))}" cy="${round(y(risk))}" r="4">
<title>from confidence ${confidence.toFixed(2)} on: ${percent(coverage)} answered, ${percent(risk)} of that wrong</title></circle>`,
  );
  const label =
    "Risk over coverage: the share of wrong answers among those given, as less sure ones are given too. The table below has the figures.";
  return html`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">${up}${across}
<path class="curve" d="${path ?? ""}"/>${dots}
<text class="name" x="${(left + width - right) / 2}" y="${height - 6}" text-anchor="middle">questions answered</text>
<text class="name" transform="translate(14 ${(top + height - bottom) / 2}) rotate(-90)" text-anchor="middle">wrong among them</text></svg>`;
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)}%`;
}

function clamped(share: number): number {
  return Math.min(1, Math.max(0, share));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
