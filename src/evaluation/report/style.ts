/** How the report looks: one sheet, light and dark, for screens of any width and for paper. */
import { Markup } from "../../lib/markup.js";

export const STYLE = new Markup(`
:root {
  color-scheme: light dark;
  --paper: #fbfbfa; --card: #ffffff; --ink: #1d2125; --soft: #5a636d; --line: #dfe3e7; --wash: #eef1f4;
  --accent: #2f66c4; --accent-soft: #c3d4f1; --good: #1e7a4c; --good-wash: #e2f3e9;
  --fair: #8a5a00; --fair-wash: #fbeed3; --bad: #b3261e; --bad-wash: #fbe4e2;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171a; --card: #1c2024; --ink: #e8ebee; --soft: #a3adb8; --line: #343b43; --wash: #262c32;
    --accent: #8ab2f8; --accent-soft: #2f4a78; --good: #6fd3a0; --good-wash: #173626;
    --fair: #f0c069; --fair-wash: #3b2d0f; --bad: #f59a93; --bad-wash: #46201d;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif; }
main { max-width: 1080px; margin: 0 auto; padding: 24px 20px 64px; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 4px; }
h2 { font-size: 1.2rem; margin: 44px 0 10px; }
h3 { font-size: 1rem; margin: 0 0 6px; }
p { margin: 6px 0; }
.soft { color: var(--soft); }
.small { font-size: .875rem; }
.headline { display: flex; flex-wrap: wrap; gap: 16px 28px; align-items: center; margin: 20px 0 8px;
  padding: 18px 22px; background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
.score { font-size: 2.8rem; line-height: 1; font-weight: 650; font-variant-numeric: tabular-nums; }
.badge { display: inline-block; padding: 3px 10px; border-radius: 999px; font-weight: 600; font-size: .875rem;
  letter-spacing: .02em; white-space: nowrap; }
.good { background: var(--good-wash); color: var(--good); }
.fair { background: var(--fair-wash); color: var(--fair); }
.bad { background: var(--bad-wash); color: var(--bad); }
.plain { background: var(--wash); color: var(--soft); }
dl.facts { display: grid; grid-template-columns: max-content 1fr; gap: 2px 14px; margin: 0; }
dl.facts dt { color: var(--soft); }
dl.facts dd { margin: 0; overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--soft); font-size: .875rem; padding: 0 0 6px; }
th, td { text-align: left; padding: 6px 12px 6px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
thead th { font-size: .8125rem; color: var(--soft); font-weight: 600; vertical-align: bottom; }
th.number, td.number { text-align: right; white-space: nowrap; padding-right: 20px; }
caption { max-width: 60ch; }
tbody th { font-weight: 500; white-space: nowrap; }
.bar { display: block; width: 140px; height: 10px; margin-top: 7px; }
.bar rect:first-child { fill: var(--wash); }
.bar rect:last-child { fill: var(--accent); }
.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(240px, 1fr)); gap: 16px; }
figure { margin: 0; padding: 14px 16px; background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
figure svg { display: block; width: 100%; height: auto; }
figure.wide svg { min-width: 640px; }
svg text { fill: var(--soft); font: 11px system-ui, "Liberation Sans", sans-serif; font-variant-numeric: tabular-nums; }
svg .name { fill: var(--ink); font-size: 12px; }
svg .mark { fill: var(--accent); }
svg .mark-soft { fill: var(--accent-soft); }
svg .axis { stroke: var(--line); stroke-width: 1; }
svg .curve { fill: none; stroke: var(--accent); stroke-width: 2; }
svg .whisker { stroke: var(--accent); stroke-width: 1.5; }
details { margin-top: 8px; }
summary { cursor: pointer; color: var(--accent); font-size: .875rem; }
article { padding: 16px 18px; margin: 14px 0; background: var(--card); border: 1px solid var(--line);
  border-radius: 10px; overflow-wrap: anywhere; }
article header { display: flex; flex-wrap: wrap; gap: 4px 10px; align-items: baseline; margin-bottom: 8px; }
article header h3 { margin: 0; }
.turns { margin: 0; padding-left: 20px; }
blockquote { margin: 8px 0; padding: 8px 14px; background: var(--wash); border-radius: 6px; white-space: pre-line; }
ul.checks, ul.claims { list-style: none; margin: 6px 0; padding: 0; }
ul.checks li, ul.claims li { padding: 3px 0; }
ul.claims ul { margin: 2px 0 4px; padding-left: 20px; }
q { quotes: "\\201C" "\\201D"; }
@media print { .headline, figure, article { break-inside: avoid; } details > summary { display: none; } }
`);
